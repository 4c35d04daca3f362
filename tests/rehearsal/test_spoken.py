"""What the terminal says of a score."""

import json
import random
from pathlib import Path

import pytest

from citytable.bots.greedy import Greedy
from citytable.bots.self_play import play_out
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.position import Options
from citytable.rehearsal.megacity.spoken import points_text

DISPLAY = Path("dashboard/src/games/megacity/words/en.json")
WORDS = {
    "contract": "PU1",
    "type": "public",
    "at": "1/0",
    "park": "0/0",
    "height_mm": "98",
    "pieces": "4",
}


def test_every_reason_that_the_display_can_tell_the_terminal_can_tell():
    reasons = [key.removeprefix("score.") for key in json.loads(DISPLAY.read_text()) if key.startswith("score.")]
    assert len(reasons) > 10
    for reason in reasons:
        assert "_" not in points_text(reason, WORDS), reason


@pytest.mark.parametrize("simplified", [False, True])
def test_every_point_of_whole_games_has_its_words(simplified):
    game = MegaCity(Options(players=3, simplified=simplified))
    play_out(game, (Greedy(), Greedy(), Greedy()), Dealer(random.Random(2)))
    lines = [line for score in game.scores().values() for line in score.lines]
    assert lines
    for line in lines:
        assert all(word in points_text(line.reason, line.words) for word in line.words.values())
