"""Overlook: how high a building is, by what stood there at first, what happened since, and what is seen from above.

An overhead range is an average over tower, platform and whatever else is in view, and a top of another colour changes
it as a higher tower does. So it leaves a wide interval (`height.overhead_interval`); what happened narrows it: a piece
that came lowers nothing, one that went raises nothing. The best single number goes from a height that is known, the
one at the start, by as much as the view has come nearer since.
"""

from collections import deque
from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from citytable.sensing.calibration import Cal
from citytable.sensing.crane import LOWEST_PIECE_MM, STEP_MOST_MM
from citytable.sensing.event import Event
from citytable.sensing.height import Interval, about, overhead_interval

FRESH_US = 600_000  # eight by eight ranges come five times a second
RANGES, FRAMES = 9, 3  # the farthest of them counts: what was nearer was perhaps a hand
MIDDLE = tuple(8 * row + column for row in range(2, 6) for column in range(2, 6))  # zones over the platform
START_G, START = 5.0, 0.1  # a start that weighs otherwise by more than this, and this share, is not the start told
START_ERROR_MM = 5.0
SAME_G = 2.0  # a platform that comes back as heavy as it went is the same building
USUAL_MM = (80.0, 35.0)  # a tower's height less what the single zone, or the zones, see of it, where nobody knows
WIDEST_MM = 500.0  # a wider interval, of pieces that nobody saw come, says nothing
ANYTHING = Interval(0.0, inf)


class Estimate(NamedTuple):
    """A height in mm, None where it is not seen, and what is possible, None where nothing is known."""

    height_mm: float | None
    interval: Interval | None


NOTHING = Estimate(None, None)


class Overlook:
    """The height of one spot's building. Ranges go in only while no hand is in view; times in microseconds."""

    def __init__(self, cal: Cal) -> None:
        self._sensor_mm = cal.tof_height_mm
        self._start = cal.start
        self._single: deque[tuple[int, int]] = deque(maxlen=RANGES)
        self._near: deque[tuple[int, int]] = deque(maxlen=FRAMES)
        self._possible = ANYTHING
        self._lifted: tuple[float, Interval] | None = None  # what left with the platform
        self._hidden_mm: tuple[float | None, float | None] = (None, None)  # height less what the single, the zones saw

    def range(self, t_us: int, tof_mm: int) -> None:
        """A range of the single zone; an invalid one is passed over."""
        if tof_mm > 0:
            self._single.append((t_us, tof_mm))

    def zones(self, t_us: int, zones_mm: Sequence[int]) -> None:
        """A frame of 64 ranges, row by row; shorter ones and invalid ranges are passed over."""
        if len(zones_mm) == 64:
            valid = [zones_mm[zone] for zone in MIDDLE if zones_mm[zone] > 0]
            if valid:
                self._near.append((t_us, min(valid)))

    def begun(self, t_us: int, mass_g: float) -> None:
        """The load rests for the first time: is it what the calibration said stands here?"""
        if abs(mass_g - self._start.mass_g) > max(START_G, START * self._start.mass_g):
            return
        self._possible = about(self._start.height_mm, START_ERROR_MM)
        single, near = self._seen_mm(t_us)
        height_mm = self._start.height_mm
        self._hidden_mm = (None if single is None else height_mm - single, None if near is None else height_mm - near)

    def after(self, event: Event, t_us: int) -> Estimate:
        """The height after something happened."""
        low_mm, high_mm = self._possible
        match event.kind:
            case "piece_added":
                self._possible = Interval(max(low_mm, LOWEST_PIECE_MM), high_mm + STEP_MOST_MM)
            case "piece_removed":
                self._possible = Interval(0.0, high_mm)
            case "collapse" | "partial_collapse":  # what is in the air says nothing of what will stand
                self._possible = Interval(0.0, high_mm)
                return self._estimate(t_us)
            case "platform_placed":
                self._possible = self._back(event.mass_g or 0.0)
            case "platform_lifted":
                self._lifted = (event.mass_g or 0.0, self._possible)
                return NOTHING
            case _:
                return NOTHING
        self._look(t_us)
        return self._estimate(t_us)

    def _back(self, mass_g: float) -> Interval:
        """What is possible for a platform that came with so much on it."""
        if self._lifted is None or abs(mass_g - self._lifted[0]) > SAME_G:
            return ANYTHING
        return self._lifted[1]

    def _look(self, t_us: int) -> None:
        single, near = self._seen_mm(t_us)
        if single is None and near is None:
            return
        told = overhead_interval(
            -1 if single is None else round(self._sensor_mm - single),
            None if near is None else (round(self._sensor_mm - near),),
            self._sensor_mm,
        )
        if told is not None:
            overlaps = told.overlaps(self._possible)
            self._possible = told.within(self._possible) if overlaps else told.hull(self._possible)

    def _estimate(self, t_us: int) -> Estimate:
        low_mm, high_mm = self._possible
        if high_mm - low_mm > WIDEST_MM:
            return NOTHING
        height_mm: float | None = None
        for hidden_mm, seen_mm, usual_mm in zip(self._hidden_mm, self._seen_mm(t_us), USUAL_MM, strict=True):
            if seen_mm is not None:
                height_mm = seen_mm + (usual_mm if hidden_mm is None else hidden_mm)
        if height_mm is None:
            return Estimate(None, self._possible)
        return Estimate(min(max(height_mm, low_mm), high_mm), self._possible)

    def _seen_mm(self, t_us: int) -> tuple[float | None, float | None]:
        """What the single zone and the nearest of the others make of the height, of late."""
        return self._above(self._single, t_us), self._above(self._near, t_us)

    def _above(self, ranges: deque[tuple[int, int]], t_us: int) -> float | None:
        fresh = [mm for at_us, mm in ranges if t_us - at_us <= FRESH_US]
        return self._sensor_mm - max(fresh) if fresh and self._sensor_mm > 0 else None
