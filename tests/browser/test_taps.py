"""What an action costs on a table of phones: the touches are counted by the browser, the result is the hub's."""

import asyncio
import random
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio
from msgspec.structs import replace
from playwright.async_api import Locator, Page
from tests.patience import PATIENCE_S, WAIT_MS

from citytable.app import keys_of, screens
from citytable.bots.greedy import Greedy
from citytable.games import box_of
from citytable.games.comeback.actions import Roll, action_from_text
from citytable.games.comeback.dealer import Dealer
from citytable.games.comeback.game import ComebackCity
from citytable.games.megacity.actions import Deliver
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options
from citytable.games.megacity.questions import Questions
from citytable.hub import Hub, running_hub
from citytable.settings import Settings
from citytable.table.question import Question
from citytable.table.spot import Hex
from citytable.table.word import Answer, Statement
from citytable.views.address import At
from citytable.views.viewer import Viewer, seen_by

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.long(10)]

SEAT = Viewer(seat=1)
PHONE = {"width": 390, "height": 844}
COUNT = "addEventListener('pointerdown', () => (window.taps = (window.taps ?? 0) + 1), true)"
COLUMNS = "PU3,PU2,PU1|IN1,IN2,IN3|CO1,CO2,CO3|RE1,RE2,RE3"
DEALS = {
    "megacity": [
        f"table set_up columns={COLUMNS} supply=1/public,2/public,9/public start=1 drawn=none|unknown:1",
    ],
    "comeback": ["table set_up bonuses=ZC1,ZG1 redrawn=none row=C01,C02,C03,C04,C05,C06 hand=C07,C08"],
    "dilluvia": ["table set_up market=5,24,3,9,4,21,20,26,13,7,27,8,1,22,23,10", "table draw_order order=1,2"],
}


@dataclass
class Phone:
    """The phone of a seat, and the hub behind it."""

    page: Page
    hub: Hub

    async def say(self, *actions: str) -> None:
        """Bring the game on, by the hub's own door: none of this is counted."""
        for action in actions:
            await self.hub.session.say(Statement(action=action, by="table"))

    def kind(self, kind: str) -> Locator:
        """What the phone offers of a kind of action."""
        return self.page.locator(f"[data-kind='action.{kind}']")

    def button(self, kind: str) -> Locator:
        """The button of a kind of action that stands alone."""
        return self.kind(kind).get_by_role("button")

    def choice(self, kind: str, value: str) -> Locator:
        """A choice beside a kind of action."""
        return self.kind(kind).locator(f"[data-value='{value}']")

    def detail(self, action: str) -> Locator:
        """A choice that leaves nothing open."""
        return self.page.locator(f"[data-action='{action}']")

    def answer(self, prompt: str, text: str) -> Locator:
        """A choice in the form of a question."""
        return self.page.locator(f"form[data-form='{prompt}']").get_by_role("button", name=text, exact=True)

    def typed(self, digits: str) -> Callable[[], Awaitable[None]]:
        """Type a height where the keyboard has opened."""

        async def typed() -> None:
            await self.page.locator("form [name='height_mm']:focus").wait_for()
            await self.page.keyboard.type(digits)

        return typed

    async def agree(self, seat: int) -> None:
        """Another player says that the building is valid."""
        (question,) = self.hub.play.questions
        await self.hub.session.say(Answer(question=question.id, values={"judged": True}, by=f"seat {seat}"))

    def told(self) -> list[str]:
        """What was done and needs nothing more from this seat, confirmed or not."""
        seen = seen_by(SEAT, self.hub.session.view())
        asked = {question.about for question in seen.questions if question.fields}
        return [*map(str, self.hub.play.actions), *(one.action for one in seen.trying if one.action not in asked)]

    async def costs(self, action: str, *taps: Locator | Callable[[], Awaitable[None]]) -> int:
        """Touch the screen and return how often it was touched until the action was told, with nothing left to ask."""
        before = await self.page.evaluate("window.taps ?? 0")
        for tap in taps:
            await (tap.tap() if isinstance(tap, Locator) else tap())
        async with asyncio.timeout(PATIENCE_S):
            while not any(told.startswith(action) for told in self.told()):
                await self.page.wait_for_timeout(10)
        return int(await self.page.evaluate("window.taps")) - before


@pytest_asyncio.fixture(loop_scope="session")
async def phone(browser, tmp_path: Path) -> AsyncIterator[Callable[[str, int], Awaitable[Phone]]]:
    """`await phone("megacity", 2)`: the phone of seat 1 on a table of phones, after the deal."""
    async with AsyncExitStack() as stack:

        async def opened(game: str, players: int) -> Phone:
            box = box_of(game)
            settings = Settings(box=box, options=box.options(players), twin=False, phones=True, speed=1.0)
            hub = await stack.enter_async_context(running_hub(settings))
            keys = keys_of(settings, hub)
            port = await stack.enter_async_context(screens(hub, keys, At("127.0.0.1")))
            context = await browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, locale="en-GB")
            stack.push_async_callback(context.close)
            page = await context.new_page()
            page.set_default_timeout(WAIT_MS)
            await page.add_init_script(COUNT)
            here = Phone(page, hub)
            await here.say(*DEALS[game])
            await page.goto(f"http://127.0.0.1:{port}/seat/1#{keys.key(SEAT)}")
            await page.locator("[data-may]").wait_for()
            return here

        yield opened


async def test_a_standard_action_of_megacity_costs_at_most_two_taps_and_each_tile_that_comes_up_one(phone):
    here = await phone("megacity", 2)
    costs = {
        "take_contract": await here.costs("p1 take_contract contract=PU3", here.choice("take_contract", "PU3")),
        "take_pieces": await here.costs("p1 take_pieces drawn=unknown:3", here.button("take_pieces")),
        "take_platform": await here.costs(
            "p1 take_platform platform=1 revealed=4/public",
            here.choice("take_platform", "1"),
            here.answer("take_platform", "platform 4 (public)"),
        ),
        "end_turn": await here.costs("p1 end_turn", here.button("end_turn")),
    }
    await here.say("p2 end_turn")
    costs |= {
        "announced": await here.costs("p1 take_pieces announced=steel", here.choice("take_pieces.announced", "steel")),
        "rezone": await here.costs("p1 rezone platform=1", here.button("rezone")),
        "reorganise": await here.costs("p1 reorganise column=public", here.choice("reorganise", "public")),
    }
    await here.say("p1 end_turn", "p2 end_turn")
    tiles = [here.answer("refresh", f"platform {n} (public)") for n in (5, 6, 7)]
    refresh = await here.costs("p1 refresh revealed=5/public,6/public,7/public", here.button("refresh"), *tiles)
    assert max(costs.values()) <= 2, costs
    assert refresh == 4


TWO_OF_EACH = (
    *(
        "p1 take_contract contract=PU3",
        "p1 take_contract contract=PU2",
        "p1 take_platform platform=1 revealed=4/public",
    ),
    *("p1 end_turn", "p2 take_contract contract=IN1", "p2 take_platform platform=2 revealed=5/public"),
    *("p2 rezone platform=2", "p2 end_turn", "p1 take_platform platform=9 revealed=6/public"),
    *("p1 take_pieces drawn=unknown:3", "p1 take_pieces drawn=unknown:3", "p1 end_turn"),
    *("p2 take_pieces drawn=unknown:3", "p2 take_pieces drawn=unknown:3", "p2 end_turn"),
    *("p1 take_pieces drawn=unknown:3", "p1 take_pieces drawn=unknown:3", "p1 end_turn"),
    *("p2 deliver contract=IN1 platform=2 at=1/0 stood=yes height=30mm pieces=steel:5 judged=yes", "p2 end_turn"),
)


@pytest.mark.parametrize("glass", [1, 4], ids=["exactly 6 pieces", "3 pieces more"])
async def test_a_delivery_costs_at_most_five_taps_beside_the_digits_that_are_typed(phone, glass):
    """The contract, 6+ pieces, is one of two that fit, the platform another, and the building has three materials."""
    here = await phone("megacity", 2)
    await here.say(*TWO_OF_EACH)
    delivery = "p1 deliver contract=PU3 platform=9 at=0/1 stood=yes"
    cost = await here.costs(
        delivery,
        here.choice("deliver", "PU3"),
        here.page.locator("h3:has-text('platform 9 (public)') + svg [data-choice='city/0/1']"),
        here.typed("47"),
        here.page.locator("form [data-number='steel:3']"),
        here.page.locator("form [data-number='concrete:2']"),
        here.page.locator(f"form [data-sum='{5 + glass}']"),
    )
    assert cost <= 5
    await here.agree(2)
    (told,) = (action for action in here.told() if action.startswith("p1 deliver"))
    assert told == f"{delivery} height=47mm pieces=steel:3,concrete:2,glass:{glass} judged=yes"


BUILT = {"none": (3, 2, 1), "no_glass": (1, 5, 0)}  # steel, concrete, glass


@pytest.mark.parametrize("contract", ["RE4", "PU4"])
async def test_a_delivery_that_was_measured_and_counted_costs_two_taps_whatever_its_materials_are(
    show, recorded, contract
):
    """The table knows the height and the number; the materials, which it guesses, stand there to be corrected."""
    form, position = Questions(HOUSE, lambda *_: None), MegaCity(Options(players=2), HOUSE).position
    delivery = Deliver(player=1, contract=contract, platform=6, at=Hex(1, 1), stood=True)
    known = {"height_mm": 57, "low_mm": 55, "high_mm": 59, "pieces": 6, "unsure": False}
    fields = tuple(one for one in form.questions(position, delivery, known) if one.voters is None)
    banned = [one.name for one in fields if one.kind == "share" and not one.high]
    built = BUILT["no_glass" if banned else "none"]
    assert banned in ([], ["glass"])
    words = {"action": str(delivery), "low_mm": "55", "high_mm": "59", "counted": "6"}
    asked = Question("q", 1, "deliver", words, fields, str(delivery))
    screen = await show(replace(recorded("midgame"), questions=(asked,)), size=PHONE, path="/seat/1")
    form = screen.page.locator("form[data-form='deliver']")
    await form.wait_for()
    text = " ".join((await form.inner_text()).split())
    assert "measured 55 to 59 mm" in text
    assert "6 pieces were counted" in text
    assert "is a guess" in text
    await screen.page.evaluate(COUNT)
    steel, concrete, glass = built
    if not banned:
        await form.locator(f"[data-number='steel:{steel}']").click()
    parts = f"steel:{steel},concrete:{concrete}" if banned else f"concrete:{concrete},glass:{glass}"
    sent = await screen.sent(form.locator(f"[data-parts='{parts}']").click)
    assert sent["values"] == {"height_mm": 57, "steel": steel, "concrete": concrete, "glass": glass}
    assert await screen.page.evaluate("window.taps") <= 2


async def test_a_height_that_was_measured_too_close_to_the_contract_costs_one_tap_more(show, recorded):
    """A21: somebody has to take the ruler, and no height stands there until they tap what it says."""
    form, position = Questions(HOUSE, lambda *_: None), MegaCity(Options(players=2), HOUSE).position
    delivery = Deliver(player=1, contract="RE4", platform=6, at=Hex(1, 1), stood=True)
    target = HOUSE.contracts["RE4"].height_mm
    low, high = target - 2, target + 3
    known = {"height_mm": target, "low_mm": low, "high_mm": high, "pieces": 6, "unsure": False}
    fields = tuple(one for one in form.questions(position, delivery, known) if one.voters is None)
    words = {"action": str(delivery), "low_mm": str(low), "high_mm": str(high), "counted": "6"}
    asked = Question("q", 1, "deliver", words, fields, str(delivery))
    screen = await show(replace(recorded("midgame"), questions=(asked,)), size=PHONE, path="/seat/1")
    form = screen.page.locator("form[data-form='deliver']")
    await form.wait_for()
    assert await form.locator("[data-number^='height_mm:']").all_inner_texts() == [*map(str, range(low, high + 1))]
    assert await form.locator("[name='height_mm']").input_value() == ""
    assert await form.locator(".go").is_disabled()
    await screen.page.evaluate(COUNT)
    await form.locator(f"[data-number='height_mm:{target - 1}']").click()
    assert "is a guess" in await form.inner_text()  # of the materials nothing was said
    sent = await screen.sent(form.locator(".go").click)
    assert sent["values"] == {"height_mm": target - 1, "steel": 2, "concrete": 2, "glass": 2}
    assert await screen.page.evaluate("window.taps") == 2


@pytest.mark.parametrize("built", [(3, 2, 2), (3, 3, 2), (2, 2, 2)], ids=["as noticed", "one more", "one less"])
async def test_an_unsure_count_of_a_contract_for_more_costs_two_taps_beside_the_digits(show, recorded, built):
    """R17: any number of them may stand there, so whoever counts them says each, and no tap confirms another sum."""
    form, position = Questions(HOUSE, lambda *_: None), MegaCity(Options(players=2), HOUSE).position
    delivery = Deliver(player=1, contract="PU3", platform=6, at=Hex(1, 1), stood=True)
    known = {"height_mm": 57, "low_mm": 55, "high_mm": 59, "pieces": 7, "unsure": True}
    fields = tuple(one for one in form.questions(position, delivery, known) if one.voters is None)
    words = {"action": str(delivery), "low_mm": "55", "high_mm": "59", "unsure": "7"}
    asked = Question("q", 1, "deliver", words, fields, str(delivery))
    screen = await show(replace(recorded("midgame"), questions=(asked,)), size=PHONE, path="/seat/1")
    form = screen.page.locator("form[data-form='deliver']")
    await form.wait_for()
    assert "about 7 pieces. Please count them." in " ".join((await form.inner_text()).split())
    await screen.page.evaluate(COUNT)
    await form.locator("[name='steel']").click()
    for number, name in zip(built, ("concrete", "glass", None), strict=True):
        await screen.page.keyboard.type(str(number))
        await screen.page.keyboard.press("Enter")
        if name:
            await form.locator(f"[name='{name}']:focus").wait_for()
    sent = await screen.sent(form.locator(".go").click)
    assert sent["values"] == {"height_mm": 57, **dict(zip(("steel", "concrete", "glass"), built, strict=True))}
    assert await screen.page.evaluate("window.taps") == 2


async def test_a_delivery_that_is_as_the_table_believes_costs_one_tap(show, recorded):
    view = recorded("midgame")
    fields = tuple(
        replace(one, kind="share", proposed=n, high=150)
        for one, n in zip(view.questions[0].fields[1:4], (3, 2, 1), strict=True)
    )
    asked = replace(view.questions[0], fields=(view.questions[0].fields[0], *fields))
    screen = await show(replace(view, questions=(asked,)), size=PHONE, path="/seat/2")
    sent = await screen.sent(screen.page.locator("form[data-form='deliver'] .go").click)
    assert sent["values"] == {"height_mm": 57, "steel": 3, "concrete": 2, "glass": 1}


async def test_a_delivery_costs_three_taps_where_the_keyboard_leads_from_number_to_number(phone):
    here = await phone("megacity", 2)
    await here.say(*TWO_OF_EACH)

    async def typed() -> None:
        await here.page.locator("form [name='height_mm']:focus").wait_for()  # with its keyboard
        for digits, name in (("47", "steel"), ("3", "concrete"), ("2", "glass")):
            await here.page.keyboard.type(digits)
            await here.page.keyboard.press("Enter")
            await here.page.locator(f"form [name='{name}']:focus").wait_for()

    cost = await here.costs(
        "p1 deliver contract=PU3 platform=9 at=0/1 stood=yes",
        here.choice("deliver", "PU3"),
        here.page.locator("h3:has-text('platform 9 (public)') + svg [data-choice='city/0/1']"),
        typed,
        here.page.locator("form [data-sum='6']"),
    )
    assert cost == 3


async def test_what_is_typed_counts_before_the_field_is_left_and_replaces_what_stood_there(phone):
    here = await phone("megacity", 2)
    await here.say(*TWO_OF_EACH)
    await here.choice("deliver", "PU3").tap()
    await here.page.locator("h3:has-text('platform 9 (public)') + svg [data-choice='city/0/1']").tap()
    fields = [here.page.locator(f"form [name='{name}']") for name in ("steel", "concrete", "glass")]
    before = [int(await field.input_value()) for field in fields]
    await fields[0].focus()
    await here.page.keyboard.type(str(before[0] + 1))
    typed = [int(await field.input_value()) for field in fields]
    assert typed[0] == before[0] + 1
    assert sum(typed) == sum(before)
    await here.page.keyboard.press("Tab")  # to "+"
    await fields[1].focus()
    await here.page.keyboard.type("3")
    assert await fields[1].input_value() == "3"


async def test_a_delivery_that_is_not_accepted_or_was_a_slip_is_taken_back_on_the_phone(phone):
    here = await phone("megacity", 2)
    await here.say(*TWO_OF_EACH)
    await here.choice("deliver", "PU3").tap()
    await here.page.locator("h3:has-text('platform 1 (public)') + svg [data-choice='city/0/1']").tap()
    await here.page.locator("form[data-form='deliver']").wait_for()
    await here.page.locator("[data-deny]").tap()
    await here.page.locator("form[data-form='deliver']").wait_for(state="detached")
    assert not here.hub.play.umpire.provisional
    await here.choice("deliver", "PU3").wait_for()


async def test_an_action_of_comeback_city_costs_at_most_two_taps(phone):
    here = await phone("comeback", 1)
    costs = [
        await here.costs("p1 lay card=C07 at=1/5", here.choice("lay", "C07"), here.detail("p1 lay card=C07 at=1/5")),
        await here.costs("p1 lay card=C08 at=2/5", here.choice("lay", "2/5")),
    ]
    flipped = here.page.locator("form[data-form='flip']").get_by_role("button", name=re.compile("^R01 Cottage Row: "))
    costs.append(await here.costs("p1 flip card=R01", here.button("flip"), flipped))
    assert max(costs) <= 2, costs


async def test_who_has_no_dice_lets_the_table_throw_them(phone):
    here = await phone("comeback", 1)
    game, dealer = ComebackCity(), Dealer(random.Random(1), ("earthquake",))
    for text in DEALS["comeback"]:
        game.push(action_from_text(text))
    while (decision := Greedy().choose(game, list(game.legal_actions))) != Roll(1):
        game.push(dealer.outcome(game, decision))
        await here.say(str(game.actions[-1]))
    assert await here.costs("p1 roll blue=", here.button("roll"), here.page.locator("[data-roll]")) == 2
    rolled = here.told()[-1]
    assert re.fullmatch("p1 roll blue=[1-6] white=[1-6]", rolled)


async def test_an_action_of_dilluvia_project_costs_at_most_two_taps(phone):
    here = await phone("dilluvia", 2)
    zeppelin = "p1 zeppelin at=left1"
    costs = [await here.costs(zeppelin, here.button("zeppelin"), here.page.locator("[data-choice='berth/left1']"))]
    await here.say("p2 zeppelin at=top1")
    costs += [
        await here.costs("p1 buy space=1", here.choice("buy", "1")),
        await here.costs("p1 done", here.button("done")),
    ]
    await here.say("p2 done")
    place = "p1 place space=income workers=3 special=yes"
    costs.append(await here.costs(place, here.choice("place", "income"), here.detail(place)))
    assert max(costs) <= 2, costs


async def test_each_number_of_a_building_has_a_row_of_its_own(phone):
    here = await phone("dilluvia", 2)
    await here.say("p1 zeppelin at=left1", "p2 zeppelin at=top1", "p1 done", "p2 done")
    await here.say("p1 place space=white", "p2 place space=income", "p1 place space=black", "p2 place space=income")
    await here.say(
        "p1 place space=territory workers=2", "p1 terrain at=6/6", "p1 terrain at=6/5", "p2 place space=order"
    )
    await here.say("p1 place space=construction")
    build = "p1 build number=0 at=6/6"
    assert await here.costs(build, here.choice("build.0", "second"), here.page.locator("[data-tap='6/6']").first) <= 2
