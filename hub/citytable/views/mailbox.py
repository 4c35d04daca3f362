"""A mailbox: the bounded queue between the feed and one reader, so that a slow phone never holds up the others."""

import asyncio
from collections import deque

ROOM = 64


class Mailbox:
    """Messages waiting for one reader. When it is full everything waiting is dropped and the reader starts afresh."""

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._waiting: deque[bytes] = deque()
        self._anew = False
        self._ready = asyncio.Event()
        self.dropped = 0

    def put(self, message: bytes) -> None:
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

    async def take(self) -> bytes | None:
        """Return the next message, or None if messages were dropped and the reader needs a fresh snapshot."""
        while not self._waiting and not self._anew:
            self._ready.clear()
            await self._ready.wait()
        if self._anew:
            self._anew = False
            return None
        return self._waiting.popleft()
