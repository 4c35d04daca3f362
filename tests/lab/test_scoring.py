"""Scoring files: as they were recorded, by one converter, without what is above."""

import numpy as np
import pytest

from citytable.sensing.event import Event
from citytable_lab.scoring import score_files
from citytable_lab.trace_file import Knocks, save_trace


class Tells:
    """A detector that tells a fall wherever it is handed what nobody should hand it."""

    def __init__(self, cal):
        pass

    def update(self, t_us, counts, tof_mm=None, zones=None, knock_mg=None, beside_moves=None):
        seen = tof_mm is not None or zones is not None
        return [Event(kind="collapse", t_us=t_us)] if seen and knock_mg is not None else []


@pytest.mark.parametrize(("without_ranges", "false"), [(False, 1), (True, 0)])
def test_without_ranges_a_trace_is_what_is_weighed_and_heard(weighed, tmp_path, without_ranges, false):
    heard = Knocks(np.array([0], np.int64), np.array([90], np.int16))
    ranges = {"tof_t_us": np.array([0], np.int64), "tof_mm": np.array([300], np.int16)}
    save_trace(tmp_path / "a.npz", weighed([50] * 40, knocks=heard, **ranges))
    run = score_files([tmp_path / "a.npz"], Tells, cells=1, processes=1, without_ranges=without_ranges)
    assert [len(score.false_alarms) for score in run.scores] == [false]
