"""A phone on which people say what the table cannot see, and name what was turned up where nobody reads."""

import pytest
from msgspec.structs import replace

from citytable.table.question import Field, Question
from citytable.views.state import Provisional

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(9)]

PHONE = {"width": 390, "height": 844}
SAID = "[data-say] + section [data-value"  # not what stands in the turn's own list
TILES = tuple(f"platform/{number}/public" for number in range(2, 14))


async def choose(page, *words):
    for word in words:
        await page.locator(f"{SAID}='{word}']").click()


async def test_a_delivery_is_said_by_a_tap_for_each_thing_that_is_open(show, recorded, may_say):
    may_say += ["p2 refresh", "p1 refresh", "table building_fell at=1/0"]
    may_say += [
        f"p2 deliver contract=PU1 platform=3 at={at} stood={end}" for at in ("1/0", "0/1") for end in ("yes", "no")
    ]
    screen = await show(replace(recorded("midgame"), questions=()), size=PHONE, path="/seat/2")
    page = screen.page
    await page.locator("[data-say]").click()
    await page.locator(f"{SAID}]").first.wait_for()
    assert await page.locator(f"{SAID}]").all_inner_texts() == [
        "Platforms refreshed",
        "Building fell",
        "Building delivered",
    ]
    await choose(page, "action.deliver", "0/1")
    told = await screen.sent(page.locator(f"{SAID}='yes']").click)
    action = "p2 deliver contract=PU1 platform=3 at=0/1 stood=yes"
    assert told == {"type": "statement", "action": action, "by": "seat 2"}
    await page.locator("[data-say][aria-expanded=false]").wait_for()
    assert await page.locator(f"{SAID}]").count() == 0


@pytest.mark.parametrize("may_still", [True, False])
async def test_what_was_tapped_stands_as_long_as_it_is_possible(show, recorded, may_say, may_still):
    may_say += ["p2 refresh", *(f"p2 deliver contract=PU1 platform=3 at={at} stood=yes" for at in ("1/0", "0/1"))]
    view = replace(recorded("midgame"), questions=())
    screen = await show(view, size=PHONE, path="/seat/2")
    deliver = screen.page.locator("[data-may] [data-kind='action.deliver']")
    await deliver.get_by_role("button").click()
    place = screen.page.locator("[data-may] ~ svg [data-choice='city/0/1']")
    await place.wait_for()
    if not may_still:
        may_say.pop()
    async with screen.page.expect_response("**/api/sayable") as answered:
        screen.server.show(replace(view, happened=(*view.happened, replace(view.happened[-1], no=99))))
    await (await answered.value).finished()
    if may_still:
        await screen.page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        await place.click()
    else:
        await place.wait_for(state="detached")


async def test_a_phone_says_why_the_rest_is_not_possible_now(show, recorded, may_say):
    may_say.append("p2 end_turn")
    screen = await show(replace(recorded("midgame"), questions=()), "?lang=fr", path="/seat/2")
    await screen.page.get_by_text("Pourquoi pas autre chose ?").click()
    await screen.page.locator("[data-why-not] li").first.wait_for()
    told = await screen.page.locator("[data-why-not] li").all_inner_texts()
    assert [" ".join(one.split()) for one in told] == [
        "Renouveler les plateformes Vous avez fait toutes vos actions. (R7)",
        "Piocher 3 éléments au hasard Vous avez fait toutes vos actions. (R7)",
    ]


async def test_the_host_says_it_for_anybody_and_may_begin_again(show, recorded, may_say):
    may_say += ["p1 take_pieces", "p1 take_pieces announced=steel", "p3 refresh"]
    screen = await show(replace(recorded("midgame"), questions=()), path="/host")
    page = screen.page
    await page.locator("[data-say]").click()
    await choose(page, "action.take_pieces")
    await page.get_by_role("button", name="Start over").click()
    await choose(page, "action.take_pieces")
    told = await screen.sent(page.locator("[data-value='steel']").click)
    assert told == {"type": "statement", "action": "p1 take_pieces announced=steel", "by": "host"}


async def test_a_tile_that_came_up_is_chosen_with_one_tap(show, recorded):
    field = Field("revealed/0", "choice", choices=TILES)
    question = Question("q", 2, "take_platform", {}, (field,), "p2 take_platform platform=1 revealed=?")
    screen = await show(replace(recorded("midgame"), questions=(question,)), size=PHONE, path="/seat/2")
    page = screen.page
    await page.locator("form button").first.wait_for()
    texts = await page.locator("form button").all_inner_texts()
    assert texts[:3] == ["platform 2 (public)", "platform 3 (public)", "platform 4 (public)"]
    told = await screen.sent(page.get_by_role("button", name="platform 13 (public)").click)
    assert told == {"type": "answer", "question": "q", "values": {"revealed/0": "platform/13/public"}, "by": "seat 2"}


@pytest.mark.parametrize(
    ("language", "asks", "first"),
    [
        (
            "en",
            "Where does the building for the commercial contract of 40 mm stand?",
            "the hex next to Central Park, to the back left",
        ),
        (
            "fr",
            "Où se trouve le bâtiment pour le contrat commercial de 40 mm ?",
            "l'hexagone voisin du Parc Central, derrière à gauche",
        ),
    ],
)
async def test_where_a_building_stands_is_chosen_from_the_hexes(show, recorded, language, asks, first):
    field = Field("spot", "choice", choices=tuple(f"city/{q}/{r}" for q in (1, -1) for r in range(-2, 3)))
    words = {"contract": "CO4"}
    question = Question("q", 2, "where", words, (field,), "p2 deliver contract=CO4 platform=6 at=1/1 stood=yes")
    view = replace(recorded("midgame"), questions=(question,))
    screen = await show(view, size=PHONE, path="/seat/2", query=f"?lang={language}")
    page = screen.page
    assert await screen.text("form h3 span:last-child") == asks
    options = await page.locator("form button").all_inner_texts()
    assert len(options) == 10
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    told = await screen.sent(page.locator(f'form button:text-is("{first}")').click)  # beside the map, which has it too
    assert told == {"type": "answer", "question": "q", "values": {"spot": "city/-1/0"}, "by": "seat 2"}


async def test_what_was_done_besides_offers_no_two_choices_of_the_same_words(show, recorded):
    choices = ("nothing", "p2 take_pieces", "p2 take_pieces announced=steel", "p1 take_pieces")
    question = Question("q", 2, "besides", {}, (Field("which", "choice", proposed="nothing", choices=choices),), "")
    page = (await show(replace(recorded("midgame"), questions=(question,)), size=PHONE, path="/seat/2")).page
    await page.locator("form .options").wait_for()
    assert await page.locator("form .options button").all_inner_texts() == [
        "Nothing",
        "Took pieces",
        "Took steel",
        "Seat 1 took pieces",
    ]


async def test_tiles_that_came_up_are_tapped_one_after_the_other_and_a_wrong_one_is_asked_for_again(show, recorded):
    fields = tuple(Field(f"revealed/{k}", "choice", choices=TILES) for k in range(3))
    question = Question("q", 2, "refresh", {}, fields, "p2 refresh")
    screen = await show(replace(recorded("midgame"), questions=(question,)), size=PHONE, path="/seat/2")
    page = screen.page
    form = page.locator("form")
    for number in (2, 13):
        await form.get_by_role("button", name=f"platform {number} (public)", exact=True).click()
    await form.locator("[data-tapped='revealed/0']").click()
    assert await form.get_by_role("button", name="platform 13 (public)", exact=True).count() == 0, "it lies there"
    await form.get_by_role("button", name="platform 3 (public)", exact=True).click()
    told = await screen.sent(form.get_by_role("button", name="platform 4 (public)", exact=True).click)
    assert told["values"] == {
        "revealed/0": "platform/3/public",
        "revealed/1": "platform/13/public",
        "revealed/2": "platform/4/public",
    }


async def test_a_question_of_one_tap_that_was_refused_can_be_answered_again(show, recorded):
    question = Question("q", 2, "lost", {}, (Field("which", "choice", choices=TILES[:3]),), "p2 refresh")
    screen = await show(replace(recorded("midgame"), questions=(question,)), size=PHONE, path="/seat/2")
    page = screen.page
    refusal = {"rule": "R4", "text": {"en": "Not this one.", "fr": "Pas celle-ci."}}
    await page.route("**/api/say", lambda route: route.fulfill(status=409, json=refusal))
    for number in (2, 3):
        async with page.expect_console_message():  # the browser's own complaint about a refusal
            await page.get_by_role("button", name=f"platform {number} (public)", exact=True).click()
        assert "Not this one." in await page.locator(".refusal").inner_text()
        screen.complaints.clear()


async def test_a_tap_while_the_network_is_away_for_a_moment_leaves_nothing_dead(show, recorded, may_say):
    """What opens at the tap is fetched then, and a browser remembers that it could not be."""
    may_say += ["p2 refresh", "p1 refresh", "table building_fell at=1/0"]
    screen = await show(replace(recorded("midgame"), questions=()), size=PHONE, path="/seat/2")
    page = screen.page
    await page.route("**/assets/Steps*", lambda route: route.abort())
    async with page.expect_event("load"):
        await page.locator("[data-say]").click()
    await page.unroute("**/assets/Steps*")
    await page.locator("[data-say]").click()
    await page.locator(f"{SAID}]").first.wait_for()
    screen.complaints[:] = [line for line in screen.complaints if not any(name in line for name in ("FAILED", "Steps"))]


async def test_a_table_without_stations_claims_nothing_about_hands(show, recorded):
    act = Provisional("p2 take_contract contract=PU7", "seen", confidence=0.99, doubts=("hand", "unread"))
    for health, doubts in (
        (recorded("midgame").health, "99\xa0% sure · may be in someone's hand"),
        ((), "99\xa0% sure"),
    ):
        view = replace(recorded("midgame"), questions=(), health=health, provisional=(act,))
        screen = await show(view, size=PHONE, path="/seat/2")
        line = screen.page.get_by_text("99 % sure")
        assert doubts in await line.inner_text()
        assert ("hand" in await line.inner_text()) == bool(health)
