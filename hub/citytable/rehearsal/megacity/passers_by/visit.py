"""One evening of passers-by: a pure function of its seed and its settings."""

import random
import tomllib
from importlib.resources import files

import msgspec

from citytable.evenings.agenda import Doing
from citytable.evenings.people import Person, drawn_person
from citytable.evenings.performance import Performance
from citytable.evenings.rates import FIGURES, Figure, HabitFile, Sensing, load_habits
from citytable.evenings.troupe import Settings, Troupe
from citytable.rehearsal.megacity.evenings.beginning import Begun
from citytable.rehearsal.megacity.evenings.referee import Referee
from citytable.rehearsal.megacity.passers_by.beside import BESIDE
from citytable.rehearsal.megacity.passers_by.table import Cafe
from citytable.rehearsal.megacity.passers_by.turns import play_turn

ROUNDS = 3
LAST_ROUND = 40
"""Of a whole game: then the café closes, even if a last contract was never completed (A46)."""
QUIET_S = 25.0
WITHIN_S = 40.0  # of the beginning of a turn: when people begin what they do beside it
COFFEE_S = (120.0, 500.0)
PACES = {"hurried": 0.5, "child": 0.7, "with_a_drink": 1.4, "teacher": 1.2}
HABITS: HabitFile = load_habits(__package__)
TABLES = msgspec.convert(
    tomllib.loads(files(__package__).joinpath("tables.toml").read_text(encoding="utf-8")), dict[str, dict[str, Figure]]
)


class Visit(Begun):
    """One evening being played."""

    def __init__(self, seed: int, settings: Settings) -> None:
        super().__init__(seed, settings, random.Random(f"passers-by {seed}"))
        figures = {**FIGURES, **TABLES[self._rng.choice(sorted(TABLES))]}
        record, senses = self._set_up(Sensing(perfect=settings.perfect, figures=figures))
        self.table = Cafe(record, self._world, self._agenda, senses, self._plan, self._rng)
        record.persons = {seat: self._person(seat, self._rng) for seat in record.seats}
        self._turns = (LAST_ROUND if settings.whole else ROUNDS) * len(record.persons)
        self.table.last_turn = self._turns
        if record.position.tallest is not None and settings.habits["tallest_marker"].rate:
            self.table.mark_tallest(record.position.tallest)

    def _person(self, seat: int, rng: random.Random) -> Person:
        person = drawn_person(seat, HABITS, self._settings.habits, rng, self._note)
        person.pace = PACES.get(person.archetype, 1.0) * rng.uniform(0.6, 1.5)
        return person

    def _play(self) -> Doing:
        record = self.table.record
        coffee_at = 0
        if record.persons[1].does("coffee"):
            coffee_at = self.table.rng.randint(2, ROUNDS * len(record.persons))
        while record.game.outcome() is None and record.turn <= self._turns:
            if record.turn == coffee_at:
                yield self.table.rng.uniform(*COFFEE_S)
            self._beside()
            yield from play_turn(self.table, record.persons[record.position.player])
        yield QUIET_S
        self._ended = True

    def _beside(self) -> None:
        """Let everybody begin what they do beside playing while this turn runs; rates are those of a round."""
        persons = self.table.record.persons
        for _, person in sorted(persons.items()):
            for habit, doing in BESIDE.items():
                if person.does(habit, 1 / len(persons)):
                    self.table.beside(doing(self.table, person), 0.0, WITHIN_S)


def perform(seed: int, settings: Settings) -> Performance:
    """Return the evening of a seed."""
    return Visit(seed, settings).perform()


TROUPE = Troupe(habits=HABITS, perform=perform, referee=Referee)
"""The passers-by who play MegaCity for evenings on the level of facts."""
