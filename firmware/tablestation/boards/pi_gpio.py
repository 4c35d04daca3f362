"""A Raspberry Pi whose own pins carry cells: the station program under CPython.

    python -m tablestation.boards.pi_gpio --config FILE

The file is JSON: where the broker is, who the station is, and its cells by the Pi's pin numbers (BCM).

    {"host": "127.0.0.1", "port": 1883, "user": "park", "password": "...",
     "table": "corner", "station": "park", "kind": "park",
     "spots": [{"spot": "city/0/0", "cells": [{"dout": 5, "sck": 6}], "alert_counts": 14400}]}

The chips' RATE pins must be high: 80 conversions a second. Each cell is read by a child process (`pi_gpio_cell`).
"""

import argparse
import asyncio
import json
import signal
import sys
import time
from collections.abc import Coroutine
from errno import ETIMEDOUT
from pathlib import Path
from random import SystemRandom
from typing import Any

from tablestation.boards.pi_gpio_cell import BEGIN_US, ChildCell, NotInstalled
from tablestation.links.mqtt import Account, MqttLink
from tablestation.seam import Board, SpotBoard
from tablestation.station import Station
from tablewire.topics import is_name

PAUSE_MS = 20
WATCHDOG_S = 8.388  # as long as a Pico's
_TICKS_MASK = 0x3FFFFFFF
_PIN_MAX = 27  # on the Pi's header
_CONFIG = {"host": str, "port": int, "table": str, "station": str, "kind": str, "spots": list}
_SPOT = {"spot": str, "cells": list}
_CELL = {"dout": int, "sck": int}


class BadConfig(ValueError):
    """The file does not say what it should; told as what was seen and what was expected."""


def _must_have(where: str, value: object, fields: dict[str, type]) -> None:
    if not isinstance(value, dict):
        raise BadConfig("{}: expected an object, saw {!r}".format(where, value))
    for name, kind in fields.items():
        if not isinstance(value.get(name), kind):
            raise BadConfig("{}.{}: expected {}, saw {!r}".format(where, name, kind.__name__, value.get(name)))


def load_config(path: Path) -> dict[str, Any]:
    """The file, checked; raises BadConfig or OSError."""
    try:
        config = json.loads(path.read_bytes())
    except ValueError as error:
        raise BadConfig("no JSON: {}".format(error)) from None
    _must_have("config", config, _CONFIG)
    for name in ("table", "station"):
        if not is_name(config[name]):
            raise BadConfig("config.{}: expected 1-32 letters, digits or dashes, saw {!r}".format(name, config[name]))
    pins: set[int] = set()
    for k, spot in enumerate(config["spots"]):
        _must_have("config.spots[{}]".format(k), spot, _SPOT)
        for cell in spot["cells"]:
            _must_have("config.spots[{}].cells[]".format(k), cell, _CELL)
            for pin in (cell["dout"], cell["sck"]):
                if not 0 <= pin <= _PIN_MAX or pin in pins:
                    raise BadConfig("pin {} of {}: expected 0-27, each only once".format(pin, spot["spot"]))
                pins.add(pin)
    return config


def now_us() -> int:
    """The machine's monotonic clock."""
    return time.monotonic_ns() // 1000


class Port:
    """The seam's port on CPython's asyncio. `fallen` gets what a task raised; the process then ends, to be begun anew
    by whoever started it."""

    def __init__(self, fallen: "asyncio.Future[None]") -> None:
        self._fallen = fallen
        self._tasks: set[asyncio.Task[Any]] = set()

    def ticks_us(self) -> int:
        """Wrapped as MicroPython's."""
        return now_us() & _TICKS_MASK

    async def sleep_ms(self, ms: int) -> None:
        """Let the others work."""
        await asyncio.sleep(ms / 1000)

    async def within(self, ms: int, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """What the coroutine returns; OSError when that takes longer."""
        try:
            return await asyncio.wait_for(coroutine, ms / 1000)
        except TimeoutError:
            raise OSError(ETIMEDOUT, "no answer within {} ms".format(ms)) from None

    def spawn(self, coroutine: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        """Run it beside the others."""
        task = asyncio.ensure_future(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        return task

    def random30(self) -> int:
        """1 to 2**30 - 1."""
        return SystemRandom().randrange(1, 1 << 30)

    def free_bytes(self) -> None:
        """Means nothing here."""

    def feed(self) -> None:
        """Alive; not fed in time, the process dies of SIGALRM, whatever it hangs in."""
        signal.setitimer(signal.ITIMER_REAL, WATCHDOG_S)

    def _forget(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None and not self._fallen.done():
            self._fallen.set_exception(task.exception())


class PiBoard(Board):
    """The cells of the file."""

    def __init__(self, config: dict[str, Any]) -> None:
        spots = []
        self.cells: list[ChildCell] = []
        for named in config["spots"]:
            cells = [ChildCell.on_pins(cell["dout"], cell["sck"], now_us) for cell in named["cells"]]
            self.cells += cells
            spot = SpotBoard(named["spot"], cells)
            spot.alert_counts = named.get("alert_counts", 0)
            spots.append(spot)
        super().__init__(config["kind"], spots, about={"hardware": "pi"})

    async def pause(self) -> None:
        """Between two looks at the children's pipes, which keep much more."""
        await asyncio.sleep(PAUSE_MS / 1000)

    async def warm_up(self) -> None:
        """Until every cell has spoken, or would have: no fault is to be told of a child that only just begins."""
        end_us = now_us() + BEGIN_US
        while now_us() < end_us and not all(cell.speaks for cell in self.cells):
            await self.pause()
            for cell in self.cells:
                cell.drain([], [])


class OwnNetwork:
    """The operating system keeps it."""

    async def up(self) -> None:
        """Nothing to do."""


async def run(config: dict[str, Any]) -> None:
    """The station, for ever; raises what a task of it raised."""
    fallen = asyncio.get_running_loop().create_future()
    port = Port(fallen)
    board = PiBoard(config)
    try:
        await board.warm_up()
        account = Account(
            config["table"],
            config["station"],
            config["host"],
            config["port"],
            config.get("user"),
            config.get("password"),
        )
        link = MqttLink(account, OwnNetwork(), port.random30)
        station = Station(port, link, board)
        station.start()
        port.spawn(link.run(station))
        await fallen
    finally:
        for cell in board.cells:
            cell.close()


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tablestation.boards.pi_gpio", description="Cells on a Pi's pins.")
    parser.add_argument("--config", type=Path, required=True, help="JSON: broker, names, pins")
    path = parser.parse_args().config
    try:
        asyncio.run(run(load_config(path)))
    except (OSError, BadConfig, NotInstalled) as error:
        sys.exit("{}: {}".format(path, error))
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
