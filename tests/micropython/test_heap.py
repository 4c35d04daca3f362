"""A sector station on heaps of a Pico W's size: every message must find a gap it fits in.

MicroPython never moves an object, so a heap with enough free bytes may lack them in one piece. Which sizes of heap fail
is chance. Three are tried here, thirteen with `pytest tests/micropython/test_heap.py --every-heap`.
"""

import json

KB = 1000
PICO_W = 205 * KB  # what MicroPython 1.28 leaves a program on a Pico W, radio and lwIP linked
FEW = (PICO_W - KB, PICO_W, PICO_W + 7 * KB)
EVERY = tuple(range(PICO_W - KB, PICO_W + 25 * KB, 2 * KB))
RIG = {"1.27": 28 * KB, "1.29": 31 * KB}  # what the VM itself and the models take
LIVES_S = 40
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


def pytest_generate_tests(metafunc):
    if "heap" in metafunc.fixturenames:
        heaps = EVERY if metafunc.config.getoption("every_heap", False) else FEW
        metafunc.parametrize(("heap", "version"), [(heap, k % 2) for k, heap in enumerate(heaps)])


def _lives(vm, compiled, heap, seconds=LIVES_S):
    """Return what became of a station on this heap."""
    ran = vm.run(
        EVENING.format(seconds),
        heap=(heap + RIG[vm.version]) * 131 // 128,  # three bits for each block of 16 bytes are the collector's own
        files={"/secrets.json": json.dumps(SECRETS)},
        folders=compiled.folders(vm),
    )
    (story,) = ran.told
    assert abs(story["heap"] - heap) < 2 * KB
    return story


def test_a_held_heap_is_full_when_it_is_full(vm):
    assert 180 <= int(vm.run(FULL, heap=PICO_W).out) <= 200


def test_a_sector_station_lives_through_an_evening(vms, compiled, heap, version):
    story = _lives(vms[version], compiled, heap)
    assert story["failures"] == []
    assert story["connections"] == 2  # the broker hung once
    assert story["messages"] > 1000


def test_what_the_imports_left_behind_is_freed_before_the_station_begins(vm, compiled):
    assert _lives(vm, compiled, PICO_W, seconds=1)["freed"] > 20 * KB
