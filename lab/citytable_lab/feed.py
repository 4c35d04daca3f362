"""Feed one trace to a detector, sample by sample, exactly as the stream would.

A range that arrived since the last sample goes with the next one (the newest, if there were several); a sample without
a new range has None.
"""

import time
from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from citytable.sensing.event import Event
from citytable_lab.score import Reported
from citytable_lab.trace_file import Times, Trace

Value = TypeVar("Value")
Sample = tuple[int, tuple[int, ...], int | None, list[int] | None, int | None, bool | None]
"""Time in microseconds, counts of the cells, range in mm (-1: invalid), ranges of 64 zones, peak of a knock in mg, and
whether a load beside the spot moves."""


class Detecting(Protocol):
    """Describe what can be scored: `citytable.sensing.detector(cal)`, or anything like it."""

    def update(
        self,
        t_us: int,
        counts: Sequence[int | None],
        tof_mm: int | None = None,
        zones: Sequence[int] | None = None,
        knock_mg: int | None = None,
        beside_moves: bool | None = None,
    ) -> list[Event]:
        """Take one more sample and return the events that it makes sure."""
        ...


class Fed(NamedTuple):
    """Hold the events of a trace, and what they cost: seconds of the detector and of a loop that detects nothing.

    The seconds are the process's own, so other work on the same machine does not count.
    """

    reported: tuple[Reported, ...]
    samples: int
    detector_s: float
    empty_s: float


class _Nothing:
    """Serve as the yardstick: detect nothing."""

    def __init__(self) -> None:
        self._events: list[Event] = []

    def update(
        self,
        t_us: int,  # noqa: ARG002
        counts: Sequence[int | None],  # noqa: ARG002
        tof_mm: int | None = None,  # noqa: ARG002
        zones: Sequence[int] | None = None,  # noqa: ARG002
        knock_mg: int | None = None,  # noqa: ARG002
        beside_moves: bool | None = None,  # noqa: ARG002
    ) -> list[Event]:
        return self._events


def samples(trace: Trace) -> list[Sample]:
    """Return the samples of a trace in the order of the stream."""
    tof_mm = _arrived(trace, trace.tof_t_us, trace.tof_mm.tolist())
    zones_mm = _arrived(trace, trace.zones_t_us, trace.zones_mm.tolist())
    counts = [tuple(row) for row in trace.counts.tolist()]
    return list(zip(trace.t_us.tolist(), counts, tof_mm, zones_mm, _knocked(trace), _beside(trace), strict=True))


def _arrived(trace: Trace, t_us: Times, values: list[Value]) -> list[Value | None]:
    """Return for each sample the newest value since the one before."""
    newest = np.searchsorted(t_us, trace.t_us, side="right") - 1
    fresh = np.diff(newest, prepend=-1) > 0
    return [values[at] if new else None for at, new in zip(newest, fresh, strict=True)]


def _knocked(trace: Trace) -> list[int | None]:
    """Return for each sample the largest knock since the one before, 0 without one; None without an accelerometer."""
    if trace.knocks is None:
        return [None] * len(trace.t_us)
    largest = np.zeros(len(trace.t_us) + 1, dtype=np.int64)  # what comes after the last sample goes with none
    np.maximum.at(largest, np.searchsorted(trace.t_us, trace.knocks.t_us), trace.knocks.mg)
    return list(largest[:-1].tolist())


def _beside(trace: Trace) -> list[bool | None]:
    """Return for each sample whether a load beside the spot moves; None where nobody tells."""
    if trace.beside is None:
        return [None] * len(trace.t_us)
    told = np.concatenate([[False], trace.beside.moves])
    return list(told[np.searchsorted(trace.beside.t_us, trace.t_us, side="right")].tolist())


def feed(detector: Detecting, rows: Sequence[Sample]) -> Fed:
    """Hand every sample to the detector."""
    reported, detector_s = _run(detector, rows)
    _, empty_s = _run(_Nothing(), rows)
    return Fed(tuple(reported), len(rows), detector_s, empty_s)


def _run(detector: Detecting, rows: Sequence[Sample]) -> tuple[list[Reported], float]:
    reported: list[Reported] = []
    started = time.process_time()
    for row in rows:
        events = detector.update(*row)
        if events:
            reported += [Reported(row[0], event) for event in events]
    return reported, time.process_time() - started
