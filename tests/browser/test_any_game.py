"""Any game: every page shows one that the dashboard has no screens for, and the wall shows each of ours whole."""

import random

import pytest
from msgspec.structs import replace
from playwright.async_api import expect

from citytable.bots.random_bot import RandomBot
from citytable.games import NAMES, box_of, chance_of
from citytable.hub import running_hub
from citytable.settings import Settings
from citytable.table.layout import Light
from citytable.table.question import Field, Question
from citytable.table.scene import Pile, PlayerScene, Scene
from citytable.table.status import Status
from citytable.table.word import Statement
from citytable.views.state import Happened, Live, Provisional

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(14)]

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
    assert "Keep card" in await screen.text(".wanted")


@pytest.mark.parametrize("path", ["/host", "/seat/2"])
async def test_who_is_asked_answers_with_one_tap(show, toy, path):
    screen = await show(toy, "?lang=en", path=path, size=PHONE)
    await expect(screen.page.get_by_role("button", name="card 4", exact=True)).to_be_visible()
    assert await screen.page.evaluate(WIDER) <= 0
    assert await screen.page.get_by_text("Set the city").count() == 0


async def test_a_phone_shows_how_sure_the_table_is_and_no_empty_list(show, toy):
    act = Provisional("p2 keep card=3", "seen", confidence=0.81, doubts=("differs", "new"))
    screen = await show(replace(toy, provisional=(act,)), "?lang=en", path="/seat/2", size=PHONE)
    await screen.page.get_by_text("81 % sure · something on the table does not match · only just seen").wait_for()
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


# on the wall: texts that are only partly seen; what has no room at all is left out
CUT = """() => {
  const seen = (one) => {
    const frame = one.closest(".area, .sentence, .side, .stage");
    const [clip, box] = [frame, one].map((what) => what.getBoundingClientRect());
    const out = box.bottom > clip.bottom + 1 || box.right > clip.right + 1 || one.scrollWidth > one.clientWidth + 1;
    return !box.width || !out || box.left >= clip.right || getComputedStyle(one).clipPath !== "none";
  };
  const all = [...document.querySelectorAll(".side :is(p, h1, h2, dt, dd, li), .sentence p")];
  return all.filter((one) => !seen(one)).map((one) => one.textContent.trim());
}"""


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
    assert city["width"] * city["height"] > (0.6 if game == "megacity" else 0.7) * 1920 * 1080
    assert await screen.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert await screen.page.evaluate(CUT) == []


# how many lines a text takes
LINES = """(one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
}"""


# what the wall shows: the share of the city, its parts that a panel covers, texts with their heights in per cent
WALL = """async () => {
  for (const _ of [1, 2]) await new Promise(requestAnimationFrame); // the drawing is measured, and drawn again
  const MAIN = "dd, h1, h2, .sentence *, [data-ground] span, [data-plant] span";
  const counts = (one) => one.closest("svg") && /^\\d+$/.test(one.textContent);
  const boxes = (what) => [...document.querySelectorAll(what)].map((one) => [one, one.getBoundingClientRect()]);
  const panels = boxes("main > .side, .sentence p").map(([, box]) => box).filter(({ width }) => width);
  const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const parts = boxes(".board :is([data-ground], [data-card], [data-open], [data-plant], .space)");
  const covered = parts.filter(([, box]) => panels.some((panel) => over(box, panel)));
  const { width, height } = document.querySelector(".board svg").getBoundingClientRect();
  const own = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const told = boxes("main *:not(title)").filter(([one, box]) => box.width && own(one) && !one.closest(".links"));
  const size = (one) => parseFloat(getComputedStyle(one).fontSize) * (one.closest("svg")?.getScreenCTM().a ?? 1);
  const stage = document.querySelector(".stage").getBoundingClientRect();
  const lying = boxes(".stage .sentence p, .code a").reduce((sum, [, box]) => sum + box.width * box.height, 0);
  return {
    share: (width * height) / innerWidth / innerHeight,
    free: (stage.width * stage.height - lying) / innerWidth / innerHeight,
    covered: covered.map(([one]) => one.outerHTML.slice(0, 80)),
    sizes: told.map(([one]) => {
      const main = one.matches(MAIN) || counts(one);
      return [one.textContent.trim(), (size(one) * 100) / innerHeight, main];
    }),
    scrolls: document.documentElement.scrollHeight > innerHeight,
  };
}"""


def stages(game: str, players: int) -> dict[str, Scene]:
    """The last scene of each kind in a game of people who choose at random, and its end."""
    box, rng = box_of(game), random.Random(2)
    chance, bot, played = chance_of(game, rng), RandomBot(rng), box.begin(box.options(players))
    found: dict[str, Scene] = {}
    start = (None,) if game == "comeback" else ()
    while True:
        scene = box.table().scene(played.position, played.position, (), *start)
        flipped = bool(getattr(scene.board, "flipped", None))
        found["end" if scene.ended else f"{scene.phase} {'card' if flipped else getattr(scene.board, 'due', '')}"] = (
            scene
        )
        if scene.ended:
            return found
        decisions = list(played.legal_actions)
        played.push(chance.outcome(played, bot.choose(played, decisions) if played.player else decisions[0]))


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(("game", "players"), [("comeback", 1), ("dilluvia", 4)])
async def test_the_wall_shows_few_things_and_these_large(found_on, show, recorded, game, players, lang):
    calm = replace(recorded("midgame"), status=Status(()), questions=(), live=(), provisional=())
    said = {
        "comeback": ("action.discard", {"card": "C05"}),
        "dilluvia": ("action.place", {"workers": "2", "space": "income"}),
    }
    key, words = said[game]
    screen = None
    for no, (stage, scene) in enumerate(stages(game, players).items()):
        first, *others = scene.players
        named = replace(scene, players=(replace(first, name="Maximilienne-Aurélie"), *others))
        view = replace(calm, scene=named, happened=(Happened(no=no, t_us=0, key=key, words=words, seat=1),))
        if screen is None:
            screen = await show(view, f"?lang={lang}")
            await screen.page.evaluate("document.fonts.ready")  # until then wider letters stand there
        screen.server.show(view)
        await screen.page.locator("[data-winners]" if stage == "end" else f".sentence [data-line='{no}']").wait_for()
        wall = await screen.page.evaluate(WALL)
        assert (wall["covered"], wall["scrolls"], await screen.page.evaluate(CUT)) == ([], False, []), stage
        assert [one for one in wall["sizes"] if one[1] < (6.2 if one[2] and stage != "end" else 4)] == [], stage
        assert wall["share"] > (0.72 if stage != "end" else 0.69), stage
        assert wall["free"] > 0.69, stage
        if stage in {"shopping ", "build card"}:
            assert await found_on(screen.page) == []
        if scene.game == "dilluvia" and stage != "end":  # the market only while somebody may take
            offered = await screen.attributes("[data-offer]", "data-offer")
            assert {f"market/{space}" for space in offered} == {light.spot for light in scene.lights}, stage


# words of an element that go on in its next line
BROKEN = """(one) => {
  const [text] = one.childNodes, range = document.createRange();
  return [...text.data.matchAll(/[^\\s-]+/g)].filter(({ index, 0: word }) => {
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
  }).map(([word]) => word);
}"""


@pytest.mark.parametrize("names", [("Maximilienne-Aurélie", "Jean-Christophe", "Bo", "Wilhelmine")])
async def test_a_long_name_is_never_broken_inside_a_word(show, recorded, names):
    scene = stages("dilluvia", 4)["end"]
    named = tuple(replace(one, name=name) for one, name in zip(scene.players, names, strict=True))
    screen = await show(replace(recorded("final"), scene=replace(scene, players=named), happened=()))
    shown = screen.page.locator(".final thead small")
    assert await shown.all_inner_texts() == list(names)
    label = "one => parseFloat(getComputedStyle(one).fontSize) * 100 / innerHeight"
    assert await screen.page.locator(".final tbody th").first.evaluate(label) > 5, "few lines are large"
    broken = [await shown.nth(k).evaluate(BROKEN) for k in range(len(names))]
    assert broken == [[], [], [], []]
    totals = await screen.page.locator(".final .total:visible").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().top)"
    )
    assert len(totals) == 4
    assert max(totals) - min(totals) <= 1, "in one line"
    heights = [await shown.nth(k).evaluate("one => one.scrollHeight - one.clientHeight") for k in range(len(names))]
    assert max(heights) <= 2, "all lines of a name are seen"


@pytest.mark.parametrize("disaster", ["aliens", "earthquake", "meteors", "giant_bird"])
@pytest.mark.parametrize("lang", ["en", "fr"])
async def test_the_goal_of_a_disaster_takes_one_line_of_the_wall(show, recorded, disaster, lang):
    zones = {"aliens": "residential", "earthquake": "commercial", "meteors": "government", "giant_bird": "industrial"}
    scene = next(one for stage, one in stages("comeback", 1).items() if stage.startswith("rebuild"))
    goal = replace(scene.board.goal, zone=zones[disaster], points=25, reached=24, met=False)
    board = replace(scene.board, disaster=disaster, goal=goal)
    calm = replace(recorded("midgame"), status=Status(()), questions=(), live=(), provisional=(), happened=())
    screen = await show(replace(calm, scene=replace(scene, board=board)), f"?lang={lang}")
    await screen.page.evaluate("document.fonts.ready.then(() => true)")
    assert await screen.page.locator("[data-goal]").evaluate(LINES) == 1


@pytest.mark.parametrize("game", ["comeback", "dilluvia"])
@pytest.mark.parametrize("path", ["/display", "/seat/1"])
async def test_axe_finds_nothing_of_any_game_on_a_phone(found_on, show, recorded, game, path):
    scene = stages("comeback", 1)["build card"] if game == "comeback" else stages("dilluvia", 4)["shopping "]
    view = replace(
        recorded("midgame"), scene=scene, status=Status(()), questions=(), live=(), provisional=(), happened=()
    )
    screen = await show(view, path=path, size=PHONE)
    await screen.page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    if path == "/seat/1" and game == "dilluvia":
        await screen.page.locator("[data-action-space]").first.wait_for()
    assert await found_on(screen.page) == []


async def test_on_a_high_card_of_two_digits_nothing_is_too_small(show, recorded):
    scene = stages("comeback", 1)["end"]
    *cells, last = (replace(one, stories=10, counters=4, powered=True) for one in scene.board.cells)
    board = replace(scene.board, cells=(*cells, replace(last, row=8, spot=f"grid/{last.column}/8")))
    scene = replace(scene, ended="", winners=(), phase="rebuild", seat=1, board=board)
    calm = replace(recorded("midgame"), status=Status(()), questions=(), live=(), provisional=(), happened=())
    screen = await show(replace(calm, scene=scene))
    await screen.page.locator(".board [data-card]").first.wait_for()
    wall = await screen.page.evaluate(WALL)
    assert [one for one in wall["sizes"] if one[1] < (6.2 if one[2] else 4)] == []


async def test_a_phone_reads_a_zoning_bonus_that_was_used(found_on, show, recorded):
    scene = stages("comeback", 1)["end"]
    bonuses = tuple(replace(one, used="helper", completed=True) for one in scene.board.bonuses)
    scene = replace(scene, ended="", winners=(), phase="rebuild", seat=1, board=replace(scene.board, bonuses=bonuses))
    view = replace(
        recorded("midgame"), scene=scene, status=Status(()), questions=(), live=(), provisional=(), happened=()
    )
    screen = await show(view, "?lang=fr", path="/seat/1", size=PHONE)
    await screen.page.locator("li[data-bonus]").first.wait_for()
    assert await found_on(screen.page) == []
