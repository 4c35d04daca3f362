"""The addresses behind the forms of the stations page: tags, and looking after stations. All of it is for the host."""

import asyncio
from collections.abc import Callable

from aiohttp import web

from citytable.views.care import CareDoor
from citytable.views.exchange import as_json, body_of, errors_refused
from citytable.views.lost import Handler
from citytable.views.post import read_care_wish, read_tag_wish
from citytable.views.tags import TagsDoor


class CarePages:
    """Answers for the doors of one table."""

    def __init__(self, tags: TagsDoor, care: CareDoor) -> None:
        self._tags = tags
        self._care = care

    def add_to(self, router: web.UrlDispatcher, host: Callable[[Handler], Handler]) -> None:
        """Add the addresses; `host` makes a handler one that only the host reaches."""
        router.add_get("/api/tags", host(self._get_tags))
        router.add_post("/api/tags", host(self._post_tag))
        router.add_get("/api/care", host(self._get_care))
        router.add_post("/api/care", host(self._post_care))

    async def _get_tags(self, _request: web.Request) -> web.Response:
        return await self._told_tags(200)

    async def _post_tag(self, request: web.Request) -> web.Response:
        wish = read_tag_wish(await body_of(request))
        with errors_refused():
            await self._tags.enrol(wish)
        return await self._told_tags(202)

    async def _told_tags(self, status: int) -> web.Response:
        with errors_refused():
            return as_json(await asyncio.to_thread(self._tags.tags), status)

    async def _get_care(self, _request: web.Request) -> web.Response:
        return await self._told_care(200)

    async def _post_care(self, request: web.Request) -> web.Response:
        wish = read_care_wish(await body_of(request))
        with errors_refused():
            await self._care.do(wish)
        return await self._told_care(202)

    async def _told_care(self, status: int) -> web.Response:
        with errors_refused():
            return as_json(await self._care.care(), status)
