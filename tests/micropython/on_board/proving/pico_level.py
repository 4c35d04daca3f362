"""A station on the chips of a Pico, at its pins: from `tablestation.boards` down it is what a real one runs."""

import asyncio
import gc
import sys
import time
from binascii import unhexlify

from proving.hardware import Hardware
from proving.models import RIPPLE
from proving.seam_level import KINDS, SEAT, Chance
from tablestation.boards.assembly import Workshop
from tablestation.boards.port import Port
from tabletwin.chips.beam import BreakBeam
from tabletwin.chips.hx711 import OPEN, STUCK, WORKING, Hx711
from tabletwin.chips.i2c import I2C
from tabletwin.chips.lis3dh import Lis3dh
from tabletwin.chips.mcp23017 import Mcp23017
from tabletwin.chips.pn532 import Air, Pn532, Tag
from tabletwin.chips.rp2 import FIFO_WORDS
from tabletwin.chips.spi import FLOATING, SPI
from tabletwin.chips.vl53 import Vl53l1x, Vl53l4cd
from tabletwin.chips.ws2812 import Chain

COUNTS_PER_G = 1800
ZERO = 500_000
SPREAD_US = 230
HIGH_RAIL = 1 << 24  # more than the chip can say
PRESS_MS = 120
LIFTED_MM = 45  # parked at its stop
RANGERS = {"VL53L1X": Vl53l1x, "VL53L4CD": Vl53l4cd}
FAULTS = {"unplugged": OPEN, "stuck": STUCK}


class Load:
    """What hangs on a chip: a load in counts. It is both the chip's bridge and what the hands take hold of."""

    def __init__(self, number):
        self._zero = ZERO + 1000 * number
        self._phase = number
        self._chip = None
        self._clock = None
        self.load = 0
        self.deviates = None
        self.saturated = False

    def on(self, chip, clock):
        """The chip it hangs on."""
        self._chip = chip
        self._clock = clock
        return self

    def counts(self, t_us):
        """The conversion that ends at this moment."""
        if self.saturated:
            return HIGH_RAIL
        if self.deviates is not None:
            self.deviates(self._clock.now_us() - t_us)
            self.deviates = None
        self._phase = (self._phase + 1) % len(RIPPLE)
        return self._zero + self.load + 4 * RIPPLE[self._phase]

    def set_fault(self, fault):
        """`unplugged`, `stuck`, `saturated`, or None."""
        self.saturated = fault == "saturated"
        self._chip.faults.append([self._clock.now_us(), FAULTS.get(fault, WORKING)])

    def set_period(self, period_us):
        """The time of one conversion."""
        self._chip.period_us = period_us


class ReadAtOnce(Hx711):
    """A chip and the PIO machine on its pins, taken together: every conversion is in the FIFO the moment it is ready.

    It gives the machine's words without its instructions, which are tried one by one elsewhere: five times as fast.
    """

    def __init__(self, wires, dout, sck, bridge, period_us):
        self.fifo = []
        super().__init__(wires, dout, sck, bridge, period_us)

    def _finish(self, t_us):
        super()._finish(t_us)
        if self._fault in (WORKING, STUCK):
            if len(self.fifo) < 2 * FIFO_WORDS:
                self.fifo.append(self._word << 1 | 1)
            self._pulses = 25

    def catch_up(self):
        """Everything until now."""
        self._follow(self.clock.now_us())


class QuickPio:
    """The module `rp2`, with machines that are one with their chips."""

    class PIO:
        """As in the real one."""

        OUT_LOW = 2
        SHIFT_LEFT = 0
        JOIN_RX = 2

    def __init__(self, chips):
        self._chips = chips

    def asm_pio(self, **_settings):
        """The program is not needed."""
        return lambda function: function

    def StateMachine(self, _number, _program, freq=0, in_base=None, jmp_pin=None, sideset_base=None):  # noqa: ARG002, N802
        """The machine of the chip at that pin."""
        return _QuickMachine(self._chips[in_base.number])


class _QuickMachine:
    def __init__(self, chip):
        self._chip = chip

    def active(self, _on):
        """It always is."""

    def rx_fifo(self):
        """Words that wait."""
        self._chip.catch_up()
        return len(self._chip.fifo)

    def get(self):
        """The oldest word."""
        self._chip.clock.spend(41)
        return self._chip.fifo.pop(0)


class Reader(Pn532):
    """A tag reader that hands can do things to."""

    def __init__(self, clock, air):
        super().__init__(clock, air)
        self.silent = False
        self.misses = 0

    def set_uid(self, uid):
        """What lies on it."""
        self.tags = [] if uid is None else [Tag(unhexlify(uid), bytes(range(64)))]

    def set_silent(self, silent):
        """Its plug is out, or in again."""
        self.silent = silent
        if not silent:
            self.power_on()

    def exchange(self, byte):
        """As the model's, where the wires are."""
        return FLOATING if self.silent else super().exchange(byte)

    def _list(self, most):
        lying = self.tags
        if self.misses and lying:
            self.tags = []
        answer = super()._list(most)
        if self.misses and answer is not None:
            self.misses -= 1
        self.tags = lying
        return answer


class Place:
    """What the hands find at a spot."""

    def __init__(self, spot, cells, reader, crane):
        self.spot = spot
        self.cells = cells
        self.reader = reader
        self._crane = crane  # (ranger, beam)

    def set_range(self, range_mm):
        """The crane's paddle, which rests wherever it is lowered."""
        ranger, beam = self._crane
        ranger.target_mm = range_mm
        beam.cover(range_mm > LIFTED_MM)


class Furniture:
    """`board` for the program, `places` for the hands. `pio` runs the PIO program, else its machines are quick."""

    counts_per_g = COUNTS_PER_G

    def __init__(self, kind, pio=False):
        self.kind = kind
        self._pio = pio
        self._spots = [one[0] for one in KINDS[kind]]
        self.hardware = Hardware()
        self._clock = self.hardware.clock
        self._air = Air()
        self._number = 0
        self._chips = {}
        self.places = {}
        name = "tablestation.boards.pins." + kind
        __import__(name)
        self._plan = sys.modules[name].PINS
        self._solder()
        self.port = Dog(asyncio, time, Chance(), gc, b"\xe6\x61\x64\x08", _fell)
        workshop = Workshop(self._plan, self.port, self.hardware.machine, self.hardware.rp2, time, _lamp)
        self.board = workshop.board(self._spots, {"hardware": "pico_2_w"}, SEAT if kind == "seat" else 0)

    def press(self):
        """The button of the seat."""
        asyncio.create_task(self._press())

    async def _press(self):
        self._expander.put(_pin(self._plan["button"]), 0)
        await asyncio.sleep_ms(PRESS_MS)
        self._expander.put(_pin(self._plan["button"]), None)

    def draws_ma(self):
        """What the strip draws."""
        return int(self._chain.current_ma())

    def _solder(self):
        plan, buses = self._plan, self.hardware.machine.buses
        self._spi = buses["spi", plan["spi"]["bus"]] = SPI(self._clock)
        self._expander = None
        if plan["i2c"]:
            self._i2c = buses["i2c", plan["i2c"]["bus"]] = I2C(self._clock)
        if plan["accelerometer"]:
            self._i2c.attach(Lis3dh(self._clock, lambda _t_us: (0, 0, 1000)))
        if plan["expander"]:
            self._expander = self._i2c.attach(Mcp23017(plan["expander"]["address"]))
        for k in range(len(plan["places"])):
            if k < len(self._spots):
                self._place(self._spots[k], plan["places"][k])
        if plan["strip"]:
            leds = sum([place["leds"] for place in plan["places"]])
            self._chain = Chain(self.hardware.wires, plan["strip"]["pin"], leds)
        if not self._pio:
            self.hardware.rp2 = QuickPio(self._chips)

    def _place(self, spot, plan):
        cells = [self._cell(sck, dout) for sck, dout, _ in plan["cells"]]
        reader = crane = None
        if plan["cs"] is not None:
            reader = Reader(self._clock, self._air)
            self._wire(plan["cs"], self._spi.attach(reader))
        if plan["crane"]:
            chip = self._i2c.attach(RANGERS[plan["crane"]["chip"]](self._clock, LIFTED_MM))
            self._wire(plan["crane"]["xshut"], chip.power)
            pin = _pin(plan["crane"]["beam"])
            crane = (chip, BreakBeam(lambda level: self._expander.put(pin, level)))
        self.places[spot] = Place(spot, cells, reader, crane)

    def _cell(self, sck, dout):
        self._number += 1
        load = Load(self._number)
        make = Hx711 if self._pio else ReadAtOnce
        chip = make(self.hardware.wires, dout, sck, load, 12_500 + SPREAD_US * (self._number % 5 - 2))
        chip.clock = self._clock
        self._chips[dout] = chip
        return load.on(chip, self._clock)

    def _wire(self, name, line):
        """A pin of the expander or of the board to what hears its level."""
        if isinstance(name, str):
            self._expander.wire(_pin(name), line)
        else:
            self.hardware.wires.wire(name).listen(lambda level, _t_us, _ns: line(level))


class Dog(Port):
    """The board's port, with a watchdog that remembers when it was fed."""

    def __init__(self, *modules):
        super().__init__(*modules)
        self._fed_ms = time.ticks_ms()
        self.guard(self)

    def feed(self):
        """By the supervisor."""
        self._fed_ms = time.ticks_ms()

    def starved_ms(self):
        """How long it has not been fed."""
        return time.ticks_diff(time.ticks_ms(), self._fed_ms)


def _pin(name):
    return (8 if name[0] == "B" else 0) + int(name[1])


def _lamp(_on):
    """The light on the board, which nobody looks at here."""


def _fell(context):
    print("a task fell:", context)
