"""The page and the rings while a game is played: a person at the table and one before the screen see the same."""

import pytest
from playwright.async_api import async_playwright
from tests.patience import WAIT_MS

from citytable.app import screens
from citytable.games.megacity.city import delivery_hexes
from citytable.session.senses import Senses
from citytable.table import spot as spots
from citytable.table.fact import HeightMeasured, TagCame
from citytable.table.hexes import Hex
from citytable.views.address import At
from citytable.views.keys import Keys
from citytable.views.viewer import PUBLIC, Viewer, seen_by

pytestmark = [pytest.mark.broker, pytest.mark.browser, pytest.mark.long(7)]

KEYS = Keys(b"secret", "table", "")
CONTRACT, PLATFORM = "CO1", 7  # of seed 6: see test_rings.py
AT = Hex(1, -1)
SOON_MS = 500  # from the sensing of a delivery until screens have it
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


@pytest.fixture
def facts(monkeypatch):
    """What the hub's senses found, with the hub time of the sensing."""
    found, hear = [], Senses.hear

    def heard(self, received, now_us):
        heard_now = hear(self, received, now_us)
        found.extend(heard_now)
        return heard_now

    monkeypatch.setattr(Senses, "hear", heard)
    return found


def _has_band(view, spot):
    """Whether the feed says what height is sensed at a spot: to its own seat, or to everybody."""
    viewer = Viewer(seat=spots.seat_of(spot))
    return any(live.spot == spot and live.low_mm is not None for live in seen_by(viewer, view).live)


def _is_whole(view):
    """Contract, target and band of the delivery are in what the public's feed says."""
    trying = [one.words["contract"] for one in seen_by(PUBLIC, view).trying if one.key == "action.deliver"]
    targets = {card.name: card.height_mm for area in view.scene.board.areas for card in area.delivering}
    return trying == [CONTRACT] and targets.get(CONTRACT) and _has_band(view, spots.city(AT))


def _late_ms(sensed, views, wanted):
    """How long after a sensing the feed says what is wanted, in time of the table."""
    return (next(view.t_us for view in views if view.t_us >= sensed.t_us and wanted(view)) - sensed.t_us) / 1000


async def test_the_page_lights_the_hexes_that_the_virtual_leds_light(open_table, chromium, facts):
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
        facts.clear()
        await table.deliver(CONTRACT, PLATFORM, AT)
        stood = next(one for one in facts if isinstance(one, TagCame) and one.spot == spots.city(AT))
        assert _late_ms(stood, table.views, _is_whole) <= SOON_MS
        measured = next(one for one in facts if isinstance(one, HeightMeasured))
        assert _late_ms(measured, table.views, lambda view: _has_band(view, measured.spot)) <= SOON_MS
        drawn = await _shows_what_the_rings_show(page, table)
        assert drawn[spots.city(AT)] == "thirds", "the tallest"
        shown = [view for view in table.views if any(" deliver " in one.action for one in view.provisional)]
        assert shown
        areas = [area for view in shown for area in view.scene.board.areas if area.delivering]
        assert [card.name for area in areas for card in area.delivering] == [CONTRACT] * len(shown)
        assert await page.locator("[data-tallest]").get_attribute("data-tallest") == spots.city(AT)
        height = table.game.position.buildings[0].height_mm
        assert await page.locator(f"[data-tile='{spots.city(AT)}']").get_attribute("data-height") == str(height)
        await browser.close()
