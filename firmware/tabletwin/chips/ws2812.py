"""A chain of WS2812 LEDs on one wire: each keeps the first 24 bits that reach it and hands on the rest.

How long the wire is high distinguishes the bits (WS2812B datasheet: a 0 is 400 ns, a 1 is 800 ns, each +-150 ns, one
bit 1250 ns +-600 ns); colours come as green, red, blue, most significant bit first. The LEDs show their colours when
the wire has been low for the latch time: 50 us for old chips, 280 us for new ones (V5 and B-2020).
"""

ZERO_NS = (250, 550)
ONE_NS = (650, 950)
LOW_NS = (300, 5000)  # between two bits; longer and below the latch time nobody knows what happens
DARK_UA = 1000  # an LED's own electronics
STEP_UA = 70  # each step of each channel


class Chain:
    """The strip on a wire. `errors` counts bits of no known length, `frames` the latches."""

    def __init__(self, wires, pin, leds, latch_us=280):
        self.leds = leds
        self.errors = 0
        self.frames = 0
        self._latch_us = latch_us
        self._shown = bytearray(3 * leds)
        self._bits = 0
        self._coming = bytearray(3 * leds)
        self._edge_us = self._edge_ns = 0
        self._level = 0
        self._clock = wires.clock
        wires.wire(pin).listen(self.edge)

    def edge(self, level, t_us, ns):
        """Take an edge of the wire."""
        lasted_ns = (t_us - self._edge_us) * 1000 + ns - self._edge_ns
        self._edge_us, self._edge_ns, self._level = t_us, ns, level
        if not level:
            self._take(lasted_ns)
        elif self._bits and lasted_ns >= 1000 * self._latch_us:
            self._latch()
        elif self._bits and not LOW_NS[0] <= lasted_ns <= LOW_NS[1]:
            self.errors += 1

    def pixels(self):
        """Return the colours that shine now, as a list of (r, g, b)."""
        if self._bits and not self._level and self._clock.now_us() - self._edge_us >= self._latch_us:
            self._latch()
        shown = self._shown
        return [(shown[k + 1], shown[k], shown[k + 2]) for k in range(0, len(shown), 3)]

    def current_ma(self):
        """Return the current that it draws now."""
        return sum([self.channel_ma(k) for k in range(3)]) + self.leds * DARK_UA / 1000

    def channel_ma(self, channel):
        """Return the current of all LEDs of one colour (0 red, 1 green, 2 blue)."""
        return sum([pixel[channel] for pixel in self.pixels()]) * STEP_UA / 1000

    def _take(self, high_ns):
        if ONE_NS[0] <= high_ns <= ONE_NS[1]:
            bit = 1
        elif ZERO_NS[0] <= high_ns <= ZERO_NS[1]:
            bit = 0
        else:
            self.errors += 1
            return
        at = self._bits >> 3
        if at < len(self._coming):  # the rest leaves at the end of the strip
            self._coming[at] = (self._coming[at] << 1 | bit) & 255
        self._bits += 1

    def _latch(self):
        whole = min(self._bits // 24 * 3, len(self._shown))
        self._shown[:whole] = self._coming[:whole]
        self._bits = 0
        self.frames += 1
