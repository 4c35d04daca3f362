"""The drivers of the buses and the models of their chips on the VM: they say the same there as here."""

import json

PLAY = '''
import json
from binascii import hexlify
from array import array
from tablestation.drivers.lis3dh import LIS3DH
from tablestation.drivers.mcp23017 import MCP23017
from tablestation.drivers.pn532 import PN532
from tablestation.drivers.lock import Lock
from tablestation.drivers.vl53 import VL53L1X, VL53L4CD
from tablestation.reach import Rangers
from tabletwin.chips.beam import BreakBeam
from tabletwin.chips.clock import Clock
from tabletwin.chips.hx711 import Chance
from tabletwin.chips.i2c import I2C
from tabletwin.chips.lis3dh import Lis3dh
from tabletwin.chips.mcp23017 import Mcp23017
from tabletwin.chips.pn532 import Air, Pn532, Tag
from tabletwin.chips.spi import SPI
from tabletwin.chips.vl53 import Vl53l1x, Vl53l4cd

try:
    from types import coroutine
except ImportError:  # here a generator can be awaited

    def coroutine(work):
        return work


@coroutine
def sleep_ms(ms):
    yield ms


class Place:
    def __init__(self, spot, ranger, beam):
        self.spot = spot
        self.ranger = ranger
        self.beam = beam


class Seat:
    """Two readers, two rangers, two beams and the button of a seat, all behind its expander. `said` is what came."""

    def __init__(self):
        self.clock = Clock()
        self.clock.spend(5000)
        self.said = []
        self.i2c, self.spi, air = I2C(self.clock), SPI(self.clock), Air()
        self.pins = self.i2c.attach(Mcp23017())
        expander = MCP23017(self.i2c)
        field, address = Lock(), Lock()
        self.chips, self.readers = [Pn532(self.clock, air) for k in range(2)], []
        for k in range(2):
            self.pins.wire(k, self.spi.attach(self.chips[k]))
            self.readers.append(PN532(self.spi, expander.output(k), sleep_ms, field))
        self.eyes = [self.i2c.attach(kind(self.clock, 45)) for kind in (Vl53l1x, Vl53l4cd)]
        self.pairs, places, drivers = [], [], (VL53L1X, VL53L4CD)
        for k in range(2):
            self.pins.wire(9 + k, self.eyes[k].power)
            ranger = drivers[k](self.i2c, 0x30 + k, expander.output(9 + k, 0), address)
            self.pairs.append(BreakBeam(lambda level, pin=12 + k: self.pins.put(pin, level)))
            places.append(Place("pad/" + str(k), ranger, expander.beam(12 + k)))
        self.button = expander.button(8)
        expander.start()
        self.reach = Rangers(self, self, places, self)

    def run(self, work):
        """A coroutine to its end."""
        try:
            while True:
                self.clock.spend(1000 * work.send(None))
        except StopIteration as end:
            told = end.value
        except OSError as error:
            told = [error.errno, error.args[1]]
        self.said.append(hexlify(told).decode() if isinstance(told, bytes) else told)

    def measure(self, task, ms):
        """The cranes for so long."""
        until_us = self.clock.now_us() + 1000 * ms
        while self.clock.now_us() < until_us:
            self.clock.spend(1000 * task.send(None))
        self.said.append(self.reach.health())

    # what Rangers is given
    def ticks_us(self):
        return self.clock.now_us() & ((1 << 30) - 1)

    def sleep_ms(self, ms):
        return sleep_ms(ms)

    def now(self):
        return [0, self.ticks_us()]

    def report(self, spot, sensor, what, on):
        if on:
            self.said.append([spot, sensor, what])

    def beat(self):
        pass

    def post(self, message):
        self.said.append([message[name] for name in ("at", "spot", "range_mm", "spread_mm", "n", "contact")])
        return True


def listen():
    """An accelerometer beside rangers, which rattles for a while, loses its power, and is begun again."""
    clock = Clock()
    bus, said = I2C(clock), []

    def feel(t_us):
        return 7, -40, 1000 + (t_us // 2500 * 37 % 191 if t_us % 300000 < 40000 else 0)

    chip = bus.attach(Lis3dh(clock, feel))
    driver = LIS3DH(bus, clock.now_us)
    peaks_mg, ticks = array("i", [0] * 4), array("i", [0] * 4)
    for start in range(2):
        driver.start()
        for look in range(50):
            clock.spend(20000 if look != 30 else 120000)
            n = driver.take(peaks_mg, ticks)
            said.append([[ticks[k], peaks_mg[k]] for k in range(n)])
        chip.reset()
    bus.chips.remove(chip)
    try:
        driver.take(peaks_mg, ticks)
    except OSError as error:
        said.append([error.errno, error.args[1]])
    return said + [[driver.windows, driver.lost, driver.loudest_mg]]


def play():
    seat = Seat()
    tag = Tag(bytes([4, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6]), bytes([k // 4 for k in range(180)]))
    for tags in ([], [tag], [tag, Tag(bytes([0xDE, 0x4D, 0xBE, 0xEF]))], [Tag(bytes(range(10)), ats=bytes(30))]):
        seat.chips[0].tags = tags
        for reader in seat.readers:
            seat.run(reader.read())
        seat.run(seat.readers[0].pages(3, 9))
    seat.chips[0].tags = [tag]
    seat.run(seat.readers[0].pages(250, 9))
    seat.chips[1].silent = True
    seat.run(seat.readers[1].read())
    chance = Chance(5)
    seat.chips[0].spoil = lambda out: bytes([byte ^ (1 if chance.below(100) == 0 else 0) for byte in out])
    for k in range(20):
        seat.run(seat.readers[0].read())
    for level in (None, 0, 0, None, None, 0):
        seat.pins.put(8, level)
        seat.said.append(seat.button.take())
    for eye in seat.eyes:
        eye.errs = lambda mm: mm + chance.bell() / 256
    task = seat.reach.run(seat, seat.post)
    seat.measure(task, 2000)
    seat.eyes[0].target_mm, seat.eyes[1].target_mm = 151, 212
    seat.pairs[1].cover(True)
    seat.measure(task, 3000)
    seat.i2c.stuck = True
    seat.measure(task, 2000)
    seat.i2c.stuck = False
    seat.eyes[1].target_mm = None
    seat.measure(task, 20000)
    seat.pins.reset()
    seat.measure(task, 2000)
    return seat.said
'''


def test_an_accelerometer_says_the_same_here_and_there(vms):
    here = {}
    exec(PLAY, here)
    expected = json.loads(json.dumps(here["listen"]()))
    assert sum(len(heard) > 0 for heard in expected) > 20
    assert expected[-1][1] == 2
    for vm in vms:
        ran = vm.run(PLAY + '\nprint(json.dumps({"said": listen()}))')
        assert ran.told[0]["said"] == expected


def test_readers_rangers_and_expander_say_the_same_here_and_there(vms):
    here = {}
    exec(PLAY, here)  # the same text runs on the VM
    expected = json.loads(json.dumps(here["play"]()))
    heights = [told for told in expected if isinstance(told, list) and len(told) == 6]
    assert [(told[1], told[5]) for told in heights] == [("pad/0", False), ("pad/1", True)]
    for vm in vms:
        ran = vm.run(PLAY + '\nprint(json.dumps({"said": play()}))')
        assert ran.told[0]["said"] == expected
