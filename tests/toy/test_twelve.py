"""A game that comes in a box and changes nothing else: played over the wire, replayed, undone, and shown."""

import random
from contextlib import asynccontextmanager

import msgspec
import pytest

from citytable import app, games
from citytable.hub import replayed, running_hub
from citytable.journal.entry import ActionConfirmed
from citytable.journal.export import read_export
from citytable.printing.pdf import Job, pdf_of
from citytable.session.box import Prints
from citytable.settings import Settings
from citytable.table.status import Status
from citytable.table.word import TakeBack
from citytable.umpire.table_game import TableGame
from citytable.views.viewer import PUBLIC, seen_by

pytestmark = [pytest.mark.broker, pytest.mark.long(5)]
LOOK_MS = 500


@pytest.fixture
def settings(twelve):
    """A virtual table for the toy, in lock-step."""
    return Settings(box=twelve.BOX, options=twelve.Options(), seed=4)


@asynccontextmanager
async def laid_out(settings, twelve):
    """A hub, and a virtual table on which the row lies."""
    async with running_hub(settings) as hub, app.virtual_table(settings, hub) as twin:
        await twin.act(*({"act": "bring", "thing": f"card/{n}", "spot": twelve.ROW[n - 1]} for n in twelve.CARDS))
        await twin.wait(LOOK_MS)
        assert hub.session.play.umpire.status() == Status()
        yield hub, twin


async def take(twin, player, card, slot):
    await twin.act({"act": "bring", "thing": f"card/{card}", "spot": f"seat/{player}/card/{slot}"})
    await twin.wait(LOOK_MS)


@pytest.mark.parametrize("starter", [False, True], ids=["full", "seats alone"])
async def test_bots_play_it_over_the_wire_and_the_journal_gives_the_same_game(settings, twelve, tmp_path, starter):
    table = msgspec.structs.replace(settings, starter=starter)
    verdict = await app.rehearse(table, tmp_path / "game.jsonl", twelve.PEOPLE)
    assert verdict.passed
    assert (verdict.counts.actions, verdict.counts.actions_inferred) == (6, 6)
    assert verdict.outcome == {"termination": "full", "winners": [1], "scores": {"1": 30, "2": 27}}
    entries = read_export(tmp_path / "game.jsonl").entries
    again = replayed(entries, twelve.BOX)
    assert [str(one) for one in again.actions] == [
        one.body.action for one in entries if isinstance(one.body, ActionConfirmed)
    ]
    assert verdict.breakdown["1"][0] == {"points": 8, "reason": "card", "words": {"card": "8"}, "action_no": None}


async def test_what_was_taken_back_is_put_back_and_play_goes_on(settings, twelve):
    async with laid_out(settings, twelve) as (hub, twin):
        await take(twin, 1, 12, 0)
        await take(twin, 2, 9, 0)
        first, second = await hub.session.entries()
        assert (first.body.action, second.body.action) == ("p1 take card=12", "p2 take card=9")
        await hub.session.say(TakeBack(entry=second.seq, by="host"))
        await twin.wait(LOOK_MS)
        (wrong,) = {one.thing for one in hub.session.play.umpire.status().disagreements}
        assert wrong == "card/9"
        await twin.act({"act": "bring", "thing": "card/9", "spot": twelve.ROW[8]})
        await twin.wait(LOOK_MS)
        assert (hub.session.play.umpire.status(), hub.session.play.seat) == (Status(), 2)
        await take(twin, 2, 1, 0)
        assert [one.body.action for one in await hub.session.entries()] == ["p1 take card=12", "p2 take card=1"]


async def test_what_a_rule_forbids_is_to_be_put_right_and_the_rule_is_named(settings, twelve):
    async with laid_out(settings, twelve) as (hub, twin):
        await take(twin, 1, 6, 0)
        await take(twin, 2, 12, 0)
        await take(twin, 1, 7, 1)
        (wrong,) = hub.session.play.umpire.status().disagreements
        assert (wrong.kind, wrong.rule, wrong.thing, wrong.text["fr"]) == (
            "refused",
            "T4",
            "card/7",
            "Vous avez une carte voisine.",
        )
        assert len(await hub.session.entries()) == 2


async def test_the_public_sees_the_game_without_a_board_of_its_own(settings, twelve):
    async with laid_out(settings, twelve) as (hub, twin):
        await take(twin, 1, 12, 0)
        seen = msgspec.json.decode(msgspec.json.encode(seen_by(PUBLIC, hub.session.view())))
        scene = seen["scene"]
        assert (scene["game"], scene["seat"], scene["board"]) == ("twelve", 2, None)
        assert [player["score"] for player in scene["players"]] == [12, 0]
        assert {"spot": "seat/1/card/0", "things": ["card/12"], "hidden": 0} in scene["piles"]
        assert [line["key"] for line in seen["happened"]] == ["action.take"]


def test_the_core_has_at_most_twelve_methods():
    assert len([name for name in vars(TableGame) if not name.startswith("_")]) <= 12


def test_nothing_but_the_test_knows_the_toy(twelve, root):
    assert twelve.BOX.name not in games.NAMES
    assert twelve.BOX.name not in (root / "dashboard/src/games/index.ts").read_text()


def test_bots_need_no_table_to_play_it(twelve):
    game, chance = twelve.BOX.begin(twelve.Options()), random.Random(1)
    while game.outcome() is None:
        game.push(chance.choice(list(game.legal_actions)))
    assert sum(score.total for score in game.scores().values()) == sum(map(sum, game.position.hands))


def test_its_cards_are_printed_each_once(twelve):
    assert isinstance(twelve.BOX, Prints)
    things = twelve.BOX.printed("en")
    assert [thing.thing for thing in things] == list(twelve.BOX.things(2))
    assert pdf_of(Job(things, "twelve", "a4", "en")).startswith(b"%PDF")
