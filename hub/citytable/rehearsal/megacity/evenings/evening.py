"""One evening of MegaCity, from a drawn position or from the deal: a pure function of its seed and its settings."""

import random

from citytable.evenings.agenda import Doing
from citytable.evenings.people import drawn_person
from citytable.evenings.performance import Performance
from citytable.evenings.rates import HabitFile, Sensing, load_habits
from citytable.evenings.troupe import Settings, Troupe
from citytable.rehearsal.megacity.evenings.beginning import Begun
from citytable.rehearsal.megacity.evenings.counting import counts
from citytable.rehearsal.megacity.evenings.pastimes import PER_TURN, SHARED, builds
from citytable.rehearsal.megacity.evenings.referee import Referee
from citytable.rehearsal.megacity.evenings.stage import Stage
from citytable.rehearsal.megacity.evenings.turns import play_turn

ROUNDS = 3
QUIET_S = 20.0  # after the last turn, so that whoever judges can come to the end
BREAK_S = 600.0
HABITS: HabitFile = load_habits(__package__)


class Evening(Begun):
    """One evening being played."""

    def __init__(self, seed: int, settings: Settings) -> None:
        super().__init__(seed, settings, random.Random(seed))
        record, senses = self._set_up(Sensing(perfect=settings.perfect))
        self.stage = Stage(record, self._world, self._agenda, senses, self._rng)
        record.persons = {
            seat: drawn_person(seat, HABITS, settings.habits, self._rng, self._note) for seat in record.seats
        }
        self._turns = 10_000 if settings.whole else ROUNDS * len(record.persons)

    def _play(self) -> Doing:
        stage = self.stage
        host = stage.persons[1]
        turns_of_a_game = 40 if not self._settings.whole else 60
        for habit, then in (("break", self._break), ("plug_kicked", self._plug)):
            if host.does(habit, 1.0 if self._settings.whole else 0.3):
                stage.agenda.begin(then(), stage.rng.uniform(5, 5 * turns_of_a_game))
        stage.house_rule = host.does("house_rule", 1.0 if self._settings.whole else 0.3)
        while stage.game.outcome() is None and stage.record.turn <= self._turns:
            person = stage.persons[stage.position.player]
            self._pass_the_time(person.seat)
            yield from play_turn(stage, person)
        yield QUIET_S
        self._ended = True

    def _pass_the_time(self, player: int) -> None:
        """Let everybody do what they do beside playing while this turn runs."""
        stage = self.stage
        for seat, person in sorted(stage.persons.items()):
            stage.agenda.begin(builds(stage, person), stage.rng.uniform(0.0, 15.0))
            share = 1 / len(stage.persons)
            for habit, pastime in PER_TURN.items():
                own_turn_only = habit == "feels_in_bag"
                if (seat == player or not own_turn_only) and person.does(habit, 1.0 if own_turn_only else share):
                    stage.agenda.begin(pastime(stage, person), stage.rng.uniform(0.0, 25.0))
            for habit, (pastime, of_rate) in SHARED.items():
                if person.does(habit, share * of_rate):
                    stage.agenda.begin(pastime(stage, person), stage.rng.uniform(0.0, 25.0))

    def _break(self) -> Doing:
        """Stop for ten minutes; guests look at cards."""
        stage = self.stage
        guest = stage.persons[stage.rng.choice(sorted(stage.persons))]
        yield from stage.reserve(stage.bag)
        for habit in ("reads_column_card", "reads_own_cards", "swaps_cards"):
            stage.agenda.begin(PER_TURN[habit](stage, guest), stage.rng.uniform(10, BREAK_S / 2))
        yield BREAK_S
        stage.let_go(stage.bag)

    def _plug(self) -> Doing:
        """Let somebody kick a plug out."""
        station = self.stage.rng.choice([one.station for one in self._plan.stations])
        self.stage.senses.goes_silent(station)
        yield self.stage.rng.uniform(5, 120)
        self.stage.senses.comes_back(station)


def perform(seed: int, settings: Settings) -> Performance:
    """Return the evening of a seed."""
    return Evening(seed, settings).perform()


TROUPE = Troupe(habits=HABITS, perform=perform, referee=Referee, counts=counts)
"""MegaCity's people for evenings on the level of facts."""
