"""A question about a place in the city is a map: on a phone a finger finds a hex before a name."""

import pytest
from msgspec.structs import replace

from citytable.table.question import Field, Question

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(4)]

PHONE = {"width": 390, "height": 844}
PLACES = ("city/0/1", "city/-2/0")


@pytest.fixture
def asked(recorded):
    """Nobody saw where the building stands."""
    about = "p2 deliver contract=CO4 platform=6 at=0/1 stood=yes"
    field = Field(name="spot", kind="choice", proposed=PLACES[0], choices=PLACES)
    question = Question(
        id=f"where {about}", seat=2, prompt="where", words={"action": about}, fields=(field,), about=about
    )
    return replace(recorded("midgame"), questions=(question,))


async def test_the_places_that_it_may_be_are_a_map(show, asked):
    screen = await show(asked, size=PHONE, path="/seat/2")
    places = screen.page.locator("[data-choice]")
    await places.first.wait_for()
    assert sorted(await screen.attributes("[data-choice]", "data-choice")) == sorted(PLACES)
    box = await places.first.bounding_box()
    assert min(box["width"], box["height"]) >= 30, "a finger hits it"
    assert await screen.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


@pytest.mark.parametrize("by", ["tap", "keyboard"])
async def test_a_place_is_told_by_a_tap_or_by_the_keyboard(show, asked, by):
    screen = await show(asked, size=PHONE, path="/seat/2")
    place = screen.page.locator(f"[data-choice='{PLACES[1]}']")
    async with screen.page.expect_request("**/api/say") as said:
        await (place.click() if by == "tap" else place.press("Enter"))
    word = (await said.value).post_data_json
    assert (word["question"], word["values"]) == (asked.questions[0].id, {"spot": PLACES[1]})
