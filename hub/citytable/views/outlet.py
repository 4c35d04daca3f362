"""Sends the feed to one reader: directly while earlier frames have left this process, otherwise through a mailbox.

Most readers have read everything when the next change comes. Their frame is written without waking a task, which would
cost more than the writing.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterable

from aiohttp import WSMsgType, web

from citytable.views.frame import WINDOW_BITS, Frame
from citytable.views.mailbox import Mailbox


class Outlet:
    """Writes to one socket; `run` it in a task, and `put` new frames."""

    def __init__(self, socket: web.WebSocketResponse, transport: asyncio.WriteTransport | None) -> None:
        self._socket = socket
        self._transport = transport
        self._deflates = socket.compress == WINDOW_BITS
        self._mailbox: Mailbox[Frame] = Mailbox()

    def put(self, frame: Frame) -> None:
        """Send a frame now or after the waiting ones; never block."""
        if not (self._mailbox.is_awaited and self._written(frame)):
            self._mailbox.put(frame)

    async def run(self, missed: Iterable[Frame], snapshot: Callable[[], Frame]) -> None:
        """Write missed frames, then new ones; a reader who was too slow gets a snapshot."""
        with contextlib.suppress(ConnectionError):
            for frame in missed:
                await self._send(frame)
            while True:
                await self._send(await self._mailbox.take() or snapshot())

    def _written(self, frame: Frame) -> bool:
        """Write the frame, if nothing waits before it; return whether it was written."""
        transport = self._transport
        if transport is None or transport.is_closing() or transport.get_write_buffer_size():
            return False
        transport.write(frame.deflated if self._deflates else frame.plain)
        return True

    async def _send(self, frame: Frame) -> None:
        """Write the frame behind the waiting ones, and wait if they are too many."""
        if not self._written(frame):
            await self._socket.send_frame(frame.payload, WSMsgType.TEXT, WINDOW_BITS if self._deflates else None)
