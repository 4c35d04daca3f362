"""One evening of MegaCity, from a drawn position or from the deal: a pure function of its seed and its settings."""

import random

import msgspec

from citytable.bots.greedy import Greedy
from citytable.bots.random_bot import RandomBot
from citytable.evenings.agenda import Agenda, Doing
from citytable.evenings.people import Noted, drawn_person
from citytable.evenings.performance import Performance
from citytable.evenings.rates import HabitFile, Sensing, load_habits
from citytable.evenings.senses import Senses
from citytable.evenings.troupe import Settings, Troupe
from citytable.evenings.world import World
from citytable.games.megacity.actions import SetUp
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE, things
from citytable.games.megacity.position import Options, Pieces, Position
from citytable.games.megacity.spots import shared_spots
from citytable.rehearsal.megacity.evenings.box import LaidOut
from citytable.rehearsal.megacity.evenings.counting import counts
from citytable.rehearsal.megacity.evenings.pastimes import PER_TURN, SHARED, builds
from citytable.rehearsal.megacity.evenings.record import Record
from citytable.rehearsal.megacity.evenings.referee import Referee
from citytable.rehearsal.megacity.evenings.stage import Stage
from citytable.rehearsal.megacity.evenings.turns import play_turn
from citytable.table.fact import Fact
from citytable.table.plan import Plan, full_plan, starter_plan

ROUNDS = 3
QUIET_S = 20.0  # after the last turn, so that whoever judges can come to the end
BREAK_S = 600.0
HABITS: HabitFile = load_habits(__package__)


def plan_of(table: str, players: int) -> Plan:
    """Return the plan of a virtual table."""
    tagged = things(HOUSE, players)
    if table == "starter":
        return starter_plan("evenings", players, tagged)
    return full_plan("evenings", players, shared_spots(), tagged)


def drawn_start(rng: random.Random, *, whole: bool) -> MegaCity:
    """Return a game at the beginning of a turn, reached by legal play; `whole`: just after the deal."""
    options = Options(players=rng.choice((2, 3, 4)), simplified=rng.random() < 0.1)
    game = MegaCity(options)
    dealer = Dealer(rng, falls=0.05)
    bots = (Greedy(), RandomBot(rng))
    share = rng.choice((0.6, 0.8, 1.0))
    turns = 1 if whole else rng.randint(1, 14 * options.players)
    begun = MegaCity(options)
    while game.outcome() is None and game.position.turn < turns:
        decisions = list(game.legal_actions)
        bot = bots[rng.random() >= share]
        game.push(dealer.outcome(game, bot.choose(game, decisions)))
        if game.position.phase == "main" and not game.position.actions_used and not game.position.deciding:
            begun = game.copy()
    start = begun if begun.actions else _dealt(begun, dealer)
    return MegaCity.from_table(start.position)


def _dealt(game: MegaCity, dealer: Dealer) -> MegaCity:
    game.push(dealer.outcome(game, SetUp()))
    return game


def known(position: Position) -> Position:
    """Return a position as a table knows it: nobody saw of what material the pieces in hands are."""
    players = tuple(
        msgspec.structs.replace(player, pieces=Pieces(unknown=player.pieces.total)) for player in position.players
    )
    return msgspec.structs.replace(position, players=players)


class Evening:
    """One evening being played."""

    def __init__(self, seed: int, settings: Settings) -> None:
        rng = random.Random(seed)
        self._seed = seed
        self._settings = settings
        self._table = settings.table or rng.choice(("full", "full", "full", "starter"))
        game = drawn_start(rng, whole=settings.whole)
        self._start = known(game.position)
        players = game.position.options.players
        self._plan = plan_of(self._table, players)
        self._facts: list[Fact] = []
        self._noted: list[Noted] = []
        self._agenda = Agenda()
        world = World()
        LaidOut(world, game.position, game.deck, rng).lay_out()
        senses = Senses(self._plan, world, self._agenda, rng, self._facts.append, Sensing(perfect=settings.perfect))
        record = Record(game, self._plan, self._agenda, rng)
        self.stage = Stage(record, world, self._agenda, senses, rng)
        record.persons = {
            seat: drawn_person(seat, HABITS, settings.habits, rng, self._note) for seat in range(1, players + 1)
        }
        self._turns = 10_000 if settings.whole else ROUNDS * players
        self._ended = False

    def _note(self, habit: str, seat: int) -> None:
        self._noted.append(Noted(self._agenda.now_us, habit, seat))

    def perform(self) -> Performance:
        """Play the evening to its end."""
        self._agenda.call(0.0, self.stage.senses.begin)
        self._agenda.begin(self._play(), 3.0)
        self._agenda.run(until=lambda: self._ended)
        return self.stage.record.performance(self._seed, self._table, self._start, self._facts, self._noted)

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
        """Somebody kicks a plug."""
        station = self.stage.rng.choice([one.station for one in self._plan.stations])
        self.stage.senses.goes_silent(station)
        yield self.stage.rng.uniform(5, 120)
        self.stage.senses.comes_back(station)


def perform(seed: int, settings: Settings) -> Performance:
    """Return the evening of a seed."""
    return Evening(seed, settings).perform()


TROUPE = Troupe(habits=HABITS, perform=perform, referee=Referee, counts=counts)
"""MegaCity's people for evenings on the level of facts."""
