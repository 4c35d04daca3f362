"""The workshop: whose tower proves too low draws other pieces, so that nobody waits for ever with what he has."""

import random

import pytest

from citytable.bots.greedy import Greedy
from citytable.games.megacity.actions import EndTurn, SetUp, TakePieces
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.position import Options
from citytable.rehearsal.megacity.building import Workshop


@pytest.fixture
def table():
    """A game of two, its workshop, and `play(decision)`: what becomes of it is chance."""
    game, dealer = MegaCity(Options(players=2)), Dealer(random.Random(3))
    workshop = Workshop(game, random.Random(4))

    def play(decision):
        game.push(dealer.outcome(game, decision))
        workshop.look()

    play(SetUp())
    return game, workshop, play


def nothing_is_high_enough(workshop):
    """Everything planned is built and proves too low, until nobody has another idea."""
    while orders := workshop.orders():
        down = workshop.built(orders, [{"height_mm": order["at_least_mm"] - 1} for order in orders])
        assert [act["platform"] for act in down] == [order["platform"] for order in orders]
        workshop.look()


def test_whose_towers_are_too_low_draws_other_pieces_instead_of_waiting(table):
    game, workshop, play = table
    for _ in range(200):
        nothing_is_high_enough(workshop)
        decision = workshop.choose(Greedy())
        if isinstance(decision, TakePieces) and isinstance(Greedy().choose(game, game.legal_actions), EndTurn):
            break
        play(decision)
    else:
        pytest.fail("with nothing to build from what they have they waited")
    play(decision)
    workshop.drew(decision.player)
    workshop.look()
    assert workshop.orders(decision.player)


def test_who_has_nothing_too_low_waits_when_his_bot_does(table):
    game, workshop, play = table
    for _ in range(100):
        possible = [action for action in game.legal_actions if workshop.can(action)]
        decision = Greedy().choose(game, possible)
        assert workshop.choose(Greedy()) == decision
        play(decision)
