"""Stress: the same play whoever shares the work, and no row that would need a fall."""

import pytest

from citytable_lab.stress import Play, score_play


class Shy:
    """A detector that never says anything."""

    def __init__(self, cal):
        pass

    def update(self, t_us, counts, tof_mm=None, zones=None, knock_mg=None, beside_moves=None):
        return []


@pytest.fixture(scope="module")
def run():
    return score_play(Shy, Play(seed=3, hours=0.1, cells=1, piece_set="house"), processes=1)


def test_hours_of_play_have_no_falls_and_many_acts(run):
    assert [len(score.falls) for score in run.scores] == [0]
    assert run.scores[0].interactions > 30
    assert "0 falls" in run.summary
    assert sum(score.play_us for score in run.scores) == pytest.approx(360e6, rel=0.1)


def test_rows_about_falls_are_left_out(run):
    rows = {row.what for row in run.rows}
    assert "false fall alarms per hour of dense play" in rows
    assert not {row for row in rows if "recall" in row and "fall" in row}
