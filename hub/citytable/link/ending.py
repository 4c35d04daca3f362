"""Ending tasks for good.

Python 3.11's `asyncio.wait_for` swallows a cancellation that comes together with its result, so a task that is
cancelled once may go on; a busy connection meets that every few hundred times. Not for tasks that take leave in order:
they would be cancelled in the middle of it.
"""

import asyncio
from typing import Any

AGAIN_S = 0.5


async def ended(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks until they are over. What they raised stays with them."""
    waiting = set(tasks)
    while waiting:
        for task in waiting:
            task.cancel()
        _, waiting = await asyncio.wait(waiting, timeout=AGAIN_S)
