"""Whole games, replayed: every action is still legal and every game still ends as it did.

`tools/record_comeback.py` writes them, one game a line; a change of the rules shows up here as a difference.
"""

import json
from pathlib import Path

import pytest

from citytable.games.comeback.actions import action_from_text
from citytable.games.comeback.deck import DISASTERS
from citytable.games.comeback.game import ComebackCity
from citytable.games.comeback.notation import position_to_text

LINES = Path(__file__).with_name("playthroughs.jsonl").read_text(encoding="utf-8").splitlines()
GAMES = [json.loads(line) for line in LINES]


@pytest.mark.parametrize("written", GAMES, ids=lambda written: written["name"])
def test_the_game_replays_to_the_same_end(written):
    game = ComebackCity()
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
