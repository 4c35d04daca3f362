"""Whole games, replayed: every action is still legal, and every game ends as the second reader of the rulebook said.

`record.py` writes them.
"""

from itertools import groupby
from pathlib import Path

from citytable.games.dilluvia.notation import action_from_text

LINES = Path(__file__).with_name("playthroughs.txt").read_text(encoding="utf-8").splitlines()


def games():
    """Each game's number of players, actions and end."""
    starts = [k for k, line in enumerate(LINES) if line.startswith("game ")]
    for k, start in enumerate(starts):
        first, *actions, end = LINES[start : starts[k + 1] if k + 1 < len(starts) else None]
        yield int(first.split()[1]), actions, end


def test_there_are_games_of_every_size():
    sizes = sorted(players for players, _, _ in games())
    assert {size: len(list(these)) for size, these in groupby(sizes)} == {2: 7, 3: 7, 4: 7}


def test_every_game_replays_to_the_same_end(table):
    for players, actions, end in games():
        game = table.game(players)
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
