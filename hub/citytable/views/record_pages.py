"""The addresses of the record: the actions that count, their signals, and possible corrections."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from aiohttp import web

from citytable.journal.entry import ActionConfirmed, Entry
from citytable.journal.excerpt import BadExcerpt
from citytable.table.word import PositionSet
from citytable.views.answers import OtherWay, Written
from citytable.views.exchange import as_json
from citytable.views.lost import Handler
from citytable.views.refusals import refused
from citytable.views.signal import NoEntry, Signal
from citytable.views.wording import wording


class Recorded(Protocol):
    """The record of the game, as far as pages read it."""

    async def signal(self, seq: int) -> Signal:
        """Return the signal of an entry; raises `BadExcerpt` or `NoEntry`."""
        ...

    async def otherwise(self, seq: int) -> tuple[OtherWay, ...]:
        """Return the ways to put an action right, the likeliest first; raise `NoEntry`."""
        ...


class RecordPages:
    """Answers for the record of the game on the table; `entries` are the actions that count."""

    def __init__(self, entries: Callable[[], Awaitable[tuple[Entry, ...]]], record: Callable[[], Recorded]) -> None:
        self._entries = entries
        self._record = record

    def add_to(
        self, router: web.UrlDispatcher, host: Callable[[Handler], Handler], people: Callable[[Handler], Handler]
    ) -> None:
        """Add the addresses; `host` and `people` make a handler one that only these reach."""
        router.add_get("/api/entries", people(self._get_entries))
        router.add_get("/api/entries/{seq:[0-9]{1,9}}/trace", host(self._get_signal))
        router.add_get("/api/entries/{seq:[0-9]{1,9}}/otherwise", people(self._get_otherwise))

    async def _get_entries(self, _request: web.Request) -> web.Response:
        return as_json([_written(entry) for entry in await self._entries()])

    async def _get_signal(self, request: web.Request) -> web.Response:
        try:
            signal = await self._record().signal(int(request.match_info["seq"]))
        except BadExcerpt as error:
            raise refused(503, "no_signals", seen=error.text or error) from None
        except NoEntry:
            raise refused(404, "no_entry", seen=request.match_info["seq"]) from None
        return as_json(signal)

    async def _get_otherwise(self, request: web.Request) -> web.Response:
        try:
            return as_json(await self._record().otherwise(int(request.match_info["seq"])))
        except NoEntry:
            raise refused(404, "no_entry", seen=request.match_info["seq"]) from None


def _written(entry: Entry) -> Written:
    if isinstance(entry.body, PositionSet):
        words = {"by": entry.body.by, "why": entry.body.why}
        return Written(entry.seq, entry.at_us, entry.cause, "", "", "action.position_set", words, None)
    if not isinstance(entry.body, ActionConfirmed):
        return Written(entry.seq, entry.at_us, entry.cause, "", "", "action.game_ended", {}, None)
    key, words, seat = wording(entry.body.action)
    return Written(entry.seq, entry.at_us, entry.cause, entry.body.action, entry.body.breaks, key, words, seat)
