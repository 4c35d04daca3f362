"""Draw when loads beside a spot of the city move, as the table tells it: what people do to one hex, the next one feels.

A platform that is pushed against this one rests on a scale of its own, so its hex moves, too. What shakes the table
often moves all; what falls may land next door; and all the while people play elsewhere. The shares are guesses.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from citytable_lab.score import FALLS
from citytable_lab.trace_file import Beside, Trace

OTHERS = "other acts"
SLACK_MS = 500  # a load beside moves so much earlier or later at most
PUSHED_MS = 1500  # and a platform that is set down there and pushed, so much earlier
LASTS_MS = (400, 6000)  # what people do elsewhere


class Shares(NamedTuple):
    """Hold how often loads beside a spot move while something happens on it, by kind of label; what its neighbours do
    without it, they do once in `elsewhere_s`."""

    of: Mapping[str, float]
    elsewhere_s: float


FIRST = Shares(
    {
        "neighbour": 0.97, "touching": 0.95, "slide": 0.6, "bump": 0.6, "cup": 0.5, "footsteps": 0.4, "table_lean": 0.5,
        "tremble": 0.6, "music": 0.4, "lean": 0.3, "creep_lean": 0.3, "touch": 0.15, "platform_lifted": 0.5,
        "platform_placed": 0.5, "fall": 0.3, OTHERS: 0.2,
    },
    elsewhere_s=30.0,
)  # fmt: skip
SECOND = Shares({"neighbour": 0.92, "slide": 0.85, "bump": 0.8, "lean": 0.5, "fall": 0.45, OTHERS: 0.3}, 12.0)


def with_beside(rng: np.random.Generator, trace: Trace, shares: Shares) -> Trace:
    """Return the trace with the motions of the loads beside its spot."""
    ends_us = int(trace.t_us[-1])
    moving = [_around(rng, label) for label in trace.events if rng.random() < _share(shares, label)]
    at_us = int(1e6 * rng.exponential(shares.elsewhere_s))
    while at_us < ends_us:
        until_us = at_us + int(1000 * np.exp(rng.uniform(*np.log(LASTS_MS))))
        moving.append((at_us, until_us))
        at_us = until_us + int(1e6 * rng.exponential(shares.elsewhere_s))
    return replace(trace, beside=_joined(sorted(moving)))


def _share(shares: Shares, label: dict[str, object]) -> float:
    kind = label["kind"]
    word = "fall" if kind in FALLS else str(label.get("sub") if kind == "disturbance" else kind)
    return shares.of.get(word, shares.of[OTHERS])


def _around(rng: np.random.Generator, label: dict[str, object]) -> tuple[int, int]:
    """Return when a load beside moves while this happens, in microseconds."""
    before_ms = PUSHED_MS if label.get("sub") == "neighbour" else SLACK_MS
    begins_us = int(str(label["t_onset_us"])) - int(1000 * rng.uniform(0, before_ms))
    return max(0, begins_us), int(str(label["t_end_us"])) + int(1000 * rng.uniform(0, SLACK_MS))


def _joined(moving: list[tuple[int, int]]) -> Beside:
    """Return the times at which the first of them begins to move, and at which all rest again."""
    times: list[int] = []
    for begins_us, ends_us in moving:
        if times and begins_us <= times[-1]:
            times[-1] = max(times[-1], ends_us)
        else:
            times += [begins_us, ends_us]
    return Beside(np.array(times, dtype=np.int64), np.arange(len(times)) % 2 == 0)
