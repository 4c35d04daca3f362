"""Stop work in order at Ctrl-C or a TERM signal, once."""

import asyncio
import signal
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Stopped(Exception):
    """The work was stopped before it was done; everything it had opened is closed."""


async def until_stopped(work: Coroutine[Any, Any, T]) -> T:
    """Return the result of the work; raise `Stopped` at an INT or TERM signal.

    More signals do not disturb the closing.
    """
    loop = asyncio.get_running_loop()
    working = loop.create_task(work, name="work")
    stopped = False

    def stop() -> None:
        nonlocal stopped
        if not stopped:
            stopped = True
            working.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        if sys.platform == "win32":  # its loops have no such method
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop))
        else:
            loop.add_signal_handler(number, stop)
    try:
        return await working
    except asyncio.CancelledError:
        if not stopped:
            raise
        raise Stopped from None
