"""The time of a table whose games are played again: a file that everybody reads, and one program moves.

`tools/tape_stations.py` moves it as fast as the hub keeps up: from step to step it waits until the broker has given
everything on and the hub has read it. So however busy the computer is, nothing comes late by the table's clock.

    python tools/given_time.py FILE run --no-twin ...

is `citytable run --no-twin ...` with that clock. Nothing else about the hub differs.
"""

import asyncio
import mmap
import socket
import struct
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

_US = struct.Struct("<q")
_STEP = struct.Struct("<I")
ANSWER_S = 1.0
"""How long a hub that is there may take for a step: it reads what came meanwhile, or works out what happened."""


def made(file: Path) -> None:
    """Make the file, where there is none: the table's time begins."""
    if not file.exists():
        file.write_bytes(_US.pack(0))


class GivenTime:
    """The time in a file, in microseconds."""

    def __init__(self, file: Path) -> None:
        with file.open("r+b") as opened:
            self._map = mmap.mmap(opened.fileno(), _US.size)

    def now_us(self) -> int:
        """Return the time."""
        now_us: int = _US.unpack_from(self._map)[0]
        return now_us

    def move(self, us: int) -> None:
        """Let so much time pass."""
        _US.pack_into(self._map, 0, self.now_us() + us)


def _door(file: Path) -> str:
    """Return where a hub answers that it has read all that came."""
    return str(file.with_suffix(".hub"))


class Steps:
    """Asks the hub, step by step, whether it has read all that came."""

    def __init__(self, file: Path) -> None:
        self._door = _door(file)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind("")  # a name of the kernel's choice (unix(7))
        self._socket.settimeout(ANSWER_S)
        self._n = 0

    def taken(self) -> bool:
        """Wait until the hub has read what came; return False when there is none, or none that answers."""
        self._n = (self._n + 1) % (1 << 32)
        step = _STEP.pack(self._n)
        try:
            self._socket.sendto(step, self._door)
            while self._socket.recv(_STEP.size) != step:
                pass
        except OSError:
            return False
        return True


def _answer_steps(file: Path) -> None:
    """Answer each step one round of the event loop after it came: the others' sockets were ready with this one."""
    door = Path(_door(file))
    door.unlink(missing_ok=True)
    asked = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    asked.bind(str(door))
    asked.setblocking(False)
    loop = asyncio.get_running_loop()

    def answer(step: bytes, whom: bytes) -> None:
        with suppress(OSError):  # it has gone
            asked.sendto(step, whom)

    def hear() -> None:
        step, whom = asked.recvfrom(_STEP.size)
        loop.call_soon(loop.call_soon, answer, step, whom)

    loop.add_reader(asked, hear)


def run_hub(file: Path) -> None:
    """Run `citytable` with this clock."""
    from citytable import command, hub  # noqa: PLC0415  whoever only reads the time needs no hub

    given = GivenTime(file)

    def running_clock(_pace: float, not_before_us: int = 0) -> Callable[[], int]:
        _answer_steps(file)
        start_us, began_us = max(time.time_ns() // 1000, not_before_us), given.now_us()
        return lambda: start_us + given.now_us() - began_us

    hub.running_clock = running_clock
    command.main()


if __name__ == "__main__":
    run_hub(Path(sys.argv.pop(1)))
