"""The desk's page of players: another name, two names that are one person, and a person who wants to be forgotten.

It has no scripts. What cannot be brought back wants a second tap.
"""

from collections.abc import Awaitable, Callable
from urllib.parse import urlencode

from aiohttp import web

from citytable.languages import ENGLISH, LANGUAGES
from citytable.venue.facts import Refused
from citytable.venue.naming import erasing, merging, renaming, showing
from citytable.venue.season import season
from citytable.venue_desk.door import HEADERS, Door
from citytable.venue_desk.pages import Pages
from citytable.venue_desk.store import Store, StoreUnavailable

PATH = "/players"


class PlayersDesk:
    """Show the players of the season that is played, and do what the desk wants with their names."""

    def __init__(self, store: Store, door: Door) -> None:
        self._store = store
        self._door = door
        self._acts: dict[str, Callable[[str, str], Awaitable[int]]] = {
            "rename": self._rename,
            "merge": self._merge,
            "erase": self._erase,
            "show": self._show_name,
            "hide": self._hide_name,
        }

    async def show(self, request: web.Request) -> web.Response:
        """Answer with everybody's names, with what can be done with one, or with the question before it is done."""
        if there := self._door.opened(request):
            return there
        pages = pages_for(request)
        if not self._door.lets_in(request):
            return answered(pages.refusal("no_players_key"), 403)
        try:
            names = await self._names()
        except StoreUnavailable as error:
            return answered(pages.not_done(str(error)), 503)
        player = request.query.get("player", "")
        if player not in names:
            return answered(pages.players(names))
        sure = request.query.get("sure")
        return answered(pages.player(player, names) if sure is None else pages.sure(player, sure))

    async def do(self, request: web.Request) -> web.Response:
        """Do what a form says, and go back to the names; where it is refused, answer with why."""
        pages = pages_for(request)
        if not self._door.lets_in(request):
            return answered(pages.refusal("no_players_key"), 403)
        said = {name: str(value) for name, value in (await request.post()).items()}
        act, player, name = said.get("act", ""), said.get("player", ""), " ".join(said.get("name", "").split())
        if act not in self._acts or not player or not (name or act not in {"rename", "merge"}):
            return answered(pages.refusal("no_sense"), 400)
        if act in {"merge", "erase"} and "sure" not in said:
            return _to(player=player, sure=name if act == "merge" else player)
        try:
            await self._acts[act](player, name)
        except Refused as refusal:
            return answered(pages.not_done(str(refusal)), 409)
        except StoreUnavailable as error:
            return answered(pages.not_done(str(error)), 503)
        return _to()

    async def _rename(self, player: str, name: str) -> int:
        return await self._store.add_to_season(await self._store.latest(), renaming(player, name))

    async def _merge(self, player: str, into: str) -> int:
        return await self._store.add_to_season(await self._store.latest(), merging(player, into))

    async def _erase(self, player: str, _: str) -> int:
        return await self._store.rewrite(erasing(player))

    async def _show_name(self, player: str, _: str) -> int:
        return await self._store.add_to_season(await self._store.latest(), showing(player, by_name=True))

    async def _hide_name(self, player: str, _: str) -> int:
        return await self._store.add_to_season(await self._store.latest(), showing(player, by_name=False))

    async def _names(self) -> dict[str, bool]:
        kept = await self._store.evenings()
        names = [one.name for one in kept if one.season == kept[-1].season]
        lines = season([await self._store.evening(name) for name in names])
        return {line.player: line.by_name for line in sorted(lines, key=lambda line: line.player.casefold())}


def pages_for(request: web.Request) -> Pages:
    """Return the pages in the language that is asked for: `?lang=fr`, or what the browser prefers."""
    wanted = request.query.get("lang", request.headers.get("Accept-Language", ""))
    language = next((code for code in LANGUAGES if wanted.lower().startswith(code)), ENGLISH)
    return Pages(language)


def answered(text: str, status: int = 200) -> web.Response:
    """Return a page as the answer, with the headers of all pages."""
    return web.Response(text=text, status=status, content_type="text/html", headers=HEADERS)


def _to(**words: str) -> web.Response:
    query = f"?{urlencode(words)}" if words else ""
    return web.Response(status=303, headers={**HEADERS, "Location": PATH + query})
