"""What the wall shows at once, and how large: a building that is lifted, and the main things."""

import pytest
from msgspec.structs import replace

from citytable.table.status import Status
from citytable.views.state import Held

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(6)]

PAGE_MS = 200  # of the half second since the lift was sensed; the hub has the rest (`lifts_late` of a rehearsal)
HUGE = 8.3  # per cent of the height of the wall

# the texts of an element that people see, once everything that moves has been there for so many milliseconds
SEEN_AFTER = """([css, ms]) => {
  for (const motion of document.getAnimations()) { motion.pause(); motion.currentTime = ms; }
  const seen = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const faint = (one) => one && (Number(getComputedStyle(one).opacity) < 0.9 || faint(one.parentElement));
  return [...document.querySelectorAll(css)].filter((one) => seen(one) && !faint(one)).map((one) => one.innerText);
}"""

# how high the letters of elements are, in per cent of the window
SIZES = """(css) => [...document.querySelectorAll(css)].filter((one) => one.checkVisibility()).map((one) =>
  [one.innerText.trim(), parseFloat(getComputedStyle(one).fontSize) * 100 / innerHeight])"""


@pytest.mark.parametrize("city", ["flat", "3d"])
async def test_contract_target_and_band_are_there_in_virtual_time_once_a_building_is_lifted(show, recorded, city):
    screen = await show(recorded("early"), f"?city={city}", clock=True)
    page = screen.page
    await page.emulate_media(reduced_motion="no-preference")
    held = Held("platform/20/industrial", 1, low_mm=33.2, high_mm=36.8, pieces=6, pieces_unsure=True)
    screen.server.show(replace(recorded("early"), held=(held,)))
    await page.locator("[data-carried]").wait_for(state="attached")
    await page.clock.run_for(PAGE_MS)
    (whole,) = await page.evaluate(SEEN_AFTER, ["[data-delivery='IN1']", PAGE_MS])
    assert "30\xa0mm" in whole
    assert await page.evaluate(SEEN_AFTER, ["[data-delivery='IN1'] [data-band]", PAGE_MS]) == ["33–37?"]
    assert await page.locator("[data-delivery='IN1'] svg").first.is_visible()


@pytest.mark.parametrize("state", ["calm", "delivery", "end"])
async def test_the_main_things_are_eight_per_cent_of_the_wall(show, recorded, state):
    """Who plays and the points; in a delivery its height beside the target, at the end who has won and the totals."""
    midgame = recorded("midgame")
    delivery = replace(midgame, questions=(), status=Status())
    view, things = {
        "calm": (replace(delivery, provisional=()), ["[data-turn] h1", "[data-score]"]),
        "delivery": (delivery, ["[data-turn] h1", "[data-band]", "[data-score]"]),
        "end": (recorded("final"), [".final h1", ".final .total"]),
    }[state]
    screen = await show(view)
    await screen.page.locator(things[0]).first.wait_for()
    for css in things:
        sizes = await screen.page.evaluate(SIZES, css)
        assert sizes, css
        assert [one for one in sizes if round(one[1], 1) < HUGE] == [], css
