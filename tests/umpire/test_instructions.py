"""What people are asked to put right, also where nothing lies wrong."""

from msgspec.structs import replace

from citytable.table.status import Disagreement
from citytable.umpire.costs import Explanation
from citytable.umpire.instructions import status_of
from citytable.umpire.matching import UNEXPLAINED


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
