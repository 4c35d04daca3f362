"""People with phones who mean no good: the game and everybody else's display go on."""

import asyncio
import json
import os
import socket

import aiohttp
import msgspec
import pytest

from citytable.app import screens
from citytable.games.megacity.actions import TakePieces
from citytable.rehearsal.megacity.acts import holds
from citytable.views.address import At
from citytable.views.keys import Keys
from citytable.views.server import READERS_PER_ADDRESS_MAX
from citytable.views.viewer import Viewer

pytestmark = pytest.mark.broker

HOSTILE = 200
KEYS = Keys(b"secret", "table", "")
PLAYER = Viewer(seat=1)  # even he means no good
JSON = {"Content-Type": "application/json"}


async def _deaf_reader(port: int) -> tuple[asyncio.StreamWriter, bytes]:
    """Asks for the feed and then reads nothing but the first line of the answer."""
    ear = socket.socket()
    ear.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    ear.setblocking(False)
    await asyncio.get_running_loop().sock_connect(ear, ("127.0.0.1", port))
    reader, writer = await asyncio.open_connection(sock=ear, limit=1024)
    key = b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    writer.write(b"GET /feed HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" + key + b"\r\n")
    await writer.drain()
    return writer, await reader.readline()


async def _read_until(display: aiohttp.ClientWebSocketResponse, seen: dict, condition) -> None:
    """Read the feed as a screen does until what it shows fulfils the condition."""
    async with asyncio.timeout(60):
        while not condition(seen):
            event = msgspec.json.decode((await display.receive()).data)
            if event["type"] != "happened":
                seen.update(event["data"])


async def test_two_hundred_readers_who_never_read_take_nothing_from_the_one_who_does(open_table, caplog):
    async with (
        open_table() as table,
        screens(table.hub, KEYS, At("127.0.0.1")) as port,
        aiohttp.ClientSession() as web,
    ):
        seen: dict = {}
        display = await web.ws_connect(f"http://127.0.0.1:{port}/feed")
        deaf = await asyncio.gather(*(_deaf_reader(port) for _ in range(HOSTILE)))
        answers = [line.split()[1] for _, line in deaf]
        assert answers.count(b"101") == READERS_PER_ADDRESS_MAX - 1, "one device does not get all places"
        assert answers.count(b"503") == HOSTILE - READERS_PER_ADDRESS_MAX + 1
        assert "connections open and new ones from there are refused" in caplog.text
        await table.deal()
        for _ in range(3):
            await table.do(TakePieces(player=table.game.position.player))
            await table.pass_bag()
            turn = table.game.position.turn
            await _read_until(
                display, seen, lambda seen, turn=turn: seen.get("scene") and seen["scene"]["turn"] == turn
            )
        assert holds(table.hub.play.umpire.position, table.game.position)
        for writer, _ in deaf:
            writer.close()
        await display.close()


@pytest.mark.parametrize("kind", ["answer", "statement"])
async def test_what_no_screen_of_ours_sends_is_refused_with_a_sentence_and_changes_nothing(open_table, kind):
    async with (
        open_table() as table,
        screens(table.hub, KEYS, At("127.0.0.1")) as port,
        aiohttp.ClientSession(headers={"Cookie": f"{KEYS.cookie_name(PLAYER)}={KEYS.key(PLAYER)}"}) as web,
    ):
        await table.deal()
        before = table.hub.play.umpire.provisional_position
        address = f"http://127.0.0.1:{port}/api/say"
        fields = {"action": "p1 take_pieces drawn=unknown:3", "by": "seat 1", "question": "x", "values": {}}
        said = json.dumps({"type": kind, **fields})  # the fields of both kinds: neither takes the other's
        sent = [
            (b"x" * (1 << 20), JSON, 413),
            (said.encode(), {"Content-Type": "text/plain"}, 415),
            (said.encode(), {"Content-Type": "application/x-www-form-urlencoded"}, 415),
            (os.urandom(500), JSON, 400),
            (b"[" * 4000, JSON, 400),
            (json.dumps({"type": kind, "action": 7}).encode(), JSON, 400),
            (said.encode(), JSON, 400),
        ]
        for body, headers, status in sent:
            async with web.post(address, data=body, headers=headers) as answer:
                assert answer.status == status, (body[:40], await answer.text())
                assert {"en", "fr"} == set((await answer.json())["text"])
        assert table.hub.play.umpire.provisional_position == before
        await table.do(TakePieces(player=table.game.position.player))
        await table.pass_bag()
        assert holds(table.hub.play.umpire.position, table.game.position)


async def test_a_stranger_changes_nothing_and_sees_no_more_than_the_display(open_table):
    async with (
        open_table() as table,
        screens(table.hub, KEYS, At("127.0.0.1")) as port,
        aiohttp.ClientSession() as web,
    ):
        await table.deal()
        before = len((await table.hub.journal.entries(table.hub.game_id)).entries)
        sent = [
            {"type": "statement", "action": "p1 take_pieces drawn=unknown:3", "by": "host"},
            {"type": "ruling", "action": "p1 end_turn", "by": "host"},
            {"type": "go_back", "to": 1, "by": "host"},
            {"type": "clear_up", "do": "close", "by": "host"},
            {"type": "mode", "mode": "record", "by": "host"},
            {"type": "undo_request", "to": 1, "by": "seat 1"},
        ]
        for word in sent:
            async with web.post(f"http://127.0.0.1:{port}/api/say", json=word) as answer:
                assert (word["type"], answer.status) == (word["type"], 401)
        for path in ("view?as=host", "view?as=seat/1", "entries", "entries/3/trace", "paper", "phones"):
            async with web.get(f"http://127.0.0.1:{port}/api/{path}") as answer:
                assert (path, answer.status) == (path, 401)
        assert len((await table.hub.journal.entries(table.hub.game_id)).entries) == before
