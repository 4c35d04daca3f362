"""Passers-by: what only they do, and their tables."""

import pytest
from msgspec.structs import replace

from citytable.evenings.performance import Performance
from citytable.evenings.rates import FIGURES
from citytable.evenings.troupe import Settings
from citytable.games.megacity.actions import TakePieces
from citytable.rehearsal.megacity.evenings.record import ALOUD
from citytable.rehearsal.megacity.passers_by.beside import BESIDE
from citytable.rehearsal.megacity.passers_by.table import TALLEST_G
from citytable.rehearsal.megacity.passers_by.visit import HABITS, TABLES, Visit, perform

pytestmark = pytest.mark.long(5)

USUAL = Settings(habits=HABITS.habits)
EVENINGS = 40
ANSWERS = {"answers_late", "answers_wrongly", "plays_for_another"}
"""Habits of answering: they show when somebody is asked."""


@pytest.fixture(scope="module")
def played() -> list[tuple[Visit, Performance]]:
    visits = [Visit(seed, USUAL) for seed in range(1, EVENINGS + 1)]
    return [(visit, visit.perform()) for visit in visits]


def test_what_is_only_announced_aloud_is_counted_by_itself(played: list[tuple[Visit, Performance]]) -> None:
    aloud = [one for _, performance in played for one in performance.done if one.unseen == ALOUD]
    assert aloud
    assert all(isinstance(one.action, TakePieces) and one.action.announced for one in aloud)


def test_the_tallest_marker_lies_on_the_tallest_building_from_the_start() -> None:
    visit = next(one for seed in range(1, 30) if (one := Visit(seed, USUAL)).table.tallest is not None)
    spot = visit.table.tallest
    assert spot is not None
    assert visit.table.world.pressed_g[spot] == TALLEST_G


def test_every_habit_of_the_file_shows_sooner_or_later() -> None:
    often = {name: replace(one, rate=max(one.rate, 0.25)) for name, one in HABITS.habits.items()}
    shown: set[str] = set()
    for seed in range(1, 80):
        shown |= {one.habit for one in perform(seed, Settings(habits=often)).noted}
    assert not set(HABITS.habits) - ANSWERS - shown
    assert set(BESIDE) <= set(HABITS.habits)


def test_their_tables_err_in_known_ways() -> None:
    for figures in TABLES.values():
        assert figures.keys() <= FIGURES.keys()
