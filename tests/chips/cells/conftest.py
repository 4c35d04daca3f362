"""A board on the bench: pins, clock, and cells whose conversions the test knows one by one."""

from array import array
from collections.abc import Callable

import pytest

from tablestation.clock import ticks_between
from tablestation.drivers import hx711_pio
from tablestation.drivers.hx711_bits import Hx711Bits
from tablestation.drivers.hx711_pio import Hx711Pio
from tabletwin.chips.clock import TICKS, Clock, Time
from tabletwin.chips.hx711 import Bridge, Hx711
from tabletwin.chips.machine import Machine
from tabletwin.chips.pins import Wires
from tabletwin.chips.rp2 import Rp2

ROOM = 16


class Recorded(Bridge):
    """A bridge that remembers what it was converted to, and when."""

    def __init__(self, counts: Callable[[int, int], int]) -> None:
        super().__init__(lambda t_us: 0)
        self._counts = counts
        self.conversions: list[tuple[int, int]] = []

    def counts(self, t_us: int) -> int:
        """`counts(k, t_us)` of the k-th conversion."""
        counts = self._counts(len(self.conversions), t_us)
        self.conversions.append((t_us, counts))
        return counts


class Bench:
    """One board with an HX711 on pins 2 and 3. Its ticks wrap three seconds after power on."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.wires = Wires(self.clock)
        self.machine = Machine(self.wires)
        self.rp2 = Rp2(self.wires)
        self.started = TICKS - 3_000_000
        self.time = Time(self.clock, self.started)
        self.counts = array("i", [0] * ROOM)
        self.ticks = array("i", [0] * ROOM)

    def chip(self, counts: Callable[[int, int], int], period_us: int = 12_500) -> Hx711:
        """A chip that converts to `counts(k, t_us)`."""
        return Hx711(self.wires, 2, 3, Recorded(counts), period_us)

    def bits(self) -> Hx711Bits:
        """The bit-banging driver."""
        pin = self.machine.Pin
        dout, sck = pin(2, pin.IN), pin(3, pin.OUT, value=0)
        return Hx711Bits(dout, sck, self.time.ticks_us, self.machine.disable_irq, self.machine.enable_irq)

    def pio(self) -> Hx711Pio:
        """The driver on a state machine."""
        program = hx711_pio.assemble(self.rp2)
        pin = self.machine.Pin
        machine = hx711_pio.state_machine(self.rp2, 0, program, pin(2), pin(3))
        return Hx711Pio(machine, self.time.ticks_us)

    def drain(self, cell: Hx711Bits | Hx711Pio) -> list[tuple[int, int]]:
        """What a driver has: (microseconds since power on, count) of each."""
        n = cell.drain(self.counts, self.ticks)
        now_us = self.clock.now_us()
        now = (self.started + now_us) % TICKS
        return [(now_us - ticks_between(self.ticks[k], now), self.counts[k]) for k in range(n)]

    def poll(self, cell: Hx711Bits | Hx711Pio, until_us: int, every_us: int) -> list[tuple[int, int]]:
        """All that a driver says until then."""
        got = []
        while self.clock.now_us() < until_us:
            self.clock.spend(every_us)
            got += self.drain(cell)
        return got


@pytest.fixture
def bench() -> Bench:
    """A board that just got power."""
    return Bench()
