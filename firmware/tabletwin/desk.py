"""`python -m tabletwin.desk`: a Pico on a desk, made of models, for a builder who has no board yet.

It is the program of a real Pico (`tablestation/boards/pico.py`) over modelled modules and chips, at a real broker and
in real time, wired as a station of a kind (`--kind`; a park station without it). It begins as a newcomer, is adopted,
identified and calibrated like a board, and forgets everything when it ends. It refuses updates: nobody flashes it, and
so it has no key to trust. Without `--broker` it hangs on a cable, whose other end is a pseudo-terminal.

Hands are lines on stdin: `weight GRAMS`, `tag UID`, `tag` (lift it), `unplug`, `plug`, `crane MM` (from its sensor to
its paddle, which rests there), `held MM` (the same, but a hand holds the carriage and the paddle hangs free), `button
down`, `button up`; before them may stand the number of a place. It prints its lights on stdout.
"""

import argparse
import asyncio
import gc
import json
import os
import pty
import sys
import time
import traceback
import tty
from collections.abc import Callable
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any

from tablestation.boards.pins import KINDS
from tablestation.seam import NOMINAL_COUNTS_PER_G
from tabletwin.board import BAG_CELL_G
from tabletwin.chips.beam import BreakBeam
from tabletwin.chips.clock import TICKS, Clock
from tabletwin.chips.hx711 import OPEN, WORKING, Bridge, Hx711
from tabletwin.chips.i2c import I2C
from tabletwin.chips.lis3dh import Lis3dh
from tabletwin.chips.machine import Machine
from tabletwin.chips.mcp23017 import Mcp23017
from tabletwin.chips.pins import Wires
from tabletwin.chips.pn532 import Air, Pn532, Tag
from tabletwin.chips.rp2 import Rp2
from tabletwin.chips.spi import SPI
from tabletwin.chips.vl53 import Vl53l4cd
from tabletwin.chips.ws2812 import Chain
from tabletwin.flash import Flash

CELL_G = 1000  # what a cell carries, but for the one below a bag
ZERO_COUNTS = 21_640
NOISE_COUNTS = 30
PARKED_MM = 45.0  # from a crane's sensor to its paddle
RESTS_MM = 62.0  # from there on the crane is lowered
HANDS = (
    "one of weight GRAMS, tag UID (8 or 14 digits of hex), tag, unplug, plug, crane MM, held MM, button down, button "
    "up; before it the number of a place that has such a part, or none for place 1"
)
LEVEL_MG = (0.0, 0.0, 1000.0)  # nobody knocks on this desk
LOOK_S = 0.2
BEAT_S = 0.01
MOST_US = 25_000  # of the board's time from one beat to the next; its accelerometer keeps 80 ms, an HX711's PIO 86
FREE_BYTES = 218_000  # the least that a Pico 2 W has left with such a program, by our count (decisions/0050)


def host_us() -> int:
    """Return the host's microseconds, from some moment on."""
    return time.monotonic_ns() // 1000


class HostTime:
    """The board's time: the host's, but while other programs keep the host busy it hardly goes on.

    Without this, the parts would go on while their board stands still, as they never do: conversions and windows would
    be lost, and the doctor would find faults. Call `beat` every `BEAT_S` seconds; from one beat to the next at most
    `MOST_US` pass. `host_us()` gives the host's microseconds.
    """

    def __init__(self, host_us: Callable[[], int]) -> None:
        self._host_us = host_us
        self._beat = (host_us(), 0)  # one value, because stdin is read in a thread of its own

    def now_us(self) -> int:
        """Return the board's microseconds since power-on."""
        host_us, board_us = self._beat
        return board_us + min(self._host_us() - host_us, MOST_US)

    def beat(self) -> None:
        """Let time go on."""
        host_us, board_us = self._host_us(), self.now_us()
        self._beat = (host_us, board_us)


class Place:
    """What is wired to one place of the pin plan, and what hands put there."""

    def __init__(self) -> None:
        self.grams = 0.0
        self.chips: list[Hx711] = []
        self.reader: Pn532 | None = None
        self.ranger: Vl53l4cd | None = None
        self.beam: BreakBeam | None = None

    def lower(self, range_mm: float, *, rests: bool) -> None:
        """Lower the paddle to this range; it rests there, or hangs free."""
        if self.ranger is not None and self.beam is not None:
            self.ranger.target_mm = range_mm
            self.beam.cover(rests)


class Desk:
    """The board's modules and chips, which stay what they are from one start of its program to the next."""

    def __init__(self, uid: bytes, kind: str = "park", host_us: Callable[[], int] = host_us) -> None:
        self.plan = import_module(f"tablestation.boards.pins.{kind}").PINS
        self.time = HostTime(host_us)
        self.clock = Clock(self.time.now_us)
        self.wires = Wires(self.clock)
        self.machine = Machine(self.wires, uid)
        self.machine.reset = self._reset
        self.rp2 = Rp2(self.wires)
        self.flash = Flash()
        self.gone = asyncio.Event()
        self.tasks: list[asyncio.Task[Any]] = []
        self.spi, self.i2c, self.air = SPI(self.clock), I2C(self.clock), Air()
        self._buses()
        self.places = [self._furnish(wired) for wired in self.plan["places"]]
        strip, leds = self.plan["strip"], sum(wired["leds"] for wired in self.plan["places"])
        self.strip = Chain(self.wires, strip["pin"], leds) if strip else None
        self.wires.wire("LED").listen(lambda level, *_: say("lamp on" if level else "lamp off"))

    def _buses(self) -> None:
        self.machine.buses["spi", self.plan["spi"]["bus"]] = self.spi
        if self.plan["i2c"]:
            self.machine.buses["i2c", self.plan["i2c"]["bus"]] = self.i2c
        if self.plan["accelerometer"]:
            self.i2c.attach(Lis3dh(self.clock, lambda _: LEVEL_MG))
        if self.plan["expander"]:
            self.expander = self.i2c.attach(Mcp23017(self.plan["expander"]["address"]))

    def _furnish(self, wired: dict[str, Any]) -> Place:
        place = Place()
        shared_by = len(wired["cells"])
        counts_per_g = NOMINAL_COUNTS_PER_G * CELL_G / (BAG_CELL_G if wired["spot"].endswith("/bag") else CELL_G)
        for sck, dout, _ in wired["cells"]:
            bridge = Bridge(lambda _: place.grams / shared_by, counts_per_g, ZERO_COUNTS, NOISE_COUNTS)
            place.chips.append(Hx711(self.wires, dout, sck, bridge))
        if wired["cs"] is not None:
            place.reader = Pn532(self.clock, self.air)
            self._hang(wired["cs"], self.spi.attach(place.reader))
        if wired["crane"]:
            place.ranger = Vl53l4cd(self.clock, target_mm=PARKED_MM)
            self.i2c.attach(place.ranger)
            self._hang(wired["crane"]["xshut"], place.ranger.power)
            pin = _expander_pin(wired["crane"]["beam"])
            place.beam = BreakBeam(lambda level: self.expander.put(pin, level))
        return place

    def _hang(self, pin: int | str, line: Any) -> None:
        """Hang a line on a pin of the board, or of the expander."""
        if isinstance(pin, str):
            self.expander.wire(_expander_pin(pin), line)
        else:
            wire = self.wires.wire(pin)
            wire.drive(1, 0)
            wire.listen(lambda level, *_: line(level))

    def _reset(self) -> None:
        self.machine.cause = self.machine.WDT_RESET  # as an RP2 tells it of every reset by program
        self.gone.set()
        raise asyncio.CancelledError  # nothing of this start goes on, and nobody hears of it

    def hand(self, line: str) -> str:
        """Obey a line of stdin; return what was wrong with it, or nothing."""
        words = line.split()
        number = int(words.pop(0)) if words and words[0].isdigit() else 1
        if not 1 <= number <= len(self.places):
            return f"{line.strip()!r}: the places are 1 to {len(self.places)}"
        place = self.places[number - 1]
        match words:
            case ["weight", grams] if _is_number(grams) and place.chips:
                place.grams = float(grams)
            case ["tag", uid] if len(uid) in (8, 14) and set(uid) <= set("0123456789abcdef") and place.reader:
                place.reader.tags = [Tag(bytes.fromhex(uid))]
            case ["tag"] if place.reader:
                place.reader.tags = []
            case ["crane", range_mm] if _is_number(range_mm) and place.ranger:
                place.lower(float(range_mm), rests=float(range_mm) >= RESTS_MM)
            case ["held", range_mm] if _is_number(range_mm) and place.ranger:
                place.lower(float(range_mm), rests=False)
            case ["button", "down" | "up" as way] if self.plan["button"]:
                self.expander.put(_expander_pin(self.plan["button"]), 0 if way == "down" else None)
            case ["unplug" | "plug" as way] if place.chips:
                for chip in place.chips:
                    chip.faults.append([self.clock.now_us(), OPEN if way == "unplug" else WORKING])
            case _:
                return f"{line.strip()!r}: {HANDS}"
        return ""


def _expander_pin(name: str) -> int:
    return "AB".index(name[0]) * 8 + int(name[1])


def _is_number(word: str) -> bool:
    return word.replace(".", "", 1).isdigit()


class Cable:
    """A pseudo-terminal in the place of the USB cable; the hub opens `path` as it would /dev/ttyACM0."""

    def __init__(self) -> None:
        self._fd, self._far_end = pty.openpty()  # the far end stays open, or reading fails while no hub is there
        tty.setraw(self._far_end)
        self.path = os.ttyname(self._far_end)
        self.buffer = self

    def fileno(self) -> int:
        """For `select.poll`."""
        return self._fd

    def read(self, n: int) -> bytes:
        """Read like the board's stdin."""
        return os.read(self._fd, n)

    def write(self, data: bytes) -> None:
        """Write like the board's stdout."""
        os.write(self._fd, data)


class First:
    """asyncio's stream on the cable, as MicroPython has it: it waits for a byte."""

    def __init__(self, cable: Cable) -> None:
        self._cable = cable

    async def read(self, n: int) -> bytes:
        """Return the bytes that have come, at most n."""
        loop = asyncio.get_running_loop()
        came: asyncio.Future[None] = loop.create_future()
        loop.add_reader(self._cable.fileno(), lambda: came.done() or came.set_result(None))
        try:
            await came
        finally:
            loop.remove_reader(self._cable.fileno())
        return self._cable.read(n)


class Radio:
    """`network`: a Wi-Fi that is always there."""

    STA_IF = 0

    def WLAN(self, _interface: int) -> "Radio":  # noqa: N802 (MicroPython's name)
        """Return the network interface."""
        return self

    def status(self) -> int:
        """Report that the interface is up, with an address."""
        return 3

    def __getattr__(self, _name: str) -> Any:
        return lambda *_given, **_named: None


def say(text: str) -> None:
    """Print a line for the person at the desk."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def furnish(desk: Desk, cable: Cable | None = None) -> ModuleType:
    """Return the Pico's own program with the desk's modules instead of MicroPython's."""
    for name, module in (("machine", desk.machine), ("rp2", desk.rp2), ("network", Radio())):
        sys.modules[name] = module  # type: ignore[assignment]
    from tablestation.boards import pico  # noqa: PLC0415 (it imports what was just put there)

    async def sleep_ms(ms: int) -> None:
        await asyncio.sleep(ms / 1000)

    async def wait_for_ms(work: Any, ms: int) -> Any:
        return await asyncio.wait_for(work, ms / 1000)

    def create_task(work: Any) -> Any:
        desk.tasks.append(asyncio.create_task(work))
        return desk.tasks[-1]

    pico.asyncio = SimpleNamespace(
        sleep_ms=sleep_ms,
        wait_for_ms=wait_for_ms,
        create_task=create_task,
        get_event_loop=asyncio.get_running_loop,
        TimeoutError=asyncio.TimeoutError,
        StreamReader=First,
    )
    pico.time = SimpleNamespace(ticks_us=lambda: desk.clock.now_us() % TICKS, sleep_us=desk.clock.spend)
    pico.gc = SimpleNamespace(
        mem_free=lambda: FREE_BYTES,
        collect=gc.collect,
        threshold=lambda _bytes: None,  # CPython counts objects, not bytes, and has no board's heap
    )
    pico.os = desk.flash
    desk.flash.urandom = os.urandom  # type: ignore[attr-defined]
    pico.open = desk.flash.open
    pico.sys = SimpleNamespace(
        implementation=sys.implementation,
        modules=sys.modules,
        print_exception=traceback.print_exception,
        stdin=cable,
        stdout=SimpleNamespace(buffer=cable, write=lambda text: say(text.rstrip())),  # text is for people
    )
    return pico


async def live(desk: Desk, pico: ModuleType) -> None:
    """Run one start of the board, until its reset."""
    desk.gone.clear()
    desk.tasks = []
    pico.Slots(pico.Files(desk.flash, desk.flash.open, "/")).choose()  # as boot.py does
    board = pico.Pico()
    running = asyncio.create_task(board.run())
    beside = (_beat(desk), _report_lights(desk), desk.gone.wait())
    desk.tasks += [running, *(asyncio.create_task(work) for work in beside)]
    try:
        await asyncio.wait((running, desk.tasks[-1]), return_when=asyncio.FIRST_COMPLETED)
    finally:
        await end(desk.tasks)
    if not running.cancelled():
        running.result()  # raises what ended the program: on a board it would be noted and a restart follow


async def end(tasks: list[asyncio.Task[Any]]) -> None:
    """Cancel all tasks, including those they start meanwhile, until none is left.

    It repeats this: `asyncio.wait_for` of Python 3.11 loses a cancellation that arrives with its result.
    """
    while alive := [task for task in tasks if not task.done()]:
        for task in alive:
            task.cancel()
        await asyncio.wait(alive, timeout=LOOK_S)
    await asyncio.gather(*tasks, return_exceptions=True)


async def _beat(desk: Desk) -> None:
    while True:
        desk.time.beat()
        await asyncio.sleep(BEAT_S)


async def _report_lights(desk: Desk) -> None:
    shown = None
    while desk.strip is not None:
        pixels = desk.strip.pixels()
        if pixels != shown:
            shown = pixels
            lit = [pixel for pixel in pixels if any(pixel)]
            say(f"ring: {len(lit)} of {len(pixels)} lit, {lit[0]}" if lit else "ring dark")
        await asyncio.sleep(LOOK_S)


async def sit(desk: Desk, pico: ModuleType) -> None:
    """Start the board again and again, until stdin ends."""
    loop = asyncio.get_running_loop()
    ended = loop.run_in_executor(None, _obey, desk)
    while not ended.done():
        say("the board starts")
        life = asyncio.create_task(live(desk, pico))
        await asyncio.wait((life, ended), return_when=asyncio.FIRST_COMPLETED)
        if life.done():
            life.result()
        life.cancel()
        await asyncio.wait((life,))


def _obey(desk: Desk) -> None:
    for line in sys.stdin:
        complaint = desk.hand(line)
        if complaint:
            say(complaint)


def _options(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tabletwin.desk", description="A Pico made of models, as a newcomer.")
    parser.add_argument("--broker", metavar="HOST:PORT", help="of its broker; none: it is on a cable")
    parser.add_argument("--user", default="")
    parser.add_argument("--password", default="")
    parser.add_argument("--kind", choices=KINDS, default="park", help="of station whose parts it has")
    parser.add_argument("--uid", default="e661640843123456", help="its chip, 16 digits of hex")
    options = parser.parse_args(words)
    host, _, port = (options.broker or "").rpartition(":")
    if options.broker and (not host or not port.isdigit()):
        parser.error(f"--broker {options.broker!r}: write HOST:PORT, for example 127.0.0.1:1884")
    options.secrets = {"host": host, "port": int(port), "ssid": "desk"} if options.broker else {}
    options.secrets |= {"user": options.user, "password": options.password} if options.user else {}
    return options


def main(words: list[str]) -> int:
    """Run until stdin ends."""
    options = _options(words)
    desk = Desk(bytes.fromhex(options.uid), options.kind)
    cable = None if options.broker else Cable()
    with desk.flash.open("/secrets.json", "wb") as file:
        file.write(json.dumps(options.secrets).encode())
    if cable is not None:
        say(f"its cable is {cable.path}: citytable run --no-twin --serial {cable.path}")
    try:
        asyncio.run(sit(desk, furnish(desk, cable)))
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
