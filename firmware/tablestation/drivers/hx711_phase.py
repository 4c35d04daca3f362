"""Estimates when a conversion was ready, though the processor looks only now and then.

An HX711 runs on its own oscillator, at 74 to 93 conversions a second instead of the nominal 80. Each look shows how
many became ready since the last one. That bounds their times; the period follows from the bounds.
"""

from tablestation.clock import ticks_between

_HALF = 1 << 29  # of the ticks' period
SEEN_MAX = 64  # an excess moves the period by so small a share of it at last; it still follows the temperature


def ticks_after(ticks, later_us):
    """Return ticks that are so much later, or earlier, by less than half a period. This allocates nothing."""
    if later_us < 0:
        ticks += later_us
    else:
        ticks = ticks - _HALF - (_HALF - later_us)
    return ticks if ticks >= 0 else ticks + _HALF + _HALF


class Phase:
    """The conversion times of one chip. `period_us` is what its RATE pin promises; 25 % more or less is accepted."""

    def __init__(self, period_us, now):
        self._period_x16 = period_us << 4
        self._least_x16 = self._period_x16 * 3 // 4
        self._most_x16 = self._period_x16 * 5 // 4
        self._last = now
        self._looked = now
        self._known = False  # whether `_last` is a conversion's
        self._seen = 0  # conversions that the period follows from

    def period_us(self):
        """Return the present estimate of the period."""
        return self._period_x16 >> 4

    def nothing(self, now):
        """Note a look that found no conversion."""
        self._looked = now

    def since_look_us(self, now):
        """Return the time since the last look."""
        return ticks_between(self._looked, now)

    def passed(self, now):
        """Return how many conversions must have become ready since the last one."""
        return ticks_between(self._last, now) // (self._period_x16 >> 4) if self._known else 0

    def left_us(self, now):
        """Return the time until the next conversion; 0 if nothing is known yet."""
        period_us = self._period_x16 >> 4
        return period_us - ticks_between(self._last, now) % period_us if self._known else 0

    def follow(self, n, now):
        """Note a look that found n conversions; return the ticks of the last one."""
        ahead_us = ticks_between(self._last, now)
        lead_us = n * self._period_x16 >> 4
        if not self._known:
            lead_us = ahead_us
            self._known = True
        else:
            lead_us = self._within(n, ahead_us, lead_us)
        self._last = ticks_after(self._last, lead_us)
        self._looked = now
        return self._last

    def follow_full(self, n, now):
        """Note a look that found n conversions and no room for more; return the ticks of the last of the n.

        They are the oldest since the look before. `passed` counts those without room; `skip` them.
        """
        if not self._known:
            return self.follow(n, now)
        lead_us = n * self._period_x16 >> 4
        ahead_us = ticks_between(self._last, now)
        lead_us = min(lead_us, ahead_us)
        self._last = ticks_after(self._last, lead_us)
        self._looked = now
        return self._last

    def skip(self, n):
        """Skip conversions that nobody will see."""
        self._last = ticks_after(self._last, n * self._period_x16 >> 4)

    def _within(self, n, ahead_us, lead_us):
        """Keep the estimate within its bounds; where it left them, time and period were wrong.

        The last of n conversions is no later than this look and less than a period before it. The first is no earlier
        than the look before.
        """
        earliest_us = ahead_us - (self._period_x16 >> 4)
        bound_us = ticks_between(self._last, self._looked) + ((n - 1) * self._period_x16 >> 4)
        earliest_us = max(earliest_us, bound_us)
        if self._seen < SEEN_MAX:
            self._seen += n
        if lead_us < earliest_us:
            self._correct(earliest_us - lead_us)
            lead_us = earliest_us
        if lead_us > ahead_us:
            self._correct(ahead_us - lead_us)
            lead_us = ahead_us
        return lead_us

    def _correct(self, excess_us):
        period_us = self._period_x16 >> 4
        if -period_us < excess_us < period_us:  # more is a pause, not an oscillator
            period_x16 = self._period_x16 + (excess_us << 4) // self._seen
            if self._least_x16 <= period_x16 <= self._most_x16:
                self._period_x16 = period_x16
