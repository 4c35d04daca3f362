"""A game without points that one player plays, and that everybody may lose: over the wire, undone, and shown."""

from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest

from citytable import app
from citytable.hub import running_hub
from citytable.settings import Settings
from citytable.table.status import Status
from citytable.table.word import Answer, TakeBack
from citytable.umpire.whole_game import whole

pytestmark = [pytest.mark.broker, pytest.mark.long(5)]
LOOK_MS = 500


@pytest.mark.parametrize("starter", [False, True], ids=["full", "seats alone"])
@pytest.mark.parametrize(
    ("players", "seed", "ended", "winners"), [(1, 1, "held", [1]), (1, 4, "flooded", []), (3, 7, "flooded", [])]
)
async def test_bots_win_and_lose_it_over_the_wire(flood, players, seed, ended, winners, starter):
    settings = Settings(box=flood.BOX, options=flood.Options(players), seed=seed, starter=starter)
    verdict = await app.rehearse(settings, None, flood.PEOPLE)
    assert verdict.passed
    assert verdict.outcome == {"termination": ended, "winners": winners, "scores": {}}
    asked = 0 if starter else verdict.counts.actions
    assert verdict.counts.questions_asked == asked  # each once, before the next act


def test_a_part_that_lacks_a_method_is_refused_and_named(flood):
    table = flood.BOX.table()
    assert whole(table).asker(flood.read("p1 fill sack=3 gap=2")) == 1
    weighs = {"exchanges": None, "moves_pieces": None, "standing": None, "piece_kind": None, "all_peaces": None}
    table.parts = (*table.parts, SimpleNamespace(**weighs))
    with pytest.raises(TypeError, match="SimpleNamespace brings Weighs without all_pieces"):
        whole(table)


@asynccontextmanager
async def laid_out(flood):
    """A hub of one player, and a virtual table on which the yard lies."""
    settings = Settings(box=flood.BOX, options=flood.Options(1), seed=4)
    async with running_hub(settings) as hub, app.virtual_table(settings, hub) as twin:
        await twin.act(*({"act": "bring", "thing": f"sack/{n}", "spot": flood.YARD[n - 1]} for n in flood.SACKS))
        await twin.wait(LOOK_MS)
        yield hub, twin


async def test_an_act_of_the_only_player_is_asked_about_confirmed_and_taken_back(flood):
    async with laid_out(flood) as (hub, twin):
        await twin.act({"act": "bring", "thing": "sack/3", "spot": "dike/2"})
        await twin.wait(LOOK_MS)
        (question,) = hub.session.play.questions
        assert (question.seat, question.about) == (1, "p1 fill sack=3 gap=2")
        await hub.session.say(Answer(question=question.id, values={"die": 4}, by="seat 1"))
        (entry,) = await hub.session.entries()
        assert entry.body.action == "p1 fill sack=3 gap=2 die=4"
        await hub.session.say(TakeBack(entry=entry.seq, by="host"))
        await twin.wait(LOOK_MS)
        assert {one.thing for one in hub.session.play.umpire.status().disagreements} == {"sack/3"}
        await twin.act({"act": "bring", "thing": "sack/3", "spot": flood.YARD[2]})
        await twin.wait(LOOK_MS)
        assert (hub.session.play.umpire.status(), await hub.session.entries()) == (Status(), ())
