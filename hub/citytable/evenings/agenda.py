"""The agenda: everything that is under way at a virtual table, in the order of time.

What somebody does is a generator that yields the seconds until it goes on.
"""

import heapq
from collections.abc import Callable, Generator
from itertools import count
from typing import TypeAlias

Doing: TypeAlias = Generator[float, None, None]


class Agenda:
    """Run what people do and what sensors notice, one step after the other."""

    def __init__(self) -> None:
        self.now_us = 0
        self._numbers = count()
        self._due: list[tuple[int, int, Doing | Callable[[], None]]] = []

    def begin(self, doing: Doing, after_s: float = 0.0) -> None:
        """Let somebody begin to do something."""
        self._put(after_s, doing)

    def call(self, after_s: float, then: Callable[[], None]) -> None:
        """Call something later."""
        self._put(after_s, then)

    def _put(self, after_s: float, what: Doing | Callable[[], None]) -> None:
        heapq.heappush(self._due, (self.now_us + max(0, round(after_s * 1e6)), next(self._numbers), what))

    def run(self, *, until: Callable[[], bool]) -> None:
        """Run until nothing is left to be done or `until` says so."""
        while self._due and not until():
            self.now_us, _, what = heapq.heappop(self._due)
            if callable(what):
                what()
                continue
            pause_s = next(what, None)
            if pause_s is not None:
                self._put(pause_s, what)
