"""Trail: the last loads of one spot, with running sums, so that any mean over them costs two look-ups."""

from collections.abc import Sequence

REACH = 128  # loads that can be looked back on: 1.6 s at 80 a second
_CUT = 4 * REACH
PERIOD_US = 12_500  # between loads that were told as rest
JOLT_US = 32_000  # three loads this close together can show a corner; across lost samples any ramp has one


class Trail:
    """Loads of one spot in grams, oldest first, and the grams of its `cells` beside them.

    `load` holds the loads, `jolt` the size of the second difference at each (0 across a gap). The sums are one longer;
    they start again when the trail is cut, so they stay exact for any length of play.
    """

    __slots__ = ("_cells", "_jolts", "_paths", "_rest", "_squares", "_sums", "cells", "jolt", "load", "t_us")

    def __init__(self, cells: int) -> None:
        self.cells = cells
        self.t_us: list[int] = []
        self.load: list[float] = []
        self.jolt: list[float] = []
        self._sums = [0.0]
        self._squares = [0.0]
        self._jolts = [0.0]
        self._paths = [0.0]
        self._cells: list[list[float]] = [[0.0] for _ in range(cells)]
        self._rest: tuple[int, float, Sequence[float]] | None = None

    def __len__(self) -> int:
        return len(self.load)

    def push(self, t_us: int, grams: float, cells: Sequence[float]) -> None:
        """Add one load with the part each cell shows of it."""
        if self._rest is not None:
            self._lie(*self._rest)
            self._rest = None
        load, times = self.load, self.t_us
        jolt = 0.0
        if len(load) > 1 and 0 < t_us - times[-2] <= JOLT_US:
            jolt = grams - 2 * load[-1] + load[-2]
        self._paths.append(self._paths[-1] + (abs(grams - load[-1]) if load else 0.0))
        load.append(grams)
        times.append(t_us)
        self.jolt.append(abs(jolt))
        self._sums.append(self._sums[-1] + grams)
        self._squares.append(self._squares[-1] + grams * grams)
        self._jolts.append(self._jolts[-1] + jolt * jolt)
        for sums, value in zip(self._cells, cells, strict=True):
            sums.append(sums[-1] + value)
        if len(load) >= _CUT:
            self._cut()

    def rest(self, t_us: int, grams: float, cells: Sequence[float]) -> None:
        """Replace the past by a load that lay still at `grams` until `t_us`."""
        self._rest = (t_us, grams, cells)

    def _lie(self, t_us: int, grams: float, cells: Sequence[float]) -> None:
        self.t_us[:] = range(t_us - (REACH - 1) * PERIOD_US, t_us + 1, PERIOD_US)
        self.load[:] = [grams] * REACH
        self.jolt[:] = [0.0] * REACH
        steps = range(REACH + 1)
        self._sums[:] = [grams * n for n in steps]
        self._squares[:] = [grams * grams * n for n in steps]
        self._jolts[:] = self._paths[:] = [0.0] * (REACH + 1)
        for sums, value in zip(self._cells, cells, strict=True):
            sums[:] = [value * n for n in steps]

    def mean(self, n: int, ago: int = 0) -> float:
        """Return the mean of `n` loads, the newest of them `ago` loads back; of fewer where there are not so many."""
        return _mean(self._sums, n, ago)

    def cell_mean(self, cell: int, n: int, ago: int = 0) -> float:
        """Return the same of one cell."""
        return _mean(self._cells[cell], n, ago)

    def spread(self, n: int) -> float:
        """Return the standard deviation of the newest `n` loads."""
        mean = _mean(self._sums, n, 0)
        return float(max(0.0, _mean(self._squares, n, 0) - mean * mean) ** 0.5)

    def jolt_rms(self, n: int) -> float:
        """Return the root mean square of the second differences of the newest `n` loads."""
        return float(_mean(self._jolts, n, 0) ** 0.5)

    def path(self, n: int) -> float:
        """Return the way the load went up and down in all within the newest `n` loads."""
        return _mean(self._paths, n - 1, 0) * (n - 1)

    def _cut(self) -> None:
        del self.t_us[:-REACH], self.load[:-REACH], self.jolt[:-REACH]
        for sums in (self._sums, self._squares, self._jolts, self._paths, *self._cells):
            del sums[: -REACH - 1]
            first = sums[0]
            sums[:] = [value - first for value in sums]


def _mean(sums: list[float], n: int, ago: int) -> float:
    last = len(sums) - 1 - ago
    if last <= 0:
        last = min(1, len(sums) - 1)
    first = last - n
    first = max(first, 0)
    if last == first:
        return 0.0
    return (sums[last] - sums[first]) / (last - first)
