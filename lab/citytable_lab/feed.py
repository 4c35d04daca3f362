"""Feeding: one trace, sample by sample, to a detector, exactly as the stream would.

A range that arrived since the last sample is handed in with the next one (the newest, if there were several); a sample
without a new one says None.
"""

import time
from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from citytable.sensing.event import Event
from citytable_lab.score import Told
from citytable_lab.trace_file import Times, Trace

Value = TypeVar("Value")
Sample = tuple[int, tuple[int, ...], int | None, list[int] | None, int | None]
"""Time in microseconds, counts of the cells, range in mm (-1: invalid), ranges of 64 zones, peak of a knock in mg."""


class Detecting(Protocol):
    """What is scored: `citytable.sensing.detector(cal)`, or anything like it."""

    def update(
        self,
        t_us: int,
        counts: Sequence[int | None],
        tof_mm: int | None = None,
        zones: Sequence[int] | None = None,
        knock_mg: int | None = None,
    ) -> list[Event]:
        """What one more sample makes sure."""
        ...


class Fed(NamedTuple):
    """What a trace brought to light, and what it cost: seconds of the detector and of a loop that detects nothing.

    The seconds are the process's own, so others at work on the same machine do not count.
    """

    told: tuple[Told, ...]
    samples: int
    detector_s: float
    empty_s: float


class _Nothing:
    """The yardstick: a detector that looks at nothing."""

    def __init__(self) -> None:
        self._events: list[Event] = []

    def update(
        self,
        t_us: int,  # noqa: ARG002
        counts: Sequence[int | None],  # noqa: ARG002
        tof_mm: int | None = None,  # noqa: ARG002
        zones: Sequence[int] | None = None,  # noqa: ARG002
        knock_mg: int | None = None,  # noqa: ARG002
    ) -> list[Event]:
        return self._events


def samples(trace: Trace) -> list[Sample]:
    """The samples of a trace in the order of the stream."""
    tof_mm = _arrived(trace, trace.tof_t_us, trace.tof_mm.tolist())
    zones_mm = _arrived(trace, trace.zones_t_us, trace.zones_mm.tolist())
    counts = [tuple(row) for row in trace.counts.tolist()]
    return list(zip(trace.t_us.tolist(), counts, tof_mm, zones_mm, _knocked(trace), strict=True))


def _arrived(trace: Trace, t_us: Times, values: list[Value]) -> list[Value | None]:
    """For each sample the newest value since the last one."""
    newest = np.searchsorted(t_us, trace.t_us, side="right") - 1
    fresh = np.diff(newest, prepend=-1) > 0
    return [values[at] if new else None for at, new in zip(newest, fresh, strict=True)]


def _knocked(trace: Trace) -> list[int | None]:
    """For each sample the largest knock since the last one, 0 for none; None where there is no accelerometer."""
    if trace.knocks is None:
        return [None] * len(trace.t_us)
    largest = np.zeros(len(trace.t_us) + 1, dtype=np.int64)  # what comes after the last sample goes with none
    np.maximum.at(largest, np.searchsorted(trace.t_us, trace.knocks.t_us), trace.knocks.mg)
    return list(largest[:-1].tolist())


def feed(detector: Detecting, rows: Sequence[Sample]) -> Fed:
    """Hand every sample to the detector."""
    told, detector_s = _run(detector, rows)
    _, empty_s = _run(_Nothing(), rows)
    return Fed(tuple(told), len(rows), detector_s, empty_s)


def _run(detector: Detecting, rows: Sequence[Sample]) -> tuple[list[Told], float]:
    told: list[Told] = []
    started = time.process_time()
    for row in rows:
        events = detector.update(*row)
        if events:
            told += [Told(row[0], event) for event in events]
    return told, time.process_time() - started
