"""Overlook: how high a building is, by what stood there at first, what happened since, and what is seen from above.

An overhead range is an average over tower, platform and whatever else is in view, and a top of another colour changes
it as a higher tower does. So it leaves a wide interval (`height.overhead_interval`); what happened narrows it: a piece
that came lowers nothing, one that went raises nothing. The best single number goes from a height that is known, the
one at the start, by as much as the view has come nearer since.

A hand that rests on a tower looks like a higher one, and nobody tells when it will go. So what is seen right after an
act says how low the tower may be only if it is no higher than the act can have made it; if it is, the next act finds
what was lowest in between. How high the tower may be is said by the highest of late, which a hand makes no less true.
"""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from citytable.sensing.calibration import Cal
from citytable.sensing.crane import LOWEST_PIECE_MM, STEP_MOST_MM
from citytable.sensing.event import Event
from citytable.sensing.height import Interval, about, overhead_interval
from citytable.sensing.plausible import START, START_G
from citytable.sensing.second_look import LOST_G
from citytable.sensing.view import View

RANGES, FRAMES = 9, 3  # of the single zone, and of the others, that are seen now
MIDDLE = tuple(8 * row + column for row in range(2, 6) for column in range(2, 6))  # zones over the platform
RISE_MM, STILL_MM = 60.0, 10.0  # what a piece more, or one less, makes the view come nearer; more is a hand
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
        self._single, self._zones = self._views = View(RANGES), View(FRAMES)
        self._possible = ANYTHING
        self._lifted: tuple[float, Interval] | None = None  # what left with the platform
        self._hidden_mm: tuple[float | None, ...] = (None, None)  # height less what the single, the zones saw

    def range(self, t_us: int, tof_mm: int) -> None:
        """Take a range of the single zone; ignore an invalid one."""
        if tof_mm > 0:
            self._single.add(t_us, self._sensor_mm - tof_mm)

    def zones(self, t_us: int, zones_mm: Sequence[int]) -> None:
        """Take a frame of 64 ranges, row by row; ignore a shorter frame and invalid ranges."""
        if len(zones_mm) == 64:
            valid = [zones_mm[zone] for zone in MIDDLE if zones_mm[zone] > 0]
            if valid:
                self._zones.add(t_us, self._sensor_mm - min(valid))

    def lost(self) -> None:
        """Drop the view of the single zone, whose sensor is not believed any more."""
        self._single.lost()

    def begun(self, t_us: int, mass_g: float) -> None:
        """Take the first load that rests, and check whether it is the one that the calibration describes."""
        if abs(mass_g - self._start.mass_g) > max(START_G, START * self._start.mass_g):
            return
        height_mm = self._start.height_mm
        self._possible = about(height_mm, START_ERROR_MM)
        seen = [view.now(t_us) for view in self._views]
        self._hidden_mm = tuple(None if one is None else height_mm - one.low_mm for one in seen)

    def after(self, event: Event, t_us: int) -> Estimate:
        """Return the height after something happened."""
        match event.kind:
            case "piece_added":
                self._acted(RISE_MM)
                low_mm, high_mm = self._possible
                self._possible = Interval(max(low_mm, LOWEST_PIECE_MM), high_mm + STEP_MOST_MM)
            case "piece_removed":
                self._acted(STILL_MM)
                self._possible = Interval(0.0, self._possible.high_mm)
            case "collapse" | "partial_collapse":  # what is in the air says nothing of what will stand
                self._forget()
                self._possible = Interval(0.0, self._possible.high_mm)
                return self._estimate(t_us)
            case "disturbance" if (event.mass_g or 0.0) <= -LOST_G:  # what is gone may have fallen
                self._possible = Interval(0.0, self._possible.high_mm)
                return NOTHING
            case "platform_placed":
                self._forget()
                self._possible = self._back(event.mass_g or 0.0)
            case "platform_lifted":
                self._acted(STILL_MM)
                self._forget()
                self._lifted = (event.mass_g or 0.0, self._possible)
                return NOTHING
            case _:
                return NOTHING
        self._look(t_us)
        return self._estimate(t_us)

    def _back(self, mass_g: float) -> Interval:
        """Return the height possible for a platform that came with this load."""
        if self._lifted is None or abs(mass_g - self._lifted[0]) > SAME_G:
            return ANYTHING
        return self._lifted[1]

    def _forget(self) -> None:
        for view in self._views:
            view.forget()

    def _acted(self, rise_mm: float) -> None:
        """End the view of the tower before an act that makes it higher by at most this."""
        self._narrow(self._reported([view.act(rise_mm) for view in self._views]).low_mm, inf)

    def _look(self, t_us: int) -> None:
        """Return the height seen right after an act."""
        seen = [(view, view.now(t_us)) for view in self._views]
        lows = [one.low_mm if one is not None and view.believes(one.low_mm) else None for view, one in seen]
        highs = [None if one is None else one.high_mm for _, one in seen]
        self._narrow(self._reported(lows).low_mm, self._reported(highs).high_mm)

    def _reported(self, seen_mm: Sequence[float | None]) -> Interval:
        """Return the interval that the single zone and the nearest of the others leave possible."""
        single, zones = (None if mm is None else round(self._sensor_mm - mm) for mm in seen_mm)
        seen = overhead_interval(-1 if single is None else single, None if zones is None else (zones,), self._sensor_mm)
        return ANYTHING if seen is None else seen

    def _narrow(self, low_mm: float, high_mm: float) -> None:
        seen = Interval(low_mm, high_mm)
        overlaps = seen.overlaps(self._possible)
        self._possible = seen.within(self._possible) if overlaps else seen.hull(self._possible)

    def _estimate(self, t_us: int) -> Estimate:
        low_mm, high_mm = self._possible
        if high_mm - low_mm > WIDEST_MM:
            return NOTHING
        height_mm: float | None = None
        for view, hidden_mm, usual_mm in zip(self._views, self._hidden_mm, USUAL_MM, strict=True):
            likely_mm = view.likely_mm(t_us)
            if likely_mm is not None:
                height_mm = likely_mm + (usual_mm if hidden_mm is None else hidden_mm)
        if height_mm is None:
            return Estimate(None, self._possible)
        return Estimate(min(max(height_mm, low_mm), high_mm), self._possible)
