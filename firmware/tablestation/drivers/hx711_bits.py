"""An HX711 on two ordinary pins, clocked by the processor: for boards without PIO.

A reading takes about a millisecond and must end before the next conversion, so it begins only if there is time. The
chip keeps one conversion and overwrites it with the next.
"""

from tablestation.clock import ticks_between
from tablestation.drivers.hx711_phase import Phase

READ_US = 2000  # a reading, generously, and the 75 us before the next conversion in which nothing may be read
HELD_UP_US = 20000  # after which the chip has started again, whatever happened
CLEAR_US = 4000  # a reading that may be late is begun so long before the next conversion
FRESH_US = 2000  # and so long after the last one: when they come is not known exactly


class Hx711Bits:
    """One cell: channel A, gain 128. `dout` and `sck` are pins, `sck` an output that is low.

    `disable_irq()` returns what `enable_irq` takes: with PD_SCK high for more than 60 us the chip would turn off.
    `lost` counts conversions that nobody read, and readings that cannot be trusted.
    """

    def __init__(self, dout, sck, ticks_us, disable_irq, enable_irq, period_us=12500):  # noqa: PLR0913, PLR0917 (its pins)
        self._dout = dout
        self._sck = sck
        self._ticks_us = ticks_us
        self._disable_irq = disable_irq
        self._enable_irq = enable_irq
        self._phase = Phase(period_us, ticks_us())
        self._held_up = None  # when a reading ended that may have torn the conversion after it
        self._broken = False
        self.lost = 0

    def drain(self, counts, ticks, at=0):
        """Write a waiting conversion into counts[at] and ticks[at]; return how many there were."""
        phase = self._phase
        now = self._ticks_us()
        if self._dout.value():
            phase.nothing(now)
            return 0
        if self._held_up is not None:
            if ticks_between(self._held_up, now) < HELD_UP_US:
                return 0
            self._held_up = None
        n = 1
        if phase.since_look_us(now) > phase.period_us() - READ_US:  # looked so late that it may not be fresh
            left_us = phase.left_us(now)
            if left_us and not CLEAR_US < left_us < phase.period_us() - FRESH_US:
                return 0
            n = max(1, phase.passed(now))
        word = self._read()
        ended = self._ticks_us()
        if not self._dout.value():  # the 25th pulse lets it rise: the wire is broken, or the chip miscounted its pulses
            self._held_up = ended
            if not self._broken:
                self._broken = True
                self.lost += 1
            return 0
        if not self._broken:
            self.lost += n - 1
        self._broken = False
        ready = phase.follow(n, now)
        if ticks_between(now, ended) > READ_US:
            self.lost += 1
            self._held_up = ended
            return 0
        counts[at] = word - 0x1000000 if word & 0x800000 else word
        ticks[at] = ready
        return 1

    def _read(self):
        dout, word = self._dout, 0
        for _ in range(24):
            self._pulse()
            word = word << 1 | dout.value()
        self._pulse()  # the 25th: channel A, gain 128 again
        return word

    def _pulse(self):
        sck = self._sck
        state = self._disable_irq()
        sck.value(1)
        sck.value(0)
        self._enable_irq(state)
