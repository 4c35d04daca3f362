"""A collapse: everything known about a confirmed fall, so that a screen can replay it. Pure."""

from bisect import bisect_left, bisect_right
from typing import Literal, TypeAlias

import msgspec

from citytable.sensing.reading import Knocks, Reading
from citytable.table.scene import Scene
from citytable.table.spot import Spot
from citytable.views.signal import Curve

Cause: TypeAlias = Literal[
    "delivery",  # it fell during its delivery
    "knock",  # somebody knocked against the table right before
    "unknown",
]

SPAN_MS = 750
"""How much of what happened is shown."""
LEAD_MS = 250  # so much of it before the steepest moment of the fall
STEEP_MS = 100
KNOCK_MIN_MG = 100.0  # a softer knock makes nothing fall that would otherwise stand
KNOCK_BEFORE_US = 1_000_000
KNOCK_APART_US = 20_000  # once the load decreases, the knocks come from falling pieces


class Collapse(msgspec.Struct, frozen=True, kw_only=True):
    """A fall that has just been confirmed as entry `no` of the journal, until anything else is.

    `before` is the game with the building. `load` has `SPAN_MS` of the load on the spot; None: no scale felt it.
    """

    no: int
    spot: Spot
    cause: Cause
    before: Scene
    load: Curve | None = None


def steepest_ms(curve: Curve) -> int:
    """Return the time at which the load on a spot fell fastest."""
    times, grams = curve.t_ms, curve.grams
    ends = (bisect_right(times, t_ms + STEEP_MS) - 1 for t_ms in times)
    drops = [(grams[end] - grams[start], times[start]) for start, end in enumerate(ends)]
    return min(drops)[1] if drops else 0


def fall_in(curve: Curve) -> Curve:
    """Return the part of a curve in which the load fell, its times from the beginning of that part."""
    from_ms = max(0, steepest_ms(curve) - LEAD_MS)
    first, end = bisect_left(curve.t_ms, from_ms), bisect_right(curve.t_ms, from_ms + SPAN_MS)
    return Curve(curve.spot, tuple(t_ms - from_ms for t_ms in curve.t_ms[first:end]), curve.grams[first:end])


def is_knocked(readings: tuple[Reading, ...], fell_us: int) -> bool:
    """Return whether the table was knocked right before something fell at `fell_us`."""
    knocks = (pair for one in readings if isinstance(one, Knocks) for pair in zip(one.t_us, one.peak_mg, strict=False))
    return any(
        KNOCK_APART_US <= fell_us - t_us <= KNOCK_BEFORE_US and peak_mg >= KNOCK_MIN_MG for t_us, peak_mg in knocks
    )
