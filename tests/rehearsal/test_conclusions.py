"""What rehearsed games conclude stays what was recorded.

`tools/conclusions.py` plays all of them, and test_whole_games.py one.
"""

import pytest


@pytest.fixture(scope="module")
def tool(load_tool):
    return load_tool("conclusions")


def test_every_game_is_recorded_and_ends(tool):
    assert {path.stem for path in tool.RECORDED.iterdir()} == set(tool.GAMES)
    for path in tool.RECORDED.iterdir():
        assert path.read_text(encoding="utf-8").splitlines()[-1].startswith("won by"), path.stem


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (["a", "b"], ""),
        (["a", "c"], "line 2: recorded 'b', now 'c'"),
        (["a"], "2 lines recorded, 1 now, and only one of them has 'b'"),
        (["a", "b", "c"], "2 lines recorded, 3 now, and only one of them has 'c'"),
    ],
)
def test_the_first_difference_is_named(tool, now, said):
    assert tool.first_difference(["a", "b"], now) == said
