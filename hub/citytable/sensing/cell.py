"""One load cell: raw counts in, believable grams out, and faults that are never taken for a load.

The law of this file is `TRANSITIONS`; docs/reference/sensing.md draws it. Bad values, or equal ones, for long enough
make a cell faulty; believable, changing values for a while make it good again.

A bad value is a rail, a load the cell cannot carry, or a leap no load makes (an input that hangs in the air wanders and
leaps; one that does so quietly is found by `floating`). Single bad reads of an HX711 (0, -1, 2**k - 1: the clock line
stayed high too long) are dropped, and a median of three takes what else lasts one sample. The chip's own noise is tens
of counts, so that a converter which gives the same number again and again, or one beside it, is not converting,
whatever few reads come in between; from the third equal number on nothing is reported.
"""

from collections import deque
from enum import Enum
from typing import TypeAlias

from citytable.table.plan import CellPlan

RAIL_LOW = -8388608  # HX711: 24 bits, two's complement
RAIL_HIGH = 8388607
BAD_US, BAD_SAMPLES = 100_000, 4
STUCK_US, STUCK_SAMPLES = 250_000, 16
FLICKER = 1  # values this close are equal for a converter that does not convert
ASLEEP_SAMPLES = 2  # repeats; noise of 30 counts gives two in a row once in ten thousand samples
DROWSY_SAMPLES = 4  # repeats that flicker; the same noise gives four in a row more seldom than that
OTHERS = 3  # numbers in a row, between many that are the same, that are no sign of converting
HEALED_US = 300_000
JOLT_G = 2.0  # second difference of three samples: rare in noise, common in movements
UNWELL_G = 8.0  # a jolt no cell has that is to be believed again
JOLTS = 48  # remembered: more than half a second of them

Jolt: TypeAlias = tuple[int, float, float]
"""A corner in the signal of a cell: t_us, how sharp in g, and the g the cell read."""

RESTLESS_US = 100_000
GLITCH_G = 5.0  # a read that looks like a glitch is one only if it is this far from the last
GLITCHES_IN_A_ROW = 3
LEAP_G = 400.0  # from one conversion to the next; an impact leaps once or twice, a loose wire always
LOAD_LOW, LOAD_HIGH = -0.5, 1.5  # of the capacity: the range of a working cell
UNFED, UNFED_G = 128, 10.0  # counts around 0 that a bridge without its supply gives, and how far it leaps to get there


class State(Enum):
    """The state of a cell: believed or not."""

    GOOD = "good"
    FAULTY = "faulty"


class Event(Enum):
    """The events of a cell; for those that make it faulty, the fault in words."""

    OUT_OF_RANGE = "out of its range"
    STUCK = "stuck at one value"
    FLOATS = "input hangs in the air"
    SILENT = "silent"
    HEALED = "healed"


TRANSITIONS: dict[tuple[State, Event], State] = {
    (State.GOOD, Event.OUT_OF_RANGE): State.FAULTY,
    (State.GOOD, Event.STUCK): State.FAULTY,
    (State.GOOD, Event.FLOATS): State.FAULTY,
    (State.GOOD, Event.SILENT): State.FAULTY,
    (State.FAULTY, Event.HEALED): State.GOOD,
}
"""Every change of state. A fault that goes on is the same one, whatever it looks like now."""


def _median(a: float, b: float, c: float) -> float:
    if a > b:
        a, b = b, a
    return a if c < a else min(b, c)


class Cell:
    """Turn the counts of one cell into grams.

    `fault` says in words why the cell is not trusted, and is empty while it is; `jolts` are its newest ones; `unfed_us`
    says since when it has read what a bridge without its supply reads, after a leap. Times are in microseconds and
    increase.
    """

    __slots__ = (
        "_bad_n",
        "_bad_us",
        "_before",
        "_equal",
        "_glitches",
        "_high_g",
        "_last_g",
        "_low_g",
        "_newest",
        "_newest_us",
        "_others",
        "_raw",
        "_same",
        "_same_us",
        "_step_g",
        "_well_us",
        "_zero_counts",
        "counts_per_g",
        "fault",
        "jolts",
        "unfed_us",
        "value_us",
    )

    def __init__(self, plan: CellPlan, fault: str = "") -> None:
        if not plan.counts_per_g:
            raise ValueError("counts_per_g is 0, so counts mean no grams: calibrate this cell")
        self.counts_per_g = plan.counts_per_g
        self._zero_counts = plan.zero_counts
        self._low_g = LOAD_LOW * plan.capacity_g
        self._high_g = LOAD_HIGH * plan.capacity_g
        self.fault = fault
        self._bad_n = self._glitches = self._same = self._equal = self._others = 0
        self._bad_us = self._same_us = self._newest_us = 0
        self.value_us = 0
        self._last_g = self._step_g = 0.0
        self.jolts: deque[Jolt] = deque(maxlen=JOLTS)
        self.unfed_us: int | None = None
        self._well_us: int | None = None
        self._raw: int | None = None
        self._newest: float | None = None
        self._before: float | None = None

    def grams_of(self, counts: float) -> float:
        """Convert counts to grams by the calibration, believable or not."""
        return (counts - self._zero_counts) / self.counts_per_g

    def is_restless(self, t_us: int) -> bool:
        """Report whether the cell leapt to raw 0, or jolted in the last tenth of a second: only then may it float."""
        return self.unfed_us is not None or (bool(self.jolts) and self.jolts[-1][0] > t_us - RESTLESS_US)

    def sample(self, t_us: int, counts: int) -> float | None:
        """Return the grams at `value_us`, one conversion earlier (a median of three); None when none are believable."""
        grams = (counts - self._zero_counts) / self.counts_per_g
        if counts <= RAIL_LOW or counts >= RAIL_HIGH or not self._low_g <= grams <= self._high_g:
            self._bad(t_us)
            return None
        if self._asleep(t_us, counts):
            return None
        step_g, jolt_g = grams - self._last_g, grams - self._last_g - self._step_g
        self._last_g, self._step_g = grams, step_g
        self.unfed_us = self._unfed(t_us, step_g) if -UNFED <= counts <= UNFED else None
        if jolt_g > JOLT_G or jolt_g < -JOLT_G:
            self._jolted((t_us, abs(jolt_g), grams), step_g)
        elif self._bad_n:
            self._bad_n -= 1
        if self.fault:
            self._healing(t_us)
            return None
        newest = self._newest
        if counts & (counts + 1) == 0 and newest is not None and abs(grams - newest) > GLITCH_G:  # 0, -1, 2**k - 1
            self._glitches += 1
            if self._glitches <= GLITCHES_IN_A_ROW:
                return None
        else:
            self._glitches = 0
        before = self._before
        self._before, self._newest = newest, grams
        self.value_us, self._newest_us = self._newest_us, t_us
        if before is None or newest is None:
            return newest
        return _median(before, newest, grams)

    def summary(self, mean: float, low: int, high: int, n: int) -> float | None:
        """Return the grams of a quiet second, or None when it shows a fault."""
        grams = self.grams_of(mean)
        if self.fault and self.unfed_us is not None and abs(mean) <= UNFED:
            return None
        self._happens(Event.HEALED)
        if low <= RAIL_LOW or high >= RAIL_HIGH or not self._low_g <= grams <= self._high_g:
            self._happens(Event.OUT_OF_RANGE)
            return None
        if n >= STUCK_SAMPLES and high - low <= 2 * FLICKER:
            self._happens(Event.STUCK)
            return None
        self._forget()
        return grams

    def silent(self) -> None:
        """Mark the cell as silent: nothing has come from it for too long."""
        self._happens(Event.SILENT)

    def floats(self) -> None:
        """Mark the cell as floating: nothing drives its input, and its values are not loads."""
        self._happens(Event.FLOATS)

    def _unfed(self, t_us: int, step_g: float) -> int | None:
        """Return the time since which the cell has read raw 0, after a leap by `step_g` at `t_us` or before."""
        return t_us if self.unfed_us is None and abs(step_g) > UNFED_G else self.unfed_us

    def _asleep(self, t_us: int, counts: int) -> bool:
        """Report whether the cell gives the same number too often for a converter that works."""
        raw = self._raw
        if raw is not None and -FLICKER <= counts - raw <= FLICKER:
            self._others = 0
            self._same += 1
            self._equal = self._equal + 1 if counts == raw else 0
            if self._same >= STUCK_SAMPLES and t_us - self._same_us >= STUCK_US:
                self._happens(Event.STUCK)
        elif self._others < min(self._same, OTHERS):
            self._others += 1
        else:
            self._raw, self._same_us = counts, t_us
            self._same = self._equal = self._others = 0
        return self._equal >= ASLEEP_SAMPLES or self._same >= DROWSY_SAMPLES

    def _jolted(self, jolt: Jolt, step_g: float) -> None:
        self.jolts.append(jolt)
        t_us, size_g, _ = jolt
        if abs(step_g) > LEAP_G:
            self._bad(t_us)
        elif self._bad_n:
            self._bad_n -= 1
        if size_g > UNWELL_G:
            self._well_us = None

    def _bad(self, t_us: int) -> None:
        if self._bad_n == 0:
            self._bad_us = t_us
        self._bad_n += 1
        self._well_us = None
        if self._bad_n >= BAD_SAMPLES and t_us - self._bad_us >= BAD_US:
            self._happens(Event.OUT_OF_RANGE)

    def _happens(self, event: Event) -> None:
        state = TRANSITIONS.get((State.FAULTY if self.fault else State.GOOD, event))
        if state is not None:
            self.fault = event.value if state is State.FAULTY else ""
        if event is not Event.HEALED:
            self._well_us = None
            self._forget()

    def _healing(self, t_us: int) -> None:
        if self._same or self.unfed_us is not None:  # still the same value, or none: not converting yet
            return
        if self._well_us is None:
            self._well_us = t_us
        elif t_us - self._well_us >= HEALED_US:
            self._happens(Event.HEALED)

    def _forget(self) -> None:
        self._newest = self._before = None
        self._glitches = 0
        self.jolts.clear()
