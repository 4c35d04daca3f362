"""Whole games, replayed: every action is still legal and every game still ends as it did.

`tools/record_comeback.py` writes them, one game a line; a change of the rules shows up here as a difference.
"""

import json
from pathlib import Path

import pytest

from citytable.games.comeback.actions import action_from_text
from citytable.games.comeback.deck import DISASTERS, EARLIER, HOUSE
from citytable.games.comeback.game import ComebackCity
from citytable.games.comeback.notation import position_to_text


def written_in(name):
    return [json.loads(line) for line in Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()]


GAMES = written_in("playthroughs.jsonl")
WITH_DECK = [(one, HOUSE) for one in GAMES] + [(one, EARLIER[0]) for one in written_in("playthroughs_1.jsonl")]


@pytest.mark.parametrize(("written", "deck"), WITH_DECK, ids=[f"{one['name']}-{deck.name}" for one, deck in WITH_DECK])
def test_the_game_replays_to_the_same_end_with_the_house_deck_of_its_version(written, deck):
    game = ComebackCity(deck=deck)
    for line in written["actions"]:
        action = action_from_text(line)
        assert str(action) == line
        assert action in game.legal_actions
        game.push(action)
    outcome = game.outcome()
    assert {"termination": outcome.termination, "points": outcome.scores[1]} == written["outcome"]
    assert json.loads(position_to_text(game.position)) == written["position"]


def test_there_are_games_of_every_disaster_and_every_kind_of_action():
    assert len(GAMES) >= 20
    assert {written["position"]["disaster"] for written in GAMES} == set(DISASTERS)
    assert {written["outcome"]["termination"] for written in GAMES} == {"lost", "goal", "points"}
    assert len({line.split(" ")[1] for written in GAMES for line in written["actions"]}) == 23
