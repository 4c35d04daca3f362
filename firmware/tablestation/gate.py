"""One load cell's gate: what rests is told as one summary a second, what moves is told sample by sample.

A resting cell keeps its last two seconds of samples, so that whoever judges a movement has what came before it.
"""

from tablestation.clock import ticks_between

BLOCKS_KEPT = 20  # 2 s of blocks of 100 ms
BLOCKS_A_BATCH = 5  # history goes out in batches of half a second
_SPAN_OF_SIGMA_X100 = 285  # the mean span of 8 normal samples is 2.85 sigma
EMPTY_MAX = 5  # blocks without a conversion until the cell counts as faulty


class CellGate:
    """One cell. `work` takes a block from the driver and judges it; the caller decides for the whole spot."""

    def __init__(self, driver, noise_counts, shift_counts):
        self._take = driver.take
        self._noise = noise_counts
        self._shift = shift_counts
        self._level_x16 = None  # resting level, 4 bits of fraction
        self._history = []
        self.block = None
        self.mean = 0
        self._low = 0
        self._high = 0
        self.lost = 0
        self.empty = 0
        self._forget()

    def _forget(self):
        self._n = 0
        self._sum = 0
        self._spans = 0
        self._blocks = 0
        self._min = 1 << 24
        self._max = -(1 << 24)

    def work(self):
        """Take a block; True when the cell moves."""
        self.block = block = self._take()
        if block is None:
            self.empty += 1
            return False
        self.empty = 0
        self.lost += block[3]
        counts = block[2]
        self._low = low = min(counts)
        self._high = high = max(counts)
        self.mean = mean = sum(counts) // len(counts)
        level = self._level_x16
        if level is None:
            self._level_x16 = mean << 4
            return False
        return high - low > self._noise or not -self._shift <= mean - (level >> 4) <= self._shift

    def rest(self):
        """Keep the block: it is quiet."""
        block = self.block
        if block is None:
            return
        self._level_x16 += self.mean - (self._level_x16 >> 4)
        history = self._history
        if len(history) >= BLOCKS_KEPT:
            del history[0]
        history.append(block)
        counts = block[2]
        self._n += len(counts)
        self._sum += sum(counts)
        self._spans += self._high - self._low
        self._blocks += 1
        if self._low < self._min:  # noqa: PLR1730 (a call costs more than a comparison, thousands of times a second)
            self._min = self._low
        if self._high > self._max:  # noqa: PLR1730 (as above)
            self._max = self._high

    def follow(self):
        """While moving, the level to compare with is the last block's."""
        if self.block is not None:
            self._level_x16 = self.mean << 4

    def release(self):
        """Batches of the history, oldest first, which is forgotten: each a block of joined blocks."""
        history = self._history
        batches = [_join(history[k : k + BLOCKS_A_BATCH]) for k in range(0, len(history), BLOCKS_A_BATCH)]
        self._history = []
        self._forget()
        return batches

    def summary(self):
        """What rested since the last summary, as a wire object without its names; None when nothing did."""
        if not self._n:
            return None
        told = {
            "n": self._n,
            "mean": round(self._sum / self._n, 2),
            "spread": round(self._spans * 100 / (_SPAN_OF_SIGMA_X100 * self._blocks), 1),
            "min": self._min,
            "max": self._max,
            "lost": self.lost,
        }
        self.lost = 0
        self._forget()
        return told


def _join(blocks):
    first, gaps, counts, lost = blocks[0]
    gaps = list(gaps)
    counts = list(counts)
    end = first + sum(gaps)
    for block in blocks[1:]:
        gaps.append(ticks_between(end, block[0]))
        gaps.extend(block[1])
        counts.extend(block[2])
        end = block[0] + sum(block[1])
    return (first, gaps, counts, lost)
