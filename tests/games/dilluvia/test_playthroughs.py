"""Whole games, replayed: every action is still legal, and every game ends as the second reader of the rulebook said.

`record.py` writes them. `playthroughs_1.txt` keeps a game of each size that was played with the first house values.
"""

from itertools import groupby
from pathlib import Path

import pytest

from citytable.games.dilluvia.game import Dilluvia, before_the_market
from citytable.games.dilluvia.notation import action_from_text
from citytable.games.dilluvia.position import Options
from citytable.games.dilluvia.values import EARLIER, HOUSE


def games(name="playthroughs.txt"):
    """Each game's number of players, actions and end."""
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    starts = [k for k, line in enumerate(lines) if line.startswith("game ")]
    for k, start in enumerate(starts):
        first, *actions, end = lines[start : starts[k + 1] if k + 1 < len(starts) else None]
        yield int(first.split()[1]), actions, end


def test_there_are_games_of_every_size():
    sizes = sorted(players for players, _, _ in games())
    assert {size: len(list(these)) for size, these in groupby(sizes)} == {2: 7, 3: 7, 4: 7}


@pytest.mark.parametrize(("name", "values"), [("playthroughs.txt", HOUSE), ("playthroughs_1.txt", EARLIER[0])])
def test_every_game_replays_to_the_same_end_with_the_house_values_of_its_version(name, values):
    for players, actions, end in games(name):
        game = Dilluvia(before_the_market(Options(players=players), values), values)
        for line in actions:
            action = action_from_text(line)
            assert str(action) == line
            assert action in game.legal_actions
            game.push(action)
        outcome = game.outcome()
        seats = (
            f"{n}:{outcome.scores[n]}/{player.prestige}" for n, player in enumerate(game.position.players, start=1)
        )
        assert f"end {' '.join(seats)} won {','.join(map(str, outcome.winners))}" == end
