"""The workshop: whose tower proves too low draws other pieces, so that nobody waits for ever with what he has."""

import random

import pytest

from citytable.bots.greedy import Greedy
from citytable.games.megacity.actions import Deliver, EndTurn, SetUp, TakePieces
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
        down = workshop.built(orders, [{"height_mm": 1} for _ in orders])
        assert [act["platform"] for act in down] == [order["platform"] for order in orders]
        workshop.look()


def test_a_tower_is_planned_as_high_as_the_building_model_makes_it(table):
    game, workshop, play = table
    planned = []
    for _ in range(60):
        possible = [action for action in game.legal_actions if not isinstance(action, Deliver)]
        play(Greedy().choose(game, possible))
        planned += [workshop.tower(order["platform"]) for order in workshop.orders()]
    wanted = {(one.contract, one.wanted_mm) for one in planned}
    assert all(mm >= game.deck.contracts[name].height_mm for name, mm in wanted)
    assert any(mm > game.deck.contracts[name].height_mm + 25 for name, mm in wanted)


def test_a_tower_that_is_lower_than_planned_is_delivered_if_the_contract_allows_it(table):
    game, workshop, play = table
    while not (orders := workshop.orders()):
        play(Greedy().choose(game, game.legal_actions))
    (order, *_) = orders
    least_mm = game.deck.contracts[workshop.tower(order["platform"]).contract].height_mm
    assert workshop.built([order], [{"height_mm": least_mm}]) == []
    assert workshop.standing()[order["platform"]].height_mm == least_mm


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
