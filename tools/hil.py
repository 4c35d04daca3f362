"""Hardware in the loop: the scenarios of the station program on a real Pico, and a load cell that another Pico plays.

    make hil PORT=/dev/ttyACM0                         the scenarios of tests/micropython/scenarios
    make hil PORT=/dev/ttyACM0 PLAYER=/dev/ttyACM1     and an HX711 played from a trace, read through PIO and two wires
    make hil PORT=... ARGS="--only rest"               one scenario

The program is compiled as it is for a bundle, copied into /hil on the board and started there; what the board records
is judged here, by the same functions as in the tests. Exit code 1: something is wrong; 2: there is no board.
"""

import argparse
import importlib
import json
import random
import sys
import time
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from mpremote.transport import TransportError, TransportExecError
from mpremote.transport_serial import SerialTransport
from serial import SerialException

from citytable.doctor.bundle import compiled, program_files
from citytable_lab.trace_file import BadTrace, load_trace

ROOT = Path(__file__).resolve().parents[1]
RIG = ROOT / "tests/micropython"
HOME = "/hil"
SILENCE_S = 180  # a scenario may say nothing that long; then the board hangs
BLOCK = 1024  # bytes written in one go
REPL_S = 5
ANSWER_S = 2  # for an answer of the board's REPL
CHUNK = 48  # counts in a line to the player
LINE_S = 10
NAP_S = 0.2
PERIOD_US = 12_500
PERIOD_TOLERANCE = 0.01
CONVERSIONS_MAX = 6000  # 75 s: the reading board keeps them in its memory
NEEDS = """\
what it needs:
  a Raspberry Pi Pico 2 W with MicroPython 1.28 or newer, on a USB cable with
      data lines (hold BOOTSEL while plugging it in, then copy MicroPython's
      .uf2 file onto the drive that appears)
  for the played load cell a second Pico of any kind, and three wires between
      the two: GP0 to GP0 (SCK), GP1 to GP1 (DOUT), GND to GND
then: make hil PORT=/dev/ttyACM0    (`ls /dev/ttyACM*` names the ports)
  or: make hil PORT=/dev/ttyACM0 PLAYER=/dev/ttyACM1"""


HASHES = """\
from binascii import hexlify
from hashlib import sha256

def tell(folder, name):
    hashed = sha256()
    try:
        with open(folder + "/" + name, "rb") as file:
            block = file.read(512)
            while block:
                hashed.update(block)
                block = file.read(512)
    except OSError:
        return
    print(name, hexlify(hashed.digest()).decode())
"""


class NoBoard(RuntimeError):
    """There is nothing to run on: the text says what was seen and what to do."""


class Failed(RuntimeError):
    """The board ran and something went wrong: the text is what it said."""


class Remote:
    """A board with MicroPython on a serial port."""

    def __init__(self, port: str) -> None:
        self.port = port
        try:
            self._transport = SerialTransport(port, timeout=ANSWER_S)
            self.begin()
        except (TransportError, SerialException, OSError) as error:
            raise NoBoard(
                f"{port}: {error}: is a board with MicroPython plugged in there, and no other program at it?"
            ) from error

    def begin(self) -> None:
        """From a soft reset: no module, no task, no state machine is left."""
        self._transport.enter_raw_repl(timeout_overall=REPL_S)
        self._transport.exec(f"import sys\nsys.path.insert(0, {HOME!r})")

    def name(self) -> str:
        """What the board calls itself."""
        self._transport.exec("import sys\nhere = sys.implementation")
        told = self._transport.eval("(getattr(here, '_machine', sys.platform), here.version)")
        return f"{told[0]}, MicroPython {'.'.join(map(str, told[1][:3]))}"

    def install(self, files: dict[str, bytes]) -> int:
        """Put files below HOME; those that are there already are not written again. How many were."""
        folders = {str(parent) for name in files for parent in Path(HOME, name).parents}
        for folder in sorted(folders - {"/"}):
            with suppress(OSError, TransportExecError):  # it is there, or writing a file will say what is wrong
                self._transport.fs_mkdir(folder)
        there = self._hashes(files)
        new = [name for name, content in files.items() if there.get(name) != sha256(content).hexdigest()]
        for name in new:
            self._write(f"{HOME}/{name}", files[name])
        return len(new)

    def _write(self, path: str, content: bytes) -> None:
        """In base64, which is half as long as what mpremote would send."""
        self._transport.exec(f"from binascii import a2b_base64\nfile = open({path!r}, 'wb')")
        for k in range(0, len(content), BLOCK):
            text = b64encode(content[k : k + BLOCK]).decode()
            self._transport.exec(f"file.write(a2b_base64(b'{text}'))")
        self._transport.exec("file.close()")

    def _hashes(self, files: Iterable[str]) -> dict[str, str]:
        """The sha256 of those that are there."""
        lines = self.run(f"{HASHES}\nfor name in {list(files)!r}:\n    tell({HOME!r}, name)")
        return dict(line.split() for line in lines)

    def run(self, code: str) -> Iterator[str]:
        """The lines that a program prints; raises `Failed` with its traceback."""
        self.start(code)
        printed, complaint = self._transport.follow(SILENCE_S)
        if complaint:
            raise Failed(complaint.decode("utf-8", "replace").strip())
        yield from printed.decode("utf-8", "replace").splitlines()

    def start(self, code: str) -> None:
        """Begin a program and do not wait for it."""
        self._transport.exec_raw_no_follow(code)

    def say(self, line: str) -> None:
        """A line into the running program."""
        self._transport.serial.write(line.encode() + b"\n")

    def hear(self) -> str:
        """The next line of the running program; raises `Failed` when there is none."""
        line = self._transport.read_until(1, b"\n", timeout=LINE_S)
        if not line.endswith(b"\n"):
            raise Failed(f"{self.port} says nothing: after {line!r}")
        return bytes(line).decode("utf-8", "replace").strip()

    def close(self) -> None:
        """Let go of the port."""
        self._transport.close()


def on_board() -> dict[str, bytes]:
    """Everything that is copied: the station program, the proving ground with its scenarios, `hil_board`."""
    sources = dict(program_files())
    for folder, name in ((RIG / "on_board/proving", "proving"), (RIG / "scenarios", "scenarios")):
        sources |= {f"{name}/{path.stem}": path for path in folder.glob("*.py")}
    sources["hil_board"] = ROOT / "tools/hil_board.py"
    return {f"{name}.mpy": compiled(path, name) for name, path in sorted(sources.items())}


def scenarios() -> list[str]:
    """The names of all scenarios."""
    return sorted(path.stem for path in (RIG / "scenarios").glob("*.py") if path.stem != "__init__")


def judge(name: str, printed: list[str]) -> list[str]:
    """What a scenario's own judge says about what a board printed."""
    told = [json.loads(line) for line in printed if line.startswith("{")]
    if not told or told[-1].get("mark") != "end":
        return [f"it did not come to its end; the last line is {printed[-1:]!r}"]
    if str(RIG) not in sys.path:
        sys.path.insert(0, str(RIG))
    return list(importlib.import_module(f"scenarios.{name}").judge(told))


def play_scenario(board: Remote, name: str) -> list[str]:
    """Run one scenario on a board; its complaints."""
    board.begin()
    code = f"import asyncio\nfrom proving.play import play\nasyncio.run(play({name!r}))"
    try:
        return judge(name, list(board.run(code)))
    except Failed as failure:
        return [str(failure)]


class Heard(NamedTuple):
    """What the reading board had to say about a played trace."""

    counts: list[int]
    ticks: list[int]
    lost: int


def made_up_trace(seed: int = 1) -> list[int]:
    """A tower of 400 g on a cell with 2147 counts a gram that rests, falls and rests; every sign and bit is in it."""
    lot = random.Random(seed)
    grams = [400.0] * 160 + [371, 298, 214, 262, 231, 256, 244] + [250.0] * 160
    edges = [0, -1, 1, 0x7FFFFF, -0x800000, 0x555555, -0x555556]
    return edges + [round(2147 * g + lot.gauss(0, 45)) for g in grams] + edges


def counts_of(path: Path) -> list[int]:
    """The first cell of a recorded trace, as much of it as is played."""
    return [max(-0x800000, min(0x7FFFFF, int(row[0]))) for row in load_trace(path).counts[:CONVERSIONS_MAX]]


def send_trace(
    say: Callable[[str], None],
    hear: Callable[[], str],
    counts: list[int],
    period_us: int,
    nap: Callable[[], None] = lambda: None,
) -> str:
    """Feed a player that has room for a few seconds at a time; its last line. Raises `Failed` when it objects. `nap` is
    taken before it is asked again whether there is room: asking keeps it from playing."""

    def ask(line: str) -> str:
        say(line)
        answer = hear()
        if answer.startswith("?"):
            raise Failed(f"the player refused {line[:40]!r}: {answer}")
        return answer

    answer = ask(f"period {period_us}")
    waiting, to_say = list(counts), ["play", "end"]
    while not answer.startswith("played"):
        if waiting and int(answer.split()[1]) >= CHUNK:
            answer = ask("counts " + " ".join(map(str, waiting[:CHUNK])))
            del waiting[:CHUNK]
        elif to_say == ["play", "end"] or (to_say and not waiting):
            answer = ask(to_say.pop(0))
        else:
            nap()
            answer = ask("room?")
    return answer


def judge_cell(counts: list[int], period_us: int, heard: Heard) -> list[str]:
    """Complaints about a trace that was read from a player: every conversion, in order, at its time."""
    complaints = []
    if heard.lost:
        complaints.append(f"the reader lost {heard.lost} conversions")
    if heard.counts != counts:
        same = next((k for k, (a, b) in enumerate(zip(counts, heard.counts, strict=False)) if a != b), None)
        where = (
            f"number {same} is {heard.counts[same]} instead of {counts[same]}"
            if same is not None
            else "the rest misses"
        )
        complaints.append(f"{len(heard.counts)} of {len(counts)} conversions were read; {where}")
    known = heard.ticks[len(heard.ticks) // 4 :]  # before, the reader learns the rhythm
    gaps = [(later - earlier) & 0x3FFFFFFF for earlier, later in pairwise(known)]
    if gaps and abs(sum(gaps) / len(gaps) / period_us - 1) > PERIOD_TOLERANCE:
        complaints.append(f"they seem {sum(gaps) / len(gaps):.0f} us apart, and were played every {period_us} us")
    return complaints


def heard_of(lines: list[str]) -> Heard:
    """What `hil_board.read_cell` printed, as a value."""
    told = [json.loads(line) for line in lines if line.startswith("{")]
    counts = [count for line in told for count in line.get("counts", ())]
    ticks = [tick for line in told for tick in line.get("ticks", ())]
    return Heard(counts, ticks, told[-1].get("lost", 0) if told else 0)


def play_cell(board: Remote, player: Remote, counts: list[int]) -> list[str]:
    """One board reads what the other plays; complaints."""
    board.begin()
    player.begin()
    try:
        player.start("import hil_board\nhil_board.play_trace()")
        board.start(f"import hil_board\nhil_board.read_cell({len(counts)})")
        lines = [board.hear()]
        ended = send_trace(player.say, player.hear, counts, PERIOD_US, partial(time.sleep, NAP_S))
        while "lost" not in lines[-1]:
            lines.append(board.hear())
    except Failed as failure:
        return [str(failure)]
    unread = int(ended.split()[-1])
    complaints = [f"the player saw {unread} conversions that nobody read"] if unread else []
    return complaints + judge_cell(counts, PERIOD_US, heard_of(lines))


def tell(name: str, complaints: list[str]) -> bool:
    """One line, and more when something is wrong; whether all is well."""
    print(f"{name:<18} {'wrong' if complaints else 'ok'}", flush=True)
    for complaint in complaints:
        print(f"    {complaint}", flush=True)
    return not complaints


def _options(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="hil", description="The station program's scenarios on a real board.")
    parser.add_argument("--port", default="", help="serial port of the board")
    parser.add_argument("--player", default="", help="serial port of a second board, which plays a load cell")
    parser.add_argument("--trace", type=Path, help="what it plays (.npz); a tower that falls if not given")
    parser.add_argument("--only", choices=scenarios(), action="append", help="this scenario; may be given again")
    return parser.parse_args(words)


def _all_well(options: argparse.Namespace) -> bool:
    counts = made_up_trace() if options.trace is None else counts_of(options.trace)
    files = on_board()
    board = Remote(options.port)
    print(f"{options.port}: {board.name()}; {board.install(files)} of {len(files)} files were new", flush=True)
    well = [tell(name, play_scenario(board, name)) for name in options.only or scenarios()]
    if options.player:
        player = Remote(options.player)
        player.install(files)
        well.append(tell("played load cell", play_cell(board, player, counts)))
        player.close()
    board.close()
    return all(well)


def main(words: list[str]) -> int:
    """The exit code."""
    options = _options(words)
    if not options.port:
        sys.stderr.write(f"hil: no board was named\n{NEEDS}\n")
        return 2
    try:
        return 0 if _all_well(options) else 1
    except NoBoard as error:
        sys.stderr.write(f"hil: {error}\n{NEEDS}\n")
    except BadTrace as error:
        sys.stderr.write(f"hil: {error}\n")
    except (TransportError, SerialException) as error:  # the plug came out, or the flash is full
        sys.stderr.write(f"hil: the board at {options.port} stopped taking orders: {error}\n")
        return 1
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
