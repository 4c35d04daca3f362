"""A thread in which calls are made one after the other, for what would hold the event loop up.

An executor with one worker does the same, but its way there and back takes longer, which a quick medium makes felt.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar, TypeVarTuple

T = TypeVar("T")
U = TypeVar("U")
Ts = TypeVarTuple("Ts")


class OneThread:
    """It begins with the first call. A program that ends does not wait for it: `stop` does."""

    def __init__(self, name: str) -> None:
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name=name, daemon=True)

    def run(self, call: Callable[[*Ts], T], *arguments: *Ts) -> asyncio.Future[T]:
        """Make this call there, after all before it; what it returns or raises. It is made even if nobody waits."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.tell(partial(_end, done, done.set_result), partial(_end, done, done.set_exception), call, *arguments)
        return done

    def tell(
        self,
        heard: Callable[[T], None],
        failed: Callable[[Exception], None],
        call: Callable[[*Ts], T],
        *arguments: *Ts,
    ) -> None:
        """The same, but the loop calls `heard` with what it returns, or `failed` with what it raises.

        A future would tell one turn of the loop later.
        """
        loop = asyncio.get_running_loop()

        def called() -> None:
            try:
                result = call(*arguments)
            except Exception as error:  # noqa: BLE001 (whatever it is, it is told to whoever called)
                _tell(loop, failed, error)
            else:
                _tell(loop, heard, result)

        if self._thread.ident is None:
            self._thread.start()
        self._calls.put(called)

    def stop(self) -> None:
        """Wait for the calls that are still to be made; no more may follow."""
        self._calls.put(None)
        if self._thread.ident is not None:
            self._thread.join()

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            call()
            del call  # or what it was made with would be kept until the next one


def _end(done: asyncio.Future[T], end: Callable[[U], None], how: U) -> None:
    """Unless nobody waits any more."""
    if not done.done():
        end(how)


def _tell(loop: asyncio.AbstractEventLoop, whom: Callable[[U], None], what: U) -> None:
    """From another thread."""
    with suppress(RuntimeError):  # the loop has ended
        loop.call_soon_threadsafe(whom, what)
