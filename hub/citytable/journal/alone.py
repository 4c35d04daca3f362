"""Holds a file exclusively as long as it stays open: other processes are refused at once."""

import sys
from typing import IO, Any

if sys.platform == "win32":
    import msvcrt

    def hold_alone(file: IO[Any]) -> None:
        """Hold an open file alone; raise `BlockingIOError` when somebody else holds it."""
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(error.errno, error.strerror) from error

else:
    import fcntl

    def hold_alone(file: IO[Any]) -> None:
        """Hold an open file alone; raise `BlockingIOError` when somebody else holds it."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
