"""What the table believes of a player's tower is corrected on their phone with one tap."""

import pytest
from msgspec.structs import replace

from citytable.views.state import Live

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(3)]

PHONE = {"width": 390, "height": 844}
TOWER = Live("seat/2/pad/0", thing="platform/6/commercial", mass_g=90.0, pieces=3, pieces_unsure=True)


@pytest.mark.parametrize(("tap", "n"), [("+1", 4), ("−1", 2), ("3?", 3)])
async def test_one_tap_corrects_or_confirms_the_pieces_of_a_tower(show, recorded, tap, n):
    view = replace(recorded("midgame"), questions=(), provisional=(), live=(TOWER,))
    screen = await show(view, size=PHONE, path="/seat/2")
    contract = screen.page.locator("[data-contract='CO4']")
    colours = "one => [getComputedStyle(one).color, getComputedStyle(one.closest('article')).backgroundColor]"
    ink, paper = await contract.get_by_role("button", name=tap).evaluate(colours)
    assert ink != paper
    async with screen.page.expect_request("**/api/say") as said:
        await contract.get_by_role("button", name=tap).click()
    assert (await said.value).post_data_json == {"type": "pieces_said", "spot": TOWER.spot, "n": n, "by": "seat 2"}
    assert await screen.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
