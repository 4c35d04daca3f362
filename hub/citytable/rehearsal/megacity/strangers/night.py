"""One evening of strangers: a pure function of its seed and its settings."""

import random

from citytable.evenings.agenda import Doing
from citytable.evenings.people import Person, drawn_person
from citytable.evenings.performance import Performance
from citytable.evenings.rates import HabitFile, load_habits
from citytable.evenings.troupe import Settings, Troupe
from citytable.rehearsal.megacity.evenings.beginning import Begun
from citytable.rehearsal.megacity.evenings.referee import Referee
from citytable.rehearsal.megacity.strangers.idling import PASTIMES
from citytable.rehearsal.megacity.strangers.instruments import drawn_sensing
from citytable.rehearsal.megacity.strangers.parlour import Parlour
from citytable.rehearsal.megacity.strangers.tiles import turn_up
from citytable.rehearsal.megacity.strangers.towers import builds
from citytable.rehearsal.megacity.strangers.turns import play_turn

ROUNDS = 3
LAST_ROUND = 40
"""Of a whole game: then people go home, even if a last contract was never completed (A46)."""
QUIET_S = 20.0
BREAK_S = 600.0
SHORT = 0.3  # of the habits of a whole game in three rounds
WITHIN_S = 45.0  # of the beginning of a turn: when pastimes begin
HABITS: HabitFile = load_habits(__package__)
PACES = {"sprinter": 0.3, "sloth": 2.2, "grandparent": 1.6}
"""Archetypes that are quicker or slower than others."""


class Night(Begun):
    """One evening being played."""

    def __init__(self, seed: int, settings: Settings) -> None:
        super().__init__(seed, settings, random.Random(f"strangers {seed}"))
        record, senses = self._set_up(drawn_sensing(self._rng, perfect=settings.perfect))
        self.table = Parlour(record, self._world, self._agenda, senses, self._plan, self._rng)
        record.persons = {seat: self._person(seat, self._rng) for seat in record.seats}
        self._turns = (LAST_ROUND if settings.whole else ROUNDS) * len(record.persons)

    def _person(self, seat: int, rng: random.Random) -> Person:
        person = drawn_person(seat, HABITS, self._settings.habits, rng, self._note)
        person.pace = PACES.get(person.archetype, 1.0) * rng.lognormvariate(0.0, 0.4)
        return person

    def _play(self) -> Doing:
        table = self.table
        host = table.record.persons[1]
        share = 1.0 if self._settings.whole else SHORT
        for habit, then in (("pizza_comes", self._break), ("plug_kicked", self._plug)):
            if host.does(habit, share):
                table.agenda.begin(then(), table.rng.uniform(5, 400 if self._settings.whole else 150))
        table.house_rule = host.does("own_rules", share)
        while table.record.game.outcome() is None and table.record.turn <= self._turns:
            person = table.record.persons[table.record.position.player]
            self._beside()
            yield from play_turn(table, person)
        yield QUIET_S
        self._ended = True

    def _beside(self) -> None:
        """Let everybody begin what they do beside playing while this turn runs."""
        table = self.table
        share = 1 / len(table.record.persons)
        for _, person in sorted(table.record.persons.items()):
            if person.does("builds_between", share):
                table.agenda.begin(builds(table, person), table.rng.uniform(0.0, WITHIN_S / 2))
            if table.to_turn_up and person.does("sees_the_gap", share):
                table.agenda.begin(turn_up(table, person), table.rng.uniform(0.0, WITHIN_S))
            for habit, pastime in PASTIMES.items():
                if person.does(habit, share):
                    table.agenda.begin(pastime(table, person), table.rng.uniform(0.0, WITHIN_S))

    def _break(self) -> Doing:
        """Stop for ten minutes: pizza."""
        yield from self.table.hold(self.table.bag)
        yield BREAK_S
        self.table.let_go(self.table.bag)

    def _plug(self) -> Doing:
        """Somebody kicks a plug."""
        station = self.table.rng.choice([one.station for one in self._plan.stations])
        self.table.senses.goes_silent(station)
        yield self.table.rng.uniform(5, 200)
        self.table.senses.comes_back(station)


def perform(seed: int, settings: Settings) -> Performance:
    """Return the evening of a seed."""
    return Night(seed, settings).perform()


TROUPE = Troupe(habits=HABITS, perform=perform, referee=Referee)
"""The strangers who play MegaCity for evenings on the level of facts."""
