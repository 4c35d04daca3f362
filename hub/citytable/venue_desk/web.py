"""The venue's web server: standings and seasons for everybody, and a page each for the producer and for the desk.

Those two want a key. The desk's is the only one that changes something.
"""

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from importlib import resources
from typing import NamedTuple

from aiohttp import web

from citytable.venue.evening import Evening
from citytable.venue.excitement import exciting
from citytable.venue.facts import Refused
from citytable.venue.season import season
from citytable.venue_desk.door import HEADERS, Door
from citytable.venue_desk.hearing import Hearing
from citytable.venue_desk.players import PlayersDesk, answered, pages_for
from citytable.venue_desk.store import Store, StoreUnavailable
from citytable.views.listener import Listener
from citytable.views.lost import Handler
from citytable.views.origin import is_ours, is_same
from citytable.views.places import LIMITS, Limits
from citytable.views.post import quoted


class DeskKeys(NamedTuple):
    """Hold what opens the producer's page, and the desk's page of players. Empty: no link opens it."""

    producer: str = ""
    players: str = ""


NO_KEYS = DeskKeys()


class DeskPages:
    """Answer requests from what the store keeps and the tables said last.

    `names` are those that a proxy or a router gives the
    desk, beside those that nobody on the internet can own.
    """

    def __init__(self, store: Store, heard: Hearing, keys: DeskKeys = NO_KEYS, names: Collection[str] = ()) -> None:
        self._store = store
        self._heard = heard
        self._door = Door(keys.producer, "citytable-producer")
        self._players = PlayersDesk(store, Door(keys.players, "citytable-players"))
        self._names = frozenset(name.lower() for name in names)

    def app(self) -> web.Application:
        """Return the application."""
        app = web.Application(middlewares=[self._only_ours])
        app.router.add_get("/", self._evening)
        app.router.add_get("/season/{name}", self._season)
        app.router.add_get("/producer", self._producer)
        app.router.add_get("/players", self._players.show)
        app.router.add_post("/players", self._players.do)
        app.router.add_get("/pages.css", self._style)
        return app

    @web.middleware
    async def _only_ours(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse requests under a name that somebody on the internet may own, and those that foreign pages send.

        While the store is away, say so: a page on a wall comes back by itself.
        """
        host, origin = request.headers.get("Host", ""), request.headers.get("Origin")
        if not is_ours(host, self._names):
            return answered(pages_for(request).refusal("foreign_host", seen=quoted(host)), 421)
        if origin is not None and not is_same(origin, host, self._names):
            return answered(pages_for(request).refusal("foreign_origin", seen=quoted(origin)), 403)
        try:
            return await handler(request)
        except StoreUnavailable as error:
            return answered(pages_for(request).refusal("away", why=error), 503)

    async def _evening(self, request: web.Request) -> web.Response:
        return answered(pages_for(request).evening(*await self._latest()))

    async def _season(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        evenings = [await self._store.evening(kept.name) for kept in await self._store.evenings(name)]
        if not evenings:
            raise web.HTTPNotFound(headers=HEADERS)
        return answered(pages_for(request).season(name, season(evenings)))

    async def _producer(self, request: web.Request) -> web.Response:
        if there := self._door.opened(request):
            return there
        if not self._door.lets_in(request):
            return answered(pages_for(request).refusal("no_key"), 403)
        _, evening = await self._latest()
        tables = dict(self._heard.tables)
        return answered(pages_for(request).producer(exciting(tables, self._heard.leads, evening), tables, evening))

    async def _style(self, _request: web.Request) -> web.Response:
        text = resources.files(__package__).joinpath("pages.css").read_text("utf-8")
        return web.Response(text=text, content_type="text/css", headers=HEADERS)

    async def _latest(self) -> tuple[str, Evening | None]:
        try:
            name = await self._store.latest()
            return name, await self._store.evening(name)
        except Refused:
            return "", None


@asynccontextmanager
async def serving(pages: DeskPages, host: str, port: int, limits: Limits = LIMITS) -> AsyncIterator[int]:
    """Serve the pages while inside; give the port, a free one for 0. Raise OSError where it is taken.

    Connections have the limits of a hub's pages: one phone with a thousand of them keeps nobody else away.
    """
    runner = web.AppRunner(pages.app(), access_log=None, shutdown_timeout=1, keepalive_timeout=limits.headers_s)
    await runner.setup()
    assert runner.server is not None  # since it is set up
    listener = Listener(runner.server, limits)
    try:
        yield await listener.start(host, port)
    finally:
        await listener.stop()
        await runner.cleanup()
