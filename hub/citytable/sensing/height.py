"""Height: no source gives a number. It gives an interval in which the truth lies, and the interval decides a rule."""

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

Verdict: TypeAlias = Literal["pass", "fail", "measure"]

# How far a tower stands below and above what an overhead sensor makes of it. A zone's range is an average of everything
# in its cone, tower and platform, so that the tower is nearly always higher, by a hand's breadth, and a black one by
# all its height: guides of the sensor's maker and the simulated traces agree on that. What is lower than it was seen to
# be stood under a hand that lingered. Where nearly nothing is seen, a black tower may be as high as the sensor hangs.
OVERHEAD_MM = (50.0, 230.0)
ZONES_MM = (90.0, 175.0)
UNSEEN_MM = 50.0


class Interval(NamedTuple):
    """The truth lies between these two, in millimetres above the platform."""

    low_mm: float
    high_mm: float

    def overlaps(self, other: "Interval") -> bool:
        """Report whether both can be true."""
        return self.low_mm <= other.high_mm and other.low_mm <= self.high_mm

    def hull(self, other: "Interval") -> "Interval":
        """Return the interval that either of both leaves possible."""
        return Interval(min(self.low_mm, other.low_mm), max(self.high_mm, other.high_mm))

    def within(self, other: "Interval") -> "Interval":
        """Return the interval that both leave possible; they must overlap."""
        return Interval(max(self.low_mm, other.low_mm), min(self.high_mm, other.high_mm))

    @property
    def width_mm(self) -> float:
        """Return the width of the interval."""
        return self.high_mm - self.low_mm

    def decides(self, least_mm: float) -> Verdict:
        """Judge whether a building reaches `least_mm`: clearly, clearly not, or measure again."""
        if self.low_mm >= least_mm:
            return "pass"
        return "fail" if self.high_mm < least_mm else "measure"


def about(height_mm: float, error_mm: float) -> Interval:
    """Return the interval of a measurement and its error; no tower is lower than nothing."""
    return Interval(max(0.0, height_mm - error_mm), max(0.0, height_mm + error_mm))


def overhead_interval(tof_mm: int, zones_mm: Iterable[int] | None, sensor_mm: float) -> Interval | None:
    """Return the interval that a sensor `sensor_mm` above the platform leaves possible; None when it sees nothing.

    It is so wide that it decides no rule; it may tell a low tower from a high one, and whether much fell. A hand in its
    view counts as tower.
    """
    single = [tof_mm] if tof_mm > 0 else []
    near = [zone for zone in zones_mm or () if zone > 0]
    found: Interval | None = None
    for ranges, (below_mm, above_mm) in ((single, OVERHEAD_MM), (near, ZONES_MM)):
        if not ranges:
            continue
        seen_mm = sensor_mm - min(ranges)
        most_mm = sensor_mm if seen_mm < UNSEEN_MM else seen_mm + above_mm
        seen = Interval(max(0.0, seen_mm - below_mm), max(0.0, min(sensor_mm, most_mm)))
        found = seen if found is None or not found.overlaps(seen) else found.within(seen)
    return found
