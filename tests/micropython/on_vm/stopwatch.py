"""What `make bench` lets the VM measure: the sampling path beside an empty loop, a whole station, its start."""

import asyncio
import gc
import json
import time
from array import array

import host_clock
from proving.play import furniture
from proving.seam_level import Furniture
from proving.table import Table

from tablestation.drivers.lis3dh import LIS3DH
from tablestation.weigh import Weighing

_MASK = (1 << 30) - 1
LOOKS = 4000  # of 20 ms, at all cells together: enough for the clock of the processor
REPEATS = 5
STATION_S = 20


def seat_of(cells):
    """A seat with so many load cells."""
    ground = Furniture("seat")
    for spot in ground.board.spots:
        spot.cells = spot.cells[:cells]
        spot.signs = spot.signs[:cells]
        cells -= len(spot.cells)
    return ground


def _best(work):
    """Microseconds of computing, the best of some: what else the machine does only ever adds to it."""
    best = None
    for _ in range(REPEATS):
        began = host_clock.cpu_us()
        work()
        took = (host_clock.cpu_us() - began) & _MASK
        best = took if best is None or took < best else best
    return best


def empty_loop(n=200_000):
    """Microseconds of `while k < n: k += 1`, a round."""

    def work():
        k = 0
        while k < n:
            k += 1

    return _best(work) / n


def sampling(cells):
    """Microseconds a sample on its way through gate and watch, the models' own work taken off."""
    ground = seat_of(cells)
    weigh = Weighing(ground.port, ground.board, lambda scale: None)
    counts, ticks = array("i", bytes(4 * 64)), array("i", bytes(4 * 64))
    drained = [cell for spot in ground.board.spots for cell in spot.cells]
    samples, looks = 0, LOOKS // cells

    def look():
        k = 0
        while k < looks:
            host_clock.spend_us(20_000)
            weigh.look()
            k += 1

    def drain():
        nonlocal samples
        samples = 0
        k = 0
        while k < looks:
            host_clock.spend_us(20_000)
            for cell in drained:
                samples += cell.drain(counts, ticks)
            k += 1

    look()
    gc.disable()
    took = _best(look) - _best(drain)
    gc.enable()
    return took / samples


class Silence:
    """A bus with an accelerometer that has `waiting` quiet measurements whenever it is asked."""

    waiting = 8

    def readfrom_mem_into(self, address, register, buffer):
        """What the chip says."""
        if len(buffer) == 1:
            buffer[0] = self.waiting if register == 0x2F else 0x33

    def writeto_mem(self, address, register, values):
        """Heard and forgotten."""


def listening(looks=2000):
    """Microseconds a measurement of the accelerometer on its way to a window, without the bus."""
    bus = Silence()
    chip = LIS3DH(bus, time.ticks_us)
    chip.start()
    peaks_mg, ticks = array("i", bytes(4 * 4)), array("i", bytes(4 * 4))

    def look():
        k = 0
        while k < looks:
            chip.take(peaks_mg, ticks)
            k += 1

    look()
    return _best(look) / (looks * bus.waiting)


async def sustained(cells):
    """Samples of a whole station a second of ours: weighing, tags, light, health, messages made and dropped."""
    table = Table(seat_of(cells), record=False)
    table.start()
    began = host_clock.cpu_us()
    await asyncio.sleep_ms(1000 * STATION_S)
    took = (host_clock.cpu_us() - began) & _MASK
    return sum([gate.taken for scale in table.station._weigh.scales for gate in scale.gates]) * 1e6 / took


async def start(kind):
    """Milliseconds of virtual time from power on to the first sample of a station on chips at its pins."""
    began = time.ticks_us()
    ground = furniture(kind, "pico")
    table = Table(ground, record=False)
    table.start()
    gates = [gate for scale in table.station._weigh.scales for gate in scale.gates]
    while min([gate.taken for gate in gates]) == 0:
        await asyncio.sleep_ms(1)
    return ((time.ticks_us() - began) & _MASK) / 1000


async def measure():
    """Everything, as one line."""
    said = {"empty": empty_loop(), "listening": listening(), "sampling": {}, "sustained": {}, "start": {}}
    for cells in (1, 6, 10):
        said["sampling"][str(cells)] = sampling(cells)
        said["sustained"][str(cells)] = await sustained(cells)
    for kind in ("sector", "seat"):
        said["start"][kind] = await start(kind)
    print(json.dumps(said))
