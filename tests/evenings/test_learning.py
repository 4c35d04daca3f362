"""What evenings show of habits, counted beside the rates that the umpire assumes."""

import pytest
from msgspec.structs import replace

from citytable.evenings.learning import learned
from citytable.evenings.rates import only
from citytable.evenings.troupe import Settings
from citytable.rehearsal.megacity.evenings.evening import HABITS, TROUPE, perform
from citytable.table.likelihood import Often
from citytable.umpire.odds import RATES

SHOWN_BY_ALL = {"unused_action", "unsaid"}
"""At the end of a game; and of a draw that only a word tells, beside one that the scale shows."""
USUAL = Settings(habits=HABITS.habits)


def test_evenings_add_up_and_every_count_is_one_of_the_umpires_rates() -> None:
    found = learned(TROUPE, 3, 2, USUAL)
    apart = [learned(TROUPE, seed, 1, USUAL) for seed in (3, 4)]
    assert set(found) <= set(RATES)
    for name, often in found.items():
        assert (often.n, often.of) == (sum(one[name].n for one in apart), sum(one[name].of for one in apart))
        assert 0 <= often.n <= often.of


@pytest.mark.parametrize(
    ("habit", "rate"),
    [("draw_in_grabs", "in_grabs"), ("draws_flow", "in_one_go"), ("reaches_early", "reached_early")],
)
def test_people_with_one_habit_show_that_one_and_no_other(habit: str, rate: str) -> None:
    often = {habit: replace(HABITS.habits[habit], rate=0.9)}
    found = learned(TROUPE, 5, 4, Settings(habits=only(HABITS.habits, frozenset()) | often, perfect=True))
    shown = {name for name, one in found.items() if one.n} - SHOWN_BY_ALL
    assert shown == {rate}


def test_turns_and_draws_are_those_of_the_evening() -> None:
    evening = perform(3, USUAL)
    ended = sum(type(one.action).__name__ == "EndTurn" for one in evening.done)
    found = learned(TROUPE, 3, 1, USUAL)
    assert found["reached_early"].of == ended
    assert found["in_grabs"].of <= sum(type(one.action).__name__ == "TakePieces" for one in evening.done)


def test_people_of_whom_nobody_counts_anything_say_so() -> None:
    with pytest.raises(ValueError, match="nobody counts what these people do"):
        learned(replace(TROUPE, counts=None), 1, 1, USUAL)


def test_a_case_of_none_is_none() -> None:
    none = replace(TROUPE, counts=lambda _: {"in_grabs": Often(0, 0)})
    assert learned(none, 1, 2, USUAL) == {"in_grabs": Often(0, 0)}
