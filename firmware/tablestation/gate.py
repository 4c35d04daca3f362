"""One load cell's gate: rest is sent as one summary a second, movement sample by sample.

The cell's driver writes its conversions straight into the arrays kept here. They hold the newest two seconds, so the
hub always gets the history before a movement. At the end of the arrays writing wraps to their beginning. The driver
needs `ROOM` in one piece, so a round may be a little longer than `KEPT`. `take`, `judge`, `rest`, `follow`, `settle`
and `open` allocate nothing and use small integers only.
"""

from array import array

from tablestation.clock import ticks_between

KEPT = 240  # conversions: 2 s of the fastest chip, and two blocks that are not sent yet
ROOM = 16  # for conversions since the last look: a PIO's buffer holds 8
HISTORY_MAX = KEPT - 24  # sent from before a movement, so that there is room while it is sent
HISTORY_US = 2_000_000
FIRST_US = 1_000_000  # a chip needs up to half a second to begin
SILENT_US = 250_000  # without a conversion: a chip at 10 a second makes no such pause
RAIL = (1 << 23) - 1
COUNTED = (1 << 20) - 1  # counters wrap after this: take differences, `& COUNTED`
NO_VALUE = 1 << 24
_SPAN_OF_SIGMA_X100 = 285  # the mean span of 8 normal samples is 2.85 sigma


class CellGate:
    """The gate of one cell. Every 100 ms the caller ends a block for all cells of a spot: `judge`, then `rest` or
    `follow`.

    `last` and `before` are the newest two conversions; `level` is the value at the last rest. Three signs of a fault:
    `silent`; `same`, the number of equal conversions in a row; `railed`, the number of blocks in a row that touch an
    end of the chip's range. `taken`, `lost` and `at_rail` count conversions.
    """

    def __init__(self, cell, noise_counts, shift_counts, ticks):
        self._cell = cell
        self._drain = cell.drain
        self._noise = noise_counts
        self._shift = shift_counts
        self.counts = array("i", [NO_VALUE] * (KEPT + ROOM))
        self.ticks = array("i", [ticks] * (KEPT + ROOM))  # the moment of each
        self.head = 0  # where the next one goes
        self.lap = KEPT  # where it wrapped last
        self.waiting = 0  # how many of the newest have not been sent one by one
        self.due = 0  # how many of these, the oldest first, must be
        self.last = self.before = self.level = 0
        self._level_x16 = 0  # follows slowly: 4 bits of fraction
        self._mean = 0
        self._weighed = False
        self._patience = FIRST_US
        self.silent = False
        self.same = 0
        self._same_value = NO_VALUE
        self.railed = 0
        self.taken = self.lost = self.at_rail = 0
        self._lost_by_cell = cell.lost
        self.lost_reported = 0
        self._n = self._sum = 0  # of the block that has begun
        self._low = NO_VALUE
        self._high = -NO_VALUE
        self._begin_summary()

    def take(self):
        """Take the new conversions; return True if one is further from the level than noise."""
        counts = self.counts
        head = self.head
        n = self._drain(counts, self.ticks, head)
        if not n:
            return False
        end = head + n
        total = 0
        low = high = value = counts[head]
        for k in range(head, end):
            value = counts[k]
            total += value
            if value < low:
                low = value
            elif value > high:
                high = value
        self.before = counts[end - 2] if n > 1 else self.last
        self.last = value
        if end >= KEPT:
            self.lap = end
            end = 0
        self.head = end
        self.waiting += n
        self._n += n
        self._sum += total
        if low < self._low:
            self._low = low
        if high > self._high:
            self._high = high
        if not self._weighed:
            self.level = self.before = value
            return False
        return low < self.level - self._noise or high > self.level + self._noise

    def judge(self, now):
        """End a block; return True if the cell moves."""
        n = self._n
        if self._cell.lost != self._lost_by_cell:
            self._lose(self._cell.lost - self._lost_by_cell)
            self._lost_by_cell = self._cell.lost
        if not n:
            if not self.silent and ticks_between(self.ticks[self._place(1)], now) > self._patience:
                self.silent = True
                self._weighed = False  # when it comes back, that is neither a rise nor a fall
            return False
        self.silent = False
        self._patience = SILENT_US
        self.taken = (self.taken + n) & COUNTED
        low = self._low
        high = self._high
        if low == high:
            self.same = self.same + n if high == self._same_value else n
            self._same_value = high
        else:
            self.same = 0
        if low <= -RAIL or high >= RAIL:
            self.railed += 1
            self._count_railed(n)
        else:
            self.railed = 0
        self._mean = mean = self._sum // n
        if not self._weighed:
            self._weighed = True
            self._level_x16 = mean << 4
            if not self._reported_n:
                self._origin = mean
            return False
        return high - low > self._noise or not -self._shift <= mean - (self._level_x16 >> 4) <= self._shift

    def rest(self):
        """Add a quiet block to the summary."""
        if self.waiting > HISTORY_MAX:
            self.waiting = HISTORY_MAX
        n = self._n
        if not n:
            return
        self._level_x16 += self._mean - (self._level_x16 >> 4)
        self.level = self._level_x16 >> 4
        self._reported_n += n
        self._reported_sum += self._sum - n * self._origin
        self._spans += self._high - self._low
        self._blocks += 1
        if self._low < self._min:
            self._min = self._low
        if self._high > self._max:
            self._max = self._high
        self._n = self._sum = 0
        self._low = NO_VALUE
        self._high = -NO_VALUE

    def follow(self):
        """Send the block sample by sample, and compare the next block with it."""
        if self._n:
            self._level_x16 = self._mean << 4
        if self.waiting > KEPT:
            self._lose(self.waiting - KEPT)
            self.waiting = KEPT
        self.due = self.waiting
        self._n = self._sum = 0
        self._low = NO_VALUE
        self._high = -NO_VALUE

    def settle(self):
        """Take the present mean as the level: the spot rests, though its samples are still sent."""
        self.level = self._mean

    def open(self, since):
        """Begin a movement: up to two seconds of samples before `since` will be sent, and no summary contains them."""
        if self.waiting > HISTORY_MAX:
            self.waiting = HISTORY_MAX
        while self.waiting and ticks_between(self.ticks[self._place(self.waiting)], since) > HISTORY_US:
            self.waiting -= 1
        self._begin_summary()

    def batch(self, n_max):
        """Return up to `n_max` of the oldest due conversions as (ticks of the first, gaps, counts), or None."""
        n = min(self.due, n_max)
        if not n:
            return None
        place = self._place(self.waiting)
        first = earlier = self.ticks[place]
        gaps = []
        counts = [self.counts[place]]
        while len(counts) < n:
            place += 1
            if place == self.lap:
                place = 0
            gaps.append(ticks_between(earlier, self.ticks[place]))
            earlier = self.ticks[place]
            counts.append(self.counts[place])
        self.due -= n
        self.waiting -= n
        return first, gaps, counts

    def summary(self):
        """Return the summary since the last one, as a wire object without its names, or None."""
        n = self._reported_n
        if not n:
            return None
        reported = {
            "n": n,
            "mean": round(self._origin + self._reported_sum / n, 2),
            "spread": round(self._spans * 100 / (_SPAN_OF_SIGMA_X100 * self._blocks), 1),
            "min": self._min,
            "max": self._max,
            "lost": self.newly_lost(),
        }
        self._begin_summary()
        return reported

    def newest(self):
        """Return the kept counts, oldest first. This allocates one list only."""
        counts = self.counts
        first = self.head
        while first < self.lap and counts[first] == NO_VALUE:
            first += 1
        older = self.lap - first
        kept = [0] * (older + self.head)
        for k in range(older):
            kept[k] = counts[first + k]
        for k in range(self.head):
            kept[older + k] = counts[k]
        return kept

    def newly_lost(self):
        """Return the number of conversions lost since the last call."""
        n = (self.lost - self.lost_reported) & COUNTED
        self.lost_reported = self.lost
        return n

    def _place(self, back):
        """Return the index of a kept conversion; `back` 1 is the newest."""
        place = self.head - back
        return place if place >= 0 else place + self.lap

    def _lose(self, n):
        self.lost = (self.lost + n) & COUNTED

    def _count_railed(self, n):
        for back in range(1, min(n, KEPT) + 1):
            if not -RAIL < self.counts[self._place(back)] < RAIL:
                self.at_rail = (self.at_rail + 1) & COUNTED

    def _begin_summary(self):
        self._origin = self._level_x16 >> 4
        self._reported_n = 0
        self._reported_sum = 0  # of the distances from `_origin`
        self._spans = 0
        self._blocks = 0
        self._min = NO_VALUE
        self._max = -NO_VALUE
