"""Memory on the real VM: what a station takes, and that sampling takes nothing.

MicroPython collects garbage here only between two calls of the runner, so `left` waits for that. The VM is a 32-bit one
like the boards: objects have the same size.
"""

import pytest

pytestmark = pytest.mark.long(7)

KIB = 1024
STATE_MAX = 60 * KIB  # what a full station holds besides its program
PROGRAM_MAX = 124 * KIB  # .mpy files, which MicroPython copies into RAM: a Pico 2 W has room (test_heap.py)

SAMPLING = """
import asyncio, gc, json, micropython
import host_clock
from proving.play import furniture
from proving.table import Table

def taken(look, n):
    before = gc.mem_alloc()
    k = 0
    while k < n:
        host_clock.spend_us(20_000)
        look()
        k += 1
    return gc.mem_alloc() - before

async def main():
    host_clock.set_ticks((1 << 30) - 10_000_000)
    table = Table(furniture({kind!r}, "seam"), record=False)
    table.start()
    await table.wait(5000)
    look = table.station._weigh.look
    spot = [spot for spot in table.furniture.board.spots if spot.cells][0].spot
    gc.disable()
    said = {{"nothing": taken(look, 0), "rest": [taken(look, n) for n in (10, 500, 1500)]}}
    table.put(spot, 100)
    taken(look, 1)  # the hands' own work
    said["moving"] = [taken(look, n) for n in (10, 500)]
    micropython.heap_lock()
    try:
        for _ in range(250):
            host_clock.spend_us(20_000)
            look()
    finally:
        micropython.heap_unlock()
    print(json.dumps(said))

await asyncio.create_task(main())
"""

LISTENING = """
import gc, json, micropython
from array import array
from tablestation.drivers.lis3dh import LIS3DH

class Bus:
    "A chip that has eight quiet measurements whenever it is asked."
    def readfrom_mem_into(self, address, register, buffer):
        k = 0
        while k < len(buffer):
            buffer[k] = 0x40 if k % 6 == 0 else 0
            k += 1
        if register == 0x2F:
            buffer[0] = 8
        if register == 0x0F:
            buffer[0] = 0x33
    def writeto_mem(self, address, register, values):
        pass

def zero():
    return 0

chip = LIS3DH(Bus(), zero)
chip.start()
peaks_mg, ticks = array("i", [0] * 4), array("i", [0] * 4)
micropython.heap_lock()
try:
    for _ in range(60):
        chip.take(peaks_mg, ticks)
finally:
    micropython.heap_unlock()
print(json.dumps({"windows": chip.windows, "loudest_mg": chip.loudest_mg}))
"""

STARTED = """
import asyncio, gc, json

async def left():
    for _ in range(2):
        gc.collect()
        await asyncio.sleep_ms(1)
    return gc.mem_alloc()

async def main():
    empty = await left()
    import tablestation.station, tablestation.boards.assembly, tablestation.boards.port, tablestation.boards.keeper
    import tablestation.care.update, tablestation.care.adoption, tablestation.links.mqtt
    program = await left() - empty
    from proving.play import furniture
    from proving.table import Table
    ground = await left()
    table = Table(furniture({kind!r}, "seam"), record=False)
    table.start()
    await table.wait(15_000)
    state = await left() - ground
    print(json.dumps({{"program": program, "state": state}}))

await asyncio.create_task(main())
"""


@pytest.mark.parametrize("kind", ["sector", "seat"])
def test_sampling_allocates_nothing(vm, kind):
    said = vm.run(SAMPLING.format(kind=kind)).told[-1]
    assert said["rest"] == [said["nothing"]] * 3
    assert said["moving"] == [said["nothing"]] * 2


def test_listening_to_silence_allocates_nothing(vm):
    assert vm.run(LISTENING).told[-1] == {"windows": (60 * 8 - 48) // 4, "loudest_mg": 0}


@pytest.mark.parametrize("kind", ["sector", "seat"])
def test_a_full_station_fits(vm, compiled, kind):
    said = vm.run(STARTED.format(kind=kind), folders=compiled.folders(vm)).told[-1]
    assert 5 * KIB < said["state"] < STATE_MAX
    assert said["program"] < PROGRAM_MAX


def test_a_number_of_more_than_30_bits_would_be_seen(vm):
    main = SAMPLING.format(kind="sector").replace(
        "        look()\n        k += 1", "        look()\n        k += 1\n        k << 30"
    )
    said = vm.run(main).told[-1]
    assert said["rest"][0] >= said["nothing"] + 10 * 8
