"""The addresses of the owner's box. All of it is for the host."""

import asyncio
from collections.abc import Callable

from aiohttp import web

from citytable.views.box import BoxDoor
from citytable.views.exchange import as_json, body_of, errors_refused
from citytable.views.lost import Handler
from citytable.views.post import read_box_wish
from citytable.views.viewer import HOST, asked_of


class BoxPages:
    """Answers for the box of one table."""

    def __init__(self, box: BoxDoor) -> None:
        self._box = box

    def add_to(self, router: web.UrlDispatcher, host: Callable[[Handler], Handler]) -> None:
        """Add the addresses; `host` makes a handler one that only the host reaches."""
        router.add_get("/api/box", host(self._get_box))
        router.add_post("/api/box", host(self._post_box))

    async def _get_box(self, request: web.Request) -> web.Response:
        thing = request.query.get("thing")
        with errors_refused():
            if thing is not None:
                return as_json(asked_of(self._box.question(thing), HOST))
        return await self._told(200)

    async def _post_box(self, request: web.Request) -> web.Response:
        wish = read_box_wish(await body_of(request))
        with errors_refused():
            await asyncio.to_thread(self._box.choose, wish)
        return await self._told(202)

    async def _told(self, status: int) -> web.Response:
        with errors_refused():
            return as_json(await asyncio.to_thread(self._box.shown), status)
