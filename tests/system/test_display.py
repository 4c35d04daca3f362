"""The page and the rings while a game is played: a person at the table and one before the screen see the same."""

import pytest
from playwright.async_api import async_playwright

from citytable.app import screens
from citytable.games.megacity.city import delivery_hexes
from citytable.table import spot as spots
from citytable.table.hexes import Hex
from citytable.views.address import At
from citytable.views.keys import Keys

pytestmark = [pytest.mark.broker, pytest.mark.browser]

KEYS = Keys(b"secret", "table", "")
CONTRACT, PLATFORM = "CO1", 7  # of seed 6: see test_rings.py
AT = Hex(1, -1)
WAIT_MS = 10_000  # a wait ends as soon as it is fulfilled; this is when a test gives up
LIT = "[...document.querySelectorAll('[data-lit]')].map(one => one.dataset.spot).sort().join(' ')"


async def _shows_what_the_rings_show(page, table) -> dict[str, str]:
    """The wall comes to show exactly the shining rings of the city; gives the pattern of each, as the page draws it."""
    rings = {spot: shine for spot, shine in (await table.rings()).items() if spots.hex_of(spot) is not None}
    await page.wait_for_function(f"wanted => {LIT} === wanted", arg=" ".join(sorted(rings)), timeout=WAIT_MS)
    drawn = await page.locator("[data-pattern]").evaluate_all(
        "all => all.map(one => [one.dataset.spot, one.dataset.pattern])"
    )
    assert {spot: pattern for spot, pattern in drawn if pattern != "pulse"} == {
        spot: one.pattern for spot, one in rings.items() if spot in dict(drawn) and dict(drawn)[spot] != "pulse"
    }
    return dict(drawn)


async def test_the_page_lights_the_hexes_that_the_virtual_leds_light(open_table, chromium):
    async with (
        open_table() as table,
        screens(table.hub, KEYS, At("127.0.0.1")) as port,
        async_playwright() as tool,
    ):
        browser = await tool.chromium.launch(**chromium)
        page = await browser.new_page(viewport={"width": 1920, "height": 1080}, reduced_motion="reduce")
        await page.goto(f"http://127.0.0.1:{port}/display?city=flat")
        await table.deal()
        await _shows_what_the_rings_show(page, table)
        await table.prepare(CONTRACT, PLATFORM, pieces=2)
        legal = {spots.city(cell) for cell in delivery_hexes(table.game.position)}
        assert legal <= set(await _shows_what_the_rings_show(page, table))
        await table.deliver(CONTRACT, PLATFORM, AT)
        drawn = await _shows_what_the_rings_show(page, table)
        assert drawn[spots.city(AT)] == "solid"
        shown = [view for view in table.views if any(" deliver " in one.action for one in view.provisional)]
        assert shown
        areas = [area for view in shown for area in view.scene.board.areas if area.delivering]
        assert [card.name for area in areas for card in area.delivering] == [CONTRACT] * len(shown)
        assert await page.locator("[data-tallest]").get_attribute("data-tallest") == spots.city(AT)
        height = table.game.position.buildings[0].height_mm
        assert await page.locator(f"[data-tile='{spots.city(AT)}']").get_attribute("data-height") == str(height)
        await browser.close()
