"""Blend: turns the cells of one spot, each with its own clock, into one sequence of loads.

Cells report in batches, one cell after the other, so a cell is ahead of its neighbours for a moment. Their samples wait
here until every cell has reported up to the same time, or one is 250 ms ahead; then they are added up in order of time,
each cell by its last known value. A cell at rest reports by summaries and keeps its mean in between.
"""

from collections.abc import Iterator

WAIT_US = 250_000
LOOK_US = 100_000  # a station looks at its cells that often: the end of a summary is known no better


class Blend:
    """Adds up `cells` cells. Every cell contributes once per load; a cell without a value makes the load unknown."""

    def __init__(self, cells: int) -> None:
        self._everyone = (1 << cells) - 1
        self._values: list[float | None] = [None] * cells
        self._read_us: list[int | None] = [None] * cells  # how far each cell has reported
        self._rested_us: list[int | None] = [None] * cells  # how far by summaries
        self._waiting: list[tuple[int, int, float]] = []
        self._had = 0  # which cells have contributed to the load being added up, as bits
        self._had_us = 0
        self._until_us: int | None = None  # everything up to here has been given out

    def push(self, cell: int, t_us: int, grams: float) -> None:
        """Take one sample, unless a summary covers its time already or it comes too late."""
        rested_us = self._rested_us[cell]
        if (rested_us is None or t_us > rested_us) and (self._until_us is None or t_us > self._until_us):
            self._waiting.append((t_us, cell, grams))

    def read(self, cell: int, t_us: int) -> None:
        """Note that the cell has reported everything up to `t_us`."""
        read_us = self._read_us[cell]
        self._read_us[cell] = t_us if read_us is None else max(t_us, read_us)

    def rest(self, cell: int, t_us: int, grams: float) -> None:
        """Note that the cell was at rest at `grams` until `t_us`."""
        self.read(cell, t_us)
        self._rested_us[cell] = t_us - LOOK_US
        self._values[cell] = grams
        self._waiting = [sample for sample in self._waiting if sample[1] != cell or sample[0] > t_us]

    def drop(self, cell: int) -> None:
        """Drop the samples and the value of a cell that is no longer trusted."""
        self._values[cell] = self._read_us[cell] = None
        self._waiting = [sample for sample in self._waiting if sample[1] != cell]

    def total(self) -> float | None:
        """Return the load as last known, or None while any cell is unknown."""
        total = 0.0
        for value in self._values:
            if value is None:
                return None
            total += value
        return total

    def shares(self) -> list[float]:
        """Return the part of the last load that each cell shows."""
        return [value or 0.0 for value in self._values]

    def loads(self) -> Iterator[tuple[int, float]]:
        """Yield the loads that are complete by now as (t_us, grams), oldest first."""
        read = [t_us for t_us in self._read_us if t_us is not None]
        if not read or not self._waiting:
            return
        horizon_us = max(min(read), max(read) - WAIT_US)
        if self._until_us is not None and horizon_us <= self._until_us:
            return
        self._until_us = horizon_us
        self._waiting.sort()
        waiting, self._waiting = self._waiting, []
        for place, (t_us, cell, grams) in enumerate(waiting):
            if t_us > horizon_us:
                self._waiting = waiting[place:]
                return
            if self._had & 1 << cell:  # its turn comes again: the others are missing or at rest
                yield from self._load(self._had_us)
            self._values[cell] = grams
            self._had |= 1 << cell
            self._had_us = t_us
            if self._had == self._everyone:
                yield from self._load(t_us)

    def _load(self, t_us: int) -> Iterator[tuple[int, float]]:
        self._had = 0
        total = self.total()
        if total is not None:
            yield t_us, total
