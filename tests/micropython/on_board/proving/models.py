"""Models behind the drivers' seam. Drained they allocate nothing, so that what the station does shows."""

_MASK = (1 << 30) - 1
_HALF = 1 << 29
COUNTS_MAX = 0x7FFFFF
PERIOD_US = 12_500  # 80 conversions a second, as the HX711's data sheet says
SPREAD_US = 230  # every chip has an oscillator of its own
ROOM = 16  # what a driver may count on, as the seam says
DARK_UA = 1000
STEP_UA = 70
READ_MS = 30  # what one look of a tag reader takes
RIPPLE = (-30, 12, 5, -18, 40, -7, 22, -35, 9, -1, 16, -12, 28, -25, 3, -6, 33)  # counts: a cell that nobody touches


class Cell:
    """A load cell with its HX711. `load` is in counts; `fault` is None, unplugged, stuck or saturated."""

    def __init__(self, ticks_us, number, zero):
        self._ticks_us = ticks_us
        self._zero = zero
        self._phase = number
        self.period_us = PERIOD_US + SPREAD_US * (number % 5) - 2 * SPREAD_US
        self.load = 0
        self.fault = None
        self.lost = 0
        self.deviates = None  # called once at the first conversion with a new load
        self._next = (ticks_us() + 1000 * number) & _MASK

    def drain(self, counts, ticks, at=0):
        """As the seam says."""
        now = self._ticks_us()
        n = 0
        while n < ROOM and (now - self._next) & _MASK < _HALF:
            if self.fault != "unplugged":
                counts[at + n] = self._convert()
                ticks[at + n] = self._next
                n += 1
            self._next -= _MASK - self.period_us  # a small integer on every way
            self._next -= 1
            if self._next < 0:
                self._next += _MASK
                self._next += 1
        return n

    def set_fault(self, fault):
        """`unplugged`, `stuck`, `saturated`, or None."""
        self.fault = fault

    def set_period(self, period_us):
        """The time of one conversion."""
        self.period_us = period_us

    def _convert(self):
        if self.fault == "saturated":
            return COUNTS_MAX
        if self.fault == "stuck":
            return self._zero
        if self.deviates is not None:
            self.deviates((self._ticks_us() - self._next) & _MASK)
            self.deviates = None
        self._phase += 1
        if self._phase >= len(RIPPLE):
            self._phase = 0
        return self._zero + self.load + RIPPLE[self._phase]


class Reader:
    """A tag reader with `uid` in its field; it may miss the next looks, or be silent."""

    def __init__(self, sleep_ms):
        self._sleep_ms = sleep_ms
        self.uid = None
        self.silent = False
        self.misses = 0  # how many of the next looks find nothing

    def set_uid(self, uid):
        """What lies on it."""
        self.uid = uid

    def set_silent(self, silent):
        """Its plug is out, or in again."""
        self.silent = silent

    async def read(self):
        """As the seam says."""
        await self._sleep_ms(READ_MS)
        if self.silent:
            raise OSError("no answer")
        if self.misses:
            self.misses -= 1
            return None
        return self.uid

    async def pages(self, first, n):
        """User pages that count upwards."""
        await self._sleep_ms(READ_MS)
        if self.silent or self.uid is None:
            raise OSError("no answer")
        return bytes([(4 * first + k) & 0xFF for k in range(4 * n)])


class Ranger:
    """A time-of-flight sensor above a crane's paddle; 30 readings a second once started."""

    def __init__(self, ticks_us):
        self._ticks_us = ticks_us
        self._last = ticks_us()
        self._phase = 0
        self.range_mm = 45  # the paddle is parked
        self.silent = False

    def start(self):
        """As the seam says."""

    def take(self):
        """As the seam says."""
        if self.silent:
            raise OSError("no answer")
        now = self._ticks_us()
        if (now - self._last) & _MASK < 33_000:
            return None
        self._last = now
        self._phase = (self._phase + 1) % 5
        return (self.range_mm + (0, 1, -1, 2, -2)[self._phase], 0)


class Beam:
    """A crane's beam: its paddle, wherever it is lowered, rests."""

    def __init__(self, ranger, parked_mm=55):
        self._ranger = ranger
        self._parked_mm = parked_mm

    def broken(self):
        """As the seam says."""
        return self._ranger.range_mm > self._parked_mm


class Ring:
    """LEDs that remember what they show."""

    def __init__(self, leds):
        self._leds = leds
        self._sum = 0

    def write(self, rgb):
        """As the seam says."""
        self._sum = sum(rgb)

    def draws_ma(self):
        """The current, by what a WS2812 draws dark and for each step of each channel."""
        return (DARK_UA * self._leds + STEP_UA * self._sum) // 1000


class Button:
    """A button that waits to be pressed."""

    def __init__(self):
        self.pressed = 0

    def take(self):
        """As the seam says."""
        if not self.pressed:
            return False
        self.pressed -= 1
        return True
