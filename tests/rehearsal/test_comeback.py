"""Comeback City over the wire: whole games on tables that sense much, little or nothing; refused, undone, kept."""

from contextlib import asynccontextmanager

import pytest

from citytable import app
from citytable.games.comeback.box import BOX
from citytable.games.comeback.layout import lights, shared_spots
from citytable.games.comeback.position import Options
from citytable.hub import running_hub
from citytable.rehearsal import turn_by_turn
from citytable.rehearsal.comeback import PEOPLE
from citytable.settings import Settings
from citytable.table.word import Answer, Statement, TakeBack

pytestmark = [pytest.mark.broker, pytest.mark.long(14)]
LOOK_MS = 1000
ROW = ("R01", "C01", "I01", "G01", "R02", "C02")
DEAL = f"table set_up bonuses=ZR1,ZC1 redrawn=none row={','.join(ROW)} hand=I04,G02"


def settings(**fields):
    return Settings(box=BOX, options=Options(), **fields)


@pytest.fixture
def no_sensors(tmp_path):
    plan = tmp_path / "plan.json"
    plan.write_text('{"table": "phones", "seats": 1, "stations": [], "tags": {}}')
    return plan


@pytest.mark.parametrize(
    ("seed", "faults", "starter"),
    [
        pytest.param(2, True, False, id="untidy hands"),
        pytest.param(3, False, True, id="seats alone", marks=pytest.mark.soak),
        pytest.param(4, False, False, id="full", marks=pytest.mark.soak),
    ],
)
async def test_a_person_plays_a_whole_game(monkeypatch, seed, faults, starter):
    monkeypatch.setattr(turn_by_turn, "LOOK_MS", 1)  # who is quicker than the sensors waits until the display shows it
    verdict = await app.rehearse(settings(seed=seed, faults=faults, starter=starter), None, PEOPLE)
    assert verdict.passed
    assert verdict.counts.wrong_confirmations == 0
    assert verdict.counts.corrections > 0 or not faults


async def test_a_person_plays_a_whole_game_without_a_sensor(no_sensors):
    verdict = await app.rehearse(settings(seed=3, plan_path=no_sensors), None, PEOPLE)
    assert verdict.passed
    assert verdict.counts.questions_asked > 0


@asynccontextmanager
async def begun():
    """A hub, and a table on which the set-up is done and its last two cards are laid."""
    setup = settings(seed=4)
    async with running_hub(setup) as hub, app.virtual_table(setup, hub) as twin:

        async def bring(thing, spot):
            await twin.act({"act": "bring", "thing": thing, "spot": spot})
            await twin.wait(LOOK_MS)

        for column, card in enumerate(ROW, start=1):
            await bring(f"building/{card}", f"grid/{column}/4")
        await bring("building/I04", "seat/1/card/1")
        await bring("building/G02", "seat/1/card/2")
        await bring("bonus/ZR1", "bonus/1")
        await bring("bonus/ZC1", "bonus/2")
        await hub.session.say(Statement(action=DEAL, by="table"))
        await bring("building/I04", "grid/1/5")
        await bring("building/G02", "grid/2/5")
        yield hub, bring


async def confirmed(hub):
    return [entry.body.action for entry in await hub.session.entries()]


def wrong(hub):
    return [(one.thing, one.rule) for one in hub.session.play.umpire.status().disagreements]


async def test_cards_are_flipped_built_and_refused_where_they_are_laid():
    async with begun() as (hub, bring):
        assert await confirmed(hub) == [DEAL, "p1 lay card=I04 at=1/5", "p1 lay card=G02 at=2/5"]
        for card in ("R03", "R04", "R11"):  # each lies over the one before
            await bring(f"building/{card}", "seat/1/card/0")
        assert (await confirmed(hub))[-1] == "p1 flip card=R11"
        assert wrong(hub) == []
        await bring("building/R11", "grid/3/7")
        assert ("building/R11", "CR6") in wrong(hub)
        await bring("building/R11", "grid/3/5")
        assert wrong(hub) == [("building/R04", "")]  # it lay below, and goes to the discard pile
        assert (await confirmed(hub))[-1] == "p1 build card=R11 at=3/5"


async def test_a_built_card_is_taken_back_and_goes_back_to_its_slot():
    async with begun() as (hub, bring):
        for card in ("R03", "R04", "R11"):
            await bring(f"building/{card}", "seat/1/card/0")
        await bring("building/R11", "grid/3/5")
        entry = (await hub.session.entries())[-1]
        await hub.session.say(TakeBack(entry=entry.seq, by="host"))
        assert ("building/R11", "") in wrong(hub)
        await bring("building/R11", "seat/1/card/0")
        assert wrong(hub) == []
        await bring("building/R11", "grid/4/5")
        assert (await confirmed(hub))[-1] == "p1 build card=R11 at=4/5"


async def test_a_game_goes_on_after_the_hub_was_cut_off(tmp_path, no_sensors):
    setup = settings(plan_path=no_sensors, twin=False, journal_path=tmp_path / "journal.db")
    lines = [DEAL, "p1 lay card=I04 at=1/5", "p1 lay card=G02 at=2/5", "p1 flip card=R03"]
    async with running_hub(setup) as hub:
        for line in lines:
            await hub.session.say(Statement(action=line, by="table"))
    async with running_hub(setup) as hub:
        assert await confirmed(hub) == lines
        await hub.session.say(Statement(action="p1 flip card=R04", by="table"))
        assert await confirmed(hub) == [*lines, "p1 flip card=R04"]


async def test_the_set_up_is_asked_about_where_it_is_only_said_that_it_is_done(no_sensors):
    async with running_hub(settings(plan_path=no_sensors)) as hub:
        await hub.session.say(Statement(action="table set_up", by="table"))
        (question,) = hub.session.play.questions
        values = {"bonus1": "ZR1", "bonus2": "ZC1", "hand1": "I04", "hand2": "G02"}
        values |= {f"row{k}": card for k, card in enumerate(ROW, start=1)}
        assert {field.name for field in question.fields} == set(values)
        with pytest.raises(ValueError, match="CR1"):
            await hub.session.say(Answer(question=question.id, values=values | {"bonus2": "ZR2"}, by="table"))
        await hub.session.say(Answer(question=question.id, values=values, by="table"))
        assert await confirmed(hub) == [DEAL]


def test_every_light_is_at_a_spot_of_the_game():
    spots = {*shared_spots().spots, *(f"seat/1/card/{k}" for k in range(3))}
    game = BOX.begin(Options())
    assert {light.spot for light in lights(game.position, game.deck)} <= spots
