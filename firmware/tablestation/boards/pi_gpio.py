"""A Raspberry Pi whose own pins carry cells: the station program under CPython.

    python -m tablestation.boards.pi_gpio --config FILE

The file is JSON: the address of the broker, and the wiring by the Pi's pin numbers (BCM), as in a pin plan.

    {"host": "127.0.0.1", "port": 1883, "user": "new", "password": "...",
     "kind": "park",
     "places": [{"spot": "city/0/0", "cells": [{"dout": 5, "sck": 6}], "alert_g": 8}]}

It starts as a newcomer; `citytable station adopt` gives it a name and its own login, which go into the same file.
The chips' RATE pins must be high: 80 conversions a second. Each cell is read by a child process (`pi_gpio_cell`). With
`"accelerometer": true` the program looks for a LIS3DH on the Pi's I2C bus, pins 2 and 3.
"""

import argparse
import asyncio
import json
import os
import signal
import sys
import time
import uuid
from collections.abc import Coroutine
from errno import ETIMEDOUT
from pathlib import Path
from random import SystemRandom
from typing import IO, Any

from tablestation.boards import pi_gpio_i2c
from tablestation.boards.pi_gpio_cell import BEGIN_US, ChildCell, NotInstalled
from tablestation.boards.pins import places
from tablestation.care.adoption import Newcomer, is_adopted, names
from tablestation.care.store import Files
from tablestation.drivers.lis3dh import LIS3DH
from tablestation.links.mqtt import Account, MqttLink
from tablestation.seam import Board, SpotBoard
from tablestation.station import Station

PAUSE_MS = 20
STOP_S = 5
WATCHDOG_S = 8.388  # as long as a Pico's
_TICKS_MASK = 0x3FFFFFFF
_PIN_MAX = 27  # on the Pi's header
_CONFIG = {"host": str, "port": int, "kind": str, "places": list}
_PLACE = {"spot": str, "cells": list}
_CELL = {"dout": int, "sck": int}


class BadConfig(ValueError):
    """A configuration file with a wrong value. The text quotes what was found and what was expected."""


def _must_have(where: str, value: object, fields: dict[str, type]) -> None:
    if not isinstance(value, dict):
        raise BadConfig("{}: expected an object, saw {!r}".format(where, value))
    for name, kind in fields.items():
        if not isinstance(value.get(name), kind):
            raise BadConfig("{}.{}: expected {}, saw {!r}".format(where, name, kind.__name__, value.get(name)))


def load_config(path: Path) -> dict[str, Any]:
    """Return the checked file; raise BadConfig or OSError."""
    try:
        config = json.loads(path.read_bytes())
    except ValueError as error:
        raise BadConfig("no JSON: {}".format(error)) from None
    _must_have("config", config, _CONFIG)
    listens = config.get("accelerometer", False)
    if not isinstance(listens, bool):
        raise BadConfig("config.accelerometer: expected true or false, saw {!r}".format(listens))
    pins: set[int] = set(pi_gpio_i2c.PINS if listens else ())
    for k, place in enumerate(config["places"]):
        _must_have("config.places[{}]".format(k), place, _PLACE)
        for cell in place["cells"]:
            _must_have("config.places[{}].cells[]".format(k), cell, _CELL)
            for pin in (cell["dout"], cell["sck"]):
                if not 0 <= pin <= _PIN_MAX or pin in pins:
                    raise BadConfig("pin {} of {}: expected 0-27, each only once".format(pin, place["spot"]))
                pins.add(pin)
    return config


def _open_private(name: str, mode: str) -> IO[Any]:
    return open(name, mode, opener=lambda path, flags: os.open(path, flags, 0o600))


class ConfigFile:
    """The file, in which a newcomer's program keeps its secrets."""

    def __init__(self, path: Path) -> None:
        self._path = str(path)
        self._files = Files(os, _open_private)

    def read(self, _name: str) -> bytes | None:
        """Return the whole file."""
        return self._files.read(self._path)

    def write(self, _name: str, data: bytes) -> None:
        """Write the file at once, readable by its owner only."""
        self._files.write(self._path, data)


def now_us() -> int:
    """Return the machine's monotonic clock."""
    return time.monotonic_ns() // 1000


class Port:
    """The seam's port on CPython's asyncio. `fallen` holds the error of a task; the process then ends, and its
    supervisor starts it again."""

    def __init__(self, fallen: "asyncio.Future[None]") -> None:
        self._fallen = fallen
        self._tasks: set[asyncio.Task[Any]] = set()

    def ticks_us(self) -> int:
        """Return wrapped ticks like MicroPython's."""
        return now_us() & _TICKS_MASK

    async def sleep_ms(self, ms: int) -> None:
        """Let other tasks run."""
        await asyncio.sleep(ms / 1000)

    async def within(self, ms: int, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """Return the coroutine's result; raise OSError if it takes too long."""
        try:
            return await asyncio.wait_for(coroutine, ms / 1000)
        except TimeoutError:
            raise OSError(ETIMEDOUT, "no answer within {} ms".format(ms)) from None

    def spawn(self, coroutine: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        """Run a coroutine beside the others."""
        task = asyncio.ensure_future(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        return task

    def random30(self) -> int:
        """Return a number from 1 to 2**30 - 1."""
        return SystemRandom().randrange(1, 1 << 30)

    def free_bytes(self) -> None:
        """Return None: free memory means nothing here."""

    def feed(self) -> None:
        """Reset the timer that otherwise kills the process with SIGALRM, wherever it hangs."""
        signal.setitimer(signal.ITIMER_REAL, WATCHDOG_S)

    async def stop(self) -> None:
        """End all tasks and stop the timer; the next program feeds it again."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=STOP_S)

    def _forget(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None and not self._fallen.done():
            self._fallen.set_exception(task.exception())


class PiBoard(Board):
    """The cells of the file, at the spots of this station."""

    def __init__(self, config: dict[str, Any], about: dict[str, str]) -> None:
        spots = []
        self.cells: list[ChildCell] = []
        for name, place in zip(config["spots"], places(config, config["spots"]), strict=True):
            cells = [ChildCell.on_pins(cell["dout"], cell["sck"], now_us) for cell in place["cells"]]
            self.cells += cells
            spot = SpotBoard(name, cells)
            spot.alert_g = place.get("alert_g", 0)
            spots.append(spot)
        super().__init__(config["kind"], spots, about=about)
        self._i2c = pi_gpio_i2c.LinuxI2C()
        if config.get("accelerometer") and self.cells:
            self.accelerometer = LIS3DH(self._i2c, lambda: now_us() & _TICKS_MASK)

    async def pause(self) -> None:
        """Wait between two looks at the children's pipes, which hold much more."""
        await asyncio.sleep(PAUSE_MS / 1000)

    async def warm_up(self) -> None:
        """Wait until every cell has spoken or is overdue, so that a child that is starting is not reported as a
        fault."""
        end_us = now_us() + BEGIN_US
        while now_us() < end_us and not all(cell.speaks for cell in self.cells):
            await self.pause()
            for cell in self.cells:
                cell.drain([], [])

    def close(self) -> None:
        """End the children and release the bus."""
        self._i2c.close()
        for cell in self.cells:
            cell.close()


class OwnNetwork:
    """A network that the operating system manages."""

    async def up(self) -> None:
        """Return at once."""


class Pi:
    """One start of the program: a station, or a newcomer that waits for its name."""

    def __init__(self, path: Path, reset: str) -> None:
        self._path = path
        self._config = load_config(path)
        self._about = {"hardware": "pi", "uid": "{:012x}".format(uuid.getnode()), "reset": reset}
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._port = Port(self._ended)
        self._board: PiBoard | None = None

    async def run(self) -> None:
        """Run until the program should restart; raise the error of a task."""
        link = self._make_link()
        try:
            if is_adopted(self._config):
                program = await self._make_station(link)
            else:
                program = self._make_newcomer(link)
            self._port.spawn(link.run(program))
            await self._ended
        finally:
            await self._port.stop()
            if self._board is not None:
                self._board.close()

    def _make_link(self) -> MqttLink:
        config = self._config
        table, station = names(config, self._about["uid"])
        login = config.get("user"), config.get("password")
        return MqttLink(
            Account(table, station, config["host"], config["port"], *login), OwnNetwork(), self._port.random30
        )

    async def _make_station(self, link: MqttLink) -> Station:
        self._fits(self._config["plan"], self._config["spots"])
        self._board = PiBoard(self._config, self._about)
        await self._board.warm_up()
        station = Station(self._port, link, self._board)
        station.on_command("restart", lambda message: message["boot"] == station.boot and self._begin_anew())
        station.start()
        return station

    def _make_newcomer(self, link: MqttLink) -> Newcomer:
        files = ConfigFile(self._path)
        return Newcomer(self._port, link, files, self._about, self._fits, _show_nothing, self._begin_anew)

    def _fits(self, plan: str, spots: list[str]) -> None:
        if plan != self._config["kind"]:
            raise BadConfig("this Pi is wired as {}, not as {}".format(self._config["kind"], plan))
        try:
            places(self._config, spots)
        except ValueError as error:
            raise BadConfig(str(error)) from None

    def _begin_anew(self) -> None:
        if not self._ended.done():
            self._ended.set_result(None)


def _show_nothing(_seconds: int) -> None:
    """Do nothing: there is no light."""


async def run(path: Path) -> None:
    """Run for ever; raise the error of a task."""
    reset = "unknown"
    while True:
        await Pi(path, reset).run()
        reset = "soft"


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tablestation.boards.pi_gpio", description="Cells on a Pi's pins.")
    parser.add_argument("--config", type=Path, required=True, help="JSON: broker, names, pins")
    path = parser.parse_args().config
    try:
        asyncio.run(run(path))
    except (OSError, BadConfig, NotInstalled) as error:
        sys.exit("{}: {}".format(path, error))
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
