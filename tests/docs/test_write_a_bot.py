"""The bot of the page is complete, keeps to thirty lines, and plays the game it shows."""

import contextlib
import io

import pytest

PAGE = "docs/howto/write-a-bot.md"


@pytest.fixture
def text(blocks):
    (block,) = [block for block in blocks(PAGE) if block.language == "python"]
    return block.text


def test_the_bot_is_no_longer_than_thirty_lines(text):
    assert len(text.splitlines()) <= 30


def test_the_bot_plays_its_game_to_the_end_and_the_same_one_again(text):
    games = []
    for _ in range(2):
        names, shown = {}, io.StringIO()
        with contextlib.redirect_stdout(shown):
            exec(compile(text, PAGE, "exec"), names)
        games.append(names["game"])
        assert "CP" in shown.getvalue()
        assert str(names["game"].outcome()) in shown.getvalue()
    assert games[0].actions == games[1].actions
    assert games[0].outcome().winners == (1,)
