"""The door of a virtual table: a WebSocket for browsers, at `/hands`, in a thread of its own.

A browser may come in if the page that asks is the hub's, and if it has the key of a seat. Whatever it does, the thread
of the table only ever sees short texts, no more than `FRAMES_PER_S` of them from each browser.
"""

import asyncio
import hmac
import os
import threading
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from aiohttp import WSCloseCode, WSMsgType, web

from tabletwin.frames import FRAME_BYTES_MAX, Refusal, quoted
from tabletwin.visitors import Frame

KEYS_VARIABLE = "CITYTABLE_SEAT_KEYS"
FRAMES_PER_S = 30
VISITORS_MAX = 16
UNREAD_MAX = 200  # messages that wait for a slow browser: then it has to start again
PING_S = 20


class Address(NamedTuple):
    """Where the door opens: `pages` is the port of the hub's pages, which are the only ones that may ask."""

    host: str
    pages: int
    keys: Mapping[str, int]  # of each seat


class Visitor:
    """A browser that has come in."""

    def __init__(self, socket: web.WebSocketResponse, seat: int) -> None:
        self.socket = socket
        self.seat = seat
        self.unread: asyncio.Queue[str] = asyncio.Queue(UNREAD_MAX)


class Door:
    """Open from `open` to `close`. `inbox` can be polled: it is readable when something has come."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="door", daemon=True)
        self._runner: web.AppRunner | None = None
        self._visitors: dict[int, Visitor] = {}
        self._came: deque[Frame] = deque()
        self._goodbyes: set[asyncio.Task[bool]] = set()
        self._count = 0
        self.inbox, self._bell = os.pipe()
        os.set_blocking(self._bell, False)

    def open(self) -> int:
        """Listen on a free port, which is returned."""
        self._thread.start()
        return asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result()

    def close(self) -> None:
        """Send everybody away."""
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        os.close(self.inbox)
        os.close(self._bell)

    def take(self) -> list[Frame]:
        """Return what has come since the last call."""
        frames: list[Frame] = []
        while self._came:
            frames.append(self._came.popleft())
        return frames

    def quiet(self) -> None:
        """Make `inbox` unreadable again; call this when it is readable, before `take`."""
        os.read(self.inbox, 4096)

    def send(self, visitor: int, message: str) -> None:
        """Send a message to a visitor who may have left meanwhile."""
        self._loop.call_soon_threadsafe(self._put, visitor, message)

    # in the door's own thread

    async def _listen(self) -> int:
        app = web.Application()
        app.router.add_get("/hands", self._come_in)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, self._address.host, 0)
        await site.start()
        port: int = self._runner.addresses[0][1]
        return port

    async def _end(self) -> None:
        for visitor in list(self._visitors.values()):
            with suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await visitor.socket.close(code=WSCloseCode.GOING_AWAY)
        if self._runner is not None:
            await self._runner.cleanup()

    async def _come_in(self, request: web.Request) -> web.StreamResponse:
        seat = self._seat(request)
        socket = web.WebSocketResponse(heartbeat=PING_S, max_msg_size=FRAME_BYTES_MAX, compress=False)
        if not socket.can_prepare(request):
            raise _refused(web.HTTPBadRequest, "no_socket")
        self._count += 1
        number, visitor = self._count, Visitor(socket, seat)
        self._visitors[number] = visitor  # before anything waits, or too many would come in
        try:
            await self._attend(request, number, visitor)
        finally:
            self._visitors.pop(number, None)
            self._ring(Frame(number, seat, None, left=True))
        return socket

    async def _attend(self, request: web.Request, number: int, visitor: Visitor) -> None:
        """Let a visitor in, and stay with them until they leave."""
        await visitor.socket.prepare(request)
        self._ring(Frame(number, visitor.seat, None))
        writing = asyncio.create_task(_write(visitor))
        try:
            await self._listen_to(number, visitor)
        finally:
            writing.cancel()

    def _seat(self, request: web.Request) -> int:
        """Return the seat whose key a request has; refuse it without, and from pages that are not the hub's."""
        host = request.url.host or ""
        ours = {
            f"{scheme}://{f'[{host}]' if ':' in host else host}:{self._address.pages}" for scheme in ("http", "https")
        }
        origin = request.headers.get("Origin", "")
        if origin not in ours:
            raise _refused(web.HTTPForbidden, "foreign_origin", seen=quoted(origin))
        given = request.query.get("key", "").encode(errors="replace")
        seats = [seat for key, seat in self._address.keys.items() if hmac.compare_digest(key.encode(), given)]
        if not seats:
            raise _refused(web.HTTPForbidden, "wrong_key")
        if len(self._visitors) >= VISITORS_MAX:
            raise _refused(web.HTTPServiceUnavailable, "full", most=VISITORS_MAX)
        return seats[0]

    async def _listen_to(self, number: int, visitor: Visitor) -> None:
        times: deque[float] = deque(maxlen=FRAMES_PER_S)
        async for message in visitor.socket:
            now_s = self._loop.time()
            if len(times) == FRAMES_PER_S and now_s - times[0] < 1.0:
                await visitor.socket.close(code=WSCloseCode.POLICY_VIOLATION, message=b"too many requests")
                return
            times.append(now_s)
            if message.type == WSMsgType.TEXT:
                self._ring(Frame(number, visitor.seat, message.data))
            else:
                await visitor.socket.close(code=WSCloseCode.UNSUPPORTED_DATA, message=b"send text")
                return

    def _ring(self, frame: Frame) -> None:
        self._came.append(frame)
        with suppress(BlockingIOError):  # the bell has rung often enough
            os.write(self._bell, b".")

    def _put(self, number: int, message: str) -> None:
        visitor = self._visitors.get(number)
        if visitor is None:
            return
        try:
            visitor.unread.put_nowait(message)
        except asyncio.QueueFull:
            del self._visitors[number]  # a browser that starts again gets the whole table again
            goodbye = self._loop.create_task(
                visitor.socket.close(code=WSCloseCode.TRY_AGAIN_LATER, message=b"too slow")
            )
            self._goodbyes.add(goodbye)
            goodbye.add_done_callback(self._goodbyes.discard)


async def _write(visitor: Visitor) -> None:
    with suppress(ConnectionError):
        while True:
            await visitor.socket.send_str(await visitor.unread.get())


def _refused(kind: Any, key: str, **words: object) -> Exception:
    text = Refusal(key, **words).text
    refusal: Exception = kind(text="\n".join(text.values()) + "\n")
    return refusal
