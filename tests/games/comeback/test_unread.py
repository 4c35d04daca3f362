"""A copy of which nothing is entered: screens show nothing of what the house prints on its own cards."""

import random

import pytest

from citytable.games.comeback.dealer import Dealer
from citytable.games.comeback.deck import HOUSE
from citytable.games.comeback.entering import unread_copy
from citytable.games.comeback.game import ComebackCity
from citytable.games.comeback.scene import scene


@pytest.fixture
def game():
    """Some buildings of an owner's copy, and a flipped card."""
    game = ComebackCity(deck=unread_copy(HOUSE, "ours"))
    dealer = Dealer(random.Random(3))
    while not (game.position.phase == "build" and len(game.position.city) > 3 and game.position.current):
        game.push(dealer.outcome(game, max(game.legal_actions, key=game.advice)))
    return game


def board_of(game, deck):
    return scene(game.position, game.position, (), deck).board


def test_of_a_card_that_nobody_entered_only_its_place_is_shown(game):
    board = board_of(game, game.deck)
    assert {(cell.zone, cell.stories, cell.points, cell.restaurant) for cell in board.cells} == {("", 0, 0, False)}
    flipped = board.flipped
    assert (flipped.zone, flipped.stories, flipped.points, set(flipped.cost.values())) == ("", 0, 0, {0})
    assert {(one.zone, one.condition, one.number, one.helper) for one in board.bonuses} == {("", "", 0, "")}


def test_the_house_shows_all_of_them(game):
    board = board_of(game, HOUSE)
    assert all(cell.zone for cell in board.cells)
    assert board.flipped.zone
    assert all(one.condition and one.helper for one in board.bonuses)
