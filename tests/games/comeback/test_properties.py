"""Statements that hold at every step of every game."""

import json
import random

import pytest

from citytable.games.comeback.accepting import accepted
from citytable.games.comeback.actions import action_from_text
from citytable.games.comeback.dealer import Dealer
from citytable.games.comeback.deck import EARLIER
from citytable.games.comeback.game import ComebackCity
from citytable.games.comeback.notation import position_from_text, position_to_text
from citytable.games.comeback.validity import check_position, lying
from citytable.rules.errors import IllegalAction, IllegalPosition, Unreadable

FIRST = EARLIER[0]  # the house deck whose cards these tests name

CARDS = sorted(FIRST.cards)


@pytest.mark.seeds("seed", list(range(6)), soak=60)
def test_a_game_keeps_what_it_must_keep(played, seed):
    for game, action in played(seed):
        position = game.position
        assert sorted(lying(position)) == CARDS  # nothing is lost or in two places
        check_position(position, FIRST)
        assert position_from_text(position_to_text(position)) == position
        score = game.scores()[1]
        counters = sum(building.counters for building in position.city) + sum(position.saved)
        assert score.total == sum(line.points for line in score.lines) == counters
        if action is not None:
            assert action_from_text(str(action)) == action
            other = game.copy()
            other.push(action)
            assert other.position != position or str(action).split(" ")[1] == "roll"
            assert other.pop() == action
            assert other.position is position
            assert accepted(position, action, FIRST) == game_after(game, action)
    assert game.outcome() is not None


def game_after(game, action):
    other = game.copy()
    other.push(action)
    return other.position


@pytest.mark.seeds("seed", list(range(2)), soak=20)
def test_every_decision_is_legal_alone_and_different(played, seed):
    for game, _ in played(seed):
        decisions = list(game.legal_actions)
        assert len(set(decisions)) == len(decisions)
        assert all(decision in game.legal_actions for decision in decisions)


@pytest.mark.seeds("seed", list(range(2)), soak=20)
def test_what_no_rule_allows_is_refused_or_accepted_without_losing_a_card(played, seed):
    """Lines of another game's moment: the rules refuse them, and the table takes them if they can have happened."""
    lines = [str(action) for _, action in played(seed + 50) if action is not None]
    rng = random.Random(seed)
    for game, _ in played(seed):
        action = action_from_text(rng.choice(lines))
        if action in game.legal_actions:
            continue
        with pytest.raises(IllegalAction):
            game.push(action)
        other = game.copy()
        try:
            other.accept(action)
        except IllegalAction:
            continue
        check_position(other.position, FIRST)
        assert sorted(lying(other.position)) == CARDS, action
        assert position_from_text(position_to_text(other.position)) == other.position


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"current": "R01"}, "R01 is in two places"),
        ({"deck": []}, "these cards are nowhere"),
        ({"broken_roads": [7]}, "7 are not numbers"),
        ({"rolled": [1]}, "1 are not two dice"),
        ({"action_points": -1}, "below zero"),
        ({"bonuses": [{"card": "ZX9"}]}, "ZX9 is not a zoning bonus"),
        ({"demolished": ["R01"]}, "R01 was demolished"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_what_is_wrong(table, change, wrong):
    written = json.loads(position_to_text(table.position("R01|C01")))
    position = position_from_text(json.dumps(written | change))
    with pytest.raises(IllegalPosition, match=wrong) as refusal:
        ComebackCity.from_position(position)
    assert refusal.value.text.keys() == {"en", "fr"}


@pytest.mark.parametrize("line", ["p1 build card=R01 at=7/4", "p1 build card=R01 at=1/0", "p1 biuld", "p1 roll blue=x"])
def test_a_line_that_cannot_be_read_says_what_to_write(line):
    with pytest.raises(Unreadable) as refusal:
        action_from_text(line)
    assert refusal.value.text.keys() == {"en", "fr"}


def test_an_open_outcome_is_not_pushed():
    game = ComebackCity(deck=FIRST)
    with pytest.raises(IllegalAction) as refusal:
        game.push(action_from_text("table set_up"))
    assert refusal.value.missing == ("bonuses", "redrawn", "row", "hand")


def test_a_dealer_with_the_same_seed_deals_the_same():
    set_up = action_from_text("table set_up")
    deals = [Dealer(random.Random(4)).outcome(ComebackCity(deck=FIRST), set_up) for _ in range(2)]
    assert deals[0] == deals[1]
