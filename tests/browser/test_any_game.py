"""Any game: every page shows one that the dashboard has no screens for, and the wall shows each of ours whole."""

import random

import pytest
from msgspec.structs import replace
from playwright.async_api import expect

from citytable.games import NAMES, box_of, chance_of
from citytable.hub import running_hub
from citytable.settings import Settings
from citytable.table.layout import Light
from citytable.table.question import Field, Question
from citytable.table.scene import Pile, PlayerScene, Scene
from citytable.table.status import Status
from citytable.table.word import Statement
from citytable.views.state import Live, Provisional

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PHONE = {"width": 390, "height": 844}
WIDER = "document.documentElement.scrollWidth - innerWidth"
TOY = Scene(
    game="toy",
    turn=3,
    seat=2,
    phase="main",
    players=(PlayerScene(1), PlayerScene(2, name="Ada")),
    heights_mm={"city/1/0": 40},
    piles=(Pile("seat/1/card/0", ("card/7",)), Pile("supply/deck", ("card/3",), hidden=9)),
    lights=(Light(spot="seat/2/card/1", role="turn", seat=2),),
)
ASKED = Question(
    id="q",
    seat=2,
    prompt="keep_card",
    words={},
    fields=(Field("which", "choice", choices=("card/3", "card/4")),),
    about="",
)


@pytest.fixture
def toy(recorded):
    """The toy's view: a card rests where the game does not know of it, one place is lit, and a question is open."""
    view = recorded("midgame")
    live = (Live(spot="city/2/0", thing="card/4"),)
    return replace(view, scene=TOY, live=live, status=Status(()), questions=(ASKED,), provisional=(), happened=())


async def test_the_display_shows_who_plays_and_what_lies_where(show, toy):
    screen = await show(toy, "?lang=en")
    assert "Ada" in await screen.text("[data-turn='2']")
    assert await screen.attributes("[data-place]", "data-place") == [
        "city/1/0",
        "city/2/0",
        "supply/deck",
        "seat/1/card/0",
        "seat/2/card/1",
    ]
    assert await screen.text("[data-place='supply/deck']") == "supply deck card 3 +9 below"
    assert await screen.text("[data-place='city/2/0']") == "city 2 0 card 4?"
    assert await screen.attributes("[data-lit]", "data-lit") == ["turn"]
    for nothing in ("[data-score]", ".market"):
        assert await screen.page.locator(nothing).count() == 0, "a game without points, and without a market"
    board = await screen.page.locator(".board").bounding_box()
    assert board["width"] > 0.67 * await screen.page.evaluate("innerWidth")
    assert "keep card" in await screen.text(".sentence")


@pytest.mark.parametrize("path", ["/host", "/seat/2"])
async def test_who_is_asked_answers_with_one_tap(show, toy, path):
    screen = await show(toy, "?lang=en", path=path, size=PHONE)
    await expect(screen.page.get_by_role("button", name="card 4", exact=True)).to_be_visible()
    assert await screen.page.evaluate(WIDER) <= 0
    assert await screen.page.get_by_text("Set the city").count() == 0


async def test_a_phone_shows_how_sure_the_table_is_and_no_empty_list(show, toy):
    act = Provisional("p2 keep card=3", "seen", confidence=0.81, doubts=("differs", "new"))
    screen = await show(replace(toy, provisional=(act,)), "?lang=en", path="/seat/2", size=PHONE)
    assert "81 % · does not match the table · only just seen" in await screen.text("main")
    assert await screen.page.locator("ul.panel:not(:has(li))").count() == 0


async def test_the_end_of_a_game_that_everybody_lost_is_shown(show, toy):
    screen = await show(replace(toy, scene=replace(TOY, seat=None, phase="end", ended="flood")), "?lang=en")
    assert await screen.text("[data-winners]") == "Nobody wins", (
        "no crown, and in a game without points no table of points"
    )
    assert await screen.page.locator(".final .crown").count() == 0


async def test_at_the_virtual_table_people_read_that_this_game_cannot_be_played_there(show, toy):
    screen = await show(toy, "", PHONE, path="/table/1")
    assert "cannot be played in the browser" in await screen.text("[data-unplayable] h1")
    links = await screen.attributes("main a.button", "href")
    assert [link.split("?")[0].split("#")[0] for link in links] == ["/display", "/seat/1"]
    assert await screen.page.evaluate(WIDER) <= 0
    await screen.page.set_viewport_size({"width": 1920, "height": 1080})
    panel = await screen.page.locator("[data-unplayable] .panel").bounding_box()
    assert abs(panel["x"] + panel["width"] / 2 - 960) < 20, "in the middle of a wide screen"


CUT_OFF = """[...document.querySelectorAll(".stage .panel")]
    .filter(one => one.clientHeight && getComputedStyle(one).overflowY != "visible")
    .filter(one => one.scrollHeight > one.clientHeight + 2)
    .map(one => String(one.className))"""


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("game", NAMES)
async def test_the_wall_of_every_game_shows_the_city_and_all_beside_it(show, game, lang):
    box = box_of(game)
    settings = Settings(box=box, options=box.options(box.players[0]), twin=False, phones=True, speed=1.0)
    begun = box.begin(settings.options)
    deal = chance_of(game, random.Random(1)).outcome(begun, next(iter(begun.legal_actions)))
    async with running_hub(settings) as hub:
        await hub.session.say(Statement(action=str(deal), by="table"))
        screen = await show(hub.session.view(), f"?lang={lang}")
    city = await screen.page.locator(".board svg").first.bounding_box()
    assert min(city["width"], city["height"]) > 0.33 * 1080
    assert await screen.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert await screen.page.evaluate(CUT_OFF) == []


CUT_OFF = """() => {
    const { right, bottom } = document.querySelector(".market").getBoundingClientRect();
    const isOut = (box) => box.width && (box.right > right + 1 || box.bottom > bottom + 1);
    const all = [...document.querySelectorAll(".market *")];
    return all.filter((one) => isOut(one.getBoundingClientRect())).map((one) => one.textContent.trim());
}"""


async def test_the_wall_shows_the_market_until_workers_are_placed_and_then_the_city_large(show, recorded):
    box, chance = box_of("dilluvia"), chance_of("dilluvia", random.Random(1))
    game, seen = box.begin(box.options(4)), {}
    while len(seen) < 3:
        decisions = {str(one).split()[1]: one for one in game.legal_actions}
        if game.position.phase not in {"setup", "drawing", *seen}:
            scene = box.table().scene(game.position, game.position, ())
            screen = await show(
                replace(recorded("midgame"), scene=scene, status=Status(()), questions=(), live=()), "?lang=fr"
            )
            board = await screen.page.locator(".board svg").first.bounding_box()
            assert await screen.page.evaluate(CUT_OFF) == []
            seen[game.position.phase] = (
                await screen.page.locator(".stage [data-space='1']").is_visible(),
                board["width"],
            )
        game.push(chance.outcome(game, decisions.get("buy") or next(iter(decisions.values()))))
    assert {phase: shown for phase, (shown, _) in seen.items()} == {
        "zeppelins": True,
        "shopping": True,
        "workers": False,
    }
    assert seen["workers"][1] > 1.8 * seen["shopping"][1]
