"""A sector station on heaps of three quarters of its board's size: every message must find a gap it fits in.

MicroPython never moves an object, so a heap with enough free bytes may lack them in one piece. Which sizes of heap fail
is chance. Three are tried in every run, thirteen for an hour of virtual time each in a soak. `pytest -rP` prints what
is left of each heap: free bytes, the largest block, and the time of a collection on this machine.
"""

import json

import pytest

KB = 1000
PICO_W = 205 * KB  # what MicroPython 1.28 leaves a program on a Pico W, radio and lwIP linked
PICO_2_W = 400 * KB  # its chip has 256 kB more than the Pico W's; we count 195 of them until a board has been seen
LEAST = PICO_2_W * 3 // 4  # a quarter is to stay free
FEW = (LEAST - KB, LEAST, LEAST + 7 * KB)
EVERY = tuple(range(LEAST - KB, LEAST + 25 * KB, 2 * KB))
RIG = {"1.27": 30 * KB, "1.29": 33 * KB}  # what the VM itself and the models take
LIVES_S = 40
HOUR_S = 3600
HOUR_WALL_S = 1200
SECRETS = {
    "host": "10.0.0.1",
    "ssid": "cafe",
    "user": "north",
    "password": "x",
    "table": "cafe",
    "station": "north",
    "plan": "sector",
    "spots": ["city/1/0", "city/2/0", "city/3/0", "city/1/1", "city/2/1", "city/1/2"],
}
EVENING = """
import asyncio
from board_heap import evening
await asyncio.create_task(evening({}))
"""
FULL = """
import gc, host_heap
host_heap.hold()
kept = []
try:
    while True:
        kept.append(bytearray(1024))
except MemoryError:
    n = len(kept)
    kept = None
    print(n)
"""


HEAPS = [
    *[(heap, k % 2, LIVES_S) for k, heap in enumerate(FEW)],
    *[pytest.param(heap, k % 2, HOUR_S, marks=pytest.mark.soak) for k, heap in enumerate(EVERY)],
]


def _lives(vm, compiled, heap, seconds=LIVES_S):
    """Return what became of a station on this heap, and print it."""
    ran = vm.run(
        EVENING.format(seconds),
        heap=(heap + RIG[vm.version]) * 131 // 128,  # three bits for each block of 16 bytes are the collector's own
        files={"/secrets.json": json.dumps(SECRETS)},
        folders=compiled.folders(vm),
        wall_s=HOUR_WALL_S,
    )
    (story,) = ran.told
    assert abs(story["heap"] - heap) < 2 * KB
    print(story)
    return story


def test_a_held_heap_is_full_when_it_is_full(vm):
    assert 180 <= int(vm.run(FULL, heap=PICO_W).out) <= 200


@pytest.mark.parametrize(("heap", "version", "seconds"), HEAPS)
def test_a_sector_station_lives_through_an_evening(vms, compiled, heap, version, seconds):
    story = _lives(vms[version], compiled, heap, seconds)
    assert story["failures"] == []
    assert story["connections"] == 2  # the broker hung once
    assert story["messages"] > 1000


def test_a_quarter_of_the_heap_of_the_board_we_chose_stays_free(vm, compiled):
    story = _lives(vm, compiled, PICO_2_W)
    assert story["failures"] == []
    assert story["left_free"] > PICO_2_W / 4


def test_what_the_imports_left_behind_is_freed_before_the_station_begins(vm, compiled):
    assert _lives(vm, compiled, PICO_W, seconds=1)["freed"] > 20 * KB
