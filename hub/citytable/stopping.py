"""Ctrl-C and the TERM signal: both end work in order, once."""

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Stopped(Exception):
    """Somebody ended the work before it was done; everything it had opened is closed."""


async def until_stopped(work: Coroutine[Any, Any, T]) -> T:
    """The result of the work; raises `Stopped` at an INT or TERM signal. More signals do not disturb the closing."""
    loop = asyncio.get_running_loop()
    working = loop.create_task(work, name="work")
    told = False

    def stop() -> None:
        nonlocal told
        if not told:
            told = True
            working.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    try:
        return await working
    except asyncio.CancelledError:
        if not told:
            raise
        raise Stopped from None
