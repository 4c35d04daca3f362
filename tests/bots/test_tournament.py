"""Tournaments: everybody sits everywhere, and a result comes with its error."""

import math
import random
from collections import Counter
from functools import partial

import pytest

from citytable.bots.greedy import Greedy
from citytable.bots.names import BOTS
from citytable.bots.planner import Planner
from citytable.bots.random_bot import RandomBot
from citytable.bots.tournament import (
    Played,
    difference_of,
    differences,
    mean_of,
    share_of,
    standings,
    tournament,
)
from citytable.games import NAMES, box_of, chance_of
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.position import Options, Rulings
from citytable.rules.budget import Budget

BEGIN = partial(MegaCity, Options(players=2, rulings=Rulings(round_limit=25)))
TWO = {"greedy": lambda rng: Greedy(), "random": RandomBot}


@pytest.fixture(scope="module")
def played():
    """Three lots of games of two."""
    return list(tournament(TWO, BEGIN, Dealer, 2, range(3)))


def test_every_bot_sits_on_every_seat_equally_often(played):
    seats = Counter((seat, name) for game in played for seat, name in enumerate(game.bots))
    assert set(seats.values()) == {3}
    assert len(seats) == 4


def test_the_same_seeds_give_the_same_games(played):
    assert list(tournament(TWO, BEGIN, Dealer, 2, range(3))) == played


def test_greedy_beats_random(played):
    first, second = standings(played)
    assert (first.bot, second.bot) == ("greedy", "random")
    assert first.victories.low > 0.5 > second.victories.high
    assert first.points.mean > second.points.mean


def test_a_shared_victory_is_shared_and_a_game_without_an_end_is_nobodys():
    games = [Played(1, ("a", "b"), "end", (1, 2), (3, 3)), Played(1, ("b", "a"), "", (), (9, 0))]
    assert [(one.bot, one.games, one.victories.mean, one.points.mean) for one in standings(games)] == [
        ("b", 2, 0.25, 6.0),
        ("a", 2, 0.25, 1.5),
    ]


def test_a_difference_is_taken_lot_by_lot_so_that_an_easy_deal_speaks_for_nobody():
    easy = [Played(1, (name,), "won", (1,), (points,)) for name, points in (("a", 90), ("b", 85))]
    hard = [Played(2, (name,), "lost", (), (points,)) for name, points in (("a", 20), ("b", 15))]
    (found,) = differences([*easy, *hard])
    assert (found.better, found.worse, found.lots, found.victories.mean) == ("a", "b", 2, 0.0)
    assert found.points.low == found.points.mean == 5.0


def test_an_interval_of_a_difference_covers_the_truth_as_often_as_it_says():
    rng = random.Random(4)
    lots = [[rng.choices((-1.0, 0.0, 1.0), (1, 14, 5))[0] for _ in range(40)] for _ in range(400)]
    assert 0.91 < sum(one.low <= 0.2 <= one.high for one in map(difference_of, lots)) / len(lots) < 0.99
    assert difference_of([1.0] * 10).low < 0.9  # who won everything may still be beaten


def test_an_interval_covers_the_truth_as_often_as_it_says():
    rng = random.Random(4)
    found = [share_of([float(rng.random() < 0.8) for _ in range(30)]) for _ in range(400)]
    assert 0.91 < sum(one.low <= 0.8 <= one.high for one in found) / len(found) < 0.99


def test_who_won_everything_may_still_be_beaten():
    assert share_of([1.0] * 10).low == pytest.approx(0.7225, abs=1e-3)  # Wilson's interval, from a table
    assert mean_of([2.0]).high == math.inf


@pytest.mark.parametrize("game", NAMES)
def test_the_planner_plays_every_game_of_the_hub(game):
    box, rng = box_of(game), random.Random(1)
    begun = box.begin(box.options(box.players[0]))
    chance, planner = (
        chance_of(game, rng),
        Planner(rng, partial(chance_of, game), Budget(nodes=30, horizon=10, width=3)),
    )
    for _ in range(12):
        decisions = list(begun.legal_actions)
        decision = planner.choose(begun, decisions) if begun.player else decisions[0]
        begun.push(chance.outcome(begun, decision))
    assert planner.nodes > 0


@pytest.mark.parametrize("name", BOTS)
def test_every_bot_is_made_by_its_name(name):
    game, rng = BEGIN(), random.Random(1)
    game.push(chance_of("megacity", rng).outcome(game, next(iter(game.legal_actions))))
    bot = BOTS[name](rng, partial(chance_of, "megacity"), Budget(nodes=50, horizon=10))
    assert bot.choose(game, list(game.legal_actions)) in game.legal_actions
