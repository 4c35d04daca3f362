"""What holds in every position: conservation, taking back, notation, sums, and acts that break a rule."""

import random

import pytest

from citytable.games.dilluvia.actions import ACTIONS
from citytable.games.dilluvia.game import Dilluvia, checked
from citytable.games.dilluvia.notation import action_from_text, position_from_text, position_to_text
from citytable.games.dilluvia.validity import wrong_with
from citytable.games.dilluvia.values import HOUSE
from citytable.rules.errors import IllegalAction, IllegalPosition, OutcomeOpen, Unreadable

GAMES = [(2, 31), (3, 32)]
CHECKED = 0.4  # of the positions of a game


@pytest.mark.seeds("players, seed", GAMES, soak=60)
def test_everything_is_conserved_and_written_down_and_taken_back(table, players, seed):
    rng = random.Random(seed)
    for game, decisions, action in table.walk(players, seed, greedy=0.7):
        before = game.position
        if rng.random() < CHECKED:
            assert wrong_with(before, HOUSE) == ()
            assert position_from_text(position_to_text(before)) == before
        assert action_from_text(str(action)) == action
        game.push(action)
        assert game.pop() == action
        assert game.position is before
        assert decisions[-1] in game.legal_actions


@pytest.mark.seeds("players, seed", GAMES, soak=30)
def test_a_score_is_the_sum_of_its_lines_and_ends_as_the_outcome(table, players, seed):
    game = table.played(players, seed, greedy=0.9)
    scores = game.scores()
    assert {seat: score.total for seat, score in scores.items()} == game.outcome().scores
    for score in scores.values():
        assert score.total == sum(line.points for line in score.lines)


@pytest.mark.seeds("players, seed", GAMES, soak=30)
def test_what_is_not_decided_is_refused_with_a_rule_and_two_languages(table, players, seed):
    rng, foreign = random.Random(seed), []
    for game, decisions, _ in table.walk(players, seed, greedy=0.8):
        foreign = rng.sample([*foreign, *rng.sample(decisions, 1)], min(30, len(foreign) + 1))
        legal = set(decisions)
        for action in rng.sample(foreign, min(4, len(foreign))):
            if action not in legal and not hasattr(action, "tile"):  # of equal tiles one is offered
                with pytest.raises(IllegalAction) as refused:
                    game.copy().push(action)
                assert refused.value.rule.startswith("DR")
                assert all(refused.value.text[language].endswith(".") for language in ("en", "fr"))


@pytest.mark.seeds("players, seed", GAMES, soak=30)
def test_what_is_accepted_against_a_rule_leaves_a_position_that_can_be(table, players, seed):
    rng, foreign, broke = random.Random(seed), [], 0
    for game, decisions, _ in table.walk(players, seed, greedy=0.8):
        foreign = rng.sample([*foreign, *rng.sample(decisions, 1)], min(40, len(foreign) + 1))
        for action in rng.sample(foreign, min(4, len(foreign))):
            other = game.copy()
            try:
                other.accept(action)
            except IllegalAction:
                continue
            broke += action not in decisions
            assert wrong_with(other.position, HOUSE) == ()
    assert broke


def test_an_open_outcome_is_named(table):
    with pytest.raises(OutcomeOpen) as refused:
        table.game().push(action_from_text("table set_up"))
    assert refused.value.missing == ("market",)


def test_every_action_is_met(table):
    met = {type(action) for seed in range(40, 48) for _, _, action in table.walk(4, seed, greedy=0.6)}
    assert met == set(ACTIONS)


def test_a_position_that_cannot_be_is_refused_with_its_place(table):
    position = table.at().position
    wrong = {
        "tile": {"white": position.white[1:]},
        "market": {"market": ()},
        "turn": {"turn": 8},
        "order": {"order": (1, 1)},
        "player": {"player": 3},
    }
    for place, fields in wrong.items():
        with pytest.raises(IllegalPosition, match=place):
            table.changed(table.at(), **fields)
    with pytest.raises(IllegalPosition, match="p1: aeros is -1"):
        table.changed(table.at(), p1={"aeros": -1})
    with pytest.raises(IllegalPosition, match="city 6/6: it is covered twice"):
        table.built(table.ground(table.at(), 1, "6/6"), 1, 1, "6/6")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("p1 terrain at=6", "column and its row"),
        ("p1 build number=1 at=6/6 spare=red:1", "number of cubes"),
        ("p1 zeppelin at=left5", "left5"),
        ("p1 plaice space=white", "place"),
    ],
)
def test_what_cannot_be_read_says_what_to_write(line, says):
    with pytest.raises(Unreadable, match=says):
        action_from_text(line)


def test_a_game_goes_on_from_a_position_that_is_written_down(table):
    game = table.play(table.at(), "p1 place space=territory workers=2")
    again = Dilluvia(position_from_text(position_to_text(game.position)))
    line = action_from_text("p1 terrain at=6/6")
    assert checked(again.position, line, HOUSE) == checked(game.position, line, HOUSE)
