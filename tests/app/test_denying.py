"""What somebody reported, and nobody sees, can be taken back: by who reported it, and by those who do not accept it."""

from contextlib import asynccontextmanager

import pytest
import pytest_asyncio

from citytable.games import box_of
from citytable.hub import running_hub
from citytable.journal.entry import ActionConfirmed
from citytable.rules.errors import IllegalAction, IllegalPosition, Unfitting
from citytable.settings import Settings
from citytable.table.word import Answer, Denial, GoBack, PaperPosition, Statement, Strike

pytestmark = pytest.mark.asyncio(loop_scope="module")

COLUMNS = "PU3,PU2,PU1|IN1,IN2,IN3|CO1,CO2,CO3|RE1,RE2,RE3"
DEAL = f"table set_up columns={COLUMNS} supply=1/public,2/public,9/public start=1 drawn=none|unknown:1"
BEFORE = (
    "p1 take_contract contract=PU3",
    "p1 take_platform platform=1 revealed=20/industrial",
    "p1 take_pieces drawn=unknown:3",
    "p1 end_turn",
    "p2 end_turn",
    *("p1 take_pieces drawn=unknown:3",) * 3,
    "p1 end_turn",
    "p2 end_turn",
)
DELIVERY = "p1 deliver contract=PU3 platform=1 at=1/0"
CITY = (
    "table set_up bonuses=ZC1,ZG1 redrawn=none row=C01,C02,C03,C04,C05,C06 hand=C07,C08",
    "p1 lay card=C07 at=1/5",
    "p1 lay card=C08 at=2/5",
)


@asynccontextmanager
async def _phones(game, players, actions):
    """The hub of a table of phones at which these actions were reported."""
    box = box_of(game)
    settings = Settings(box=box, options=box.options(players), twin=False, phones=True, speed=1.0)
    async with running_hub(settings) as running:
        for action in actions:
            await running.session.say(Statement(action=action, by="table"))
        yield running


@pytest_asyncio.fixture(loop_scope="module")
async def hub():
    """The hub of a table of phones, at which seat 1 may deliver."""
    async with _phones("megacity", 2, (DEAL, *BEFORE)) as running:
        yield running


async def _delivers(hub) -> None:
    await hub.session.say(Statement(action=DELIVERY, by="seat 1"))
    (question,) = hub.play.questions
    values = {field.name: field.proposed for field in question.fields if field.voters is None}
    await hub.session.say(Answer(question=question.id, values=values | {"height_mm": 60}, by="seat 1"))


async def _votes(hub, *, accepts: bool) -> None:
    (question,) = hub.play.questions
    await hub.session.say(Answer(question=question.id, values={"judged": accepts}, by="seat 2"))


def _under_way(hub) -> list[str]:
    return [one.action.split(" at=")[0] for one in hub.play.umpire.provisional]


async def test_a_building_that_the_others_do_not_accept_is_withdrawn_and_presented_anew(hub):
    """A14: it is no failed delivery, and the turn goes on."""
    before = hub.play.umpire.provisional_position
    await _delivers(hub)
    await _votes(hub, accepts=False)
    assert (_under_way(hub), hub.play.questions) == ([], ())
    assert hub.play.umpire.provisional_position == before
    await _delivers(hub)
    await _votes(hub, accepts=True)
    await hub.session.say(Statement(action="p1 place_park at=2/-1", by="seat 1"))
    await hub.session.say(Statement(action="p1 end_turn", by="seat 1"))
    assert hub.play.umpire.position.player == 2


async def test_what_needs_the_withdrawn_building_goes_and_so_does_the_pass_after_it(hub):
    """A14: the turn goes on."""
    await _delivers(hub)
    await hub.session.say(Statement(action="p1 place_park at=2/-1", by="seat 1"))
    await hub.session.say(Statement(action="p1 end_turn", by="seat 1"))
    assert [one.split()[1] for one in _under_way(hub)] == ["deliver", "place_park", "end_turn"]
    await _votes(hub, accepts=False)
    assert (_under_way(hub), hub.play.umpire.provisional_position.player) == ([], 1)
    await hub.session.say(Statement(action="p1 take_contract contract=IN1", by="seat 1"))


async def test_a_pass_stays_where_the_next_player_has_acted_since(hub):
    await _delivers(hub)
    await hub.session.say(Statement(action="p1 end_turn", by="seat 1"))
    await hub.session.say(Statement(action="p2 take_contract contract=IN1", by="seat 2"))
    await _votes(hub, accepts=False)
    assert hub.play.umpire.provisional_position.player == 2
    assert hub.play.umpire.provisional_position.players[1].contracts == ("IN1",)


async def test_an_answer_that_forbids_what_was_reported_since_is_refused_with_the_rule(hub):
    """Either is wrong: people answer otherwise, or take the later act back."""
    await hub.session.say(Statement(action=DELIVERY, by="seat 1"))
    await hub.session.say(Statement(action="p1 place_central_park_monument", by="seat 1"))
    (question,) = (one for one in hub.play.questions if one.prompt == "deliver")
    values = {"height_mm": 60, "steel": 6, "concrete": 4, "glass": 2}
    with pytest.raises(IllegalAction, match=r"R3[34]"):
        await hub.session.say(Answer(question=question.id, values=values, by="seat 1"))
    monument = next(one.action for one in hub.play.umpire.provisional if "monument" in one.action)
    await hub.session.say(Denial(action=monument, by="seat 1"))
    await _votes(hub, accepts=True)
    await hub.session.say(Answer(question=question.id, values=values, by="seat 1"))
    await hub.session.say(Statement(action="p1 end_turn", by="seat 1"))
    assert hub.play.umpire.position.player == 2


async def test_two_platforms_that_came_up_are_not_one(hub):
    """R9: of the older question the phone may still offer it."""
    for number in (2, 9):
        await hub.session.say(Statement(action=f"p1 take_platform platform={number}", by="seat 1"))
    older, newer = (one for one in hub.play.questions if one.prompt == "take_platform")

    async def came_up(question, side):
        values = {question.fields[0].name: f"platform/{side}"}
        await hub.session.say(Answer(question=question.id, values=values, by="seat 1"))

    await came_up(newer, "15/commercial")
    with pytest.raises(IllegalAction, match=r"R9|R4"):
        await came_up(older, "15/commercial")
    await came_up(older, "16/commercial")
    assert [one.split(" revealed=")[1] for one in _under_way(hub)] == ["16/commercial", "15/commercial"]


async def test_what_a_correction_made_impossible_is_in_nobodys_way(hub):
    """The next player's act is not confirmed yet, and their turn has not come after all."""
    await hub.session.say(Statement(action="p1 end_turn", by="seat 1"))
    await hub.session.say(Statement(action="p2 take_contract contract=IN1", by="seat 2"))
    entries = (await hub.journal.entries(hub.game_id)).entries
    passed = max(one.seq for one in entries if one.body == ActionConfirmed(action="p1 end_turn"))
    await hub.session.say(Strike(entry=passed, by="host"))
    assert hub.play.umpire.provisional_position.player == 1
    await hub.session.say(Statement(action="p1 take_contract contract=CO1", by="seat 1"))
    await hub.session.say(Statement(action="p1 end_turn", by="seat 1"))
    assert hub.play.umpire.position.player == 2


async def test_who_reported_a_thing_by_mistake_takes_it_back_and_reports_another(hub):
    await hub.session.say(Statement(action="p1 take_contract contract=IN1", by="seat 1"))
    await hub.session.say(Statement(action="p1 take_pieces drawn=unknown:3", by="seat 1"))
    await hub.session.say(Denial(action="p1 take_contract contract=IN1", by="seat 1"))
    assert _under_way(hub) == ["p1 take_pieces drawn=unknown:3"]
    await hub.session.say(Statement(action="p1 take_contract contract=CO1", by="seat 1"))
    with pytest.raises(Unfitting, match="nobody has reported"):
        await hub.session.say(Denial(action="p1 take_contract contract=IN1", by="seat 1"))
    assert _under_way(hub) == ["p1 take_pieces drawn=unknown:3", "p1 take_contract contract=CO1"]


async def test_while_a_flipped_card_is_not_named_nothing_else_of_comeback_city_is_offered():
    """What was offered was of the moment before it: a repair that the card's pool could forbid."""
    async with _phones("comeback", 1, CITY) as running:
        assert running.play.sayable() == ("p1 flip",)
        await running.session.say(Statement(action="p1 flip", by="seat 1"))
        assert running.play.sayable() == ()
        (question,) = running.play.questions
        await running.session.say(Answer(question=question.id, values={"card": "R01"}, by="seat 1"))
        assert running.play.sayable()


async def test_what_a_phone_offers_that_has_not_heard_of_a_flip_is_refused_until_the_card_is_named():
    """Two flips were under way, and one answer named a card for both."""
    async with _phones("comeback", 1, (*CITY, "p1 flip")) as running:
        for action in ("p1 flip", "p1 flip card=R01", "p1 discard card=C07", "p1 build card=R01 at=1/6"):
            with pytest.raises(Unfitting, match="answer that first"):
                await running.session.say(Statement(action=action, by="seat 1"))
        assert _under_way(running) == ["p1 flip"]


async def test_the_form_of_a_game_is_sent_while_tiles_are_not_named_and_the_game_goes_on():
    async with _phones("dilluvia", 2, ("table set_up",)) as running:
        assert [one.about for one in running.play.questions] == ["table set_up market=" + ",".join("?" * 16)]
        form = {line["name"]: line["value"] for line in running.play.paper()["lines"]}
        nobody = form | {"phase": "zeppelins", "order": "1 2"}
        with pytest.raises(IllegalPosition, match="seat to act: in this phase it must be a seat"):
            await running.session.say(PaperPosition(paper=nobody, by="host"))
        nothing_due = form | {"phase": "income", "order": "1 2", "player": 1}
        with pytest.raises(Unfitting, match="nobody can do anything"):
            await running.session.say(PaperPosition(paper=nothing_due, by="host"))
        await running.session.say(PaperPosition(paper=form, by="host"))
        assert running.play.sayable() == ("table set_up market=" + ",".join("?" * 16),)


@pytest.mark.parametrize("correction", ["strike", "paper"])
async def test_undoing_a_correction_brings_back_what_was_reported_before_it(correction):
    async with _phones("megacity", 2, (DEAL, "p1 take_contract contract=PU3", "p1 end_turn")) as running:
        say = running.session.say
        first = (await running.session.entries())[1]
        for action in ("p2 take_pieces drawn=unknown:3", "p2 take_platform platform=2"):
            await say(Statement(action=action, by="seat 2"))
        before = _under_way(running), [one.id for one in running.play.questions]
        assert [len(one) for one in before] == [2, 1]
        word = Strike(entry=first.seq, by="host") if correction == "strike" else None
        receipt = await say(word or PaperPosition(paper=running.play.paper(), by="host"))
        await say(GoBack(to=receipt.was, by="host"))
        assert (_under_way(running), [one.id for one in running.play.questions]) == before


async def test_the_form_is_of_the_moment_before_the_act_of_which_something_is_asked(hub):
    settled = hub.play.umpire.provisional_position
    await hub.session.say(Statement(action=DELIVERY, by="seat 1"))
    assert hub.play.umpire.provisional_position != settled
    form = hub.play.paper()
    assert list(form["buildings"]) == []
    await hub.session.say(PaperPosition(paper=form, by="host"))
    assert hub.play.umpire.position.players[0].contracts == settled.players[0].contracts
