"""The HX711 at its two pins, after its datasheet (Avia, 24-bit ADC for weigh scales) and published measurements.

Conversions come from the chip's own oscillator. DOUT is low while one waits to be read and high otherwise; each pulse
on PD_SCK shifts out one bit, most significant first; the 25th pulls DOUT high, and 25, 26 or 27 pulses choose input and
gain of the next conversion. The next conversion overwrites one that is not read. During the 75 us before that the chip
changes the data: DOUT is high if nobody reads, and a read returns nonsense. The next conversion begins with its first
bit, even if the last one was not read to its end. PD_SCK high for more than 60 us is power-down.
"""

RAIL_HIGH = 0x7FFFFF
RAIL_LOW = -0x800000
WINDOW_US = 75  # seen on an oscilloscope: no reading in it
POWER_DOWN_US = 60
SETTLING = 4  # conversions after power-up or a change of input (400 ms at 10, 50 ms at 80 samples a second)
GAINS = {25: ("A", 128), 26: ("B", 32), 27: ("A", 64)}  # by pulses; the next conversion's
OPEN = "open"  # DOUT torn off: its pull-up shows high for ever
SHORT = "short"  # DOUT lies on ground
STUCK = "stuck"  # converts, but always the same
WORKING = ""


class Chance:
    """Pseudo-random numbers that are the same on every VM: a lag-1 multiply with carry in 28 bits."""

    def __init__(self, seed):
        self._state = 1 + seed * 7919 % 200000000
        for _ in range(8):
            self.below(1)

    def below(self, n):
        """Return a number from 0 to n-1; n is at most 2**14."""
        self._state = 16266 * (self._state & 0x3FFF) + (self._state >> 14)
        return (self._state & 0x3FFF) * n >> 14

    def bell(self):
        """Return an approximately normal number with a standard deviation of 256."""
        return self.below(444) + self.below(444) + self.below(444) + self.below(444) - 886


class Bridge:
    """A load cell at the chip's input: one of `counts_per_g` (at channel A, gain 128) under `grams(t_us)`.

    `drift_g_per_h` is the slow walk of its zero, `creep` the share of a load that it shows more of after a minute (it
    follows the load it last saw; a share of a load, such as 0.001), `spikes` a list of conversions that come out as
    something else: `[t_us, count]`, the first conversion from that moment on.
    """

    def __init__(self, grams, counts_per_g=2147, zero=0, noise_counts=0, seed=1):
        self.grams = grams
        self.counts_per_g = counts_per_g
        self.zero = zero
        self.noise_counts = noise_counts
        self.drift_g_per_h = 0
        self.creep = 0
        self.spikes = []
        self._chance = Chance(seed)
        self._crept_g = 0
        self._seen_us = 0

    def counts(self, t_us):
        """Return the conversion that ends at this moment; the moments must not go back."""
        if self.spikes and t_us >= self.spikes[0][0]:
            return self.spikes.pop(0)[1]
        grams = self.grams(t_us)
        if self.creep:
            passed = min(1, (t_us - self._seen_us) / 60e6)
            self._crept_g += (grams * self.creep - self._crept_g) * passed
            self._seen_us = t_us
        if self.drift_g_per_h:
            grams += self.drift_g_per_h * t_us / 3.6e9
        counts = self.zero + int(self.counts_per_g * (grams + self._crept_g))
        if self.noise_counts:
            counts += self._chance.bell() * self.noise_counts // 256
        return counts


class Hx711:
    """One chip. `bridge.counts(t_us)` is what hangs on channel A.

    `period_us` is one conversion's at RATE high (10,700-13,500: 93 to 74 a second); it drifts by `drift_ppm` an hour.
    `rate` is the RATE pin, 0 for 10 samples a second. `faults` is a list of `[t_us, kind]` in order of time.
    Counted for tests: `converted`, `overwritten` (never read), `garbled` (read in part, or in the window),
    `powered_down`.
    """

    def __init__(self, wires, dout, sck, bridge, period_us=12500, rate=1):
        self.bridge = bridge
        self.period_us = period_us
        self.drift_ppm = 0
        self.rate = rate
        self.rises = True  # DOUT, in the window, where nobody has read: seen on a scope, not in the datasheet
        self.faults = []
        self.converted = self.overwritten = self.garbled = self.powered_down = 0
        self.channel, self.gain = GAINS[25]
        self._chance = Chance(dout)
        self._fault = WORKING
        self._stuck = None
        self._sck = 0
        self._rose_us = 0
        self._sleeping = False
        self._next_us = 0
        self._wake(wires.clock.now_us())
        self._next_us += self._chance.below(1000)  # nobody's conversions begin together
        wires.wire(dout).driver = self
        wires.wire(sck).listen(self.edge)

    def level(self, t_us):
        """Return the level of DOUT."""
        self._follow(t_us)
        if self._fault == OPEN:
            return 1
        if self._fault == SHORT:
            return 0
        if self._sleeping or self._pulses >= 25 or self._word is None:
            return 1
        if t_us >= self._next_us - WINDOW_US and (self._pulses or self.rises):
            return self._chance.below(2) if self._pulses else 1
        return self._word >> (24 - self._pulses) & 1 if self._pulses else 0

    def next_edge(self, t_us):
        """Return when DOUT may change next without a pulse."""
        self._follow(t_us)
        if t_us < self._next_us - WINDOW_US:
            due_us = self._next_us - WINDOW_US
        else:
            due_us = self._next_us
        for change in self.faults:
            due_us = min(due_us, change[0])
        return due_us if due_us > t_us else t_us + 1

    def edge(self, level, t_us, _ns):
        """Take an edge of PD_SCK."""
        self._follow(t_us)
        self._sck = level
        if level:
            self._rose_us = t_us
            if not self._sleeping and self._word is not None:
                self._pulses += 1
                if self._pulses < 25 and t_us >= self._next_us - WINDOW_US:
                    self._torn = True
        elif self._sleeping:
            self._wake(t_us)

    def _follow(self, t_us):
        """Do everything that the chip did without us until now."""
        while self.faults and self.faults[0][0] <= t_us:
            change_us, kind = self.faults.pop(0)
            self._run(change_us)
            self._fault, self._stuck = kind, None
        self._run(t_us)

    def _run(self, t_us):
        asleep_us = self._rose_us + POWER_DOWN_US
        if self._sck and not self._sleeping and t_us >= asleep_us:
            self._convert(asleep_us)
            self._sleeping = True
            self.powered_down += 1
        if not self._sleeping:
            self._convert(t_us)

    def _convert(self, t_us):
        while self._next_us <= t_us:
            self._finish(self._next_us)
            self._next_us += self._period(self._next_us)

    def _period(self, t_us):
        period_us = self.period_us if self.rate else 8 * self.period_us
        if self.drift_ppm:
            period_us += int(period_us * self.drift_ppm * (t_us / 3.6e15))
        return period_us

    def _finish(self, t_us):
        """End a conversion: an unread one is lost, and the pulses of the last reading count."""
        pulses = self._pulses
        self._pulses = 0
        if self._word is not None and pulses == 0:
            self.overwritten += 1
        elif 0 < pulses < 25 or self._torn:
            self.garbled += 1
        self._torn = False
        chosen = GAINS.get(min(pulses, 27))
        if chosen is not None and chosen != (self.channel, self.gain):
            self.channel, self.gain = chosen
            self._unsettled = SETTLING - 1
        value = self._measure(t_us)
        if self._unsettled:
            value = value * (SETTLING - self._unsettled) // SETTLING
            self._unsettled -= 1
        self._word = max(RAIL_LOW, min(RAIL_HIGH, value)) & 0xFFFFFF
        self.converted += 1

    def _measure(self, t_us):
        if self._fault == STUCK:
            if self._stuck is None:
                self._stuck = self.bridge.counts(t_us)
            return self._stuck
        if self.channel == "B":
            return 0  # its inputs lie on ground on every module
        counts = self.bridge.counts(t_us)
        return counts if self.gain == 128 else counts // 2

    def _wake(self, t_us):
        """Wake up after power-on or power-down: channel A, gain 128, and nothing until the chip has settled."""
        self._sleeping = False
        self._word = None
        self._pulses = 0
        self._torn = False
        self._unsettled = 0
        self.channel, self.gain = GAINS[25]
        self._next_us = t_us
        self._next_us += SETTLING * self._period(t_us)
