"""The venue's pages: what they say, in two languages, and how they are served."""

import asyncio
import re
from contextlib import asynccontextmanager
from html.parser import HTMLParser

import aiohttp
import pytest
from aiohttp import CookieJar

from citytable.venue.evening import after, evening_of
from citytable.venue.excitement import exciting
from citytable.venue.facts import (
    EveningBegun,
    GamePlayed,
    PlayerCame,
    PlayerShown,
    Refused,
    RoundDrawn,
    Seating,
    TableOpened,
)
from citytable.venue.messages import TableNow
from citytable.venue.season import season
from citytable.venue_desk.bridge import producer_key
from citytable.venue_desk.hearing import Hearing
from citytable.venue_desk.pages import Pages
from citytable.venue_desk.store import StoreUnavailable
from citytable.venue_desk.web import DeskKeys, DeskPages, serving
from citytable.views.places import Limits

NAMES = ("Ada", "<b>Ben", "Cleo")


class Words(HTMLParser):
    """The text of a page, without its marks; every element that is opened is closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        if tag not in {"meta", "link"}:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def text(page: str) -> str:
    read = Words(page)
    assert read.open == []
    return re.sub(r"\s+", " ", " ".join(read.words))


def evening():
    came = (PlayerCame(name) for name in NAMES)
    drawn = RoundDrawn(1, (Seating("north", NAMES[:2]),), NAMES[2:])
    return evening_of([EveningBegun(2, 2, 3, 1), TableOpened("north"), *came, drawn])


def played():
    return after(evening(), GamePlayed("north", "g1", 1, (3, 9)))


def now(**more):
    fields = {"game_id": "g2", "game": "toy", "t_us": 1, "turn": 4, "seat": 1, "over": False, "points": (9, 9)}
    return TableNow(names=("", ""), **{**fields, "fell": True, "waits": True, **more})


def test_the_public_page_shows_the_round_and_the_standings():
    said = text(Pages("en").evening("friday", played()))
    assert "League night friday" in said
    assert "Round 1 of 3" in said
    assert "1 Ada (3)" in said
    assert "2 <b>Ben (9)" in said
    assert "Sitting out: Cleo" in said
    assert "1 <b>Ben 1.00 1 1" in said
    assert "2 Cleo 0.50 0 0" in said


def test_it_speaks_french():
    said = text(Pages("fr").evening("vendredi", played()))
    assert "Ronde 1 sur 3" in said
    assert "2 Cleo 0,50" in said
    assert "Au repos : Cleo" in said


def test_before_the_first_round_and_before_the_first_evening_it_says_so():
    begun = evening_of([EveningBegun(2, 2, 3, 1)])
    assert "The first round is not drawn yet." in text(Pages("en").evening("friday", begun))
    assert "No evening has begun." in text(Pages("en").evening("", None))


def test_a_season_has_its_table_with_the_names_of_those_who_said_yes():
    agreed = after(played(), PlayerShown("<b>Ben", by_name=True))
    lines = season([agreed, played()])
    assert "1 <b>Ben 2.00 2 2 2 Player 3 1.00 0 2 3 Player 1 0.00" in text(Pages("en").season("autumn", lines))
    assert "2 Joueur 3 1,00" in text(Pages("fr").season("autumn", lines))


def test_nobody_stands_by_name_in_the_table_of_a_season_before_they_said_yes_or_after_they_took_it_back():
    agreed = after(played(), PlayerShown("Cleo", by_name=True))
    denied = after(played(), PlayerShown("Cleo", by_name=False))
    for evenings in ([played()], [agreed, denied]):
        said = text(Pages("en").season("autumn", season(evenings)))
        assert [name for name in NAMES if name in said] == []


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ["A tower has just fallen.", "The two leaders are level at 9.", "Players have to answer", "turn 4"]),
        ("fr", ["Une tour vient de tomber.", "à égalité avec 9", "des joueurs doivent répondre", "tour 4"]),
    ],
)
def test_the_producer_reads_why_a_table_is_exciting(language, sentences):
    tables = {"north": now(), "south": now(fell=False, waits=False, points=None)}
    said = text(Pages(language).producer(exciting(tables, {}, evening()), tables, evening()))
    assert [sentence for sentence in sentences if sentence not in said] == []
    assert said.index("north") < said.index("south")
    assert ("An ordinary game." in said) == (language == "en")
    assert "Ada 9, <b>Ben 9" in said


def test_a_producer_without_tables_is_told_so():
    assert "No table has reported yet." in text(Pages("en").producer((), {}, None))


@pytest.mark.postgresql
async def test_pages_are_served_with_headers_that_let_nothing_else_in(store):
    async with serving(DeskPages(store, Hearing(store.report)), "127.0.0.1", 0) as port, aiohttp.ClientSession() as get:
        address = f"http://127.0.0.1:{port}"
        assert "No evening has begun." in await (await get.get(address)).text()
        await store.begin("friday", "autumn", EveningBegun(2, 2, 3, 1))
        answer = await get.get(address, headers={"Accept-Language": "fr-CH, en"})
        assert "Soirée friday" in await answer.text()
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "League night" in await (await get.get(f"{address}?lang=en", headers={"Accept-Language": "fr"})).text()
        assert "Season autumn" in await (await get.get(f"{address}/season/autumn")).text()
        assert (await get.get(f"{address}/season/none")).status == 404
        assert (await get.get(f"{address}/pages.css")).content_type == "text/css"
        assert (await get.post(address)).status == 405


class _Nothing:
    """A store that keeps no evening."""

    async def latest(self):
        raise Refused("no evening")


async def test_a_phone_with_many_half_open_requests_keeps_nobody_else_away(caplog):
    limits = Limits(headers_s=0.2, per_address=3)
    async with serving(DeskPages(_Nothing(), None), "127.0.0.1", 0, limits) as port:
        half = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        for _, writer in half:
            writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A:")
            await writer.drain()
        fourth, refused = await asyncio.open_connection("127.0.0.1", port)
        assert (await fourth.readline()).startswith(b"HTTP/1.1 503")
        for reader, _ in half:
            await reader.read()  # closed, since its headers did not come in time
        for writer in (refused, *(writer for _, writer in half)):
            writer.close()
            await writer.wait_closed()
        async with aiohttp.ClientSession() as get:
            assert (await get.get(f"http://127.0.0.1:{port}/pages.css")).status == 200
    assert "127.0.0.1 has 3 connections open" in caplog.text


class _Away:
    """A store whose server does not answer."""

    report = None

    async def evenings(self, *_):
        raise StoreUnavailable("PostgreSQL does not answer (refused): start it")

    latest = evenings


@pytest.mark.parametrize("path", ["/", "/season/autumn"])
async def test_while_the_store_is_away_every_page_says_so_and_comes_back_by_itself(path):
    async with (
        serving(DeskPages(_Away(), Hearing(None)), "127.0.0.1", 0) as port,
        aiohttp.ClientSession() as get,
        get.get(f"http://127.0.0.1:{port}{path}", headers={"Accept-Language": "fr"}) as answer,
    ):
        assert answer.status == 503
        said = await answer.text()
    assert "La soirée ne peut pas être lue pour l'instant" in text(said)
    assert "PostgreSQL does not answer" in text(said)
    assert 'http-equiv="refresh"' in said


@asynccontextmanager
async def desk_of(key="", names=()):
    pages = DeskPages(_Nothing(), Hearing(None), DeskKeys(producer=key), names)
    async with serving(pages, "127.0.0.1", 0) as port, aiohttp.ClientSession(cookie_jar=CookieJar(unsafe=True)) as get:
        yield f"http://127.0.0.1:{port}", get


async def test_the_producers_page_opens_with_its_link_and_with_nothing_else():
    async with desk_of(producer_key("secret")) as (address, get):
        for path in ("/producer", "/producer?key=", "/producer?key=secret"):
            answer = await get.get(address + path, headers={"Accept-Language": "fr"})
            assert answer.status == 403
            assert "réservée à la régie" in await answer.text()
        answer = await get.get(f"{address}/producer?key={producer_key('secret')}")
        assert (answer.status, str(answer.url)) == (200, f"{address}/producer")
        assert "No table has reported yet." in await answer.text()
        (cookie,) = get.cookie_jar
        assert cookie["httponly"]
        assert (await get.get(f"{address}/producer")).status == 200
    async with desk_of() as (address, get):
        assert (await get.get(f"{address}/producer?key=")).status == 403


async def test_a_site_that_lets_its_own_name_point_at_the_desk_reads_nothing():
    async with desk_of(names=["League.example"]) as (address, get):
        answer = await get.get(address, headers={"Host": "evil.example"})
        assert answer.status == 421
        said = text(await answer.text())
        assert "League night" not in said
        assert "'evil.example' is not one of this desk's" in said
        for name in ("venue.local:8090", "10.0.0.7", "league.example"):
            assert (await get.get(address, headers={"Host": name})).status == 200
