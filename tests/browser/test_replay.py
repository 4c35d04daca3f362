"""A fall that was confirmed is shown once more, slowly; what people put right is not, and the next act ends it."""

import pytest
from msgspec.structs import replace
from playwright.async_api import expect

from citytable.table.status import Disagreement, Status
from citytable.views.collapse import Collapse
from citytable.views.signal import Curve

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(13)]

FALLS = 3
TIMES = tuple(range(0, 750, 12))
GRAMS = tuple(90.0 if t_ms < 250 else max(16.0, 90.0 - (t_ms - 250) / 3) for t_ms in TIMES)


@pytest.fixture
def fell(recorded):
    """A moment of a game, and the same after a building of it fell."""
    before = replace(recorded("midgame"), status=Status())
    tile = next(one for one in before.scene.board["tiles"] if one["kind"] == "platform" and one["standing"])
    tiles = [
        one | {"standing": False, "height_mm": None} if one is tile else one for one in before.scene.board["tiles"]
    ]
    scene = replace(before.scene, board={**before.scene.board, "tiles": tiles})
    load = Curve(tile["spot"], TIMES, GRAMS)
    collapse = Collapse(no=7, spot=tile["spot"], cause="unknown", before=before.scene, load=load)
    return before, replace(before, scene=scene, collapse=collapse)


async def _replaying(show, fell, query="", **how):
    screen = await show(fell[0], query, clock=True, **how)
    await screen.page.emulate_media(reduced_motion="no-preference")
    screen.server.show(fell[1])
    await screen.page.locator("[data-replay] svg").first.wait_for()
    return screen


async def test_a_confirmed_fall_is_shown_for_three_seconds_with_its_load_and_its_cause(show, fell):
    screen = await _replaying(show, fell)
    assert await screen.text("[data-replay] h1") == "Seat 1's building falls"
    assert await screen.text("[data-replay] .cause") == "Cause unknown"
    assert "/" not in await screen.text("[data-replay] footer"), "people do not know hexes by their numbers"
    assert await screen.text("[data-replay] .number") == "90 g"
    roof = screen.page.locator("[data-replay] rect").last
    stood = await roof.bounding_box()
    await screen.page.clock.run_for(2500)
    assert await screen.text("[data-replay] .number") == "16 g"
    lies = await roof.bounding_box()
    assert lies["y"] > stood["y"]
    await screen.page.clock.run_for(600)
    assert await screen.page.locator("[data-replay]").count() == 0


async def test_it_starts_within_a_second_of_the_confirmation(show, fell):
    screen = await show(fell[0], clock=True)
    before_ms = await screen.page.evaluate("performance.now()")
    screen.server.show(fell[1])
    await screen.page.locator("[data-replay]").wait_for()
    assert await screen.page.evaluate("performance.now()") - before_ms < 1000, "in time of the page, which stands still"


async def test_whoever_wants_no_motion_gets_a_picture(show, fell):
    screen = await show(fell[0], clock=True)
    screen.server.show(fell[1])
    await screen.page.locator("[data-replay] rect").first.wait_for()
    before = await screen.page.locator("[data-replay] rect").last.bounding_box()
    await screen.page.clock.run_for(1500)
    assert await screen.page.locator("[data-replay] rect").last.bounding_box() == before


async def test_the_next_act_a_correction_or_an_alarm_ends_it(show, fell):
    lost = Disagreement(kind="unexpected", spots=("city/0/0",), thing="bag", state="wrong")
    before, after = fell
    for now in (replace(after, collapse=None), replace(after, status=Status((lost,)))):
        screen = await _replaying(show, (before, after))
        screen.server.show(now)
        await screen.page.locator("[data-replay]").wait_for(state="detached")


async def test_a_page_that_is_opened_afterwards_shows_none(show, fell):
    screen = await show(fell[1])
    assert await screen.page.locator("[data-replay]").count() == 0


async def test_the_model_replays_it_too(show, fell):
    screen = await show(fell[0], "?city=3d", {"width": 480, "height": 320}, clock=True)
    await screen.page.emulate_media(reduced_motion="no-preference")
    screen.server.show(fell[1])
    await screen.page.locator("[data-replay] canvas").wait_for()
    await screen.page.clock.run_for(400)
    assert await screen.page.locator("[data-fall=flat]").count() == 0


async def test_nothing_of_the_wall_looks_out_from_behind_it(show, fell):
    screen = await _replaying(show, fell)
    for part in (".board", "div.market", ".sentence"):
        assert not await screen.page.locator(part).first.is_visible()
    await screen.page.clock.run_for(3100)
    assert await screen.page.locator(".board").is_visible()


async def test_a_phone_shows_it_wherever_people_have_scrolled_to(show, fell):
    screen = await show(fell[0], clock=True, size={"width": 390, "height": 500})
    await screen.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    screen.server.show(fell[1])
    shown = screen.page.locator("[data-replay]")
    await shown.wait_for()
    box = await shown.bounding_box()
    assert (box["y"], box["height"]) == (0, 500)


async def _model(show, fell, drawings):
    screen = await show(fell[0], "", {"width": 480, "height": 320})
    counted = drawings(screen.page)
    await counted.count_on(screen.page.url.replace("city=flat", "city=3d"))
    await screen.page.locator("[data-city='3d']").wait_for()
    return screen, counted


async def test_a_fall_that_was_shown_leaves_no_drawing_behind(show, fell, drawings):
    screen, counted = await _model(show, fell, drawings)
    before, after = fell
    for no in range(FALLS):
        screen.server.show(replace(after, collapse=replace(after.collapse, no=10 + no)))
        await screen.page.locator("[data-replay] canvas").wait_for()
        screen.server.show(before)  # which ends it
        await screen.page.locator("[data-replay]").wait_for(state="detached")
    assert (await counted.held())["canvases"] == 1, "that of the city"


async def test_a_shader_is_compiled_once_however_often_the_city_changes(show, fell, drawings):
    screen, counted = await _model(show, fell, drawings)
    compiled = (await counted.held())["compiled"]
    for view in (fell[1], fell[0], fell[1]):
        screen.server.show(replace(view, collapse=None))
        tiles = view.scene.board["tiles"]
        standing = sum(one["kind"] == "platform" and one["standing"] for one in tiles)
        await expect(screen.page.locator("[data-tile]")).to_have_count(standing)
        await screen.page.evaluate("new Promise(requestAnimationFrame)")
    assert (await counted.held())["compiled"] == compiled


# what a wall says of a game, each time that anything on it changes
WATCH = """() => {
  const said = () => JSON.stringify([
    document.querySelector("[data-turn]")?.dataset.turn,
    [...document.querySelectorAll("[data-score]")].map((one) => one.textContent),
    [...document.querySelectorAll("[data-tile]")].map((one) => one.dataset.tile).sort(),
  ]);
  globalThis.saids = [said()];
  const watching = { subtree: true, childList: true, attributes: true, characterData: true };
  new MutationObserver(() => saids.push(said())).observe(document.body, watching);
}"""


async def test_a_correction_shows_on_the_wall_all_at_once(show, recorded):
    later, earlier = (replace(recorded(name), status=Status()) for name in ("midgame", "early"))
    screen = await show(later)
    await screen.page.evaluate(WATCH)
    screen.server.show(replace(earlier, restoring=True))
    await screen.page.locator("[data-back]").wait_for()
    saids = await screen.page.evaluate("saids")
    assert len(saids) > 1
    assert set(saids) == {saids[0], saids[-1]}
