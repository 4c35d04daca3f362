"""The venue's web server: three pages, which only read.

Two of them are for everybody. The producer's page wants a key: it comes with the link, and the browser keeps it in a
cookie that no script reads.
"""

import hmac
import secrets
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from importlib import resources

from aiohttp import web

from citytable.languages import ENGLISH, LANGUAGES
from citytable.venue.evening import Evening
from citytable.venue.excitement import exciting
from citytable.venue.facts import Refused
from citytable.venue.season import season
from citytable.venue_desk.hearing import Hearing
from citytable.venue_desk.pages import Pages
from citytable.venue_desk.store import Store, StoreUnavailable
from citytable.views.listener import Listener
from citytable.views.lost import Handler
from citytable.views.origin import is_ours
from citytable.views.places import LIMITS, Limits
from citytable.views.post import quoted

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


COOKIE = "citytable-producer"
COOKIE_S = 12 * 3600  # an evening


class DeskPages:
    """Answer requests from what the store keeps and the tables said last.

    `key` opens the producer's page; without one, no link does. `names` are those that a proxy or a router gives the
    desk, beside those that nobody on the internet can own.
    """

    def __init__(self, store: Store, heard: Hearing, key: str = "", names: Collection[str] = ()) -> None:
        self._store = store
        self._heard = heard
        self._key = key or secrets.token_hex(16)
        self._names = frozenset(name.lower() for name in names)

    def app(self) -> web.Application:
        """Return the application."""
        app = web.Application(middlewares=[self._only_ours])
        app.router.add_get("/", self._evening)
        app.router.add_get("/season/{name}", self._season)
        app.router.add_get("/producer", self._producer)
        app.router.add_get("/pages.css", self._style)
        return app

    @web.middleware
    async def _only_ours(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse requests under a name that somebody on the internet may have let point at the desk."""
        host = request.headers.get("Host", "")
        if is_ours(host, self._names):
            return await handler(request)
        return _answer(_pages(request).refusal("foreign_host", seen=quoted(host)), 421)

    async def _evening(self, request: web.Request) -> web.Response:
        return _answer(_pages(request).evening(*await self._latest()))

    async def _season(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        evenings = [await self._store.evening(kept.name) for kept in await self._store.evenings(name)]
        if not evenings:
            raise web.HTTPNotFound(headers=HEADERS)
        return _answer(_pages(request).season(name, season(evenings)))

    async def _producer(self, request: web.Request) -> web.Response:
        if self._fits(request.query.get("key", "")):
            there = web.Response(status=303, headers={**HEADERS, "Location": request.path})  # without the key
            there.set_cookie(COOKIE, self._key, max_age=COOKIE_S, httponly=True, samesite="Lax", path=request.path)
            return there
        if not self._fits(request.cookies.get(COOKIE, "")):
            return _answer(_pages(request).refusal("no_key"), 403)
        _, evening = await self._latest()
        tables = dict(self._heard.tables)
        return _answer(_pages(request).producer(exciting(tables, self._heard.leads, evening), tables, evening))

    def _fits(self, word: str) -> bool:
        return hmac.compare_digest(word.encode(errors="replace"), self._key.encode())

    async def _style(self, _request: web.Request) -> web.Response:
        text = resources.files(__package__).joinpath("pages.css").read_text("utf-8")
        return web.Response(text=text, content_type="text/css", headers=HEADERS)

    async def _latest(self) -> tuple[str, Evening | None]:
        try:
            name = await self._store.latest()
            return name, await self._store.evening(name)
        except Refused:
            return "", None
        except StoreUnavailable as error:
            raise web.HTTPServiceUnavailable(text=str(error), headers=HEADERS) from None


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


def _pages(request: web.Request) -> Pages:
    """Return the pages in the language that is asked for: `?lang=fr`, or what the browser prefers."""
    wanted = request.query.get("lang", request.headers.get("Accept-Language", ""))
    language = next((code for code in LANGUAGES if wanted.lower().startswith(code)), ENGLISH)
    return Pages(language)


def _answer(text: str, status: int = 200) -> web.Response:
    return web.Response(text=text, status=status, content_type="text/html", headers=HEADERS)
