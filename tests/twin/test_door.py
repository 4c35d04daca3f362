"""The door of a virtual table: who may come in, and what is taken from them."""

import asyncio

import pytest
from aiohttp import ClientSession, WSCloseCode, WSMsgType, WSServerHandshakeError

from tabletwin.door import FRAMES_PER_S, VISITORS_MAX, Address, Door
from tabletwin.frames import FRAME_BYTES_MAX

PAGES = "http://127.0.0.1:8080"


@pytest.fixture
def door():
    door = Door(Address("127.0.0.1", 8080, {"secret": 2}))
    door.url = f"ws://127.0.0.1:{door.open()}/hands"
    yield door
    door.close()


async def frames(door, count):
    """The first frames that come through the door."""
    came = []
    while len(came) < count:
        await asyncio.to_thread(door.quiet)
        came += door.take()
    return came


@pytest.mark.parametrize(
    ("origin", "key", "says"),
    [
        ("http://evil.example", "secret", "A page from 'http://evil.example' cannot move"),
        ("http://127.0.0.1:9090", "secret", "cannot move"),
        ("", "secret", "cannot move"),
        (PAGES, "guess", "This key opens no seat"),
        (PAGES, "", "This key opens no seat"),
    ],
)
async def test_only_the_hubs_page_with_a_seats_key_comes_in(door, origin, key, says):
    async with (
        ClientSession() as session,
        session.get(door.url.replace("ws", "http", 1), params={"key": key}, headers={"Origin": origin}) as response,
    ):
        assert (response.status, says in await response.text()) == (403, True)
    assert door.take() == []


async def test_what_a_visitor_sends_comes_with_their_seat_and_they_are_answered(door):
    async with ClientSession() as session:
        async with session.ws_connect(f"{door.url}?key=secret", headers={"Origin": PAGES}) as socket:
            await socket.send_str("hello")
            came = await frames(door, 2)
            door.send(came[0].visitor, "welcome")
            assert (await socket.receive()).data == "welcome"
        (left,) = await frames(door, 1)
    assert [(frame.seat, frame.text, frame.left) for frame in (*came, left)] == [
        (2, None, False),
        (2, "hello", False),
        (2, None, True),
    ]


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (["x" * (FRAME_BYTES_MAX + 1)], WSCloseCode.MESSAGE_TOO_BIG),
        ([b"bytes"], WSCloseCode.UNSUPPORTED_DATA),
        (["x"] * (FRAMES_PER_S + 1), WSCloseCode.POLICY_VIOLATION),
    ],
)
async def test_who_sends_too_much_or_nonsense_is_sent_away(door, sent, code):
    at = f"{door.url}?key=secret"
    async with ClientSession() as session, session.ws_connect(at, headers={"Origin": PAGES}) as socket:
        for one in sent:
            await (socket.send_str(one) if isinstance(one, str) else socket.send_bytes(one))
        message = await socket.receive()
    assert (message.type, message.data) == (WSMsgType.CLOSE, code)


async def test_the_table_has_room_for_so_many_browsers(door):
    async with ClientSession() as session:
        at = f"{door.url}?key=secret"
        sockets = [await session.ws_connect(at, headers={"Origin": PAGES}) for _ in range(VISITORS_MAX)]
        with pytest.raises(WSServerHandshakeError) as refusal:
            await session.ws_connect(at, headers={"Origin": PAGES})
        assert not any(socket.closed for socket in sockets)
        for socket in sockets:
            await socket.close()
    assert refusal.value.status == 503
