"""A hub has one heap, however it was started: its threads share what is free there, and most of that goes back."""

import subprocess
import sys

import pytest

from citytable import command

HEAPS = """
import ctypes, sys, threading
libc = ctypes.CDLL(None)
gate = threading.Barrier(5)

def use():
    kept = [bytes(5000) for _ in range(200)]
    gate.wait()

threads = [threading.Thread(target=use) for _ in range(4)]
for thread in threads:
    thread.start()
gate.wait()
libc.fdopen.restype = ctypes.c_void_p
libc.malloc_info(0, ctypes.c_void_p(libc.fdopen(1, b"w")))
libc.fflush(None)
"""

FREE_MB = """
import ctypes

class Used(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]

libc = ctypes.CDLL(None)
libc.malloc.restype, libc.free.argtypes, libc.mallinfo2.restype = ctypes.c_void_p, [ctypes.c_void_p], Used
libc.free(libc.malloc(30_000_000))  # of a size that glibc takes as a hint to keep more
kept = [0] * 300  # beforehand: it would lie above what it holds
for k in range(300):
    kept[k] = libc.malloc(100_000)
for block in kept:
    libc.free(block)
print(libc.mallinfo2().fordblks // 1_000_000)
"""
"""How many MB are free inside a process that used 30 MB twice (mallinfo(3))."""


def heaps(before: str) -> int:
    """Count the heaps of a process with four threads (malloc_info(3))."""
    command = (sys.executable, "-c", before + HEAPS)
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.count("<heap ")


@pytest.mark.skipif(sys.platform != "linux", reason="glibc is Linux's")
def test_all_threads_share_one_heap():
    if heaps("") == 1:
        pytest.skip("this C library keeps one heap anyway")
    assert heaps("from citytable.one_heap import keep_one_heap\nkeep_one_heap()\n") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="glibc is Linux's")
def test_what_was_used_once_goes_back_to_the_system():
    def free_mb(before: str) -> int:
        command = (sys.executable, "-c", before + FREE_MB)
        return int(subprocess.run(command, capture_output=True, check=True, text=True).stdout)

    if free_mb("") < 20:
        pytest.skip("this C library gives it back anyway")
    assert free_mb("from citytable.one_heap import keep_one_heap\nkeep_one_heap()\n") <= 5


def test_every_hub_keeps_one_heap(monkeypatch):
    asked = []
    monkeypatch.setattr(command, "keep_one_heap", lambda: asked.append("one heap"))
    monkeypatch.setattr(command, "loaded", lambda name: lambda: asked.append(name))
    monkeypatch.setattr(sys, "argv", ["citytable", "run"])
    monkeypatch.setattr(command.gc, "freeze", lambda: None)
    command.main()
    assert asked == ["one heap", "run"]
