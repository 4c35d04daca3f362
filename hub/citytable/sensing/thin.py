"""Thin: the conversions of a quick converter in groups, one reading each, so that a detector has as many as it knows.

What tells falls and pieces looks back by loads, not by time, and has learned from 70 to 95 of them a second. Bad reads
must not get into a mean, so they go first: what looks like one (0, -1, 2**k - 1) is left out, and a median of three
takes what else lasts one conversion.
"""

from citytable.sensing.cell import GLITCHES_IN_A_ROW

USUAL_HZ = 82.5

Row = tuple[int, list[int | None]]
"""A time in microseconds, and the counts of each cell, None where there is no reading."""


def group_of(rate_hz: float) -> int:
    """Return how many conversions make one reading: 1 up to 123 a second, 2 at 160, 4 at 320."""
    return max(1, round(rate_hz / USUAL_HZ))


class Thin:
    """Groups of `n` rows of `cells` cells. A group that lost some of its rows ends by the clock."""

    def __init__(self, n: int, rate_hz: float, cells: int) -> None:
        self._n = n
        self._span_us = (n - 0.5) * 1e6 / rate_hz
        self._reads = [_Reads(GLITCHES_IN_A_ROW * n) for _ in range(cells)]
        self._rows = 0
        self._first_us = self._last_us = 0

    def row(self, t_us: int, counts: list[int | None]) -> Row | None:
        """Add one row; return the group it completes, or the one it leaves behind, with the time of its newest row.

        Cells beyond the counts have no reading.
        """
        late = self._rows > 0 and t_us - self._first_us > self._span_us
        left = self._take() if late else None
        if self._rows == 0:
            self._first_us = t_us
        self._last_us = t_us
        self._rows += 1
        for reads, one in zip(self._reads, counts, strict=False):
            if one is not None:
                reads.add(one)
        return self._take() if self._rows >= self._n else left

    def _take(self) -> Row:
        self._rows = 0
        return self._last_us, [reads.take() for reads in self._reads]


class _Reads:
    """The reads of one cell: those of the group, and the two before the next one."""

    def __init__(self, glitches: int) -> None:
        self._glitches = glitches  # so many in a row are left out
        self._in_a_row = 0
        self._lately: list[int] = []
        self._group: list[int] = []

    def add(self, counts: int) -> None:
        self._in_a_row = self._in_a_row + 1 if counts & (counts + 1) == 0 else 0
        if 0 < self._in_a_row <= self._glitches:
            return
        self._lately = [*self._lately[-2:], counts]
        self._group.append(sorted(self._lately)[len(self._lately) // 2])

    def take(self) -> int | None:
        """Return their mean, None where there were none, and start again."""
        group, self._group = self._group, []
        return round(sum(group) / len(group)) if group else None
