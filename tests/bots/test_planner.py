"""The planner looks ahead on any game of the protocol, with the luck it is given and within its budget."""

import random
from types import SimpleNamespace

import pytest

from citytable.bots.greedy import Greedy
from citytable.bots.planner import Planner, worth
from citytable.bots.self_play import play_out
from citytable.games.comeback.dealer import Dealer as ComebackDealer
from citytable.games.comeback.game import ComebackCity
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.position import Options, Rulings
from citytable.rules.budget import Budget
from citytable.rules.game import Outcome

SMALL = Budget(nodes=300, horizon=60, width=4)


class Nim:
    """Two seats take one to three stones in turn, and whoever takes the last has won. The advice is always bad."""

    def __init__(self, stones, player=1):
        self.stones, self.player = stones, player

    @property
    def legal_actions(self):
        return range(1, 1 + min(3, self.stones))

    def push(self, action):
        self.stones -= action
        self.player = 3 - self.player

    def copy(self):
        return Nim(self.stones, self.player)

    def outcome(self):
        return None if self.stones else Outcome("taken", (3 - self.player,), None)

    def advice(self, decision):
        return -decision

    def scores(self):
        return {}


class NoChance:
    """Nothing is left to chance."""

    def __init__(self, rng):
        pass

    def outcome(self, game, decision):
        return decision


@pytest.mark.parametrize("stones", [2, 4])
def test_it_takes_the_victory_that_the_advice_does_not_see(stones):
    game = Nim(stones)
    assert Greedy().choose(game, list(game.legal_actions)) == 1
    assert Planner(random.Random(1), NoChance, SMALL).choose(game, list(game.legal_actions)) == 2


class _Over(Nim):
    """A game that is over whatever is done, and that nobody wins."""

    def __init__(self):
        super().__init__(0)

    def push(self, action):
        pass

    def outcome(self):
        return Outcome("over", ())


def test_where_nothing_is_clearly_better_it_does_what_the_advice_says():
    game = _Over()
    game.copy = _Over
    assert Planner(random.Random(1), NoChance, SMALL).choose(game, [1, 2, 3]) == 1


def _dealt(players=2, seed=1):
    game = MegaCity(Options(players=players, rulings=Rulings(round_limit=40)))
    game.push(Dealer(random.Random(seed)).outcome(game, next(iter(game.legal_actions))))
    return game


def test_it_leaves_the_game_as_it_is_and_keeps_to_its_budget():
    game = _dealt()
    before, actions = game.position, game.actions
    planner = Planner(random.Random(1), Dealer, SMALL)
    assert planner.choose(game, list(game.legal_actions)) in game.legal_actions
    assert (game.position, game.actions) == (before, actions)
    assert SMALL.nodes - SMALL.horizon < planner.nodes < SMALL.nodes + 2 * SMALL.width * SMALL.horizon


def test_the_same_random_numbers_give_the_same_choices():
    game = _dealt()
    chosen = [Planner(random.Random(5), Dealer, SMALL).choose(game, list(game.legal_actions)) for _ in range(2)]
    assert chosen[0] == chosen[1]


def _won(seed, options, budget):
    """Whether the planner beats greedy, on seat 1 in the even games and on seat 2 in the odd ones."""
    rng = random.Random(seed)
    game = MegaCity(options)
    planner, greedy = Planner(rng, Dealer, budget), Greedy()
    play_out(game, [planner, greedy] if seed % 2 == 0 else [greedy, planner], Dealer(rng))
    return game.outcome().winners == (1 + seed % 2,)


@pytest.mark.soak
def test_it_beats_greedy_in_most_games_of_twelve_rounds():
    options = Options(players=2, rulings=Rulings(round_limit=12))
    assert sum(_won(seed, options, Budget(nodes=600, horizon=60, width=6)) for seed in range(4)) >= 3


@pytest.mark.soak
def test_it_beats_greedy_in_most_games():
    assert sum(_won(seed, Options(players=2), Budget()) for seed in range(20)) >= 15


def test_it_plays_a_game_for_one():
    rng = random.Random(1)
    game = ComebackCity()
    play_out(game, [Planner(rng, ComebackDealer, Budget(nodes=60, horizon=20, width=3))], ComebackDealer(rng))
    assert game.outcome() is not None


@pytest.mark.parametrize(
    ("points", "outcome", "worths"),
    [
        ({1: 7, 2: 4}, None, (3, -3)),
        ({1: 7, 2: 4}, Outcome("end", (1,)), (8, -8)),
        ({1: 4, 2: 4}, Outcome("end", (1, 2)), (2.5, 2.5)),
        ({1: 9}, None, (9,)),
        ({}, Outcome("lost", ()), (-5,)),
    ],
)
def test_a_position_is_worth_the_lead_and_the_victory(points, outcome, worths):
    scores = {seat: SimpleNamespace(total=total) for seat, total in points.items()}
    game = SimpleNamespace(scores=lambda: scores, outcome=lambda: outcome)
    assert tuple(worth(game, seat) for seat in range(1, 1 + len(worths))) == worths
