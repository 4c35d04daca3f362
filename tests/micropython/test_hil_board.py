"""The reading board's side of `make hil`, on the VM with a modelled HX711 where the player's wires would be."""

from itertools import pairwise
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools"
READ = """
import time
from proving.hardware import Hardware
from tabletwin.chips.hx711 import Bridge, Hx711
from tabletwin.chips.i2c import I2C
from tabletwin.chips.spi import SPI

hardware = Hardware()
hardware.machine.buses["spi", 0] = SPI(hardware.clock)  # the places of a reader and of an accelerometer, empty
hardware.machine.buses["i2c", 1] = I2C(hardware.clock)
told = []


def grams(t_us):
    return len(told)


bridge = Bridge(grams, counts_per_g=100, zero=-250)
chip = Hx711(hardware.wires, 1, 0, bridge, period_us=12_500)
plain = bridge.counts
bridge.counts = lambda t_us: told.append(plain(t_us)) or told[-1]
import hil_board
hil_board.read_cell(60)
print("TOLD", told)
"""


@pytest.fixture
def hil(load_tool):
    return load_tool("hil")


def test_every_conversion_is_kept_with_its_time_and_printed_at_the_end(vm, hil):
    out = vm.run(READ, files={"/rig/hil_board.py": (TOOLS / "hil_board.py").read_text()}).out
    *lines, last = out.splitlines()
    converted = [int(word) for word in last.removeprefix("TOLD [").removesuffix("]").split(",")]
    heard = hil.heard_of(lines)
    assert len(heard.counts) == 60
    first = converted.index(heard.counts[0])
    assert hil.judge_cell(converted[first : first + 60], 12_500, heard) == []


PLAY = """
import asyncio, time
from tablestation.boards.hx711_player import Player, serve


class Machine:
    "Whatever is put is read at once."
    def __init__(self):
        self.offered, self.reports = [], 0
    def active(self, on): pass
    def put(self, word, shift):
        self.offered.append((time.ticks_us(), word << shift))
        self.reports += 1
    def rx_fifo(self):
        return self.reports
    def get(self):
        self.reports -= 1


machine = Machine()
lines = ["period 12500", "counts 1 2 -3", "nonsense", "play", "end"]


async def readline():
    await asyncio.sleep_ms(5)
    return lines.pop(0) if lines else "room?"


await serve(Player(machine, time.ticks_us, asyncio.sleep_ms), readline, print)
for at, word in machine.offered:
    print("OFFERED", at, word)
"""


def test_the_player_plays_at_its_period_and_says_how_it_went(vm):
    lines = vm.run(PLAY).out.splitlines()
    assert lines[:5] == ["room 256", "room 253", "? nonsense", "room 253", "room 254"]
    offered = [line.split()[1:] for line in lines if line.startswith("OFFERED")]
    assert [int(word) for _, word in offered] == [1 << 8, 2 << 8, 0xFFFFFD << 8]
    times = [int(at) for at, _ in offered]
    assert [abs(later - earlier - 12_500) < 100 for earlier, later in pairwise(times)] == [True, True]
    assert lines[-4] == "played 3 unread 0"
