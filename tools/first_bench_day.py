"""The first bench day: `make bench-day STATION=park` walks a maker through everything that was never tried.

It reads the procedures from hardware/NEVER-TRIED.md, lets the doctor measure what it can, asks for the other figures,
and writes var/bench-day.md. An empty answer means: not today. Ctrl-D ends the day; the report has what is known.
"""

import argparse
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PROCEDURES = ROOT / "hardware/NEVER-TRIED.md"
REPORT = ROOT / "var/bench-day.md"
DOCTOR = re.compile(r"`(citytable doctor [^`]*)`")
STATION_OF_THE_PAGE = "park"
COLUMNS = 4


class Procedure(NamedTuple):
    """A line of the page: a figure to find, how, and what we assume."""

    what: str
    how: str
    assumed: str


def procedures(page: str) -> list[Procedure]:
    """Return the procedures of the page's table; raise ValueError for a line without four columns."""
    found = []
    for line in page.splitlines():
        if not line.startswith("| ") or line.startswith(("| what ", "|---")):
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) != COLUMNS:
            raise ValueError(f"the line {line[:60]!r} has {len(cells)} columns, of {COLUMNS}")
        found.append(Procedure(*cells[:3]))
    return found


def command_of(procedure: Procedure, station: str) -> list[str]:
    """Return the doctor's command of a procedure for this station; empty if people measure it."""
    found = DOCTOR.search(procedure.how)
    if found is None:
        return []
    return [station if word == STATION_OF_THE_PAGE else word for word in shlex.split(found[1])]


def walk(
    todo: list[Procedure], station: str, run: Callable[[list[str]], str], ask: Callable[[str], str]
) -> list[tuple[Procedure, str, str]]:
    """Return each procedure with what its command printed and the figure that was given, "" where there was none."""
    done = []
    said: dict[tuple[str, ...], str] = {}
    for number, one in enumerate(todo, 1):
        command = command_of(one, station)
        try:
            if command and tuple(command) not in said:
                said[tuple(command)] = run(command)
            figure = ask(
                f"{number} of {len(todo)}: {one.what}\n  how: {one.how}\n  we assume: {one.assumed}\n  figure: "
            )
        except EOFError:
            break
        done.append((one, said.get(tuple(command), ""), figure.strip()))
    return done


def report(done: list[tuple[Procedure, str, str]], when: str, board: str) -> str:
    """Return the report as a page."""
    lines = [f"# Bench day {when}, {board}", "", "| what | we assume | figure |", "|---|---|---|"]
    lines += [f"| {one.what} | {one.assumed} | {figure or 'not measured'} |" for one, _, figure in done]
    outputs = dict.fromkeys(output for _, output, _ in done if output)
    return "\n".join([*lines, "", *(f"```\n{output.strip()}\n```\n" for output in outputs)])


def _run(command: list[str]) -> str:
    program = Path(sys.executable).with_name(command[0])
    done = subprocess.run([program, *command[1:]], capture_output=True, text=True, check=False)
    output = f"$ {shlex.join(command)}\n{done.stdout}{done.stderr}"
    print(output)
    return output


def main() -> int:
    """Walk through the page; return 1 if nothing was measured."""
    options = argparse.ArgumentParser(description="the first bench day, with a report")
    options.add_argument("--station", default=STATION_OF_THE_PAGE, help="the station on the bench")
    station = options.parse_args().station
    done = walk(procedures(PROCEDURES.read_text("utf-8")), station, _run, input)
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(report(done, datetime.now().astimezone().date().isoformat(), station), "utf-8")
    print(f"{REPORT.relative_to(ROOT)} has the report: please open an issue with it")
    return 0 if any(figure for _, _, figure in done) else 1


if __name__ == "__main__":
    sys.exit(main())
