"""The rail of the wall and the labels of its city: everything can be read, whatever a long game brings."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from msgspec.structs import replace

from citytable.table.status import Status
from citytable.views.state import View

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(15)]

Show = Callable[..., Awaitable[Any]]
Recorded = Callable[[str], View]
NAMES = ("Ada", "Maximilienne-Aurélie", "Jean-Christophe", "Bo")
LONGEST = {"height_mm": 90, "pieces": 12, "plus": True, "prestige": 10, "landmark": True}


def of_players(view: View, players: int) -> View:
    """The same view without a station in trouble, with so many players, who have names."""
    first, *others = (view.scene.players * 2)[:players]
    people = (first, *(replace(one, seat=seat) for seat, one in enumerate(others, 2)))
    named = tuple(replace(one, name=name) for one, name in zip(people, NAMES, strict=False))
    return replace(view, scene=replace(view.scene, players=named), questions=(), status=Status(), health=())


def held(view: View, players: int, contracts: int, **board: object) -> View:
    """The same view in calm, with so many players, and so many contracts before each of them."""
    view = of_players(view, players)
    areas = []
    for area in view.scene.board["areas"]:
        cards = (area["open_contracts"] * 3)[:contracts]
        areas.append(
            area | {"open_contracts": [card | {"name": f"{card['name']} {k}"} for k, card in enumerate(cards)]}
        )
    whole = view.scene.board | {"areas": areas, "actions_left": 2} | board
    return replace(view, scene=replace(view.scene, board=whole), provisional=())


# what lies beside the panels of the rail: left of it, right of it, or cut off by its panel
OUTSIDE = """() => {
  const rail = document.querySelector(".side .turn").getBoundingClientRect();
  const parts = ".needs, .needs svg, .market article, .market article svg, .supply > *, .scores li";
  const outside = ({ left, right }) => right > rail.right + 1 || left < rail.left - 1;
  const all = [...document.querySelectorAll(parts)];
  return all.filter((one) => outside(one.getBoundingClientRect())).map((one) => one.outerHTML.slice(0, 90));
}"""


@pytest.mark.parametrize("least", [9, 126])
async def test_all_lines_of_the_rail_end_where_its_panels_end(show: Show, recorded: Recorded, least: int) -> None:
    screen = await show(held(recorded("midgame"), 3, 1, bag=least, bag_maybe=12, stack=19))
    await screen.page.locator(".supply").wait_for()
    await screen.page.evaluate("document.fonts.ready.then(() => true)")
    assert await screen.page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("asked", [["upper_archway", "no_steel"], ["build_on_vent", "no_overhang", "courtyard"]])
async def test_a_landmark_before_a_player_shows_all_that_it_asks_for(
    show: Show, recorded: Recorded, asked: list[str]
) -> None:
    view = held(recorded("midgame"), 3, 1)
    areas = [
        area | {"open_contracts": [LONGEST | {"name": "L-RE", "colour": "residential", "requirements": asked}]}
        for area in view.scene.board["areas"]
    ]
    screen = await show(replace(view, scene=replace(view.scene, board=view.scene.board | {"areas": areas})))
    await screen.page.locator(".area [data-card='L-RE']").wait_for()
    await screen.page.evaluate("document.fonts.ready.then(() => true)")
    assert await screen.attributes(".area [data-requirement]", "data-requirement") == asked
    assert await screen.page.evaluate(OUTSIDE) == []


# the names beside points that can be read, and whether each of them lies in its panel
NAMED = """() => {
  const bottom = (one) => one.getBoundingClientRect().bottom;
  const shown = [...document.querySelectorAll(".scores .name")].filter((one) => one.getBoundingClientRect().width);
  return shown.map((one) => [one.textContent, bottom(one) <= bottom(one.closest("li")) + 1]);
}"""
IN_SIGHT = """() => [...document.querySelectorAll(".side > *")].every((one) => {
  const { bottom } = one.getBoundingClientRect();
  return bottom <= innerHeight && one.scrollHeight <= one.clientHeight + 2;
})"""


@pytest.mark.parametrize(("players", "contracts", "named"), [(2, 2, True), (3, 1, True), (4, 1, True), (4, 2, False)])
async def test_names_stand_beside_the_points_and_the_market_where_there_is_room(
    show: Show, recorded: Recorded, players: int, contracts: int, named: bool
) -> None:
    screen = await show(held(recorded("midgame"), players, contracts))
    await screen.page.locator(".supply").wait_for()
    await screen.page.evaluate("document.fonts.ready.then(() => true)")
    assert await screen.page.evaluate(NAMED) == ([[name, True] for name in NAMES[:players]] if named else [])
    assert await screen.page.evaluate(IN_SIGHT)


async def test_whose_turn_it_is_takes_no_more_room_than_it_needs(show: Show, recorded: Recorded) -> None:
    view = held(recorded("midgame"), 2, 0)
    screen = await show(replace(view, scene=replace(view.scene, seat=None, phase="setup")))
    await screen.page.locator(".supply").wait_for()
    turn = await screen.page.locator(".turn").bounding_box()
    assert turn["height"] < 150


async def test_names_stand_beside_the_points_in_a_delivery(show: Show, recorded: Recorded) -> None:
    screen = await show(of_players(recorded("midgame"), 4))
    await screen.page.locator("[data-tremor]").wait_for()
    await screen.page.evaluate("document.fonts.ready.then(() => true)")
    assert await screen.page.evaluate(NAMED) == [[name, True] for name in NAMES]
    assert await screen.page.evaluate(IN_SIGHT)


@pytest.mark.parametrize("city", ["flat", "3d"])
async def test_a_tower_without_room_above_it_has_its_height_on_its_front(
    show: Show, recorded: Recorded, city: str
) -> None:
    view = recorded("final")
    screen = await show(replace(view, questions=()), f"?city={city}")
    label = {"flat": "[data-roof].height", "3d": "[data-city] b:not([hidden])"}[city]
    await screen.page.locator(label).first.wait_for()
    standing = [one for one in view.scene.board["tiles"] if one["kind"] == "platform" and one["standing"]]
    assert await screen.page.locator("[data-on-front]").count() > 0
    assert await screen.page.locator("[data-on-front] svg, [data-on-front] use").count() > 0, (
        "with the sign that it hides"
    )
    assert await screen.page.locator(label).count() >= len(standing) - 3, "all but those behind other towers"
