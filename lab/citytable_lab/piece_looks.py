"""Collect looks at pieces: what the piece watch would show its trees along a trace, and whether a report was right.

The rows come out of the detector itself. Its verdicts decide what it asks next, so it is answered by the labels: a true
piece is reported in the end, and now and then at once. No fall is reported meanwhile, so that a fall is looked at like
anything else that is no piece, and these trees do not depend on the others.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from citytable.sensing.change import NAMES
from citytable.sensing.pieces import KEPT_NAMES, rather
from citytable.sensing.spot_detector import Detector
from citytable.sensing.trees import Judges
from citytable_lab.feed import samples
from citytable_lab.looks import NoFall, Rows
from citytable_lab.score import Label, labels_of
from citytable_lab.trace_file import Trace

AT_ONCE = (
    0.04  # share of right looks that are reported at once; the change behind the others is looked at until the end
)
NOT_YET = 0.2  # neither reported nor dropped
OFF_G, OFF = 0.5, 0.05  # further than this, and this share, from what the labels say, the change is not the piece yet

_STEP, _BASE_MS = NAMES.index("step"), NAMES.index("base_ms")


class PieceLooks(NamedTuple):
    """Hold the features `x` float32[n, k] of each look in the order of `KEPT_NAMES`.

    `right` bool[n]: a piece came or went.
    """

    x: Rows
    right: NDArray[np.bool_]


def piece_looks_of(trace: Trace, rng: np.random.Generator, *, falling: bool = False) -> PieceLooks:
    """Return every look that the piece watch takes along a trace; with `falling` falls are reported meanwhile."""
    knowing = _Knowing(labels_of(trace.events), rng, rather(len(trace.cal.counts_per_g)))
    judges = Judges(NoFall(), None, NoFall(), NoFall(), knowing, NoFall())
    detector = Detector(trace.cal, Judges(pieces=knowing) if falling else judges)
    for t_us, counts, tof_mm, _, _, beside_moves in samples(trace):
        knowing.now_us = t_us
        detector.update(t_us, counts, tof_mm, beside_moves=beside_moves)
    x = np.array(knowing.rows, dtype=np.float32).reshape(-1, len(KEPT_NAMES))
    return PieceLooks(x, np.array(knowing.right, dtype=np.bool_))


class _Knowing:
    """Stand in for the trees that detect pieces: note what they are asked, and answer by the labels."""

    def __init__(self, labels: Sequence[Label], rng: np.random.Generator, rather: float) -> None:
        self.rows: list[list[float]] = []
        self.right: list[bool] = []
        self.now_us = 0
        self._labels = labels
        self._rng = rng
        self._rather = rather

    def chance(self, x: list[float]) -> float:
        step_g, base_us = x[_STEP], self.now_us - round(1000 * x[_BASE_MS])
        lately = [label for label in self._labels if base_us < label.t_onset_us <= self.now_us]
        kind = "piece_added" if step_g > 0 else "piece_removed"
        changed_g = sum(label.step_g for label in lately)
        near = abs(step_g - changed_g) <= max(OFF_G, OFF * abs(step_g))
        right = near and any(label.kind == kind for label in lately)
        self.rows.append(x)
        self.right.append(right)
        if right:
            return 1.0 if self._rng.random() < AT_ONCE else self._rather
        return NOT_YET if changed_g else 0.0
