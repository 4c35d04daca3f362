"""A bench of buses: our drivers and those of others (Adafruit's, as independent masters) on the same models of chips.

Time is the models' clock: what sleeps spends it, and nobody waits.
"""

import importlib
import os
from types import coroutine

import pytest

from tablestation.drivers.lock import Lock
from tablestation.drivers.mcp23017 import MCP23017
from tablestation.drivers.pn532 import PN532
from tablestation.drivers.vl53 import VL53L1X, VL53L4CD
from tabletwin.chips.clock import Clock
from tabletwin.chips.i2c import I2C
from tabletwin.chips.mcp23017 import Mcp23017
from tabletwin.chips.pn532 import Air, Pn532, Tag
from tabletwin.chips.spi import SPI
from tabletwin.chips.vl53 import Vl53l1x, Vl53l4cd

os.environ.setdefault("BLINKA_OS_AGNOSTIC", "1")  # the masters need no board

MASTERS = (
    "adafruit_lis3dh",
    "adafruit_vl53l1x",
    "adafruit_vl53l4cd",
    "adafruit_pn532.adafruit_pn532",
    "adafruit_pn532.spi",
    "adafruit_bus_device.i2c_device",
    "adafruit_bus_device.spi_device",
    "adafruit_mcp230xx.mcp23017",
)
LOOK_MS = 3


class MastersTime:
    """The module `time` the masters see."""

    def __init__(self, clock):
        self._clock = clock

    def sleep(self, seconds):
        self._clock.spend(int(1_000_000 * seconds))

    def monotonic(self):
        return self._clock.now_us() / 1_000_000


class MastersI2C:
    """An I2C bus as CircuitPython's `busio`."""

    def __init__(self, bus):
        self._bus = bus

    def try_lock(self):
        return True

    def unlock(self):
        pass

    def writeto(self, address, buffer, *, start=0, end=None):
        self._bus.writeto(address, buffer[start:end])

    def readfrom_into(self, address, buffer, *, start=0, end=None):
        n = (len(buffer) if end is None else end) - start
        buffer[start : start + n] = self._bus.readfrom(address, n)

    def writeto_then_readfrom(self, address, out, buffer, *, out_start=0, out_end=None, in_start=0, in_end=None):
        self.writeto(address, out, start=out_start, end=out_end)
        self.readfrom_into(address, buffer, start=in_start, end=in_end)


class MastersSPI:
    """An SPI bus as CircuitPython's `busio`."""

    def __init__(self, bus):
        self.write = bus.write
        self.write_readinto = bus.write_readinto

    def try_lock(self):
        return True

    def unlock(self):
        pass

    def configure(self, **settings):
        assert (settings["polarity"], settings["phase"]) == (0, 0)


class MastersPin:
    """A pin as CircuitPython's `digitalio`."""

    def __init__(self, line):
        self._line = line

    def switch_to_output(self, value):
        self.value = value

    @property
    def value(self):
        return bool(self._line())

    @value.setter
    def value(self, level):
        self._line(level)


@coroutine
def _sleep_ms(ms):
    yield ms


class Bench:
    """One board's clock and buses."""

    def __init__(self):
        self.clock = Clock()
        self.clock.spend(5_000)  # the chips have booted before the board has
        self.i2c = I2C(self.clock)
        self.spi = SPI(self.clock)
        self.air = Air()
        self.turn = Lock()
        self.masters_i2c = MastersI2C(self.i2c)
        self.masters_spi = MastersSPI(self.spi)
        self.longest_us = 0  # between two awaits or looks

    def run(self, *tasks):
        """Run coroutines beside each other to their ends; what each returned or raised, by turns of their sleeps."""
        ends = [None] * len(tasks)
        due = [(self.clock.now_us(), k) for k in range(len(tasks))]
        while due:
            due.sort()
            at_us, k = due.pop(0)
            self.clock.reach(at_us)
            began_us = self.clock.now_us()
            try:
                due.append((1000 * tasks[k].send(None) + self.clock.now_us(), k))
            except StopIteration as end:
                ends[k] = end.value
            except OSError as error:
                ends[k] = error
            self.longest_us = max(self.longest_us, self.clock.now_us() - began_us)
        if len(ends) == 1 and isinstance(ends[0], OSError):
            raise ends[0]
        return ends[0] if len(ends) == 1 else ends

    def look(self, ranger, n=1, ms=2_000):
        """The next n readings of a ranger, looking every 3 ms for so long."""
        got = []
        for _ in range(ms // LOOK_MS):
            self.clock.spend(1000 * LOOK_MS)
            began_us = self.clock.now_us()
            reading = ranger.take()
            self.longest_us = max(self.longest_us, self.clock.now_us() - began_us)
            if reading is not None:
                got.append(reading)
                if len(got) == n:
                    break
        return got

    def reader(self, *tags):
        """(our driver, the chip with these tags near it)."""
        chip = Pn532(self.clock, self.air)
        chip.tags = list(tags)
        return PN532(self.spi, self.spi.attach(chip), _sleep_ms, self.turn), chip

    def expander(self):
        """(our driver, the chip)."""
        return MCP23017(self.i2c), self.i2c.attach(Mcp23017())

    def sleep(self, ms):
        self.clock.spend(1000 * ms)


@pytest.fixture
def bench():
    return Bench()


@pytest.fixture(scope="session")
def make_bench():
    """For tests that try many examples: a bench each."""
    return Bench


@pytest.fixture(scope="session")
def ntag():
    """`ntag(uid in hex)`: a tag of 45 pages, each with its number four times."""
    return lambda uid, **times: Tag(bytes.fromhex(uid), bytes([k // 4 for k in range(180)]), **times)


@pytest.fixture(params=[(VL53L1X, Vl53l1x), (VL53L4CD, Vl53l4cd)], ids=["VL53L1X", "VL53L4CD"])
def kind(request):
    """Of a ranger: (our driver, the model)."""
    return request.param


@pytest.fixture
def masters(bench, monkeypatch):
    """`masters("adafruit_vl53l1x")`: a module of the masters, on the bench's time."""
    for name in MASTERS:
        module = importlib.import_module(name)
        if hasattr(module, "time"):
            monkeypatch.setattr(module, "time", MastersTime(bench.clock))
    return importlib.import_module


@pytest.fixture
def masters_pin():
    return MastersPin
