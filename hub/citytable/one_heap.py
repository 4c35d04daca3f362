"""One heap for all threads of a process.

glibc gives threads heaps of their own and keeps in each what is free there, up to eight for each processor. A hub that
stays on has a few threads that work one after the other, so it would keep the most that each of them ever used.
"""

import ctypes
import sys
from contextlib import suppress

_M_ARENA_MAX = -8  # malloc.h; mallopt(3)


def keep_one_heap() -> None:
    """Let this process have one heap, also with threads to come; does nothing where there is no glibc."""
    if sys.platform == "linux":
        with suppress(AttributeError):  # another C library
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)
