"""How an evening begins, whoever plays it: from a drawn position or from the deal, laid out on a table of a plan."""

import random
from abc import ABC, abstractmethod

import msgspec

from citytable.bots.greedy import Greedy
from citytable.bots.random_bot import RandomBot
from citytable.evenings.agenda import Agenda, Doing
from citytable.evenings.people import Noted
from citytable.evenings.performance import Performance
from citytable.evenings.rates import Sensing
from citytable.evenings.senses import Senses
from citytable.evenings.troupe import Settings
from citytable.evenings.world import World
from citytable.games.megacity.actions import SetUp
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE, things
from citytable.games.megacity.position import Options, Pieces, Position
from citytable.games.megacity.spots import shared_spots
from citytable.rehearsal.megacity.evenings.box import LaidOut
from citytable.rehearsal.megacity.evenings.record import Record
from citytable.table.fact import Fact
from citytable.table.plan import Plan, full_plan, starter_plan


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
    """Return a position as a table knows it: nobody saw the material of the pieces in hands."""
    players = tuple(
        msgspec.structs.replace(player, pieces=Pieces(unknown=player.pieces.total)) for player in position.players
    )
    return msgspec.structs.replace(position, players=players)


class Begun(ABC):
    """An evening that begins. A family brings its table, its people, and `_play`, which ends by setting `_ended`."""

    def __init__(self, seed: int, settings: Settings, rng: random.Random) -> None:
        self._seed, self._settings, self._rng = seed, settings, rng
        self._plan_name = settings.table or rng.choice(("full", "full", "full", "starter"))
        self._game = drawn_start(rng, whole=settings.whole)
        self._start = known(self._game.position)
        self._plan = plan_of(self._plan_name, self._game.position.options.players)
        self._facts: list[Fact] = []
        self._noted: list[Noted] = []
        self._agenda = Agenda()
        self._world = World()
        LaidOut(self._world, self._game.position, self._game.deck, rng).lay_out()
        self._ended = False

    def _set_up(self, sensing: Sensing) -> tuple[Record, Senses]:
        """Return the truth of the evening, and the sensors of its table."""
        self._senses = Senses(self._plan, self._world, self._agenda, self._rng, self._facts.append, sensing)
        self._record = Record(self._game, self._plan, self._agenda, self._rng)
        return self._record, self._senses

    def _note(self, habit: str, seat: int) -> None:
        self._noted.append(Noted(self._agenda.now_us, habit, seat))

    def perform(self) -> Performance:
        """Play the evening to its end."""
        self._agenda.call(0.0, self._senses.begin)
        self._agenda.begin(self._play(), 3.0)
        self._agenda.run(until=lambda: self._ended)
        return self._record.performance(self._seed, self._plan_name, self._start, self._facts, self._noted)

    @abstractmethod
    def _play(self) -> Doing:
        """Play to the end."""
