"""The station's clock: wrapped ticks and the number of wraps. The hub unwraps them and knows the offset."""

PERIOD = 1 << 30
_HALF = 1 << 29


def ticks_between(earlier, later):
    """Return the microseconds from one ticks reading to another less than half a period away.

    Every intermediate value is a small integer of MicroPython, so nothing is allocated.
    """
    passed = later - earlier
    if passed >= _HALF:
        return passed - _HALF - _HALF
    if passed < -_HALF:
        return passed + _HALF + _HALF
    return passed


class Clock:
    """A clock of `[wraps, ticks_us]` readings. Call `now` more often than the ticks wrap (every 18 minutes)."""

    def __init__(self, port):
        self._port = port
        self._ticks = port.ticks_us()
        self._wraps = 0

    def now(self):
        """Return the reading of this moment."""
        ticks = self._port.ticks_us()
        if ticks < self._ticks:
            self._wraps += 1
        self._ticks = ticks
        return [self._wraps, ticks]

    def at(self, ticks):
        """Return the reading for a ticks value taken before the last `now`."""
        return [self._wraps if ticks <= self._ticks else self._wraps - 1, ticks]
