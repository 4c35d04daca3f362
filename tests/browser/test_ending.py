"""The end of a game: the count in front of everybody, and the card that people take home."""

from urllib.parse import urlsplit

import pytest
from msgspec.structs import replace

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(12)]

PHONE = {"width": 390, "height": 844}
LONGEST_MS = 45_000


@pytest.fixture
def going_on(recorded):
    """The last moment of a game, and its end."""
    final = recorded("final")
    return replace(final, scene=replace(final.scene, ended="", winners=(), phase="main")), final


async def _counting(show, going_on, **how):
    before, final = going_on
    screen = await show(before, **how)
    await screen.page.emulate_media(reduced_motion="no-preference")
    screen.server.show(final)
    await screen.page.locator("[data-ceremony]").wait_for()
    return screen


async def test_the_city_is_lit_building_by_building_and_the_winner_comes_last(show, going_on):
    screen = await _counting(show, going_on, clock=True)
    page = screen.page
    dark = page.locator(".tower.dark")
    at_first = await dark.count()
    assert at_first > 10
    assert await screen.text("[data-counted='1']") == "0", "the winner comes last"
    await page.clock.run_for(3000)
    assert 0 < await dark.count() < at_first
    await page.clock.run_for(LONGEST_MS - 3000)
    await page.locator(".final").wait_for()
    assert await dark.count() == 0
    assert await screen.text("[data-score='1']") == "34"


async def test_the_last_step_of_the_count_is_shown_for_the_four_seconds_of_a_ceremony(show, going_on):
    screen = await _counting(show, going_on, clock=True)
    page, steps = screen.page, []
    while not await page.locator(".final").count():
        steps += await screen.attributes("[data-ceremony]", "data-ceremony")
        await page.clock.run_for(100)
    assert steps.count(steps[-1]) in {39, 40, 41}
    assert steps.count("1") in {15, 16, 17}


async def test_a_key_ends_the_count_and_a_reload_does_not_begin_it(show, going_on):
    screen = await _counting(show, going_on)
    await screen.page.keyboard.press("Space")
    await screen.page.locator(".final").wait_for()
    await screen.page.reload()
    await screen.page.locator(".final").wait_for()
    assert await screen.page.locator("[data-ceremony]").count() == 0


async def test_with_reduced_motion_the_result_is_there_at_once(show, going_on):
    before, final = going_on
    screen = await show(before)
    screen.server.show(final)
    await screen.page.locator(".final").wait_for()
    assert await screen.page.locator("[data-ceremony]").count() == 0


@pytest.mark.parametrize("query", ["", "?lang=fr"])
async def test_the_city_card_is_a_picture_to_keep(show, recorded, query):
    screen = await show(recorded("final"), query, PHONE, path="/card")
    picture = screen.page.locator("main img")
    await picture.wait_for()
    assert await picture.evaluate("one => [one.naturalWidth, one.naturalHeight]") == [1080, 1350]
    assert (await picture.get_attribute("src")).startswith("data:image/png")
    assert await screen.page.locator("a[download]").count() == 1


async def test_the_city_card_waits_for_the_end(show, recorded):
    screen = await show(recorded("midgame"), size=PHONE, path="/card")
    await screen.page.get_by_text("ready when the game is over").wait_for()


async def test_the_wall_leads_phones_to_the_card(show, recorded):
    screen = await show(recorded("final"))
    assert await screen.page.locator("[data-card]").count() == 0, "no phone reaches a wall at 127.0.0.1"
    port = urlsplit(screen.page.url).port
    await screen.page.goto(f"http://0.0.0.0:{port}/display?city=flat")
    await screen.page.locator("[data-card] svg").wait_for()
    assert (await screen.attributes("[data-card]", "href")) == ["/card"]
