"""Fill: adds interpolated loads between those of a slow converter, so that a detector has the number it expects.

The detectors of falls and pieces look back by loads, not by time (`thin`). Between two loads a straight line is as good
a guess as any; a slow converter has not seen anything quicker.
"""

from collections.abc import Iterator

from citytable.sensing.thin import USUAL_HZ

SLOW = 0.8  # of the usual rate
PERIOD_US = 1e6 / USUAL_HZ
GAP = 3  # this many periods of the converter without a load are a gap with unknown content

Load = tuple[int, float, list[float]]
"""A time in microseconds, the load in grams, and what each cell shows of it."""


class Fill:
    """Loads at `rate_hz` in, loads at the usual rate out, by the same clock."""

    def __init__(self, rate_hz: float) -> None:
        self._gap_us = GAP * 1e6 / rate_hz
        self._last: Load | None = None
        self._next_us = 0.0

    def loads(self, load: Load) -> Iterator[Load]:
        """Return the loads that one more makes known."""
        last, self._last = self._last, load
        t_us, total_g, cells_g = load
        if last is None or not 0 < t_us - last[0] <= self._gap_us:
            self._next_us = t_us + PERIOD_US
            yield load
            return
        from_us, from_g, from_cells_g = last
        while self._next_us <= t_us:
            share = (self._next_us - from_us) / (t_us - from_us)
            cells = [a + share * (b - a) for a, b in zip(from_cells_g, cells_g, strict=True)]
            yield round(self._next_us), from_g + share * (total_g - from_g), cells
            self._next_us += PERIOD_US

    def forget(self) -> None:
        """Forget the last load: it was not known for a while."""
        self._last = None
