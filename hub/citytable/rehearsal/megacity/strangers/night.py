"""One evening of strangers: a pure function of its seed and its settings."""

import random

from citytable.evenings.agenda import Agenda, Doing
from citytable.evenings.people import Noted, Person, drawn_person
from citytable.evenings.performance import Performance
from citytable.evenings.rates import HabitFile, load_habits
from citytable.evenings.senses import Senses
from citytable.evenings.troupe import Settings, Troupe
from citytable.evenings.world import World
from citytable.rehearsal.megacity.evenings.box import LaidOut
from citytable.rehearsal.megacity.evenings.evening import drawn_start, known, plan_of
from citytable.rehearsal.megacity.evenings.record import Record
from citytable.rehearsal.megacity.evenings.referee import Referee
from citytable.rehearsal.megacity.strangers.idling import PASTIMES
from citytable.rehearsal.megacity.strangers.instruments import drawn_sensing
from citytable.rehearsal.megacity.strangers.parlour import Parlour
from citytable.rehearsal.megacity.strangers.tiles import turn_up
from citytable.rehearsal.megacity.strangers.towers import builds
from citytable.rehearsal.megacity.strangers.turns import play_turn
from citytable.table.fact import Fact

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


class Night:
    """One evening being played."""

    def __init__(self, seed: int, settings: Settings) -> None:
        rng = random.Random(f"strangers {seed}")
        self._seed = seed
        self._settings = settings
        self._plan_name = settings.table or rng.choice(("full", "full", "full", "starter"))
        game = drawn_start(rng, whole=settings.whole)
        self._start = known(game.position)
        players = game.position.options.players
        self._plan = plan_of(self._plan_name, players)
        self._facts: list[Fact] = []
        self._noted: list[Noted] = []
        self._agenda = Agenda()
        world = World()
        LaidOut(world, game.position, game.deck, rng).lay_out()
        sensing = drawn_sensing(rng, perfect=settings.perfect)
        senses = Senses(self._plan, world, self._agenda, rng, self._facts.append, sensing)
        record = Record(game, self._plan, self._agenda, rng)
        self.table = Parlour(record, world, self._agenda, senses, self._plan, rng)
        record.persons = {seat: self._person(seat, rng) for seat in range(1, players + 1)}
        self._turns = (LAST_ROUND if settings.whole else ROUNDS) * players
        self._ended = False

    def _person(self, seat: int, rng: random.Random) -> Person:
        person = drawn_person(seat, HABITS, self._settings.habits, rng, self._note)
        person.pace = PACES.get(person.archetype, 1.0) * rng.lognormvariate(0.0, 0.4)
        return person

    def _note(self, habit: str, seat: int) -> None:
        self._noted.append(Noted(self._agenda.now_us, habit, seat))

    def perform(self) -> Performance:
        """Play the evening to its end."""
        self._agenda.call(0.0, self.table.senses.begin)
        self._agenda.begin(self._play(), 3.0)
        self._agenda.run(until=lambda: self._ended)
        return self.table.record.performance(self._seed, self._plan_name, self._start, self._facts, self._noted)

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
