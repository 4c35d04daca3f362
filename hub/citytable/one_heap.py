"""Makes all threads of a process share one heap, which returns free memory at its end.

glibc gives threads heaps of their own and keeps the free memory of each, up to eight heaps for each processor. A
long-running hub has a few threads that work one after the other, so it would keep the maximum that each of them ever
used.

glibc also takes a large freed block as a hint that more like it will come: from then on it puts blocks of up to 32 MB
into the heap, and keeps up to 64 MB free at its end. A hub needs such blocks only now and then.
"""

import ctypes
import sys
from contextlib import suppress

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8  # malloc.h; mallopt(3)
_TRIM_BYTES = 4 << 20
_MMAP_BYTES = 1 << 20


def keep_one_heap() -> None:
    """Give this process one heap, also for later threads, with at most 4 MB free at its end.

    Does nothing without glibc.
    """
    if sys.platform == "linux":
        with suppress(AttributeError):  # another C library
            option = ctypes.CDLL(None).mallopt
            option(_M_ARENA_MAX, 1)
            option(_M_TRIM_THRESHOLD, _TRIM_BYTES)
            option(_M_MMAP_THRESHOLD, _MMAP_BYTES)
