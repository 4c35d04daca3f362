"""A mailbox: the bounded queue between the feed and one reader, so that a slow phone never holds up the others."""

import asyncio
from collections import deque
from typing import Generic, TypeVar

ROOM = 64
M = TypeVar("M")


class Mailbox(Generic[M]):
    """Messages waiting for one reader. When it is full everything waiting is dropped and the reader starts afresh."""

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._waiting: deque[M] = deque()
        self._anew = False
        self._ready = asyncio.Event()
        self._taking = False
        self.dropped = 0

    def put(self, message: M) -> None:
        """Add a message; never block. A full mailbox is emptied: changes are useless after a gap, a snapshot is not."""
        if self._anew:
            self.dropped += 1
        elif len(self._waiting) == self._room:
            self.dropped += len(self._waiting) + 1
            self._waiting.clear()
            self._anew = True
        else:
            self._waiting.append(message)
        self._ready.set()

    @property
    def is_awaited(self) -> bool:
        """Return whether the reader has taken everything and waits for more."""
        return self._taking and not self._waiting and not self._anew

    async def take(self) -> M | None:
        """Return the next message, or None if messages were dropped and the reader needs a fresh snapshot."""
        while not self._waiting and not self._anew:
            self._ready.clear()
            self._taking = True
            try:
                await self._ready.wait()
            finally:
                self._taking = False
        if self._anew:
            self._anew = False
            return None
        return self._waiting.popleft()
