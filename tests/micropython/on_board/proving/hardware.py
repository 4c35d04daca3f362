"""The chips of a board at its pins, on the clock of the machine that all this runs on."""

import sys
import time

from tabletwin.chips.clock import Clock
from tabletwin.chips.machine import Machine
from tabletwin.chips.pins import Wires
from tabletwin.chips.rp2 import Rp2

_MASK = (1 << 30) - 1


class HostClock(Clock):
    """The machine's own clock, unwrapped; what a modelled operation takes, it takes there."""

    def __init__(self):
        super().__init__(self._passed)
        self._last = time.ticks_us()
        self._total = 0

    def _passed(self):
        ticks = time.ticks_us()
        self._total += (ticks - self._last) & _MASK
        self._last = ticks
        return self._total

    def spend(self, duration_us):
        """The processor is busy that long, and everybody's clock with it."""
        time.sleep_us(duration_us)
        waiting = self.interruptions
        while waiting and not self.masked and waiting[0][0] <= self.now_us():
            time.sleep_us(waiting.pop(0)[1])

    def reach(self, t_us):
        """Nothing happens until that moment."""
        left_us = t_us - self.now_us()
        if left_us > 0:
            time.sleep_us(left_us)


class Hardware:
    """Wires, and the modules `machine` and `rp2` over them, where a program imports them."""

    def __init__(self):
        self.clock = HostClock()
        self.wires = Wires(self.clock)
        self.machine = Machine(self.wires)
        self.rp2 = Rp2(self.wires)
        sys.modules["machine"] = self.machine
        sys.modules["rp2"] = self.rp2
