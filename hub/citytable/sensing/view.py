"""View: the height an overhead range sensor sees, of late and while nothing was in its way.

Whatever comes between the sensor and a tower is nearer than its top. So of everything seen since the last change the
lowest is what is to be believed, and the highest of late is the most there can be.
"""

from collections import deque
from statistics import median
from typing import NamedTuple

FRESH_US = 600_000  # eight by eight ranges come five times a second
OUTLIER = 3  # of so many in a row the median counts: zones without a reading leave the platform to be seen


class Seen(NamedTuple):
    """The lowest and the highest of what was seen of late, in mm above the platform."""

    low_mm: float
    high_mm: float


class View:
    """One sensor's heights; the newest `lately` of them are what is seen now. Times in microseconds.

    `clear_mm` is what was seen before the last act while nothing was in the way, None where nobody looked.
    """

    def __init__(self, lately: int) -> None:
        self._lately: deque[tuple[int, float]] = deque(maxlen=lately)
        self._three: deque[float] = deque(maxlen=OUTLIER)
        self._lowest_mm: float | None = None  # since the last act
        self._most_mm = 0.0  # what the acts since `clear_mm` can have made of it
        self.clear_mm: float | None = None

    def add(self, t_us: int, height_mm: float) -> None:
        """Add one height."""
        self._lately.append((t_us, height_mm))
        self._three.append(height_mm)
        if len(self._three) == OUTLIER:
            middle_mm = median(self._three)
            self._lowest_mm = middle_mm if self._lowest_mm is None else min(self._lowest_mm, middle_mm)

    def now(self, t_us: int) -> Seen | None:
        """Return the lowest and highest view at `t_us`; None where nothing came of late."""
        fresh = [mm for at_us, mm in self._lately if t_us - at_us <= FRESH_US]
        return Seen(min(fresh), max(fresh)) if fresh else None

    def likely_mm(self, t_us: int) -> float | None:
        """Return the height seen at `t_us`, or before a hand came in the way; None where nothing came of late."""
        seen = self.now(t_us)
        if seen is None or self.clear_mm is None or self.believes(seen.low_mm):
            return None if seen is None else seen.low_mm
        return self.clear_mm

    def act(self, rise_mm: float) -> float | None:
        """Note an act that makes the view at most so much higher.

        Returns the lowest seen since the act before; None where nobody looked, or where that was a hand.
        """
        lowest_mm, self._lowest_mm = self._lowest_mm, None
        self._three.clear()
        self._most_mm += rise_mm
        if lowest_mm is None or (self.clear_mm is not None and lowest_mm > self._most_mm - rise_mm):
            return None
        self.clear_mm, self._most_mm = lowest_mm, lowest_mm + rise_mm
        return lowest_mm

    def believes(self, height_mm: float) -> bool:
        """Report whether the acts since the view was clear can have made it so high; if not, that is a hand."""
        return self.clear_mm is not None and height_mm <= self._most_mm

    def forget(self) -> None:
        """Forget the view: another thing stands there."""
        self._three.clear()
        self._lowest_mm = self.clear_mm = None

    def lost(self) -> None:
        """Forget everything: the sensor is not believed any more."""
        self.forget()
        self._lately.clear()
