"""Blend: cells of one spot, each with its own clock, into one sequence of loads.

Cells report in batches, one cell after the other, so a cell is ahead of its neighbours for a moment. Their samples wait
here until every streaming cell has told as much, or 250 ms have passed; then they are added up in order of time, each
cell by its last known value. A quiet cell keeps its mean and nobody waits for it.
"""

from collections.abc import Iterator

WAIT_US = 250_000


class Blend:
    """Adds up `cells` cells. Every cell contributes once per load; a cell without a value makes the load unknown."""

    def __init__(self, cells: int) -> None:
        self._everyone = (1 << cells) - 1
        self._values: list[float | None] = [None] * cells
        self._told_us: list[int | None] = [None] * cells  # how far each cell has told; None: quiet, or never heard of
        self._rested_us: list[int | None] = [None] * cells  # up to where quiet summaries have told
        self._waiting: list[tuple[int, int, float]] = []
        self._had = 0  # which cells have contributed to the load being added up, as bits
        self._had_us = 0
        self.until_us: int | None = None  # everything up to here has been given out

    def push(self, cell: int, t_us: int, grams: float) -> None:
        """One sample. What quiet summaries have told already, and what comes too late, is left out."""
        rested_us = self._rested_us[cell]
        if (rested_us is None or t_us > rested_us) and (self.until_us is None or t_us > self.until_us):
            self._waiting.append((t_us, cell, grams))

    def told(self, cell: int, t_us: int) -> None:
        """The cell streams, and has told everything up to `t_us`."""
        self._told_us[cell] = t_us

    def rest(self, cell: int, t_us: int, grams: float) -> None:
        """The cell is quiet at `grams` until `t_us`."""
        self._told_us[cell] = None
        self._rested_us[cell] = t_us
        self._values[cell] = grams
        self._waiting = [sample for sample in self._waiting if sample[1] != cell or sample[0] > t_us]

    def drop(self, cell: int) -> None:
        """The cell is not believed any more."""
        self._values[cell] = self._told_us[cell] = None
        self._waiting = [sample for sample in self._waiting if sample[1] != cell]

    def total(self) -> float | None:
        """The load as last known, or None while any cell is unknown."""
        total = 0.0
        for value in self._values:
            if value is None:
                return None
            total += value
        return total

    def loads(self) -> Iterator[tuple[int, float]]:
        """The loads that are complete by now as (t_us, grams), oldest first."""
        told = [t_us for t_us in self._told_us if t_us is not None]
        if not told:
            return
        horizon_us = max(min(told), max(told) - WAIT_US)
        if self.until_us is not None and horizon_us <= self.until_us:
            return
        self.until_us = horizon_us
        self._waiting.sort()
        waiting, self._waiting = self._waiting, []
        for place, (t_us, cell, grams) in enumerate(waiting):
            if t_us > horizon_us:
                self._waiting = waiting[place:]
                return
            bit = 1 << cell
            if self._had & bit:  # the others are missing or quiet
                self._had = 0
                total = self.total()
                if total is not None:
                    yield self._had_us, total
            self._values[cell] = grams
            self._had |= bit
            self._had_us = t_us
            if self._had == self._everyone:
                self._had = 0
                total = self.total()
                if total is not None:
                    yield t_us, total
