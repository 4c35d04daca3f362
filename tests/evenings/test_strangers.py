"""Strangers: what only they do, and the sensors of their table."""

from collections import Counter

import pytest

from citytable.evenings.judging import Judge
from citytable.evenings.performance import Performance
from citytable.evenings.rates import FIGURES, Habit
from citytable.evenings.troupe import Settings
from citytable.games.megacity.actions import TakeContract
from citytable.rehearsal.megacity.strangers.instruments import FIGURES as STRANGE_FIGURES
from citytable.rehearsal.megacity.strangers.night import HABITS, TROUPE, Night, perform

pytestmark = pytest.mark.long(10)

USUAL = Settings(habits=HABITS.habits)
EVENINGS = 200
JUDGED = {"answers_late", "answers_wrongly", "plays_for_another"}
"""Habits of answering: they show when somebody is asked."""


@pytest.fixture(scope="module")
def played() -> list[tuple[Night, Performance]]:
    nights = [Night(seed, USUAL) for seed in range(1, EVENINGS + 1)]
    return [(night, night.perform()) for night in nights]


def test_strangers_do_what_is_legal_but_unusual(played: list[tuple[Night, Performance]]) -> None:
    turns: Counter[str] = Counter()
    for _, performance in played:
        allowed = 3 if len(performance.persons) == 2 else 2
        by_turn: dict[int, list[str]] = {}
        for one in performance.done:
            by_turn.setdefault(one.turn, []).append(type(one.action).__name__)
        for kinds in by_turn.values():
            standard = sum(kind not in {"EndTurn", "ReturnPieces"} for kind in kinds)
            turns["unused"] += standard < allowed and "Deliver" not in kinds and "EndTurn" in kinds
            turns["refreshed twice"] += kinds.count("Refresh") > 1
            turns["three contracts"] += kinds.count("TakeContract") == 3
        turns["reorganised"] += any("Reorganise" in kinds for kinds in by_turn.values())
    assert min(turns[one] for one in ("unused", "refreshed twice", "three contracts", "reorganised")) > 0


def test_a_contract_beyond_the_allowance_is_a_house_rule(played: list[tuple[Night, Performance]]) -> None:
    for _, performance in played:
        house = [one for one in performance.done if one.unseen == "house rule"]
        assert all(isinstance(one.action, TakeContract) for one in house)


@pytest.mark.soak
def test_every_habit_of_the_file_shows_sooner_or_later() -> None:
    often = {
        name: Habit(one.number, 0.9 if one.rate < 0.5 else one.rate, one.unit, one.kind, one.source, one.what)
        for name, one in HABITS.habits.items()
        if name not in {*JUDGED, "passes_with_nothing_done"}
    }
    habits = {**HABITS.habits, **often}
    shown: set[str] = set()
    for seed in range(1, 60):
        whole = seed % 10 == 0
        shown |= {one.habit for one in perform(seed, Settings(habits=habits, whole=whole)).noted}
    assert not set(often) - shown


def test_their_sensors_have_the_same_figures_with_other_values() -> None:
    assert STRANGE_FIGURES.keys() == FIGURES.keys()
    assert STRANGE_FIGURES != FIGURES


def test_a_delivery_that_was_said_is_worth_more_than_a_tile_that_somebody_looked_at() -> None:
    """The tile was taken for rezoned and the delivery for impossible, and nothing was confirmed any more."""
    rates = {name: odds.rate for name, odds in HABITS.habits.items()}
    assert Judge(perform(98023, USUAL), TROUPE.referee(), rates).run().end != "stuck"
