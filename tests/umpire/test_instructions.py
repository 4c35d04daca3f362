"""What people are asked to put right, also where nothing lies wrong."""

from msgspec.structs import replace

from citytable.table.status import Disagreement
from citytable.umpire.costs import Explanation
from citytable.umpire.instructions import status_of
from citytable.umpire.matching import UNEXPLAINED
from citytable.umpire.state import RESTLESS_US


def disagreements(table, best: Explanation, **asked: bool) -> tuple[Disagreement, ...]:
    return status_of(table.umpire._means.game, best, table.umpire.observed, **asked).disagreements


def test_a_story_that_explains_too_little_is_reported_where_nothing_lies_wrong(table):
    """Nothing was confirmed any more, and no screen said why (strangers, 42003 and 42014)."""
    best = replace(table.umpire._state.best, mismatch=2 * UNEXPLAINED)
    (unclear,) = disagreements(table, best)
    assert (unclear.kind, unclear.spots, unclear.to) == ("unclear", (), ())
    assert "set the game as it stands" in unclear.text["en"]
    assert not disagreements(table, best, asked=True)
    assert not disagreements(table, replace(best, mismatch=UNEXPLAINED - 1))


def test_what_lies_wrong_is_reported_alone(table):
    table.lay_unregistered("7", "seat/1/card/0")
    table.umpire.judge()
    best = replace(table.umpire._state.best, mismatch=2 * UNEXPLAINED)
    assert [one.kind for one in disagreements(table, best)] == ["unregistered"]


def test_a_thing_in_a_hand_explains_enough(table):
    table.lift("seat/1/bag")
    best = replace(table.umpire._state.best, mismatch=2 * UNEXPLAINED)
    assert [one.kind for one in disagreements(table, best)] == ["missing"]


def test_a_scale_that_does_not_come_to_rest_is_named_while_a_turn_waits_for_it(table):
    """Nothing was confirmed any more, nothing asked, and no screen said why."""
    table.lift("seat/1/bag")
    table.weigh("seat/1/bag", 0.0)
    table.lay("bag", "seat/2/bag")
    table.stir("seat/2/bag")
    assert (table.done(), table.umpire.status().agrees) == ([], True), "a hand may be there yet"
    table.t_us += RESTLESS_US
    table.stir("seat/2/pad/0")
    (unclear,) = table.umpire.status().disagreements
    assert (unclear.kind, unclear.spots) == ("unclear", ("seat/2/bag",))
    assert "set the game as it stands" in unclear.text["en"]
    table.weigh("seat/2/bag", table.bag_g)
    assert (table.done(), table.umpire.status().agrees) == (["p1 end_turn"], True)
