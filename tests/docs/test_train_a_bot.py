"""The example of the page runs as printed."""

import contextlib
import io

PAGE = "docs/howto/train-a-bot.md"


def test_the_example_plays_until_the_game_is_over_or_cut_off(blocks):
    (block,) = [block for block in blocks(PAGE) if block.language == "python"]
    names, shown = {}, io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(compile(block.text, PAGE, "exec"), names)
    assert names["is_over"] or names["is_cut_off"]
    assert shown.getvalue().startswith("{'seat_1': ")
