"""A hub has one heap, however it was started: what its threads give back is there for all of them."""

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


def heaps(before: str) -> int:
    """Count the heaps of a process with four threads (malloc_info(3))."""
    command = (sys.executable, "-c", before + HEAPS)
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.count("<heap ")


@pytest.mark.skipif(sys.platform != "linux", reason="glibc is Linux's")
def test_all_threads_share_one_heap():
    if heaps("") == 1:
        pytest.skip("this C library keeps one heap anyway")
    assert heaps("from citytable.one_heap import keep_one_heap\nkeep_one_heap()\n") == 1


def test_every_hub_keeps_one_heap(monkeypatch):
    asked = []
    monkeypatch.setattr(command, "keep_one_heap", lambda: asked.append("one heap"))
    monkeypatch.setattr(command, "loaded", lambda name: lambda: asked.append(name))
    monkeypatch.setattr(sys, "argv", ["citytable", "run"])
    monkeypatch.setattr(command.gc, "freeze", lambda: None)
    command.main()
    assert asked == ["one heap", "run"]
