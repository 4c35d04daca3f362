"""What bots meet at the virtual table ends at most their own game."""

import asyncio
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest

from citytable import virtual_games
from citytable.games.megacity.position import Options
from citytable.rehearsal.company import Stuck
from citytable.rehearsal.twin import TwinError
from citytable.settings import Settings


class Hub:
    """A hub at whose page people begin games."""

    def __init__(self):
        self.play = SimpleNamespace(umpire=SimpleNamespace(position=SimpleNamespace(options=Options(players=2))))
        self.session = self
        self.hands = self
        self.done = []

    async def say_goodbye(self):
        self.done.append("the pages close")

    def on_next_game(self, begin):
        self.begin = begin


@pytest.mark.parametrize("met", [TwinError("the virtual table ended with code 1"), OSError("no space left")])
async def test_a_later_table_that_does_not_come_up_is_named_and_the_next_game_gets_one(monkeypatch, capsys, met):
    tables, over, hub = [], asyncio.Event(), Hub()
    loop = asyncio.get_running_loop()

    @asynccontextmanager
    async def table(settings, hub):
        tables.append(settings.seed)
        if len(tables) < 3:
            loop.call_soon(hub.begin)  # somebody begins the next one, but a moment later
        if len(tables) == 2:
            raise met
        yield None

    def company(settings, hub, twin, on_turn):
        async def play():
            if len(tables) == 3:
                over.set()

        return SimpleNamespace(play=play)

    monkeypatch.setattr(virtual_games.wiring, "virtual_table", table)
    monkeypatch.setattr(virtual_games.wiring, "company", company)
    playing = asyncio.create_task(virtual_games.bots_play(Settings(options=Options(players=2), seed=7), hub))
    await asyncio.wait({playing, asyncio.create_task(over.wait())}, return_when=asyncio.FIRST_COMPLETED)
    assert not playing.done(), playing.exception()
    assert tables == [7, 8, 9]
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    assert f"the virtual game stopped: {met}; the host's page begins the next one" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("met", "sentence", "lines"),
    [(Stuck("the display shows seat 1"), "the display shows seat 1", 0), (KeyError("fell"), "'fell'", 1)],
)
async def test_a_game_of_bots_that_cannot_go_on_ends_with_a_sentence_and_the_next_one_begins(
    monkeypatch, capsys, caplog, met, sentence, lines
):
    seeds, over = [], asyncio.Event()

    @asynccontextmanager
    async def table(settings, hub):
        yield None

    def company(settings, hub, twin, on_turn):
        async def play():
            seeds.append(settings.seed)
            if len(seeds) == 1:
                asyncio.get_running_loop().call_soon(hub.begin)  # somebody begins the next one, but a moment later
                raise met
            over.set()

        return SimpleNamespace(play=play)

    monkeypatch.setattr(virtual_games.wiring, "virtual_table", table)
    monkeypatch.setattr(virtual_games.wiring, "company", company)
    playing = asyncio.create_task(virtual_games.bots_play(Settings(options=Options(players=2), seed=7), Hub()))
    await asyncio.wait({playing, asyncio.create_task(over.wait())}, return_when=asyncio.FIRST_COMPLETED)
    assert not playing.done(), playing.exception()
    assert seeds == [7, 8]
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    assert f"the virtual game stopped: {sentence}; the host's page begins the next one" in capsys.readouterr().err
    assert len(caplog.records) == lines


async def test_the_pages_are_closed_before_the_table_goes(monkeypatch):
    hub, playing = Hub(), asyncio.Event()

    @asynccontextmanager
    async def table(settings, hub):
        try:
            yield None
        finally:
            hub.done.append("the table goes")

    async def play():
        playing.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(virtual_games.wiring, "virtual_table", table)
    monkeypatch.setattr(virtual_games.wiring, "company", lambda *_: SimpleNamespace(play=play))
    games = asyncio.create_task(virtual_games.bots_play(Settings(options=Options(players=2), seed=7), hub))
    await playing.wait()
    games.cancel()
    await asyncio.gather(games, return_exceptions=True)
    assert hub.done == ["the pages close", "the table goes"]
