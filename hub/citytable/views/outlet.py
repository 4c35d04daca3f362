"""The way of the feed to one reader: at once while everything before has left this process, else through a mailbox.

Most readers have read everything when the next change comes. Their frame is written without waking a task, which costs
more than the writing.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterable

from aiohttp import WSMsgType, web

from citytable.views.frame import WINDOW_BITS, Frame
from citytable.views.mailbox import Mailbox


class Outlet:
    """Writes to one socket; `run` it in a task, and `put` what is new."""

    def __init__(self, socket: web.WebSocketResponse, transport: asyncio.WriteTransport | None) -> None:
        self._socket = socket
        self._transport = transport
        self._deflates = socket.compress == WINDOW_BITS
        self._mailbox: Mailbox[Frame] = Mailbox()

    def put(self, frame: Frame) -> None:
        """Send a frame now or as soon as the reader has taken what is before it; never block."""
        if not (self._mailbox.is_awaited and self._written(frame)):
            self._mailbox.put(frame)

    async def run(self, missed: Iterable[Frame], snapshot: Callable[[], Frame]) -> None:
        """Write what was missed, then what is put; a reader who was too slow gets a snapshot."""
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
        """Write the frame behind what still waits, and wait if that is too much."""
        if not self._written(frame):
            await self._socket.send_frame(frame.payload, WSMsgType.TEXT, WINDOW_BITS if self._deflates else None)
