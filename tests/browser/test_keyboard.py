"""The host's page by keyboard alone: a game is begun, something in it is ruled on, and it is ended."""

from functools import partial

import pytest
from msgspec.structs import replace

from citytable.table.checklist import Checklist
from citytable.table.question import Field, Question
from citytable.table.status import Disagreement, Status
from citytable.views.next_game import Choices

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(5)]

STOPS = 16  # a part that a key has opened is not farther away than that
TAKES = "p1 take_contract contract=CO5"
REFUSED = Disagreement(
    kind="refused",
    spots=("seat/1/card/2",),
    thing="contract/CO5",
    to=("supply/contract/commercial",),
    rule="R8",
    action=TAKES,
    text={"en": "You have 2 open contracts already.", "fr": "Vous avez déjà 2 contrats."},
)
CLOSED = Checklist(lying=0, counted=69, components=69, unseen=(), silent=(), bag=None, closed=True)
NEXT = {"type": "next_game", "after": "salon-1", "players": 3, "simplified": False, "by": "host"}


async def reach(page, css, stops=STOPS):
    """Press Tab until something has the focus; it shows that it has."""
    here = f"document.activeElement.matches({css!r})"
    for _ in range(stops):
        if await page.evaluate(here):
            break
        await page.keyboard.press("Tab")
    assert await page.evaluate(here), f"{css}: {await page.evaluate('document.activeElement.outerHTML')}"
    assert await page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"


async def test_the_host_begins_a_game_rules_on_something_and_ends_it_without_a_mouse(show, recorded, choices):
    page_choices = Choices(after="salon-1", over=True, players=3, players_max=4, simplified=False, names=())
    choices.append(page_choices)
    screen = await show(replace(recorded("final"), clearing=CLOSED), path="/host")
    page = screen.page
    enter = partial(page.keyboard.press, "Enter")

    await page.locator("[data-next-game]").wait_for()
    await reach(page, "[data-next-game] .go", stops=60)  # it is open already, and nobody pressed a key for it
    assert NEXT.items() <= (await screen.sent(enter)).items()

    asked = Question("q", 2, "deliver", {}, (Field("judged", "yesno", proposed=True),), "p2 deliver")
    calm = replace(recorded("midgame"), questions=(), status=Status())
    screen.server.show(replace(calm, questions=(asked,), status=Status((REFUSED,))))
    await page.locator("[data-wrong]").wait_for()
    assert await screen.sent(partial(page.keyboard.press, "l")) == {"type": "ruling", "action": TAKES, "by": "host"}
    await reach(page, "form[data-form='deliver'] button")
    assert (await screen.sent(enter))["values"] == {"judged": True}

    choices.append(replace(page_choices, over=False))
    screen.server.show(calm)
    await page.locator("form[data-form='deliver']").wait_for(state="detached")
    await page.keyboard.press("g")
    await page.locator("[data-next-game]").wait_for()
    await reach(page, "[data-next-game] .go")
    assert NEXT.items() <= (await screen.sent(enter)).items()
