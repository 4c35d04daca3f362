"""The announcer's page: what can be said about the game, on a laptop and on a tablet, in every game."""

import re

import pytest
from msgspec.structs import replace

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(4)]

PHONE = {"width": 390, "height": 844}


async def test_margins_next_deliveries_records_and_facts_are_said(show, recorded):
    view = recorded("midgame")
    screen = await show(replace(view, provisional=(), questions=()), path="/announcer")
    assert "Seat 2 leads by 3" in await screen.text("[data-margins]")
    assert "Commercial 40 mm" in await screen.text("[data-next]")
    assert "20 in all: ahead by 6" in await screen.text("[data-next]")
    assert "The tallest building: 63 mm, by Seat 2" in await screen.text("main")
    assert "63 pieces are left in the bag" in await screen.text("main")
    letters = await screen.page.evaluate("getComputedStyle(document.querySelector('[data-next] li')).fontFamily")
    assert letters.startswith("Archivo"), "the wall's letters"


@pytest.mark.parametrize("query", ["", "?lang=fr"])
async def test_it_follows_the_game_and_fits_a_phone(show, recorded, query):
    screen = await show(recorded("midgame"), query, PHONE, path="/announcer")
    screen.server.show(recorded("final"))
    await screen.page.get_by_text("Seat 1 wins" if not query else "gagne").wait_for()
    assert await screen.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


async def test_a_game_without_announcer_has_its_margins(show, recorded):
    view = recorded("midgame")
    scene = replace(view.scene, game="chess", board=None)
    screen = await show(replace(view, scene=scene, provisional=(), questions=()), path="/announcer")
    assert "Seat 2 leads by 3" in await screen.text("[data-margins]")
    assert await screen.text("[data-next] ul") == "Nothing yet"
    assert "Most points at once" in await screen.text("main")


async def test_in_an_outage_it_says_how_old_it_is(show, recorded):
    screen = await show(recorded("midgame"), path="/announcer")
    assert "Seat 2 leads by 3" in await screen.text("[data-margins]")
    await screen.server.stop()
    await screen.page.locator(".notice").wait_for()
    said = await screen.text(".notice")
    assert re.fullmatch(r"The table is closed\. This is how it was at \d\d:\d\d\.", said)
