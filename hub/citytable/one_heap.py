"""One heap for all threads of a process, which gives back what is free at its end.

glibc gives threads heaps of their own and keeps in each what is free there, up to eight for each processor. A hub that
stays on has a few threads that work one after the other, so it would keep the most that each of them ever used.

It also takes a large block that was freed as a hint that more like it will come: from then on blocks of up to 32 MB lie
in the heap, and up to 64 MB at its end stay there, free. A hub works with such blocks only now and then.
"""

import ctypes
import sys
from contextlib import suppress

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8  # malloc.h; mallopt(3)
_TRIM_BYTES = 4 << 20
_MMAP_BYTES = 1 << 20


def keep_one_heap() -> None:
    """Let this process have one heap, also with threads to come, and keep at most 4 MB free at its end.

    Does nothing where there is no glibc.
    """
    if sys.platform == "linux":
        with suppress(AttributeError):  # another C library
            option = ctypes.CDLL(None).mallopt
            option(_M_ARENA_MAX, 1)
            option(_M_TRIM_THRESHOLD, _TRIM_BYTES)
            option(_M_MMAP_THRESHOLD, _MMAP_BYTES)
