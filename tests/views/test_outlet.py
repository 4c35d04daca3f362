"""The way to one reader: at once while nothing waits before it, and never out of turn."""

import asyncio
from typing import Any, cast

from aiohttp import WSMsgType, web

from citytable.views.frame import Frame
from citytable.views.outlet import Outlet

LONG = [Frame(b'{"seq": %d}' % number * 60) for number in range(90)]
SNAPSHOT = Frame(b'{"type": "snapshot"}')


class Socket:
    """What an outlet needs of a socket and its transport; the reader takes nothing while `stalled`."""

    def __init__(self, compress: int) -> None:
        self.compress = compress
        self.stalled = False
        self.went = asyncio.Event()
        self.at_once: list[bytes] = []
        self.behind: list[tuple[bytes, int | None]] = []

    def is_closing(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return int(self.stalled)

    def write(self, frame: bytes) -> None:
        self.at_once.append(frame)

    async def send_frame(self, payload: bytes, opcode: WSMsgType, compress: int | None) -> None:
        assert opcode is WSMsgType.TEXT
        self.behind.append((payload, compress))
        await self.went.wait()


def outlet(socket: Socket) -> Outlet:
    return Outlet(cast(web.WebSocketResponse, socket), cast(asyncio.WriteTransport, socket))


async def turns() -> None:
    """Let every task go as far as it can."""
    for _ in range(5):
        await asyncio.sleep(0)


async def running(one: Outlet, *missed: Frame) -> "asyncio.Task[Any]":
    task = asyncio.create_task(one.run(missed, lambda: SNAPSHOT))
    await turns()
    return task


async def test_a_reader_who_has_read_everything_gets_a_frame_without_waking_a_task() -> None:
    for compress, sent in ((15, Frame.deflated), (10, Frame.plain), (0, Frame.plain)):
        socket = Socket(compress)
        task = await running(way := outlet(socket), LONG[0])
        way.put(LONG[1])
        assert socket.at_once == [sent.func(LONG[0]), sent.func(LONG[1])]
        task.cancel()


async def test_behind_what_still_waits_nothing_is_written_out_of_turn() -> None:
    socket = Socket(15)
    task = await running(way := outlet(socket))
    socket.stalled = True
    way.put(LONG[0])
    await turns()
    socket.stalled = False
    way.put(LONG[1])  # the first is still on its way
    assert socket.at_once == []
    socket.went.set()
    await turns()
    assert socket.behind == [(LONG[0].payload, 15)]
    assert socket.at_once == [LONG[1].deflated]
    task.cancel()


async def test_a_reader_who_stalls_keeps_no_more_than_a_mailbox_and_begins_again_with_a_snapshot() -> None:
    socket = Socket(0)
    task = await running(way := outlet(socket))
    socket.stalled = True
    for frame in LONG:
        way.put(frame)
        await turns()
    socket.went.set()
    await turns()
    assert [payload for payload, _ in socket.behind] == [LONG[0].payload, SNAPSHOT.payload]
    task.cancel()


async def test_after_the_end_nothing_is_written() -> None:
    socket = Socket(15)
    task = await running(way := outlet(socket))
    task.cancel()
    await turns()
    way.put(LONG[0])
    assert socket.at_once == []
