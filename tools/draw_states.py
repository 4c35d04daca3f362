"""Draw a page's state diagrams from the tables in the code: `python tools/draw_states.py docs/reference/sensing.md`.

In the page's source a place is `<!-- drawn from: MODULE -->` and what follows up to `<!-- end -->`. The module has a
`State`, whose first member is where it begins, and `TRANSITIONS`: from (state, event) to the next state, alone or
beside what is told.
"""

import re
import sys
from enum import Enum
from importlib import import_module
from pathlib import Path

PLACE = re.compile(r"(<!-- drawn from: ([\w.]+) -->\n)(.*?)(?=<!-- end -->)", re.DOTALL)


def main() -> None:
    """Rewrite the pages given as arguments."""
    for path in map(Path, sys.argv[1:]):
        path.write_text(drawn(path.read_text("utf-8")), "utf-8")


def drawn(page: str) -> str:
    """The page with its diagrams as the code has them."""
    return PLACE.sub(lambda place: f"{place[1]}\n{diagram(place[2])}\n", page)


def diagram(module: str) -> str:
    """The states of a module as a block of Mermaid."""
    table = import_module(module)
    start = next(iter(table.State))
    lines = [f"[*] --> {start.value}"]
    for (state, event), to in table.TRANSITIONS.items():
        after = to if isinstance(to, Enum) else to[0]
        lines.append(f"{state.value} --> {after.value} : {event.value}")
    return "\n".join(("```mermaid", "stateDiagram-v2", *(f"    {line}" for line in lines), "```", ""))


if __name__ == "__main__":
    main()
