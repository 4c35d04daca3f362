"""Virtual time: coroutines that sleep, run in one fixed order."""

from collections.abc import Coroutine, Generator
from errno import ETIMEDOUT
from heapq import heappop, heappush
from types import coroutine
from typing import Any

NEVER = -1


@coroutine
def sleep_us(duration_us: int) -> Generator[int, None, None]:
    """Let virtual time pass."""
    yield duration_us


@coroutine
def within_us(limit_us: int, work: Coroutine[int, None, Any]) -> Generator[int, None, Any]:
    """Return the result of a coroutine; raise OSError (ETIMEDOUT) when its sleeps would exceed the limit."""
    left_us = limit_us
    while True:
        try:
            pause_us = work.send(None)
        except StopIteration as stop:
            return stop.value
        if pause_us > left_us:
            work.close()
            yield left_us
            raise OSError(ETIMEDOUT, f"no answer within {limit_us} us")
        left_us -= pause_us
        yield pause_us


class Task:
    """A coroutine being run. `result` or `error` is set when it is `done`."""

    __slots__ = ("coroutine", "done", "due_us", "error", "order", "result")

    def __init__(self, work: Coroutine[int, None, Any]) -> None:
        self.coroutine = work
        self.done = False
        self.due_us = 0
        self.order = 0
        self.result: Any = None
        self.error: Impossible | None = None

    def cancel(self) -> None:
        """Never run it again."""
        self.order = NEVER
        self.done = True
        self.coroutine.close()


class Impossible(Exception):
    """A hand was given an act that is physically impossible; the text says why."""


class Scheduler:
    """Runs tasks in the order of their times, and in the order of their going to sleep where times are equal."""

    def __init__(self) -> None:
        self.now_us = 0
        self.running: Task | None = None
        self._order = 0
        self._sleeping: list[tuple[int, int, Task]] = []

    def spawn(self, work: Coroutine[int, None, Any]) -> Task:
        """Begin a coroutine now."""
        task = Task(work)
        self._put(self.now_us, task)
        return task

    def wake(self, task: Task, at_us: int) -> None:
        """End a task's sleep at this moment, if it would be longer."""
        if not task.done and at_us < task.due_us:
            self._put(at_us, task)

    def advance(self, to_us: int) -> None:
        """Let everything happen that is due up to and at `to_us`."""
        sleeping = self._sleeping
        while sleeping and sleeping[0][0] <= to_us:
            due_us, order, task = heappop(sleeping)
            if order != task.order:  # cancelled, or woken before
                continue
            self.now_us = due_us
            self.running = task
            try:
                pause_us = task.coroutine.send(None)
            except StopIteration as stop:
                task.done, task.result = True, stop.value
            except Impossible as error:
                task.done, task.error = True, error
            else:  # what `_put` does, without a call: this is what a virtual table does most
                self._order = order = self._order + 1
                task.due_us = due_us = due_us + pause_us
                task.order = order
                heappush(sleeping, (due_us, order, task))
        self.now_us = to_us

    def _put(self, due_us: int, task: Task) -> None:
        self._order += 1
        task.due_us = due_us
        task.order = self._order
        heappush(self._sleeping, (due_us, self._order, task))
