"""A cell behind a child process that may hang: the process is ended and replaced, and nobody waits for it."""

import os
import subprocess
import sys
from array import array
from collections.abc import Sequence

from tablestation.boards.pi_gpio_child import NOT_INSTALLED

DEADLINE_US = 500_000  # a child says something about every 25 ms
BEGIN_US = 4_000_000  # but at first the package sleeps a second, and tries almost another one if the cell is silent
AGAIN_US = 500_000  # from the end of one child to the next
WAITING_MAX = 64
_TICKS_MASK = 0x3FFFFFFF
_LINE_BYTES_MAX = 4096


class NotInstalled(Exception):
    """The package or the driver of its pins is missing on this machine."""


class ChildCell:
    """The seam's cell. `now_us` is the machine's monotonic clock, which the child shares.

    `lost` counts samples that nobody fetched in time; `restarts` counts restarts of the child.
    """

    def __init__(self, command: Sequence[str], now_us) -> None:
        self._command = list(command)
        self._now_us = now_us
        self.lost = 0
        self.restarts = -1
        self.speaks = False  # the present child has given conversions
        self._running = False
        self._ended: list[subprocess.Popen[bytes]] = []
        self._waiting: list[tuple[int, int]] = []
        self._begin()

    @classmethod
    def on_pins(cls, dout: int, sck: int, now_us) -> "ChildCell":
        """Return the cell on these pins, by the Pi's own numbers (BCM)."""
        return cls([sys.executable, "-m", "tablestation.boards.pi_gpio_child", str(dout), str(sck)], now_us)

    def drain(self, counts: "array[int]", ticks: "array[int]", at: int = 0) -> int:
        """Drain the cell as the seam defines it."""
        self._look()
        n = min(len(counts) - at, len(self._waiting))
        for k in range(n):
            ticks[at + k], counts[at + k] = self._waiting[k]
        del self._waiting[:n]
        return n

    def close(self) -> None:
        """End the child."""
        self._end()
        for child in self._ended:
            child.wait()

    def _begin(self) -> None:
        self.speaks = False
        self._half = b""
        try:
            self._child = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError:  # no memory or no files left: that passes, or the cell stays silent and is told as that
            self._due_us = self._now_us() + AGAIN_US
            return
        self._lines = self._child.stdout.fileno()
        os.set_blocking(self._lines, False)
        self._due_us = self._now_us() + BEGIN_US
        self._running = True
        self.restarts += 1

    def _look(self) -> None:
        """Fetch the child's output; replace a child that has been silent for too long."""
        now_us = self._now_us()
        self._ended = [child for child in self._ended if child.poll() is None]
        if not self._running:
            if now_us >= self._due_us:
                self._begin()
            return
        try:
            said = os.read(self._lines, 65536)
        except BlockingIOError:
            if now_us >= self._due_us:
                self._end()
            return
        if not said:
            self._check_exit()
            self._end()
            return
        self._take(said)
        self._due_us = now_us + DEADLINE_US

    def _check_exit(self) -> None:
        if self._child.wait() == NOT_INSTALLED:
            raise NotInstalled("cells on this machine's pins need the package hx711 and a driver of its pins")

    def _end(self) -> None:
        if not self._running:
            return
        self._child.kill()
        self._child.stdin.close()
        self._child.stdout.close()
        self._ended.append(self._child)
        self._running = self.speaks = False
        self._due_us = self._now_us() + AGAIN_US

    def _take(self, said: bytes) -> None:
        *lines, half = (self._half + said).split(b"\n")
        self._half = half[-_LINE_BYTES_MAX:]
        for line in lines:
            try:
                at_us, took_us, *counts = [int(word) for word in line.split()]
            except ValueError:  # somebody printed into it
                self.lost += 1
                continue
            self.speaks = self.speaks or bool(counts)
            for k, count in enumerate(counts):
                left = len(counts) - 1 - k
                self._waiting.append(((at_us - left * took_us // len(counts)) & _TICKS_MASK, count))
        if len(self._waiting) > WAITING_MAX:
            self.lost += len(self._waiting) - WAITING_MAX
            del self._waiting[:-WAITING_MAX]
