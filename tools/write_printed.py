"""Put what commands print into a page that names them: `python tools/write_printed.py docs/reference/accuracy.md`.

In the page's source a place is `<!-- printed by: COMMAND -->` and what follows up to `<!-- end -->`. Tables stay
tables, other lines become a block, and of a long list only the beginning is kept.
"""

import re
import shlex
import subprocess
import sys
from itertools import groupby
from pathlib import Path

PLACE = re.compile(r"(?<=<!-- printed by: )(.+?)( -->\n)(.*?)(?=<!-- end -->)", re.DOTALL)
LIST_MAX = 20  # lines of a list that are kept


def main() -> None:
    """Rewrite the pages given as arguments."""
    for path in map(Path, sys.argv[1:]):
        page = path.read_text("utf-8")
        path.write_text(PLACE.sub(_filled, page), "utf-8")


def _filled(place: re.Match[str]) -> str:
    words = shlex.split(place[1])
    print("running", place[1], file=sys.stderr)
    beside = Path(sys.executable).parent / words[0]
    done = subprocess.run([beside, *words[1:]], stdout=subprocess.PIPE, text=True, check=True)
    return f"{place[1]}{place[2]}\n{as_markdown(done.stdout)}\n"


def as_markdown(printed: str) -> str:
    """Tables as they are, everything else in blocks."""
    parts = []
    for is_table, group in groupby(printed.strip().splitlines(), key=lambda line: line.startswith("|")):
        lines = list(group)
        text = "\n".join(lines if is_table else _shortened(lines)).strip("\n")
        if text:
            parts.append(text if is_table else f"```text\n{text}\n```")
    return "\n\n".join(parts) + "\n"


def _shortened(lines: list[str]) -> list[str]:
    kept: list[str] = []
    for is_list, group in groupby(lines, key=lambda line: line.startswith("  ")):
        entries = list(group)
        more = len(entries) - LIST_MAX
        kept += [*entries[:LIST_MAX], f"  and {more} more"] if is_list and more > 1 else entries
    return kept


if __name__ == "__main__":
    main()
