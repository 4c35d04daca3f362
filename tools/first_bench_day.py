"""The first bench day: `make bench-day STATION=park PLAN=cafe.json BROKER=127.0.0.1:1884 PORT=/dev/ttyACM0`.

It walks a maker through everything that was never tried. The procedures stand in hardware/NEVER-TRIED.md. First the
board at the port plays the scenarios of the firmware's tests (`make hil`). Then the doctor and the scales measure what
they can, and people give the other figures. An empty answer means: not today. Ctrl-D or Ctrl-C ends the day.
var/bench-day.md is written after each answer.
"""

import argparse
import json
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PROCEDURES = ROOT / "hardware/NEVER-TRIED.md"
REPORT = ROOT / "var/bench-day.md"
COMMAND = re.compile(r"`(citytable [^`]*)`")
LINE = re.compile(r"lines? \*([^*]+)\*")
STATION_OF_THE_PAGE = "park"
COLUMNS = 4
SKIP, AGAIN = "s", "m"
WEIGHTS = ("--grams", "500", "--second", "200")
START = """\
Start the hub in another terminal:
  .venv/bin/citytable run --no-twin --broker-port {port} --plan {plan}
Wait until http://127.0.0.1:8080/stations shows {station}.
Then press Enter: """
WIDE = 79  # columns of a terminal's window; a command is not folded, so that it can be copied


class Procedure(NamedTuple):
    """A line of the page: a figure to find, how, and what we assume."""

    what: str
    how: str
    assumed: str


class Bench(NamedTuple):
    """What is on the bench: a station of a plan at a broker, and serial ports of boards ("" where there is none)."""

    station: str
    plan: str
    broker: str
    port: str = ""
    player: str = ""


class Measure(NamedTuple):
    """A measurement by commands: what measures, the doctor's line with the figure, and what goes on meanwhile."""

    command: tuple[str, ...]
    line: str
    meanwhile: tuple[tuple[str, ...], ...] = ()


class Entry(NamedTuple):
    """A procedure with its figure ("": not measured), and what was printed for it."""

    procedure: Procedure
    figure: str
    printed: str


class Maker(NamedTuple):
    """Ways to the person and to the commands: `run(words)` gives an exit code and what was printed."""

    ask: Callable[[str], str]
    say: Callable[[str], None]
    run: Callable[[tuple[str, ...]], tuple[int, str]]


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


def measure_of(procedure: Procedure, before: Measure | None, bench: Bench) -> Measure | None:
    """Return how commands measure this, or None if people do; "the same" means as in the procedure `before`."""
    commands = [completed(text, bench) for text in COMMAND.findall(procedure.how)]
    for command in commands:
        if command[1] in ("doctor", "weigh"):
            line = LINE.search(procedure.how)
            return Measure(command, line[1] if line else "")
    if before is not None and "the same" in (procedure.what[:8], procedure.how[:8]):
        return before._replace(meanwhile=tuple(commands))
    return None


def completed(text: str, bench: Bench) -> tuple[str, ...]:
    """Return a command of the page for this bench: its station, its plan and its broker."""
    words = _at(bench, text)
    weights = WEIGHTS if words[1] == "calibrate" else ()
    as_json = ("--json",) if words[1] == "doctor" else ()
    return (*words, *weights, "--plan", bench.plan, "--broker", bench.broker, *as_json)


def _at(bench: Bench, text: str) -> tuple[str, ...]:
    return tuple(bench.station if word == STATION_OF_THE_PAGE else word for word in shlex.split(text))


def walk(todo: list[Procedure], bench: Bench, maker: Maker, keep: Callable[[Entry], None]) -> None:
    """Go through the procedures, and hand each with its figure to `keep`; end with the input."""
    measure: Measure | None = None
    for number, one in enumerate(todo, 1):
        found = measure_of(one, measure, bench)
        measure = found or measure
        how = COMMAND.sub(lambda command: f"`{' '.join(_at(bench, command[1]))}`", one.how)
        maker.say(f"\n[{number}/{len(todo)}] {one.what}\n  how: {how}\n  we assume: {one.assumed}")
        try:
            figure, printed = _by_hand(one, bench, maker) if found is None else _measured(found, maker)
        except (EOFError, KeyboardInterrupt):
            return
        keep(Entry(one, figure, printed))


def _by_hand(one: Procedure, bench: Bench, maker: Maker) -> tuple[str, str]:
    for text in COMMAND.findall(one.how):
        maker.say(f"  in another terminal:\n    .venv/bin/{shlex.join(completed(text, bench))}")
    return maker.ask("  figure: ").strip(), ""


def _measured(measure: Measure, maker: Maker) -> tuple[str, str]:
    """Measure, once or under several conditions; return the figures and what was printed."""
    figures: list[str] = []
    printed: list[str] = []
    if maker.ask(f"  make it so, and press Enter to measure ({SKIP}: not today): ").strip() == SKIP:
        return "", ""
    while True:
        for command in measure.meanwhile:
            maker.say(maker.run(command)[1])
        code, told = maker.run(measure.command)
        seen, shown = read(told, measure.line) if measure.command[1] == "doctor" else (_in_a_line(told), told)
        seen = "" if code and shown == told else seen  # what was printed says why there is no figure
        maker.say(shown)
        printed.append(f"$ {shlex.join(measure.command)}\n{shown.strip()}")
        answer = maker.ask(f"  figure (Enter takes {seen!r}; {AGAIN}: takes it and measures again): ").strip()
        figures.append(seen if answer in ("", AGAIN) else answer)
        if answer != AGAIN:
            return "; ".join(figure for figure in figures if figure), "\n".join(printed)


def _in_a_line(told: str) -> str:
    return "; ".join(" ".join(line.split()) for line in told.strip().splitlines())


def read(told: str, line: str) -> tuple[str, str]:
    """Return what the doctor saw in the lines named so, and all its lines; what is no report is shown as it is."""
    try:
        findings = json.loads(told.splitlines()[-1])["findings"]
    except (ValueError, IndexError, KeyError, TypeError):
        return "", told
    seen = [one["seen"] for one in findings if line and line in one["what"]]
    shown = [f"{one['what']:<36} {one['seen']:<37} {'ok' if one['ok'] else one['check']}" for one in findings]
    return "; ".join(dict.fromkeys(seen)), "\n".join(shown)


def scenarios(bench: Bench, words: list[str], maker: Maker) -> str:
    """Let the board at the port play the scenarios; return what was printed, "" without a port or a wish."""
    if not bench.port:
        maker.say("no PORT was given: the scenarios are left out, as make hil PORT=/dev/ttyACM0 plays them")
        return ""
    asked = f"The board at {bench.port} plays the scenarios. No hub may be at it. Press Enter ({SKIP}: not today): "
    if maker.ask(asked).strip() == SKIP:
        return ""
    command = ("python", str(ROOT / "tools/hil.py"), "--port", bench.port, "--player", bench.player, *words)
    printed = maker.run(command)[1]
    maker.say(f"{printed}\nTake the board's power away once: then its own program runs again.")
    return printed


def report(entries: list[Entry], played: str, when: str, station: str) -> str:
    """Return the report as a page."""
    lines = [f"# Bench day {when}, {station}", "", "| what | we assume | figure |", "|---|---|---|"]
    lines += [f"| {one.procedure.what} | {one.procedure.assumed} | {one.figure or 'not measured'} |" for one in entries]
    lines += ["", "## The scenarios on the board", "", f"```text\n{played.strip()}\n```" if played else "Not played."]
    for one in entries:
        if one.printed:
            lines += ["", f"## {one.procedure.what}", "", f"```text\n{one.printed.strip()}\n```"]
    return "\n".join(lines) + "\n"


def folded(text: str) -> str:
    """Return a text whose lines fit a terminal of 80 columns; a line goes on two columns further in."""
    found = []
    for line in text.split("\n"):
        if line.lstrip().startswith(".venv/"):
            found.append(line)
            continue
        indent = " " * (len(line) - len(line.lstrip()))
        found += textwrap.wrap(line, WIDE, subsequent_indent=f"{indent}  ", break_long_words=False) or [""]
    return "\n".join(found)


def _say(text: str) -> None:
    print(folded(text))


def _ask(text: str) -> str:
    """Ask in lines that fit; the answer is typed after the last."""
    *before, last = folded(text).split("\n")
    for line in before:
        print(line)
    return input(f"{last} ")


def _run(words: tuple[str, ...]) -> tuple[int, str]:
    program = Path(sys.executable).with_name(words[0])
    done = subprocess.run([program, *words[1:]], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout + done.stderr


def _options() -> tuple[Bench, argparse.Namespace]:
    parser = argparse.ArgumentParser(description="the first bench day, with a report")
    parser.add_argument("--station", default=STATION_OF_THE_PAGE, help="the station on the bench")
    parser.add_argument("--plan", default="cafe.json", help="plan file of its table")
    parser.add_argument("--broker", default="127.0.0.1:1884", help="host:port of its broker")
    parser.add_argument("--port", default="", help="serial port of its board, for the scenarios")
    parser.add_argument("--player", default="", help="serial port of a second board, which plays a load cell")
    parser.add_argument("--only", action="append", default=[], help="this scenario; may be given again")
    parser.add_argument("--report", type=Path, default=REPORT, help="file of the report")
    told = parser.parse_args()
    return Bench(told.station, told.plan, told.broker, told.port, told.player), told


def main() -> int:
    """Walk through the page; return 1 if nothing was measured, 2 without a plan."""
    bench, told = _options()
    if not Path(bench.plan).exists():
        print(f"there is no plan file {bench.plan}: adopt the station first, as its guide in hardware/stations says")
        return 2
    maker, entries = Maker(_ask, _say, _run), list[Entry]()
    when = datetime.now().astimezone().date().isoformat()
    told.report.parent.mkdir(exist_ok=True)
    played = ""

    def write() -> None:
        told.report.write_text(report(entries, played, when, bench.station), "utf-8")

    def keep(entry: Entry) -> None:
        entries.append(entry)
        write()

    try:
        played = scenarios(bench, [word for name in told.only for word in ("--only", name)], maker)
        write()
        port = bench.broker.rpartition(":")[2]
        maker.ask(START.format(station=bench.station, port=port, plan=bench.plan))
    except (EOFError, KeyboardInterrupt):
        return 1
    walk(procedures(PROCEDURES.read_text("utf-8")), bench, maker, keep)
    print(f"\n{told.report} has the report: please open an issue with it")
    return 0 if any(one.figure for one in entries) else 1


if __name__ == "__main__":
    sys.exit(main())
