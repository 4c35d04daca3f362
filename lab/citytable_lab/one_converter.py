"""Turn a trace of several cells into that of a city hex, whose cells share one converter.

The result is the sum of the cells' grams, in counts of the first cell's scale with its zero at 0. A fault of one cell's
converter is a fault of the only one there is: a rail is a rail of the sum; while a cell is labelled stuck, so is the
sum; and while its input floats, nothing else is converted. One case is not drawn: one of several bridges torn off a
converter that goes on weighing the others. That looks exactly like a load that becomes less.
"""

import msgspec
import numpy as np
from numpy.typing import NDArray

from citytable_lab.trace_file import Trace

LOW, HIGH = -(2**23), 2**23 - 1


def one_converter(trace: Trace) -> Trace:
    """Return the trace with one cell; a trace of one cell is returned as it is."""
    counts = trace.counts
    if counts.shape[1] == 1:
        return trace
    scale = trace.cal.counts_per_g[0]
    grams = (counts - np.asarray(trace.cal.zero_counts)) / np.asarray(trace.cal.counts_per_g)
    summed = np.clip(np.rint(grams.sum(axis=1) * scale), LOW, HIGH).astype(np.int64)
    summed[(counts == LOW).any(axis=1)] = LOW
    summed[(counts == HIGH).any(axis=1)] = HIGH
    _hold(trace, summed)
    _float(trace, summed)
    cal = msgspec.structs.replace(trace.cal, counts_per_g=(scale,), zero_counts=(0.0,), cell_xy_mm=((0.0, 0.0),))
    return msgspec.structs.replace(trace, cal=cal, counts=summed.astype(np.int32)[:, None])


def _hold(trace: Trace, summed: NDArray[np.int64]) -> None:
    """Hold the sum where the labels say that a cell was stuck."""
    for event in trace.events:
        if event.get("sub") == "stuck":
            during = np.flatnonzero((trace.t_us >= event["t_onset_us"]) & (trace.t_us < event["t_end_us"]))
            if during.size:
                summed[during] = summed[during[0]]


def _float(trace: Trace, summed: NDArray[np.int64]) -> None:
    """Replace the sum by the counts of an unplugged cell where the labels say that it was unplugged."""
    for event in trace.events:
        if event.get("sub") == "disconnect":
            during = (trace.t_us >= event["t_onset_us"]) & (trace.t_us < event["t_end_us"])
            summed[during] = trace.counts[during, event["cell"]]
