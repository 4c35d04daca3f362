"""Whole games, replayed: every action is still legal and every game still ends as it did.

`tools/record_playthroughs.py` writes them; a change of the rules must show up here as a difference.
"""

import json
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import action_from_text, position_from_text, position_to_text

GAMES = sorted(Path(__file__).parent.joinpath("playthroughs").glob("*.jsonl"))


def read(path):
    first, *actions, last = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return position_from_text(first["position"]), [line["action"] for line in actions], last


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_game_replays_to_the_same_end(path):
    start, actions, end = read(path)
    game = MegaCity.from_position(start)
    for line in actions:
        action = action_from_text(line)
        assert str(action) == line
        assert action in game.legal_actions
        game.push(action)
    assert position_to_text(game.position) == end["position"]
    assert position_from_text(end["position"]) == game.position
    assert json.loads(msgspec.json.encode(game.outcome())) == end["outcome"]
    scores = {
        str(seat): [[line.points, line.reason, line.action_no] for line in score.lines]
        for seat, score in game.scores().items()
    }
    assert scores == end["scores"]


def test_there_are_games_for_every_number_of_players_and_every_end():
    ends = Counter()
    for path in GAMES:
        start, _, end = read(path)
        options = start.options
        ends[options.players, options.simplified, end["outcome"]["termination"]] += 1
    assert len(GAMES) >= 30
    for players in (2, 3, 4):
        for end in (
            (False, "completed"),
            (False, "bag_out"),
            (False, "round_limit"),
            (True, "completed"),
            (True, "bag_out"),
        ):
            assert ends[players, *end] >= 1


def test_the_games_hold_every_kind_of_action():
    kinds = {line.split(" ")[1] for path in GAMES for line in read(path)[1]}
    assert len(kinds) == 17
