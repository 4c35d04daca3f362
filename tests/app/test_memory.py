"""What a hub that stays on keeps: nothing of games that are over, nor of connections that were lost."""

import asyncio
import gc
import socket
import weakref

import pytest

from citytable import cli
from citytable.games import NAMES, box_of
from citytable.link.mqtt import ended
from citytable.settings import Settings
from citytable.table.word import NextGame

SHOWN = cli.Shown(
    host="127.0.0.1",
    port=0,
    mode=None,
    home_assistant=False,
    venue=False,
    open_page=False,
    names=(),
    obs="",
    theme=None,
    fixed_box=True,
    game="",
)


@pytest.fixture
async def shown(monkeypatch, tmp_path):
    """`await shown("megacity", phones=True)`: a hub that shows this game with everything that belongs to it."""
    showing = []

    async def hub_of(game, **how):
        hubs = asyncio.Queue()

        async def until_chosen(_settings, hub, _choice):
            hubs.put_nowait(hub)
            await asyncio.Event().wait()

        monkeypatch.setattr(cli, "_until_chosen", until_chosen)
        box = box_of(game)
        journal = tmp_path / "journal.sqlite3"
        settings = Settings(box=box, options=box.options(box.players[0]), speed=1.0, journal_path=journal, **how)
        showing.append(asyncio.create_task(cli._show_a_game(settings, SHOWN)))
        return await hubs.get()

    yield hub_of
    await ended(*showing)


@pytest.mark.parametrize("game", NAMES)
async def test_nothing_of_a_game_is_left_once_the_next_has_begun(shown, game):
    hub = await shown(game, phones=True)
    left = []
    for _ in range(2):
        left += [weakref.ref(one) for one in (hub.play, hub.play.umpire, hub.play.evidence)]
        await hub.session.say(NextGame(by="host", after=hub.game_id, players=hub.session.players()))
    gc.collect()
    assert [one() for one in left if one() is not None] == []


@pytest.mark.broker
async def test_nothing_of_a_connection_is_left_once_it_is_lost(shown, monkeypatch):
    mqtt = (await shown(NAMES[0], twin=False)).session._link._mqtt
    before, again, greetings = weakref.ref(mqtt._client), asyncio.Event(), mqtt._greetings
    monkeypatch.setattr(mqtt, "_greetings", lambda: again.set() or greetings())
    before()._client.socket().shutdown(socket.SHUT_RDWR)
    await again.wait()
    gc.collect()
    assert before() is None
