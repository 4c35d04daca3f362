"""The locks of serial ports: the files that terminal programs leave for each other (`/run/lock/LCK..ttyACM0`).

The hub listens on every port that may have a station. A program that needs a port for itself, to flash the board behind
it, locks the port. The hub then closes it, and opens it again when the lock is gone or its owner has died.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform != "win32":
    import fcntl

LOCKS = Path("/run/lock")
PATIENCE_S = 5.0
LOOK_S = 0.05


def _lock_file(port: str) -> Path:
    return LOCKS / f"LCK..{Path(port).name}"


def is_locked(port: str) -> bool:
    """Report whether a living program other than this one has locked the port."""
    try:
        pid = int(_lock_file(port).read_text("ascii"))
    except (OSError, ValueError):
        return False
    return pid != os.getpid() and _lives(pid)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True


@contextmanager
def locked(port: str) -> Iterator[bool]:
    """Hold a port while inside, as far as others keep to locks; yield False when somebody still has it."""
    file = _lock_file(port)
    with suppress(OSError):  # a machine without that folder has no hub that would look there
        file.write_text(f"{os.getpid():>10}\n", "ascii")
    try:
        deadline_s = time.monotonic() + PATIENCE_S
        while not (free := _is_free(port)) and time.monotonic() < deadline_s:
            time.sleep(LOOK_S)
        yield free
    finally:
        with suppress(OSError):
            file.unlink()


def _is_free(port: str) -> bool:
    if sys.platform == "win32":
        return True  # Windows opens a port for one program at a time
    try:
        handle = os.open(port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return True  # not the hub is in the way: the program that uses the port now will say so
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True
