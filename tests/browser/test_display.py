from collections.abc import Awaitable, Callable
from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace
from tests.browser.wall import CUT_OFF, of_players

from citytable.games.megacity.spots import shared_spots
from citytable.table.plan import full_plan
from citytable.table.scene import Line
from citytable.table.status import Disagreement, Status
from citytable.views.lights import DARK, frame, lit
from citytable.views.state import Happened, Held, View

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(75)]

PHONE = {"width": 390, "height": 844}
PLAN = full_plan("salon", 4, shared_spots(), ())
Show = Callable[..., Awaitable[Any]]
Recorded = Callable[[str], View]


@pytest.mark.parametrize("name", ["early", "midgame", "final"])
async def test_the_lit_hexes_of_the_screen_are_the_rings_that_shine(show: Show, recorded: Recorded, name: str) -> None:
    view = recorded(name)
    screen = await show(view)
    shining = {spot for spot, ring in frame(lit(view), PLAN).items() if ring != DARK}
    shining = {spot for spot in shining if spot.startswith("city/")}  # pads are their player's own
    assert shining
    assert set(await screen.attributes("[data-lit]", "data-spot")) == shining


async def test_a_lit_hex_has_the_pattern_of_its_ring(show: Show, recorded: Recorded) -> None:
    view = recorded("midgame")
    screen = await show(view)
    rings = frame(lit(view), PLAN)
    spots = await screen.attributes("[data-pattern]", "data-spot")
    patterns = await screen.attributes("[data-pattern]", "data-pattern")
    assert {"solid", "half", "dots", "pulse"} <= set(patterns)
    assert patterns == [rings[spot].pattern for spot in spots]


async def test_every_tower_stands_at_its_height_and_the_tallest_has_its_crown(show: Show, recorded: Recorded) -> None:
    view = recorded("midgame")
    screen = await show(view)
    standing = {
        tile["spot"]: str(tile["height_mm"])
        for tile in view.scene.board["tiles"]
        if tile["kind"] == "platform" and tile["standing"]
    }
    spots = await screen.attributes(".height[data-roof]", "data-roof")
    heights = await screen.page.locator(".height[data-roof] span").all_text_contents()
    written = dict(zip(spots, heights, strict=True))
    assert written.items() <= standing.items()
    assert len(written) >= 5, "where there is room, heights are written"
    drawn = await screen.attributes(".tower:not(.fallen)", "data-tile")
    assert dict(zip(drawn, await screen.attributes(".tower:not(.fallen)", "data-height"), strict=True)) == standing
    assert await screen.attributes("[data-tallest]", "data-tallest") == ["city/2/-1"]
    assert await screen.attributes(".fallen", "data-tile") == ["city/0/2"]


async def test_turn_and_scores_are_those_of_the_game(show: Show, recorded: Recorded) -> None:
    screen = await show(replace(recorded("midgame"), provisional=()))
    assert "Seat 2" in await screen.text("[data-turn='2']")
    assert "2 actions left" in await screen.text("[data-turn]")
    assert [await screen.text(f"[data-score='{seat}']") for seat in (1, 2, 3)] == ["14", "17", "9"]


async def test_what_is_not_confirmed_is_drawn_as_a_question(show: Show, recorded: Recorded) -> None:
    screen = await show(recorded("midgame"))
    assert await screen.page.locator("[data-ghost='city/1/1']").count() == 1
    assert await screen.page.locator(".ghost[data-roof='city/1/1'] span").text_content() == "54–59?"
    screen.server.show(replace(recorded("midgame"), questions=(), status=Status()))
    await screen.page.locator("[data-trying]").wait_for()
    assert "delivers a building?" in (await screen.text("[data-trying]")).replace("Delivers", "delivers")


@pytest.mark.parametrize("city", ["flat", "3d"])
async def test_from_the_lift_on_the_room_dims_and_shows_what_is_carried(
    show: Show, recorded: Recorded, city: str
) -> None:
    held = Held("platform/20/industrial", 1, low_mm=33.2, high_mm=36.8, pieces=6, pieces_unsure=True)
    screen = await show(replace(recorded("early"), held=(held,)), f"?city={city}&lang=en")
    delivery = screen.page.locator("[data-carried]")
    assert await delivery.get_attribute("data-delivery") == "IN1"
    assert await screen.text("[data-band]") == "33–37?"
    assert "of 30 mm" in await screen.text("[data-delivery]")
    assert await screen.page.locator(".market").count() == 0
    if city == "flat":
        assert await screen.page.locator("svg .dim").count() > 1


async def test_a_delivery_shows_its_contract_its_target_and_the_sensed_band(show: Show, recorded: Recorded) -> None:
    screen = await show(recorded("midgame"))
    delivery = screen.page.locator("[data-delivery='CO4']")
    assert await delivery.get_attribute("data-tick") == "yes"
    assert await screen.text("[data-band]") == "54–59?"
    assert "of 40 mm" in await screen.text("[data-delivery]")
    assert await screen.attributes("[data-delivery] [data-requirement]", "data-requirement") == ["lower_archway"]
    assert await screen.page.locator(".market").count() == 0, "the market is away while somebody delivers"
    tremor = screen.page.locator("[data-delivery] [data-tremor='city/1/1'] path")
    await tremor.wait_for()
    text, panel = [await screen.page.locator(one).bounding_box() for one in ("[data-band]", "[data-delivery] .height")]
    assert panel["y"] < text["y"], "nothing is pushed out of the panel"
    assert (await tremor.get_attribute("d")).count("L") >= 2, "the load on the building, in the last seconds"


async def test_the_contracts_of_the_player_who_plays_are_shown_with_what_they_ask_for(
    show: Show, recorded: Recorded
) -> None:
    view = recorded("midgame")
    screen = await show(replace(view, provisional=(), questions=()))
    own = next(area for area in view.scene.board["areas"] if area["seat"] == 2)["open_contracts"]
    asked = {card["name"]: card["requirements"] for card in own}
    assert await screen.attributes(".area [data-card]", "data-card") == list(asked)
    for name, requirements in asked.items():
        shown = await screen.attributes(f"[data-card='{name}'] [data-requirement]", "data-requirement")
        assert shown == requirements


# what a person may read, and how high it is beside the window: the size of its letters, in per cent
SIZES = """() => [...document.querySelectorAll('main *')].flatMap((one) => {
  const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const box = one.getBoundingClientRect(), style = getComputedStyle(one);
  if (!own || !box.width || one.closest('.links') || style.clipPath !== 'none') return [];
  const scale = one.closest('svg')?.getScreenCTM().a ?? 1;
  return [[one.textContent.trim(), parseFloat(style.fontSize) * scale * 100 / innerHeight]];
})"""


@pytest.mark.parametrize("name", ["early", "midgame", "final"])
async def test_nothing_on_the_wall_is_too_small_to_read(show: Show, recorded: Recorded, name: str) -> None:
    screen = await show(recorded(name))
    await screen.page.locator("[data-tile]").first.wait_for()
    sizes = await screen.page.evaluate(SIZES)
    small = [(text, size) for text, size in sizes if size < 4]
    assert small == []
    numbers = await screen.page.evaluate(SIZES.replace("main *", ".number, h1, .height span, .sentence *, .wanted *"))
    assert [one for one in numbers if one[1] < (6.2 if name != "final" else 4)] == []


# how many lines the text of an element takes
LINES = """(one) => {
  const range = document.createRange();
  range.selectNode([...one.childNodes].findLast(({ nodeType, data }) => nodeType === 3 && data.trim()));
  return range.getClientRects().length;
}"""


@pytest.mark.parametrize("language", ["en", "fr"])
async def test_a_range_of_pieces_has_room_beside_the_market(show: Show, recorded: Recorded, language: str) -> None:
    view = recorded("midgame")
    board = {**view.scene.board, "actions_left": 1, "bag": 131, "bag_maybe": 1}
    calm = replace(view, provisional=(), questions=(), status=Status(), scene=replace(view.scene, board=board))
    screen = await show(calm, f"?lang={language}")
    text = screen.page.get_by_text("131–132")
    await text.wait_for()
    assert await text.evaluate("line => line.scrollWidth <= line.clientWidth")
    assert await text.evaluate(LINES) == 1


async def test_the_model_shows_every_height_and_where_there_is_no_webgl_the_city_is_flat(
    show: Show, recorded: Recorded
) -> None:
    view = recorded("midgame")
    small = {"width": 1000, "height": 562}
    screen = await show(replace(view, provisional=(), questions=()), "?city=3d", small)
    await screen.page.locator("[data-tallest], .tallest, svg [data-tile]").first.wait_for()
    standing = {
        tile["spot"]: str(tile["height_mm"])
        for tile in view.scene.board["tiles"]
        if tile["kind"] == "platform" and tile["standing"]
    }
    spots = await screen.attributes("[data-tile]:not(.fallen)", "data-tile")
    heights = await screen.attributes("[data-tile]:not(.fallen)", "data-height")
    assert dict(zip(spots, heights, strict=True)) == standing
    label = await screen.page.get_by_role("img", name="The city has 9 buildings").get_attribute("aria-label")
    assert label
    assert label.index("63\xa0mm") < label.index("27\xa0mm")
    assert await screen.page.locator("[data-ghost='city/1/1']").count() == 1


async def test_on_a_phone_the_heights_above_the_model_leave_the_city_in_sight(show: Show, recorded: Recorded) -> None:
    calm = replace(recorded("midgame"), provisional=(), questions=())
    screen = await show(calm, "?city=3d", {"width": 390, "height": 844})
    ghost = screen.page.locator("[data-city] [data-ghost]").first
    await ghost.wait_for()
    sizes = await screen.page.locator("[data-city] b").evaluate_all("all => all.map((one) => one.offsetHeight)")
    assert max(sizes) <= 24
    assert await ghost.evaluate(LINES) == 1


async def test_beside_a_delivery_the_model_names_no_height_but_its_own_and_the_tallest(
    show: Show, recorded: Recorded
) -> None:
    delivering = replace(recorded("midgame"), questions=(), status=Status())
    screen = await show(delivering, "?city=3d")
    await screen.page.locator("[data-city] .tallest").wait_for()
    shown = screen.page.locator("[data-city] b:not([hidden]):not([data-ghost])")
    assert await shown.count() == await screen.page.locator("[data-city] .tallest").count() == 1


async def test_a_message_about_the_screen_covers_nothing_of_the_city(show: Show, recorded: Recorded) -> None:
    view = replace(recorded("midgame"), provisional=(), questions=(), troubles=("broker",))
    screen = await show(view, "?lang=fr&city=flat")
    await screen.page.locator(".notice").wait_for()
    above = "document.querySelector('.notice').getBoundingClientRect().bottom"
    drawn = "[...document.querySelectorAll('.board svg :is(polygon, path, text)')]"
    below = f"Math.min(...{drawn}.map((one) => one.getBoundingClientRect().top))"
    assert await screen.page.evaluate(f"{above} <= {below}")


@pytest.mark.parametrize("path", ["/display", "/seat/2", "/host"])
async def test_on_a_phone_a_message_about_the_screen_stands_above_the_page(
    show: Show, recorded: Recorded, path: str
) -> None:
    """It lay over the market, wherever one had scrolled to."""
    screen = await show(replace(recorded("midgame"), troubles=("broker",)), size=PHONE, path=path)
    await screen.page.locator(".notice").wait_for()
    boxes = "['.notice', 'main'].map((one) => document.querySelector(one).getBoundingClientRect())"
    notice, main = await screen.page.evaluate(f"{boxes}.map(({{ top, bottom }}) => [top, bottom])")
    assert notice[0] == 0
    assert notice[1] <= main[0]
    await screen.page.evaluate("scrollTo(0, 99999)")
    notice, main = await screen.page.evaluate(f"{boxes}.map(({{ top, bottom }}) => [top, bottom])")
    assert notice[0] == 0, "it can still be read"
    links = await screen.page.locator("nav").evaluate_all("all => all.map((one) => one.getBoundingClientRect().bottom)")
    assert all(bottom <= 0 or bottom > notice[1] for bottom in links), "and covers no links that stay in sight"
    assert main[1] <= PHONE["height"] + 1


# the labels of the city that lie over each other by more than two pixels
COVERED = """() => {
  const all = [...document.querySelectorAll('.board [data-roof] rect, [data-city] b:not([hidden])')];
  const boxes = all.map((one) => [one.parentNode.textContent.trim() + one.textContent, one.getBoundingClientRect()]);
  const share = (a, b, low, high) => Math.min(a[high], b[high]) - Math.max(a[low], b[low]);
  const over = (a, b) => share(a, b, 'left', 'right') > 2 && share(a, b, 'top', 'bottom') > 2;
  const under = ([a, first], k) => boxes.slice(k + 1).filter(([, next]) => over(first, next)).map(([b]) => [a, b]);
  return boxes.flatMap(under);
}"""


@pytest.mark.parametrize("name", ["midgame", "final"])
@pytest.mark.parametrize("city", ["flat", "3d"])
async def test_no_height_lies_over_another(show: Show, recorded: Recorded, name: str, city: str) -> None:
    screen = await show(replace(recorded(name), questions=()), f"?city={city}")
    await screen.page.locator("[data-city] .tallest, .board .tallest").first.wait_for()
    assert await screen.page.evaluate(COVERED) == []


# parts of a card on the wall that lie outside it, or over the next one
CROWDED = """() => {
  const parts = (card) => [...card.querySelectorAll(".type, svg, b, .number > span, .needs > .number")];
  const box = (one) => one.getBoundingClientRect();
  return [...document.querySelectorAll(".market article, .area .needs")].flatMap((card) => {
    const right = box(card).right;
    const all = parts(card).filter((one) => !parts(card).some((other) => other !== one && one.contains(other)));
    all.sort((one, other) => box(one).left - box(other).left);
    return all.filter((one, k) => box(one).right > (all[k + 1] ? box(all[k + 1]).left : right) + 1);
  }).map((one) => one.outerHTML);
}"""


@pytest.mark.parametrize("language", ["en", "fr"])
async def test_the_longest_landmarks_have_room_beside_the_city(show: Show, recorded: Recorded, language: str) -> None:
    asked = ["courtyard", "upper_archway"]
    card = {"height_mm": 90, "pieces": 12, "plus": True, "requirements": asked, "prestige": 10, "landmark": True}
    landmarks = [card | {"name": f"L-{k}", "colour": colour} for k, colour in enumerate(("public", "industrial"))]
    view = of_players(replace(recorded("midgame"), provisional=(), questions=(), status=Status()), 4)
    board = view.scene.board | {"landmarks": landmarks * 2}
    board["landmarks"] = [one | {"name": f"{one['name']}{k}"} for k, one in enumerate(board["landmarks"])]
    screen = await show(replace(view, scene=replace(view.scene, board=board)), f"?lang={language}")
    await screen.page.locator("[data-contract]").nth(3).wait_for()
    await screen.page.evaluate("document.fonts.ready.then(() => true)")
    assert await screen.page.evaluate(CROWDED) == []


@pytest.mark.parametrize("name", ["early", "midgame"])
async def test_the_city_and_one_ring_fill_sixty_per_cent_of_the_drawing(
    show: Show, recorded: Recorded, filled: str, name: str
) -> None:
    screen = await show(replace(recorded(name), provisional=(), questions=(), status=Status()))
    await screen.page.locator("[data-tile]").first.wait_for()
    assert await screen.page.evaluate(filled) >= 0.6


async def test_what_is_in_a_hand_is_said_calmly(show: Show, recorded: Recorded) -> None:
    bag = Disagreement(kind="missing", spots=(), thing="bag", to=("seat/2/bag",), state="in_hand")
    view = replace(recorded("early"), provisional=(), questions=(), status=Status((bag,)))
    screen = await show(view)
    assert await screen.text("[data-held='bag']") == "The bag is on its way"
    assert await screen.page.locator("[data-wrong]").count() == 0
    screen.server.show(replace(view, status=Status((replace(bag, state="wrong"),))))
    await screen.page.locator("[data-wrong='missing']").wait_for()


async def test_every_page_leads_to_the_others_and_to_the_other_language(show: Show, recorded: Recorded) -> None:
    pages = {"/display", "/host", "/stations"}
    for path in ("/display", "/host", "/seat/2", "/stations"):
        screen = await show(recorded("midgame"), path=path)
        await screen.page.locator(".links").first.wait_for()
        assert set(await screen.attributes(".links a:not([data-language])", "href")) == pages - {path}
        await screen.page.locator("[data-language]").focus()
        await screen.page.keyboard.press("Enter")
        await screen.page.locator("html[lang='fr']").wait_for()


async def test_a_disagreement_is_an_instruction_and_a_question_waits_for_its_seat(
    show: Show, recorded: Recorded
) -> None:
    screen = await show(recorded("midgame"))
    assert await screen.text("[data-wrong]") == "Put platform 20 (industrial) back on seat 1's pad"
    assert "Waiting for seat 2" in await screen.text("[data-question='2']")


async def test_a_house_deck_never_passes_for_the_publishers(show: Show, recorded: Recorded) -> None:
    assert "House deck" in await (await show(recorded("midgame"))).text("footer")


async def test_a_station_in_trouble_is_told_without_colour(show: Show, recorded: Recorded) -> None:
    bad = await show(replace(recorded("midgame"), status=Status()))
    assert "1 of 11 stations has a problem" in await bad.text("[data-stations='bad']")
    calm = await show(recorded("early"))
    assert await calm.page.locator("[data-stations]").count() == 0, "a wall does not praise itself"


async def test_the_page_follows_the_table_without_being_reloaded(show: Show, recorded: Recorded) -> None:
    view = recorded("midgame")
    screen = await show(view)
    board = view.scene.board
    higher = [tile | ({"height_mm": 66} if tile["spot"] == "city/2/-1" else {}) for tile in board["tiles"]]
    screen.server.show(replace(view, scene=replace(view.scene, board=board | {"tiles": higher}), status=Status()))
    await screen.page.locator("[data-tile='city/2/-1'][data-height='66']").wait_for()
    assert await screen.page.locator("[data-wrong]").count() == 0


async def test_the_page_says_that_the_table_is_closed_and_comes_back_with_it(show: Show, recorded: Recorded) -> None:
    screen = await show(recorded("early"))
    await screen.server.stop()
    await screen.page.get_by_text("The table is closed. This is how it was at").wait_for()
    assert await screen.attributes("[data-tile]", "data-height") == ["31"], "the last known table stays on the screen"
    await screen.restart(recorded("midgame"), first_seq=900)
    await screen.page.locator("[data-turn='2']").wait_for()
    await screen.page.get_by_text("The table is closed").wait_for(state="detached")


async def test_the_whole_page_speaks_french(show: Show, recorded: Recorded) -> None:
    screen = await show(recorded("midgame"), "?lang=fr")
    assert "Place 2" in await screen.text("[data-turn]")
    assert await screen.text("[data-wrong]") == "Remettez la plateforme 20 (industriel) sur un socle de la place 1"
    page = await screen.text("main")
    assert not {"Seat", "pieces", "House", "left", "Contract"} & set(page.split())
    assert await screen.page.locator("html").get_attribute("lang") == "fr"


async def test_the_end_names_the_winner_and_accounts_for_every_point(show: Show, recorded: Recorded) -> None:
    view = recorded("final")
    screen = await show(view)
    assert "Seat 1 wins" in await screen.text("[data-winners='1']")
    cells = await screen.page.locator("[data-reason] td").all_inner_texts()
    points = [int(cell.replace("−", "-")) if cell != "·" else 0 for cell in cells]
    assert [sum(points[k::3]) for k in range(3)] == [player.score for player in view.scene.players]


async def test_a_table_without_a_game_is_shown_as_such(show: Show) -> None:
    screen = await show(View(t_us=0, table="salon"))
    assert "No game is being played" in await screen.text(".board")
    await screen.page.locator("[data-ambient=begin]").wait_for()
    assert await screen.page.evaluate(CUT_OFF) == []


@pytest.mark.parametrize("name", ["early", "midgame", "final"])
@pytest.mark.parametrize("query", ["", "?lang=fr"])
async def test_a_phone_never_scrolls_sideways(show: Show, recorded: Recorded, name: str, query: str) -> None:
    screen = await show(recorded(name), query, PHONE)
    assert await screen.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


@pytest.mark.parametrize(
    "size", [{"width": 1920, "height": 1080}, {"width": 1280, "height": 720}, {"width": 3840, "height": 2160}]
)
async def test_a_big_screen_shows_everything_without_scrolling(
    show: Show, recorded: Recorded, size: dict[str, int]
) -> None:
    screen = await show(recorded("midgame"), size=size)
    assert await screen.page.evaluate("document.documentElement.scrollHeight") == size["height"]
    boxes = await screen.page.locator("main > div").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().bottom)"
    )
    assert max(boxes) <= size["height"]


async def test_motion_stops_for_those_who_do_not_want_it(show: Show, recorded: Recorded) -> None:
    screen = await show(recorded("midgame"))
    running = "document.getAnimations().length"
    assert await screen.page.evaluate(running) == 0
    await screen.page.emulate_media(reduced_motion="no-preference")
    assert await screen.page.evaluate(running) > 0


async def test_while_a_game_is_set_up_the_missing_contracts_are_said_once(show: Show, recorded: Recorded) -> None:
    view = recorded("early")
    board = view.scene.board | {"columns": {name: [] for name in view.scene.board["columns"]}}
    screen = await show(replace(view, scene=replace(view.scene, seat=None, phase="setup", board=board)), "?lang=en")
    said = "The contracts have not been dealt yet"
    await screen.page.locator(".market", has_text=said).first.wait_for()
    market = await screen.text(".market")
    assert market.count(said) == 1
    assert "no more" not in market


@pytest.mark.parametrize("language", ["en", "fr"])
async def test_on_a_phone_the_type_of_each_contract_can_be_read_whole(
    show: Show, recorded: Recorded, language: str
) -> None:
    screen = await show(replace(recorded("early"), questions=()), f"?lang={language}", size=PHONE)
    heading = screen.page.locator(".card h2")
    await heading.nth(3).wait_for()
    assert await heading.evaluate_all("all => all.filter(one => one.scrollWidth > one.clientWidth).map(String)") == []


async def test_an_alarm_is_on_the_first_screen_of_a_phone(show: Show, recorded: Recorded) -> None:
    wrong = Disagreement(
        "refused", ("city/-2/2",), "platform/11/residential", rule="R25", text={"en": "It touches no tile."}
    )
    screen = await show(replace(recorded("midgame"), provisional=(), status=Status((wrong,))), size=PHONE)
    box = await screen.page.locator("[data-wrong]").bounding_box()
    assert box["y"] + box["height"] <= PHONE["height"]


@pytest.mark.parametrize("size", [PHONE, {"width": 1920, "height": 1080}])
async def test_the_gauge_of_a_delivery_stays_in_its_panel(show: Show, recorded: Recorded, size: dict[str, int]) -> None:
    screen = await show(replace(recorded("midgame"), questions=()), size=size)
    panel = await screen.page.locator("[data-delivery] .height").bounding_box()
    gauge = await screen.page.locator(".gauge.upright").bounding_box()
    assert panel["x"] < gauge["x"]
    assert panel["y"] < gauge["y"]
    assert gauge["y"] + gauge["height"] < panel["y"] + panel["height"]


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_the_totals_of_a_long_game_are_large_and_have_room(show: Show, recorded: Recorded, players: int) -> None:
    scene = recorded("final").scene
    first, *others = scene.players
    names = enumerate(("Maximilienne-Aurélie", "Bartholomäus Featherston", "Bo", "W" * 24), start=1)
    everyone = zip((first, *others, others[0]), names, strict=True)
    seats = [replace(one, seat=seat, name=name) for one, (seat, name) in everyone][:players]
    screen = await show(replace(recorded("final"), scene=replace(scene, players=tuple(seats))))
    totals = screen.page.locator(".final .total:visible")
    await totals.first.wait_for()
    await screen.page.evaluate("document.fonts.ready")
    assert await totals.all_inner_texts() == [str(one.score) for one in seats]
    boxes = [await total.bounding_box() for total in await totals.all()]
    assert all(one["x"] + one["width"] <= two["x"] for one, two in pairwise(boxes))
    assert all(one["x"] + one["width"] <= 1920 and one["y"] + one["height"] <= 1080 for one in boxes)
    sizes = await totals.evaluate_all("all => all.map(one => parseFloat(getComputedStyle(one).fontSize) / 10.8)")
    assert min(sizes) >= 8.3 - 0.01
    cells = screen.page.locator(".final tbody td")
    assert await cells.evaluate_all("all => all.filter(one => one.scrollWidth > one.clientWidth + 1).length") == 0
    last = await screen.page.get_by_text("Unofficial").bounding_box()
    assert last["y"] + last["height"] <= 1080


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("players", [3, 4])
async def test_the_whole_account_of_a_long_game_is_on_the_wall(
    show: Show, recorded: Recorded, language: str, players: int
) -> None:
    scene = recorded("final").scene
    first, *others = scene.players
    unplaced = Line(-1, "park_unplaced")
    seats = [replace(first, lines=(*first.lines, unplaced)), *others, replace(others[0], seat=4)][:players]
    screen = await show(replace(recorded("final"), scene=replace(scene, players=tuple(seats))), f"?lang={language}")
    rows = screen.page.locator("[data-reason]")
    await rows.first.wait_for()
    await screen.page.evaluate("document.fonts.ready")  # until then wider letters stand there, and break lines
    tall = await rows.evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
    assert max(tall) < 1.5 * min(tall)
    last = await screen.page.get_by_text("Unofficial" if language == "en" else "Non officiel").bounding_box()
    assert last["y"] + last["height"] <= 1080


def confirmed(view: View) -> View:
    """The delivery of a view, once it is confirmed: 57 mm, 5 points, and the tallest of all."""
    board = view.scene.board
    assert board is not None
    delivered = {"spot": "city/1/1", "colour": "commercial", "owner": 2, "height_mm": 57}
    tile = next(one for one in board["tiles"] if one["kind"] == "platform") | delivered
    words = {"contract": "CO4", "platform": "6", "at": "1/1"}
    line = Line(points=5, reason="contract", words={"contract": "CO4"}, action_no=99)
    players = tuple(replace(one, lines=(*one.lines, line)) if one.seat == 2 else one for one in view.scene.players)
    scene = replace(view.scene, players=players, board={**board, "tiles": [*board["tiles"], tile]})
    past = tuple(one for one in view.happened if not one.provisional)
    said = Happened(no=99, t_us=view.t_us + 1, key="action.deliver", words=words, seat=2)
    return replace(view, provisional=(), questions=(), scene=scene, happened=(*past, said))


async def test_what_a_delivery_brought_stays_for_six_seconds_and_its_points_fly_to_the_score(
    show: Show, recorded: Recorded
) -> None:
    before = replace(recorded("midgame"), questions=(), status=Status())
    screen = await show(before, clock=True)
    await screen.page.locator("[data-delivery='CO4']").wait_for()
    await screen.page.emulate_media(reduced_motion="no-preference")
    screen.server.show(confirmed(before))
    await screen.page.locator("[data-outcome='CO4']").wait_for()
    assert await screen.text("[data-outcome] .now") == "57 mm"
    assert await screen.text("[data-outcome] .points:not([data-flies])") == "+5"
    assert await screen.attributes("[data-flies]", "data-flies") == ["2"]
    small = await screen.page.evaluate(SIZES.replace("main *", "[data-outcome] p"))
    assert [one for one in small if one[1] < 6.2] == []
    await screen.page.clock.run_for(5900)
    assert await screen.page.locator("[data-outcome]").count() == 1
    await screen.page.clock.run_for(200)
    await screen.page.locator("[data-outcome]").wait_for(state="detached")
    assert await screen.page.locator(".area [data-card]").count() > 0


async def test_the_next_act_ends_what_a_delivery_brought_and_nobody_sees_it_again(
    show: Show, recorded: Recorded
) -> None:
    before = replace(recorded("midgame"), questions=(), status=Status())
    screen = await show(before)
    await screen.page.locator("[data-delivery='CO4']").wait_for()
    screen.server.show(confirmed(before))
    await screen.page.locator("[data-outcome='CO4']").wait_for()
    assert await screen.page.locator("[data-flies]").count() == 0, "nothing flies for those who want no motion"
    act = replace(before.provisional[0], action="p2 place_park at=2/0", spots=("city/2/0",))
    screen.server.show(replace(confirmed(before), provisional=(act,)))
    await screen.page.locator("[data-outcome]").wait_for(state="detached")
    screen.server.show(confirmed(before))
    await screen.page.reload()
    await screen.page.locator(".board > *").first.wait_for()
    assert await screen.page.locator("[data-outcome]").count() == 0
