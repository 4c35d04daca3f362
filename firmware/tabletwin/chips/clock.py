"""Virtual microseconds: time passes when the program spends it, sleeps, or the host's own clock goes on."""

TICKS = 1 << 30


class Clock:
    """The one clock of a board and of all chips on it; it never goes back.

    `source` gives microseconds that pass by themselves (the virtual clock of a VM); without one, time passes only
    through `spend` and `reach`. `interruptions` is a list of `[at_us, duration_us]` in order of time: what steals the
    processor, unless interrupts are off, in which case it comes as soon as they are on again.
    """

    def __init__(self, source=None):
        self._source = source
        self._now_us = 0
        self.interruptions = []
        self.masked = False

    def now_us(self):
        """Return the microseconds since power-on."""
        if self._source is not None:
            passed_us = self._source()
            if passed_us > self._now_us:  # noqa: PLR1730 (a call costs more, for every operation on a pin)
                self._now_us = passed_us
        return self._now_us

    def spend(self, duration_us):
        """Keep the processor busy for so long, and longer if it is interrupted."""
        self._now_us = self.now_us() + duration_us
        waiting = self.interruptions
        while waiting and not self.masked and waiting[0][0] <= self._now_us:
            self._now_us += waiting.pop(0)[1]

    def reach(self, t_us):
        """Wait until that moment; do nothing if it has passed."""
        if t_us > self.now_us():
            self._now_us = t_us


class Time:
    """A module like MicroPython's `time`, on a virtual clock. `start` is what `ticks_us` shows at power on."""

    def __init__(self, clock, start=0):
        self._clock = clock
        self._start = start

    def ticks_us(self):
        """Return microseconds below 2**30; each call costs one."""
        self._clock.spend(1)
        return (self._start + self._clock.now_us()) & (TICKS - 1)

    def ticks_ms(self):
        """Return milliseconds below 2**30."""
        return (self._start + self._clock.now_us()) // 1000 & (TICKS - 1)

    def ticks_add(self, ticks, delta):
        """Return ticks that are so much later."""
        return (ticks + delta) & (TICKS - 1)

    def ticks_diff(self, later, earlier):
        """Return the difference between two readings less than half a period apart."""
        return ((later - earlier + TICKS // 2) & (TICKS - 1)) - TICKS // 2

    def sleep_us(self, duration_us):
        """Block for so many microseconds."""
        self._clock.spend(duration_us)

    def sleep_ms(self, duration_ms):
        """Block for so many milliseconds."""
        self._clock.spend(1000 * duration_ms)

    def sleep(self, duration_s):
        """Block for so many seconds."""
        self._clock.spend(int(1000000 * duration_s))

    def time(self):
        """Return whole seconds, like MicroPython's; no board of ours knows the date."""
        return self._clock.now_us() // 1000000
