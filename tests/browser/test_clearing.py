"""Clearing up on the host's page: begun in two taps, a checklist that names what is missing, closed with one tap."""

import json

import pytest
from msgspec.structs import replace

from citytable.table.checklist import BagBack, Checklist
from citytable.table.status import Disagreement, Status

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(6)]

PHONE = {"width": 390, "height": 844}
LEFT = Disagreement(kind="unexpected", spots=("city/1/-1",), thing="platform/14/public")
HALF = Checklist(
    lying=1, counted=67, components=69, unseen=("platform/3", "park/1"), silent=(), bag=BagBack(880.0, 20.0, 4)
)
DONE = replace(HALF, lying=0, counted=69, unseen=(), bag=BagBack(900.0, 0.0, 0))


@pytest.fixture
def cleared(recorded):
    """`cleared(checklist)`: midgame, and somebody clears up."""

    def view(checklist):
        wrong = (LEFT,) if checklist and checklist.lying else ()
        return replace(recorded("midgame"), clearing=checklist, status=Status(wrong), provisional=(), questions=())

    return view


async def posted(screen, button):
    async with screen.page.expect_request(lambda request: request.method == "POST") as sent:
        await screen.page.get_by_role("button", name=button, exact=True).click()
    request = await sent.value
    assert request.url.endswith("/api/say")
    return json.loads(request.post_data)


async def test_clearing_up_begins_in_two_taps_and_not_in_one(show, cleared):
    screen = await show(cleared(None), size=PHONE, path="/host")
    await screen.page.get_by_role("button", name="Clear up for the next group").click()
    assert "stops here" in await screen.text("main")
    assert await posted(screen, "Clear up") == {"type": "clear_up", "do": "begin", "by": "host"}


async def test_the_checklist_follows_what_is_put_away_and_counted(show, cleared):
    screen = await show(cleared(HALF), size=PHONE, path="/host")
    done = [await screen.attributes(f"[data-clearing={name}]", "data-done") for name in ("lying", "counted", "bag")]
    assert done == [["false"], ["false"], ["false"]]
    assert await screen.attributes("[data-unseen]", "data-unseen") == ["platform/3", "park/1"]
    told = await screen.text("main")
    for sentence in ("67 of 69", "platform 3", "seat 1's park", "perhaps 4 pieces", "Take platform 14 (public) away"):
        assert sentence in told
    assert await screen.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert await posted(screen, "Go on with the game") == {"type": "clear_up", "do": "stop", "by": "host"}
    screen.server.show(cleared(DONE))
    await screen.page.get_by_text("Ready for the next group").wait_for()
    assert await screen.attributes("[data-clearing]", "data-done") == ["true", "true", "true"]
    assert await posted(screen, "Done") == {"type": "clear_up", "do": "close", "by": "host"}
    screen.server.show(cleared(replace(DONE, closed=True)))
    await screen.page.get_by_text("Begin the next one here").wait_for()
    assert await screen.page.get_by_role("button", name="Done", exact=True).count() == 0


async def test_it_speaks_french_and_a_table_that_weighs_nothing_says_nothing_of_its_bag(show, cleared):
    screen = await show(cleared(replace(HALF, bag=None)), path="/host", query="?lang=fr")
    told = await screen.text("[data-checklist]")
    assert "67 cartes et tuiles comptées sur 69" in told
    assert "plateforme 3" in told
    assert await screen.attributes("[data-clearing=bag]", "data-done") == []


async def test_the_display_shows_the_hex_that_is_still_to_be_emptied_and_no_light_of_the_game(show, cleared):
    screen = await show(cleared(HALF))
    assert await screen.attributes("[data-lit]", "data-lit") == ["wrong"]
    assert await screen.attributes("[data-lit]", "data-spot") == ["city/1/-1"]
    assert "platform 14" in await screen.text("[data-wrong]")


async def test_a_missing_tile_its_place_and_a_wrong_weight_move_each_in_its_own_way(show, cleared):
    wrong = (
        Disagreement(kind="missing", spots=(), thing="platform/3/public", to=("city/2/0",)),
        Disagreement(kind="unexpected", spots=("city/1/-1",), thing="park/1", to=("city/-1/0",)),
        Disagreement(kind="mass", spots=("city/0/1",)),
    )
    screen = await show(replace(cleared(None), status=Status(wrong), restoring=True))
    spots = await screen.attributes("[data-lit]", "data-spot")
    patterns = await screen.attributes("[data-lit]", "data-pattern")
    assert dict(zip(spots, patterns, strict=True)) == {
        "city/2/0": "gap",
        "city/1/-1": "pulse",
        "city/-1/0": "march",
        "city/0/1": "swing",
    }
    dashes = await screen.page.locator("[data-lit] .line").evaluate_all(
        "all => all.map(one => getComputedStyle(one).strokeDasharray)"
    )
    assert len(set(dashes)) == 4, "without motion, too, they can be told apart"


async def test_a_silent_station_is_called_by_its_place_at_the_table(show, cleared):
    """It was called "sector-3", as the wire calls it."""
    screen = await show(cleared(replace(HALF, silent=("sector-3",))), size=PHONE, path="/host")
    assert "No signal from city sector 3" in await screen.text("[data-clearing=silent]")
