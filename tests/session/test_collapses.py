"""Collapses: what was confirmed to fall is shown once more; what people put right is not."""

import json
from pathlib import Path

import pytest

from citytable.games.megacity.box import BOX
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import action_from_text
from citytable.games.megacity.old_options import in_full
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options
from citytable.hub import replayed
from citytable.journal.entry import ActionConfirmed, Draft, Entry, GameStarted
from citytable.journal.journal import Journal
from citytable.session.collapses import Collapses, fell_at
from citytable.session.play import Play
from citytable.session.session import Session
from citytable.session.troubles import Safe
from citytable.table.word import GoBack
from citytable.umpire.acts import Confirmed

OPTIONS = Options(players=2)
FALLS = Path(__file__).resolve().parents[1] / "games/playthroughs/2p-falls-1.jsonl"
LINES = [json.loads(line)["action"] for line in FALLS.read_text().splitlines()[1:24] if '"action"' in line]
FELL = LINES.index("table building_fell at=-1/0 to_box=6 left=0")


def played(lines):
    game = MegaCity(OPTIONS, HOUSE)
    for line in lines:
        game.push(action_from_text(line))
    return game


@pytest.fixture
def confirmed(table):
    """`confirmed(k)`: the collapses of a play in which the actions of the record from `k` on have been confirmed."""

    def taken(first, *more):
        game = played(LINES[:first])
        there = table().play
        collapses = Collapses(Play(there.game, there.plan, game.position, game.actions))
        for no in (first, *more):
            before = game.position
            game.push(action_from_text(LINES[no]))
            entry = Entry(no, 1, "sensor", ActionConfirmed(action=LINES[no]))
            collapses.take([entry], [Confirmed(game.actions[-1], LINES[no], game.position, stated=False)], before)
        return collapses.now

    return taken


def test_a_building_that_fell_is_shown_as_it_stood(confirmed):
    fell = confirmed(FELL)
    assert (fell.no, fell.spot, fell.cause, fell.load) == (FELL, "city/-1/0", "unknown", None)
    (stood,) = [tile for tile in fell.before.board.tiles if tile.spot == fell.spot]
    assert (stood.standing, stood.height_mm, stood.steel, stood.concrete) == (True, 46, 2, 4)


def test_a_delivery_that_fell_is_shown_as_it_would_have_stood(confirmed):
    fell = confirmed(FELL + 2)
    assert (fell.spot, fell.cause) == ("city/-1/1", "delivery")
    assert [tile.contract for tile in fell.before.board.tiles if tile.spot == fell.spot] == ["RE8"]


def test_the_next_act_ends_it(confirmed):
    assert confirmed(FELL, FELL + 1) is None


def test_what_stands_did_not_fall(table):
    game = table().play.game
    assert [no for no, line in enumerate(LINES) if fell_at(game, game.action(line))] == [FELL, FELL + 2]


@pytest.fixture
async def evening(tmp_path, table, no_wire):
    """A session right before something falls."""
    game = played(LINES[:FELL])
    async with Journal.open(tmp_path / "journal.sqlite3") as journal:
        started = Draft(0, "system", GameStarted(game="megacity", options=in_full(OPTIONS), deck=HOUSE.name))
        acts = (Draft(1, "sensor", ActionConfirmed(action=line)) for line in LINES[:FELL])
        await journal.commit("g", [started, *acts])
        there = table().play
        yield Session(
            "g",
            Play(there.game, there.plan, game.position, game.actions),
            no_wire,
            Safe(journal, patient=False),
            replay=lambda entries: replayed(entries, BOX),
            now_us=int,
        )


async def test_an_undo_ends_it_and_starts_none(evening):
    before, fell = evening.play.umpire.position, played(LINES[: FELL + 1])
    entry = Entry(FELL + 2, 1, "sensor", ActionConfirmed(action=LINES[FELL]))
    one = Confirmed(fell.actions[-1], LINES[FELL], fell.position, stated=False)
    evening._display.confirm([entry], [one], before)
    assert evening.view().collapse.spot == "city/-1/0"
    await evening.say(GoBack(to=FELL, by="host", why="nothing fell"))
    assert evening.view().collapse is None
