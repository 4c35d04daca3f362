"""The time of a table whose games are played again: a file that everybody reads, and one program moves.

`tools/tape_stations.py` moves it as fast as the hub keeps up: from step to step it waits until the broker has given
everything on and the hub has read it. So however busy the computer is, nothing comes late by the table's clock. A hub
that does not hear all of its stations, because its connections are not back yet, says so.

    python tools/given_time.py FILE run --no-twin ...

is `citytable run --no-twin ...` with that clock. Nothing else about the hub differs.
"""

import asyncio
import fcntl
import mmap
import os
import socket
import stat
import struct
import sys
import termios
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

_US = struct.Struct("<q")
_STEP = struct.Struct("<I")
_UNREAD = struct.Struct("@i")
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
            self._view = memoryview(mmap.mmap(opened.fileno(), _US.size)).cast("q")

    def now_us(self) -> int:
        """Return the time."""
        return self._view[0]

    def move(self, us: int) -> None:
        """Let so much time pass. It is written in one piece: others read it meanwhile, and `struct` clears it first."""
        self._view[0] += us


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

    def close(self) -> None:
        """Ask no more."""
        self._socket.close()

    def taken(self) -> bool:
        """Wait until the hub has read what came; return False when it does not hear everybody, or does not answer."""
        self._n = (self._n + 1) % (1 << 32)
        step = _STEP.pack(self._n)
        try:
            self._socket.sendto(step + b"?", self._door)
            while not (answer := self._socket.recv(_STEP.size + 1)).startswith(step):
                pass
        except OSError:
            return False
        return answer == step + b"+"


def _has_unread(sockets: list[int]) -> bool:
    """Report whether something waits in a socket to be read (ioctl_tcp(2)): a connection reads one message a round."""
    for number in sockets:
        with suppress(OSError):  # it listens, or has just been closed
            if _UNREAD.unpack(fcntl.ioctl(number, termios.FIONREAD, bytes(_UNREAD.size)))[0]:
                return True
    return False


def _sockets() -> list[int]:
    """Return the numbers of the sockets that this process has."""
    found = []
    with os.scandir("/proc/self/fd") as names:  # at each step: a `Path` for each of them costs ten times as much
        for number in [int(one.name) for one in names]:
            with suppress(OSError):  # the folder itself is closed by now
                if stat.S_ISSOCK(os.fstat(number).st_mode):
                    found.append(number)
    return found


def answer_steps(file: Path, hears: Callable[[], bool]) -> socket.socket:
    """Answer each step once no socket has anything left to be read, and say whether the hub hears all its stations.

    Returns the socket at which the loop hears of steps.
    """
    door = Path(_door(file))
    door.unlink(missing_ok=True)
    asked = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    asked.bind(str(door))
    asked.setblocking(False)
    loop = asyncio.get_running_loop()

    def answer(step: bytes, whom: bytes) -> None:
        with suppress(OSError):  # it has gone
            asked.sendto(step + (b"+" if hears() else b"-"), whom)

    def look(sockets: list[int], step: bytes, whom: bytes) -> None:
        if _has_unread(sockets):
            loop.call_soon(look, sockets, step, whom)
        else:
            loop.call_soon(answer, step, whom)

    def hear() -> None:
        step, whom = asked.recvfrom(_STEP.size)
        loop.call_soon(look, [number for number in _sockets() if number != asked.fileno()], step, whom)

    loop.add_reader(asked, hear)
    return asked


def run_hub(file: Path) -> None:
    """Run `citytable` with this clock."""
    from citytable import command, hub  # noqa: PLC0415  whoever only reads the time needs no hub

    given = GivenTime(file)
    links: list[hub.TableLink] = []

    class KnownLink(hub.TableLink):
        def __init__(self, *words: Any, **options: Any) -> None:
            super().__init__(*words, **options)
            links.append(self)

    def running_clock(_pace: float, not_before_us: int = 0) -> Callable[[], int]:
        answer_steps(file, lambda: all(link.answers for link in links))
        start_us, began_us = max(time.time_ns() // 1000, not_before_us), given.now_us()
        return lambda: start_us + given.now_us() - began_us

    hub.running_clock, hub.TableLink = running_clock, KnownLink  # type: ignore[misc]
    command.main()


if __name__ == "__main__":
    run_hub(Path(sys.argv.pop(1)))
