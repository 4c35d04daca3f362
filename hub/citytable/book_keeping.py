"""Keeps the record book of a running hub: adds games that have ended, and removes games that continue."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from citytable.games import NAMES, box_of
from citytable.hub import Hub, replayed
from citytable.journal.replay import Unreplayable
from citytable.journal.store import GameRow
from citytable.other_games import seats_for
from citytable.session.box import Box, title_of
from citytable.session.records import RecordBook, Told, beside, told
from citytable.settings import Settings
from citytable.views.records import Playable
from citytable.views.state import View

_LOGGER = logging.getLogger(__name__)


def playable(settings: Settings) -> tuple[Playable, ...]:
    """Return the games for which this table has seats and spots."""
    found = ((box, seats_for(settings, box)) for box in (box_of(name) for name in NAMES))
    return tuple(Playable(box.name, title_of(box), seats[0], seats[-1]) for box, seats in found if seats)


class BookKeeper:
    """Watches a hub's views; `run` writes everything new into the book, until cancelled."""

    def __init__(self, hub: Hub, book: RecordBook, box: Box[Any, Any]) -> None:
        self._hub = hub
        self._book = book
        self._box = box
        self._ended: tuple[str, str] = ("", "")
        self._news = asyncio.Event()
        self._news.set()

    def show(self, view: View) -> None:
        """Receive a view."""
        scene = view.scene
        self._book.on_table = self._hub.game_id
        self._book.players = () if scene is None else tuple(player.name for player in scene.players)
        ended = (self._hub.game_id, "" if scene is None else scene.ended)
        if ended != self._ended:
            self._ended = ended
            self._news.set()

    async def run(self) -> None:
        """Keep the book up to date."""
        while True:
            await self._news.wait()
            self._news.clear()
            for row in await self._hub.journal.games():
                await self._look(row)

    async def _look(self, row: GameRow) -> None:
        known, here = row.id in self._book.known, row.id == self._hub.game_id
        if known and not row.over:
            self._book.forget(row.id)
        if row.over and (here or not known):
            await self._write(row)

    async def _write(self, row: GameRow) -> None:
        if row.game not in NAMES and row.game != self._box.name:
            return
        entries = (await self._hub.journal.entries(row.id)).entries
        decks = await self._hub.journal.decks()
        box = self._box if row.game == self._box.name else box_of(row.game)

        def read() -> Told:
            return told(entries, box, replayed(entries, box, decks))

        try:
            self._book.note(row.id, await asyncio.to_thread(read))
        except Unreplayable as error:
            _LOGGER.info("game %s has no records: %s", row.id, error)


@asynccontextmanager
async def record_book(settings: Settings, hub: Hub) -> AsyncIterator[RecordBook]:
    """Keep the records of a hub's table up to date while inside."""
    book = RecordBook(beside(settings.journal_path), settings.box, playable(settings))
    keeper = BookKeeper(hub, book, settings.box)
    keeper.show(hub.session.view())
    hub.session.show_on(keeper.show)
    keeping = asyncio.create_task(keeper.run(), name="records")
    try:
        yield book
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
