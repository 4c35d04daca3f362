"""The city takes 70 % of the wall, whatever is asked or wrong; all that people have to read stands beside it, large."""

import random
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.async_api import expect
from tests.browser.wall import CUT_OFF, FREE, UNCOVERED, of_names, of_players

from citytable.bots.random_bot import RandomBot
from citytable.games import box_of, chance_of
from citytable.table.question import Field, Question
from citytable.table.scene import Scene
from citytable.table.status import Disagreement, Status
from citytable.views.state import View

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(60)]

Show = Callable[..., Awaitable[Any]]
Recorded = Callable[[str], View]
LARGE, LEAST = 6.2, 4  # of the wall's height, in per cent: what matters, and all that can be read
REASON = {
    "en": "Platform 20 is of the type industrial, but contract CO4 asks for the type commercial.",
    "fr": "La plateforme 20 est du type industriel, mais le contrat CO4 demande le type commercial.",
}
WRONG = Disagreement("refused", ("city/-2/2",), "platform/20/industrial", to=("seat/1/pad/0",), rule="R20", text=REASON)
ALARM, QUESTION, RESTING = "alarm", "question", "resting"
STATES = [(), (QUESTION,), (ALARM,), (ALARM, QUESTION), (RESTING,)]

SIZES = """() => [...document.querySelectorAll(".wanted *")].flatMap((one) => {
  const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  if (!own || !one.getBoundingClientRect().width || getComputedStyle(one).clipPath !== "none") return [];
  const size = parseFloat(getComputedStyle(one).fontSize) * 100 / innerHeight;
  return [[one.textContent.trim(), size, Boolean(one.closest("[data-why]"))]];
})"""
"""What people are told to do or asked, with the size of its letters, and whether it is the reason of an alarm."""


def wanting(view: View, state: tuple[str, ...], asked: Question) -> View:
    """Return a view in which this, and nothing else, is wanted of people."""
    wrong = [replace(WRONG, state="settling")] if RESTING in state else [WRONG] * (ALARM in state)
    questions = (asked,) if QUESTION in state else ()
    return replace(view, health=(), status=Status(tuple(wrong)), questions=questions)


def asking(prompt: str, seat: int, about: str) -> Question:
    """Return a question to a seat."""
    return Question("q", seat, prompt, {}, (Field("height_mm", "mm", low=0, high=300),), about)


async def whole(screen: Any, state: tuple[str, ...]) -> None:
    """Check that nothing is cut off, that all of it is large, and that the city has its share."""
    if state:
        await screen.page.locator(".wanted p").nth(len(state) - 1).wait_for()
    await screen.page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame)).then(() => true)")
    assert await screen.page.evaluate(UNCOVERED) >= 0.7
    assert await screen.page.evaluate(CUT_OFF) == []
    assert await screen.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    sizes = await screen.page.evaluate(SIZES)
    assert len(sizes) >= len(state)
    assert [one for one in sizes if one[1] < (LEAST if one[2] else LARGE)] == []


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(
    ("state", "delivers"), [*((state, False) for state in STATES), *((state, True) for state in STATES[:-1])]
)
async def test_the_city_keeps_its_share_whatever_is_asked_or_wrong(
    show: Show, recorded: Recorded, filled: str, language: str, state: tuple[str, ...], delivers: bool
) -> None:
    view = of_names(of_players(recorded("midgame"), 4))
    if not delivers:
        view = replace(view, provisional=())
    asked = replace(view.questions[0], words={}) if delivers else asking("account", 2, "p2 take_pieces")
    screen = await show(wanting(view, state, asked), f"?city=flat&lang={language}")
    await screen.page.locator("[data-tile]").first.wait_for()
    await whole(screen, state)
    assert await screen.page.evaluate(filled) >= 0.6, "and the city fills its part"


@pytest.mark.parametrize("language", ["en", "fr"])
async def test_beside_a_short_alarm_its_reason_is_as_large_as_what_is_to_be_done(
    show: Show, recorded: Recorded, language: str
) -> None:
    rests = {"en": "It touches no tile of the city.", "fr": "Elle ne touche aucune tuile de la ville."}
    status = Status((replace(WRONG, text=rests),))
    view = replace(of_players(recorded("midgame"), 4), provisional=(), questions=(), health=(), status=status)
    screen = await show(view, f"?city=flat&lang={language}")
    await screen.page.locator("[data-why]").wait_for()
    await screen.page.evaluate("document.fonts.ready.then(() => true)")
    assert [one for one in await screen.page.evaluate(SIZES) if one[1] < LARGE] == []
    assert await screen.page.locator(".area [data-card]").first.is_visible(), "and the contracts stay in sight"


@pytest.mark.parametrize("language", ["en", "fr"])
async def test_beside_an_alarm_a_question_stands_in_words(show: Show, recorded: Recorded, language: str) -> None:
    screen = await show(recorded("midgame"), f"?lang={language}")
    asked = screen.page.locator("[data-wrong] + [data-question='2']")
    await asked.wait_for()
    box = await asked.locator("b").last.bounding_box()
    assert box["width"] > 300
    assert await asked.locator("b").last.evaluate("one => getComputedStyle(one).clipPath") == "none"
    assert "40\xa0mm" in await asked.inner_text()


@pytest.mark.parametrize("language", ["en", "fr"])
async def test_the_gauge_of_a_delivery_stays_beside_its_question(show: Show, recorded: Recorded, language: str) -> None:
    view = wanting(of_names(of_players(recorded("midgame"), 4)), (QUESTION,), recorded("midgame").questions[0])
    screen = await show(view, f"?city=flat&lang={language}")
    await screen.page.locator("[data-question]").wait_for()
    gauge = await screen.page.locator("[data-delivery] .gauge").bounding_box()
    assert gauge["x"] + gauge["width"] < 1920
    assert await screen.page.evaluate(CUT_OFF) == []


async def test_an_alarm_of_any_length_is_on_the_wall_whole(show: Show, recorded: Recorded) -> None:
    text = {"en": "This is a very long sentence, of which nobody knows why it has to stand here today. " * 4}
    view = wanting(of_names(of_players(recorded("midgame"), 4)), (ALARM, QUESTION), recorded("midgame").questions[0])
    screen = await show(replace(view, status=Status((replace(WRONG, kind="unclear", text=text),))), "?city=flat")
    await screen.page.locator("[data-question]").wait_for()
    await screen.page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame)).then(() => true)")
    assert await screen.page.evaluate(CUT_OFF) == []
    assert [one for one in await screen.page.evaluate(SIZES) if one[1] < LEAST] == []


async def test_an_alarm_takes_the_place_of_the_status_line(show: Show, recorded: Recorded) -> None:
    screen = await show(recorded("midgame"))
    await screen.page.locator("[data-wrong]").wait_for()
    assert await screen.page.locator("[data-stations]").count() == 0
    screen.server.show(replace(recorded("midgame"), status=Status()))
    await screen.page.locator("[data-stations='bad']").wait_for()


@pytest.mark.parametrize(
    ("players", "city", "language"), [(2, "flat", "en"), (3, "3d", "fr"), (3, "flat", "en"), (4, "flat", "fr")]
)
@pytest.mark.parametrize("with_market", [True, False])
async def test_seventy_per_cent_of_the_wall_show_the_city_and_nothing_lies_on_it(
    show: Show, recorded: Recorded, players: int, city: str, language: str, with_market: bool
) -> None:
    view = of_players(replace(recorded("midgame"), provisional=(), questions=(), status=Status()), players)
    if not with_market:
        view = replace(view, scene=replace(view.scene, board=view.scene.board | {"actions_left": 0}))
    screen = await show(view, f"?city={city}&lang={language}")
    await screen.page.locator("[data-city] .tallest, .board .tallest").first.wait_for()
    await screen.page.evaluate("document.fonts.ready.then(() => true)")
    assert await screen.page.locator(".market .columns").is_visible() is with_market
    assert await screen.page.evaluate(UNCOVERED) >= 0.7
    assert await screen.page.evaluate(CUT_OFF) == []
    assert await screen.page.evaluate(FREE)


@pytest.mark.parametrize("name", ["early", "final"])
async def test_the_city_keeps_its_share_at_the_beginning_and_at_the_end(
    show: Show, recorded: Recorded, filled: str, name: str
) -> None:
    screen = await show(recorded(name))
    await screen.page.locator("[data-tile]").first.wait_for()
    await whole(screen, ())
    assert await screen.page.evaluate(filled) >= 0.6, "and the city fills its part"


def scenes(game: str, players: int) -> list[Scene]:
    """Return the last scene of each phase in a game of people who choose at random."""
    box, rng = box_of(game), random.Random(2)
    chance, bot, played = chance_of(game, rng), RandomBot(rng), box.begin(box.options(players))
    found: dict[str, Scene] = {}
    while not (scene := box.table().scene(played.position, played.position, (), None)).ended:
        if scene.seat:
            found[scene.phase] = scene
        decisions = list(played.legal_actions)
        played.push(chance.outcome(played, bot.choose(played, decisions) if played.player else decisions[0]))
    return list(found.values())


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", ["comeback", "dilluvia"])
async def test_in_flat_cities_it_keeps_its_share_as_well(
    show: Show, recorded: Recorded, game: str, language: str
) -> None:
    players, prompt, key = {"comeback": (1, "turn_up", "throw_out"), "dilluvia": (4, "refill", "acquire")}[game]
    bare = recorded("midgame")
    said = (replace(bare.happened[-1], key=f"action.{key}", words={"space": "4"}),)
    bare = replace(bare, health=(), live=(), provisional=(), questions=(), status=Status(), happened=said)
    screen = None
    for scene in scenes(game, players):
        for state in STATES:
            view = wanting(of_names(replace(bare, scene=scene)), state, asking(prompt, 1, f"p1 {key}"))
            if screen is None:
                screen = await show(view, f"?lang={language}")
            screen.server.show(view)
            await screen.page.locator(f"[data-turn='{scene.seat}']").wait_for()
            for kind, what in ((QUESTION, "[data-question]"), (ALARM, "[data-wrong]"), (RESTING, "[data-held]")):
                await expect(screen.page.locator(f".wanted {what}")).to_have_count(int(kind in state))
            await whole(screen, state)
