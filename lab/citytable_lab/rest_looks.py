"""Collect second looks: what the watch would show its trees when a motion ends, with what happened in that motion.

The rows come out of the detector itself, with the trees that judge in flight as they are shipped, so the second look
learns from what the first one made of a motion. These trees have to be trained again after every change of those.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from citytable.sensing.second_look import KEPT_NAMES, NAMES
from citytable.sensing.spot_detector import Detector
from citytable.sensing.trees import Judges
from citytable_lab.feed import samples
from citytable_lab.looks import NoFall, Recorder, Rows
from citytable_lab.score import CAUSE_US, FALLS, Label, labels_of
from citytable_lab.trace_file import Trace

_RESTED_MS = NAMES.index("rested_ms")


class RestLooks(NamedTuple):
    """Hold the features `x` float32[n, k] of each motion in the order of `KEPT_NAMES`.

    `fell` bool[n]: something fell in it; `whole` bool[n]: that was a collapse.
    """

    x: Rows
    fell: NDArray[np.bool_]
    whole: NDArray[np.bool_]


def rest_looks_of(trace: Trace, *, righting: bool = True) -> RestLooks:
    """Return the second look at every motion of a trace; without `righting`, none of those after a fall.

    After a fall, this holds until that platform or another one comes.
    """
    recorder = Recorder()
    detector = Detector(trace.cal, Judges(resting=recorder, collapse=NoFall(), pieces=NoFall()))
    ends_us: list[int] = []
    for t_us, counts, tof_mm, _, knock_mg, beside_moves in samples(trace):
        detector.update(t_us, counts, tof_mm, knock_mg=knock_mg, beside_moves=beside_moves)
        if detector.moves:  # it was asked beforehand what the motion may come to
            del recorder.rows[len(ends_us) :]
        ends_us += [t_us] * (len(recorder.rows) - len(ends_us))
    labels = labels_of(trace.events)
    falls = [label for label in labels if label.kind in FALLS]
    fallen = [
        _fall(falls, end_us - round(1000 * row[_RESTED_MS]), end_us)
        for end_us, row in zip(ends_us, recorder.rows, strict=True)
    ]
    used = np.array(
        [
            righting or label is not None or not _fell_before(labels, end_us)
            for end_us, label in zip(ends_us, fallen, strict=True)
        ],
        dtype=np.bool_,
    )
    return RestLooks(
        np.array(recorder.rows, dtype=np.float32).reshape(-1, len(KEPT_NAMES))[used],
        np.array([label is not None for label in fallen], dtype=np.bool_)[used],
        np.array([label is not None and label.kind == "collapse" for label in fallen], dtype=np.bool_)[used],
    )


def _fell_before(labels: Sequence[Label], end_us: int) -> bool:
    """Return whether something fell from the platform that was there at `end_us`."""
    past = [label for label in labels if label.t_onset_us < end_us and label.kind in (*FALLS, "platform_placed")]
    return bool(past) and past[-1].kind in FALLS


def joined(looks: list[RestLooks]) -> RestLooks:
    """Return the looks of several traces as one."""
    return RestLooks(*(np.concatenate(parts) for parts in zip(*looks, strict=True)))


def _fall(falls: list[Label], since_us: int, end_us: int) -> Label | None:
    """Return the fall of a motion: it began there, or was still going on."""
    for label in falls:
        if since_us - CAUSE_US <= label.t_onset_us <= end_us or label.t_onset_us < since_us < label.t_end_us:
            return label
    return None
