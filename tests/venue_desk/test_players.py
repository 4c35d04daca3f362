"""The desk's page of players: names are put right, two become one, and one is forgotten, with a real PostgreSQL."""

import asyncio
import shutil
from contextlib import asynccontextmanager

import aiohttp
import psycopg
import pytest
from aiohttp import CookieJar
from playwright.async_api import async_playwright

from citytable.venue.draw import draw
from citytable.venue.facts import EveningBegun, PlayerCame, TableOpened
from citytable.venue_desk import store as store_module
from citytable.venue_desk.bridge import players_key
from citytable.venue_desk.hearing import Hearing
from citytable.venue_desk.store import Store
from citytable.venue_desk.web import DeskKeys, DeskPages, serving

pytestmark = pytest.mark.long(5)

KEYS = DeskKeys(players=players_key("secret"))
NAMES = ("Ada", "Ben", "Cleo", "Dev")


async def begun(store, name, *, names=NAMES):
    await store.begin(name, "autumn", EveningBegun(2, 4, rounds=3, seed=7))
    for fact in (TableOpened("north"), *map(PlayerCame, names)):
        await store.add(name, lambda _, fact=fact: fact)


@asynccontextmanager
async def desk(store):
    """Give the address of the page and a browser that has opened it with its link."""
    async with (
        serving(DeskPages(store, Hearing(store.report), KEYS), "127.0.0.1", 0) as port,
        aiohttp.ClientSession(cookie_jar=CookieJar(unsafe=True)) as browser,
    ):
        page = f"http://127.0.0.1:{port}/players"
        assert (await browser.get(page, params={"key": KEYS.players})).status == 200
        yield page, browser


async def players(store, name="friday"):
    return set((await store.evening(name)).players)


@pytest.mark.postgresql
async def test_a_name_is_put_right_on_every_evening_of_the_season(store):
    await begun(store, "friday")
    await begun(store, "monday")
    async with desk(store) as (page, browser):
        assert "<li><a" in await (await browser.get(page)).text()
        assert 'value="Ben"' in await (await browser.get(page, params={"player": "Ben"})).text()
        done = await browser.post(page, data={"act": "rename", "player": "Ben", "name": " Benjamin  <B> "})
        assert "Benjamin &lt;B&gt;" in await done.text()
        refused = await browser.post(page, data={"act": "rename", "player": "Cleo", "name": "ADA"})
        assert refused.status == 409
        assert "Ada has come on friday" in await refused.text()
    for name in ("friday", "monday"):
        assert await players(store, name) == {"Ada", "Benjamin <B>", "Cleo", "Dev"}


@pytest.mark.postgresql
async def test_a_name_stands_in_the_public_table_from_its_owners_yes_until_their_no(store):
    await begun(store, "friday")
    await begun(store, "monday")
    async with desk(store) as (page, browser):
        public = page.replace("/players", "/season/autumn")

        async def said():
            return await (await browser.get(public)).text()

        assert "Ben" not in await said()
        assert "show a number in place of this name" in await (await browser.get(page, params={"player": "Ben"})).text()
        assert (await browser.post(page, data={"act": "show", "player": "Ben"})).status == 200
        assert "<td>Ben</td>" in await said()
        assert [name for name in NAMES if name in await said()] == ["Ben"]
        assert "They agreed" in await (await browser.get(page, params={"player": "Ben"})).text()
        await browser.post(page, data={"act": "hide", "player": "Ben"})
        assert "Ben" not in await said()
        assert "<td>Player 2</td>" in await said()
        assert (await browser.post(page, data={"act": "show", "player": "Zoe"})).status == 409


@pytest.mark.postgresql
async def test_two_names_become_one_person_with_a_second_tap_unless_both_play_in_one_round(store):
    await begun(store, "friday", names=("Ada", "Ada L."))
    async with desk(store) as (page, browser):
        asked = await browser.post(page, data={"act": "merge", "player": "Ada L.", "name": "Ada"})
        assert "becomes Ada on all evenings" in await asked.text()
        assert await players(store) == {"Ada", "Ada L."}
        sure = {"act": "merge", "player": "Ada L.", "name": "Ada", "sure": "yes"}
        await browser.post(page, data=sure)
        assert await players(store) == {"Ada"}
        await store.add("friday", lambda _: PlayerCame("Ben"), draw)
        refused = await browser.post(page, data={**sure, "player": "Ben"}, headers={"Accept-Language": "fr"})
        assert refused.status == 409
        assert "Rien n&#x27;a été fait" in await refused.text()


@pytest.mark.postgresql
@pytest.mark.browser
async def test_a_person_is_forgotten_with_two_taps_in_a_browser(store):
    await begun(store, "friday")
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    async with desk(store) as (address, _), async_playwright() as play:
        browser = await play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = await browser.new_page(viewport={"width": 390, "height": 844})
        await page.goto(f"{address}?key={KEYS.players}")
        assert "key" not in page.url
        await page.get_by_role("link", name="Ben").click()
        await page.get_by_role("button", name="Forget this person").click()
        assert "Forget the name Ben on all evenings" in await page.inner_text("main")
        assert "Ben" in await players(store)
        await page.get_by_role("button", name="Yes, forget").click()
        await page.get_by_role("link", name="somebody 1").wait_for()
        assert await page.evaluate("document.documentElement.scrollWidth") <= 390
        await browser.close()
    assert await players(store) == {"Ada", "somebody 1", "Cleo", "Dev"}


@pytest.mark.postgresql
async def test_a_server_that_is_killed_while_it_forgets_has_forgotten_on_all_evenings_afterwards(
    address, postgresql, monkeypatch
):
    """It dies with some facts of the first evening written anew: the whole act is done again."""
    rewritten, replace = [], store_module._replace
    starting = []

    async def dies_once(connection, no, k, fact):
        await replace(connection, no, k, fact)
        rewritten.append(fact)
        if len(rewritten) == 1:
            await asyncio.to_thread(postgresql.kill)
            starting.append(asyncio.create_task(asyncio.to_thread(postgresql.start)))

    async with Store.opened(address) as store:
        for name in ("friday", "monday"):
            await begun(store, name)
            await store.add(name, draw)
        monkeypatch.setattr(store_module, "_replace", dies_once)
        async with desk(store) as (page, browser):
            sure = {"act": "erase", "player": "Ben", "sure": "yes"}
            assert (await browser.post(page, data=sure)).status == 200
        await asyncio.gather(*starting)
        assert len(rewritten) == 5  # one that was lost, then two facts of each evening
        for name in ("friday", "monday"):
            assert await players(store, name) == {"Ada", "somebody 1", "Cleo", "Dev"}
    with psycopg.connect(address) as connection:
        assert "Ben" not in repr(connection.execute("select * from fact").fetchall())


@pytest.mark.postgresql
async def test_while_the_server_stays_away_nothing_is_forgotten_and_the_page_says_so(address, postgresql, monkeypatch):
    replace = store_module._replace

    async def dies(connection, no, k, fact):
        await replace(connection, no, k, fact)
        await asyncio.to_thread(postgresql.kill)

    async with Store.opened(address, patience_s=0) as store:
        await begun(store, "friday")
        monkeypatch.setattr(store_module, "_replace", dies)
        async with desk(store) as (page, browser):
            answer = await browser.post(page, data={"act": "erase", "player": "Ben", "sure": "yes"})
            assert answer.status == 503
            assert "PostgreSQL does not answer" in await answer.text()
            await asyncio.to_thread(postgresql.start)
            assert "Ben" in await players(store)


class _Nobody:
    """A store that must not be asked for more than whether an evening has begun."""

    report = None

    async def evenings(self):
        return ()


async def test_without_its_link_nobody_sees_a_name_and_no_foreign_page_sends_a_form():
    form = {"act": "erase", "player": "Ben", "sure": "yes"}
    async with serving(DeskPages(_Nobody(), Hearing(None), KEYS), "127.0.0.1", 0) as port:
        page = f"http://127.0.0.1:{port}/players"
        async with aiohttp.ClientSession() as stranger:
            for answer in (
                await stranger.get(page),
                await stranger.get(f"{page}?key=x"),
                await stranger.post(page, data=form),
            ):
                assert answer.status == 403
                assert "for the desk" in await answer.text()
    async with desk(_Nobody()) as (page, browser):
        answer = await browser.post(page, data=form, headers={"Origin": "http://evil.example"})
        assert answer.status == 403
        assert "not a page of this desk" in await answer.text()
        for nonsense in ({}, {"act": "rename", "player": "Ben", "name": "  "}, {"act": "burn", "player": "Ben"}):
            assert (await browser.post(page, data=nonsense)).status == 400
