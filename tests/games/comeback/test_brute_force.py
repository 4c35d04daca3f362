"""Whole games beside a second reading of the rulebook: the same decisions and the same position at every step."""

import json

import pytest

from citytable.games.comeback.deck import DISASTERS
from citytable.games.comeback.notation import position_to_text
from citytable.games.comeback.position import Rulings

pytestmark = pytest.mark.long(3)

OTHERWISE = {name: not getattr(Rulings(), name) for name in Rulings.__struct_fields__}


def compare(brute, game, action):
    state = brute.read(json.loads(position_to_text(game.position)))
    assert {str(decision) for decision in game.legal_actions} == brute.decisions(state)
    if action is None:
        assert game.outcome().termination == brute.termination(state)
        return
    following = game.copy()
    following.push(action)
    assert brute.same(brute.after(state, str(action)), json.loads(position_to_text(following.position))) == {}


@pytest.mark.parametrize(("seed", "disaster"), list(enumerate(DISASTERS)))
def test_a_game_goes_as_the_rulebook_says(brute, played, seed, disaster):
    for game, action in played(seed, disasters=(disaster,)):
        compare(brute, game, action)


@pytest.mark.soak
@pytest.mark.parametrize("disaster", DISASTERS)
@pytest.mark.parametrize("seed", range(100, 110))
def test_many_games_go_as_the_rulebook_says(brute, played, seed, disaster):
    for game, action in played(seed, disasters=(disaster,)):
        compare(brute, game, action)


@pytest.mark.soak
@pytest.mark.parametrize("ruling", OTHERWISE)
def test_a_game_with_another_ruling_goes_as_the_rulebook_says(brute, played, ruling):
    for seed, disaster in enumerate(DISASTERS, start=20):
        for game, action in played(seed, {ruling: OTHERWISE[ruling]}, (disaster,)):
            compare(brute, game, action)
