"""`python -m tabletwin.desk`: a Pico on a desk, made of models, for a builder who has no board yet.

It is the program of a real Pico (`tablestation/boards/pico.py`) over modelled modules and chips, at a real broker and
in real time: a load cell, a tag reader, an accelerometer and a ring of lights, wired as a park station. It begins as a
newcomer, is adopted, identified, calibrated and updated like a board, and forgets everything when it ends. Without
`--broker` it hangs on a cable, whose other end is a pseudo-terminal.

Hands are lines on stdin: `weight GRAMS`, `tag UID`, `tag` (lift it), `unplug`, `plug`. It prints its lights on stdout.
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
from types import ModuleType, SimpleNamespace
from typing import Any

from tablestation.boards.pins.park import PINS
from tabletwin.chips.clock import TICKS, Clock
from tabletwin.chips.hx711 import OPEN, WORKING, Bridge, Hx711
from tabletwin.chips.i2c import I2C
from tabletwin.chips.lis3dh import Lis3dh
from tabletwin.chips.machine import Machine
from tabletwin.chips.pins import Wires
from tabletwin.chips.pn532 import Pn532, Tag
from tabletwin.chips.rp2 import Rp2
from tabletwin.chips.spi import SPI
from tabletwin.chips.ws2812 import Chain
from tabletwin.flash import Flash

COUNTS_PER_G = 1803
ZERO_COUNTS = 21_640
NOISE_COUNTS = 30
LEVEL_MG = (0.0, 0.0, 1000.0)  # nobody knocks on this desk
LOOK_S = 0.2
FREE_BYTES = 240_000  # what a Pico 2 W has left with such a program (tests/micropython/test_heap.py)


class Desk:
    """The board's modules and chips, which stay what they are from one start of its program to the next."""

    def __init__(self, uid: bytes) -> None:
        began_ns = time.monotonic_ns()
        self.clock = Clock(lambda: (time.monotonic_ns() - began_ns) // 1000)
        self.wires = Wires(self.clock)
        self.machine = Machine(self.wires, uid)
        self.machine.reset = self._reset
        self.rp2 = Rp2(self.wires)
        self.flash = Flash()
        self.grams = 0.0
        self.gone = asyncio.Event()
        self.tasks: list[asyncio.Task[Any]] = []
        (place,) = PINS["places"]
        sck, dout, _ = place["cells"][0]
        bridge = Bridge(lambda _: self.grams, COUNTS_PER_G, ZERO_COUNTS, NOISE_COUNTS)
        self.chip = Hx711(self.wires, dout, sck, bridge)
        self.reader = Pn532(self.clock)
        spi = SPI(self.clock)
        self.machine.buses["spi", PINS["spi"]["bus"]] = spi
        i2c = self.machine.buses["i2c", PINS["i2c"]["bus"]] = I2C(self.clock)
        i2c.attach(Lis3dh(self.clock, lambda _: LEVEL_MG))
        select = self.wires.wire(place["cs"])
        select.drive(1, 0)
        select.listen(spi.attach(self.reader).hear)
        self.strip = Chain(self.wires, PINS["strip"]["pin"], place["leds"])
        self.wires.wire("LED").listen(lambda level, *_: say("lamp on" if level else "lamp off"))

    def _reset(self) -> None:
        self.machine.cause = self.machine.WDT_RESET  # as an RP2 tells it of every reset by program
        self.gone.set()
        raise asyncio.CancelledError  # nothing of this start goes on, and nobody hears of it

    def hand(self, line: str) -> str:
        """Obey a line of stdin; return what was wrong with it, or nothing."""
        match line.split():
            case ["weight", grams] if grams.replace(".", "", 1).isdigit():
                self.grams = float(grams)
            case ["tag", uid] if len(uid) in (8, 14) and set(uid) <= set("0123456789abcdef"):
                self.reader.tags = [Tag(bytes.fromhex(uid))]
            case ["tag"]:
                self.reader.tags = []
            case ["unplug"]:
                self.chip.faults.append([self.clock.now_us(), OPEN])
            case ["plug"]:
                self.chip.faults.append([self.clock.now_us(), WORKING])
            case _:
                return f"{line.strip()!r}: one of weight GRAMS, tag UID (8 or 14 digits of hex), tag, unplug, plug"
        return ""


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
    desk.tasks += [running, asyncio.create_task(_report_lights(desk)), asyncio.create_task(desk.gone.wait())]
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


async def _report_lights(desk: Desk) -> None:
    shown = None
    while True:
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
    desk = Desk(bytes.fromhex(options.uid))
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
