"""Virtual time: coroutines that sleep, run in one fixed order."""

import heapq
from collections.abc import Coroutine, Generator
from types import coroutine
from typing import Any


@coroutine
def sleep_us(duration_us: int) -> Generator[int, None, None]:
    """Let virtual time pass."""
    yield duration_us


class Task:
    """A coroutine being run. `result` or `error` is set when it is `done`."""

    __slots__ = ("cancelled", "coroutine", "done", "error", "result")

    def __init__(self, work: Coroutine[int, None, Any]) -> None:
        self.coroutine = work
        self.done = False
        self.cancelled = False
        self.result: Any = None
        self.error: Impossible | None = None

    def cancel(self) -> None:
        """Never run it again."""
        self.cancelled = self.done = True
        self.coroutine.close()


class Impossible(Exception):
    """A hand was told something it cannot do physically; the text says why."""


class Scheduler:
    """Runs tasks in the order of their times, and in the order of their going to sleep where times are equal."""

    def __init__(self) -> None:
        self.now_us = 0
        self._order = 0
        self._sleeping: list[tuple[int, int, Task]] = []

    def spawn(self, work: Coroutine[int, None, Any]) -> Task:
        """Begin a coroutine now."""
        task = Task(work)
        self._put(self.now_us, task)
        return task

    def advance(self, to_us: int) -> None:
        """Let everything happen that is due up to and at `to_us`."""
        sleeping = self._sleeping
        while sleeping and sleeping[0][0] <= to_us:
            due_us, _, task = heapq.heappop(sleeping)
            if task.cancelled:
                continue
            self.now_us = due_us
            try:
                pause_us = task.coroutine.send(None)
            except StopIteration as stop:
                task.done, task.result = True, stop.value
            except Impossible as error:
                task.done, task.error = True, error
            else:
                self._put(due_us + pause_us, task)
        self.now_us = to_us

    def _put(self, due_us: int, task: Task) -> None:
        self._order += 1
        heapq.heappush(self._sleeping, (due_us, self._order, task))
