"""Find when a fall could first be seen in the load, by anyone, and when the load lay still after it.

Delays of alerts are counted from the first moment; before the second nobody can weigh what is left.
The load is the sum of the cells in grams; a median of three takes out spikes. Its noise is the spread over a quarter of
a second, in the calmer half of the trace.
"""

import numpy as np
from numpy.typing import NDArray

from citytable_lab.score import Label
from citytable_lab.trace_file import Trace

SIGMAS = 5
LEAST_G = 3.0
LEVEL_US = 300_000  # before the onset, from which the level is taken
BLOCK = 20  # samples, a quarter of a second
STILL_US, LATEST_US = 500_000, 10_000_000  # how long a load must lie still; what comes later is another act
MEANT = 4  # loads, whose mean moves half as much by noise as one
STILL_G, STILL_SIGMAS = 0.4, 4  # nothing is still that moves by more


def load_g(trace: Trace) -> NDArray[np.float64]:
    """Return the building's mass at every sample: the sum of the cells less the tile."""
    grams = (trace.counts - np.asarray(trace.cal.zero_counts)) / np.asarray(trace.cal.counts_per_g)
    total: NDArray[np.float64] = grams.sum(axis=1) - trace.cal.tile_g
    return total


def visible_us(trace: Trace, fall: Label) -> int | None:
    """Return when the load first leaves its level before the onset by 5 sigma and at least 3 g.

    None if it never does.
    """
    t_us, load = trace.t_us, _without_sparks(load_g(trace))
    before = load[(t_us >= fall.t_onset_us - LEVEL_US) & (t_us < fall.t_onset_us)]
    if not before.size:
        return None
    during = (t_us >= fall.t_onset_us) & (t_us <= fall.t_end_us + LEVEL_US)
    far = np.abs(load - np.median(before)) > max(LEAST_G, SIGMAS * _noise_g(load))
    seen = np.flatnonzero(during & far)
    return int(t_us[seen[0]]) if seen.size else None


def still_us(trace: Trace, fall: Label) -> int | None:
    """Return when the load has first lain still for half a second since the onset, with most of its loss gone.

    None for a fall of which nothing left, and where it never lay still.
    """
    loss_g = -fall.step_g
    t_us, load = trace.t_us, _without_sparks(load_g(trace))
    before = load[(t_us >= fall.t_onset_us - LEVEL_US) & (t_us < fall.t_onset_us)]
    if loss_g < STILL_G or not before.size:
        return None
    allowed_g = max(STILL_G, STILL_SIGMAS * _noise_g(load) / MEANT**0.5)
    smooth = np.convolve(load, np.full(MEANT, 1 / MEANT), mode="same")
    first = int(np.searchsorted(t_us, fall.t_onset_us))
    for end in range(first, int(np.searchsorted(t_us, fall.t_end_us + LATEST_US))):
        start = int(np.searchsorted(t_us, t_us[end] - STILL_US))
        held = smooth[start : end + 1]
        is_still = start >= first and np.abs(held - held.mean()).max() <= allowed_g
        if is_still and held.mean() <= np.median(before) - loss_g / 2:
            return int(t_us[end])
    return None


def _without_sparks(load: NDArray[np.float64]) -> NDArray[np.float64]:
    if load.size < 3:
        return load
    middle = np.median(np.stack([load[:-2], load[1:-1], load[2:]]), axis=0)
    return np.concatenate([load[:1], middle, load[-1:]])


def _noise_g(load: NDArray[np.float64]) -> float:
    blocks = load[: load.size // BLOCK * BLOCK].reshape(-1, BLOCK)
    return float(np.median(blocks.std(axis=1))) if blocks.size else 0.0
