"""How many taps lead from a record that is wrong back to what was done."""

import random
from typing import Any

import pytest

from citytable.evenings.judging import Judge
from citytable.evenings.performance import Done
from citytable.evenings.putting_right import Turn, spoilt, taps_to_truth, wrong_in
from citytable.evenings.rates import only
from citytable.evenings.troupe import Settings
from citytable.rehearsal.megacity.evenings.evening import HABITS, perform
from citytable.rehearsal.megacity.evenings.referee import Referee

pytestmark = pytest.mark.long(5)

CALM = Settings(habits=only(HABITS.habits, frozenset()), perfect=True, table="full")


@pytest.fixture(scope="module")
def judge() -> Judge:
    """A judge after a calm evening in which all went well."""
    judge = Judge(perform(1, CALM), Referee(), {})
    assert judge.run().end == "fine"
    return judge


def fits(act: Any, one: Done) -> bool:
    return act == one.action


def turn_of(judge: Judge, no: int = 2) -> Turn:
    return judge._turn(no)


def test_a_turn_that_is_right_needs_no_tap(judge: Judge) -> None:
    assert taps_to_truth(judge._door, turn_of(judge), Referee().fits) == 0


def test_each_act_that_is_missing_is_one_edit(judge: Judge) -> None:
    turn = turn_of(judge)
    few = turn._replace(acts=turn.acts[1:])
    assert wrong_in(few, Referee().fits) == 1
    assert taps_to_truth(judge._door, few, Referee().fits) in {2, 3}
    fewer = turn._replace(acts=turn.acts[2:])
    assert wrong_in(fewer, Referee().fits) == 2
    assert taps_to_truth(judge._door, fewer, Referee().fits) in {4, 5, 6}


def test_what_no_way_leads_to_needs_a_form(judge: Judge) -> None:
    turn = turn_of(judge)
    other = turn._replace(acts=turn.acts[1:], true=(*turn.true[1:], Done(t_us=0, turn=2, action="a song was sung")))
    assert taps_to_truth(judge._door, other, fits) is None


@pytest.mark.parametrize("seed", range(20))
def test_a_turn_is_spoilt_by_one_act_and_ends_as_it_did(judge: Judge, seed: int) -> None:
    turn = turn_of(judge)
    worse = spoilt(judge._door, turn, random.Random(seed))
    assert worse.acts[-1] == turn.acts[-1]
    assert abs(len(worse.acts) - len(turn.acts)) <= 1
    assert wrong_in(worse, Referee().fits) <= 1


def test_a_spoilt_turn_is_one_that_could_be_confirmed(judge: Judge) -> None:
    """A park that was placed in error leaves none to place later in the turn, as the rules see it (R32)."""
    turns = [turn_of(judge, no) for no in range(1, 7)]
    spoiled = [(turn, spoilt(judge._door, turn, random.Random(seed))) for turn in turns for seed in range(25)]
    assert all(judge._door.allows((*turn.before, *worse.acts)) for turn, worse in spoiled)
    assert sum(worse != turn for turn, worse in spoiled) > len(spoiled) * 0.9
