"""Collect looks: what the fall watch would show its trees along a trace, with the truth at each look.

The rows come out of the detector itself, so the trees are trained on exactly the numbers they are asked about later.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from citytable.sensing.spot_detector import Detector
from citytable.sensing.trees import Judges
from citytable_lab.feed import samples
from citytable_lab.score import CAUSE_US, ECHO_US, FALLS, FOUND_US
from citytable_lab.trace_file import Trace

Rows: TypeAlias = NDArray[np.float32]

FALLING, HANDLED, EITHER = 1, 0, -1


class Looks(NamedTuple):
    """Hold looks in order of time: `t_us` int64[n], the features `x` float32[n, k], and the truth int8[n] of each.

    The truth is FALLING where reporting a fall would be right, HANDLED where it would be false, EITHER where it would
    not count.
    """

    t_us: NDArray[np.int64]
    x: Rows
    truth: NDArray[np.int8]


class NoFall:
    """Stand in for trees: never see a fall."""

    def chance(self, x: list[float]) -> float:  # noqa: ARG002
        """Return 0."""
        return 0.0


class _Always:
    """Stand in for the trees that glance: every look is worth it."""

    def chance(self, x: list[float]) -> float:  # noqa: ARG002
        return 1.0


class Recorder:
    """Stand in for the trees: note what they are asked, and never see a fall."""

    def __init__(self) -> None:
        self.rows: list[list[float]] = []

    def chance(self, x: list[float]) -> float:
        self.rows.append(x)
        return 0.0


def looks_of(trace: Trace) -> Looks:
    """Return every look that the detector takes along a trace.

    With an accelerometer what it heard comes after the rest.
    """
    recorder = Recorder()
    detector = Detector(trace.cal, Judges(recorder, recorder, NoFall(), NoFall(), glancing=_Always()))
    times: list[int] = []
    for t_us, counts, tof_mm, _, knock_mg, _ in samples(trace):
        detector.update(t_us, counts, tof_mm, knock_mg=knock_mg)
        times += [t_us] * (len(recorder.rows) - len(times))
    t = np.array(times, dtype=np.int64)
    x = np.array(recorder.rows, dtype=np.float32) if recorder.rows else np.empty((0, 0), np.float32)
    return Looks(t, x, _truth(trace, t))


def _truth(trace: Trace, t_us: NDArray[np.int64]) -> NDArray[np.int8]:
    truth = np.full(len(t_us), HANDLED, dtype=np.int8)
    falls = [event for event in trace.events if event["kind"] in FALLS]
    for fall in falls:
        onset_us, end_us = fall["t_onset_us"], fall["t_end_us"]
        truth[(t_us >= onset_us - CAUSE_US) & (t_us <= end_us + ECHO_US)] = EITHER
    for fall in falls:
        onset_us = fall["t_onset_us"]
        truth[(t_us >= onset_us) & (t_us <= onset_us + FOUND_US)] = FALLING
    return truth
