"""The cells' drivers and the model of their chip on the VM: the same conversions as here, and nothing allocated."""

import json

import pytest

from tabletwin.chips.hx711 import Chance

pytestmark = pytest.mark.long(3)

PLAY = '''
import gc, json
from tablestation.drivers import hx711_pio
from tablestation.drivers.hx711_bits import Hx711Bits
from tabletwin.chips.clock import Clock, Time
from tabletwin.chips.hx711 import Bridge, Hx711
from tabletwin.chips.machine import Machine
from tabletwin.chips.pins import Wires
from tabletwin.chips.rp2 import Rp2


def play():
    """Four seconds of a cell on a PIO machine and of one on plain pins, their ticks wrapping: all that was said."""
    wires = Wires(Clock())
    machine, rp2, time = Machine(wires), Rp2(wires), Time(wires.clock, (1 << 30) - 2000000)
    pin = machine.Pin
    Hx711(wires, 2, 3, Bridge(lambda t_us: 12, noise_counts=30), 11000)
    Hx711(wires, 4, 5, Bridge(lambda t_us: -12, noise_counts=30, seed=2), 13000)
    program = hx711_pio.assemble(rp2)
    state_machine = hx711_pio.state_machine(rp2, 0, program, pin(2), pin(3))
    sck = pin(5, pin.OUT, value=0)
    cells = (
        hx711_pio.Hx711Pio(state_machine, time.ticks_us),
        Hx711Bits(pin(4, pin.IN), sck, time.ticks_us, machine.disable_irq, machine.enable_irq),
    )
    counts, ticks = [0] * 16, [0] * 16
    said = []
    for k in range(1000):
        wires.clock.spend(4000)
        for cell in cells:
            if k % 5 == 0 or cell is cells[1]:
                n = cell.drain(counts, ticks)
                said += [[ticks[i], counts[i]] for i in range(n)]
    return said


class Pin:
    def value(self, level=None):
        return 0


class Words:
    def active(self, on):
        pass

    def rx_fifo(self):
        return 3

    def get(self):
        return 0x1234567


class Ticks:
    def __init__(self):
        self._now = (1 << 30) - 2000000

    def __call__(self):
        self._now += 12345 - (1 << 29)
        self._now += (1 << 29) if self._now < (1 << 29) else -(1 << 29)
        return self._now


def allocated():
    """What two thousand calls of the drivers allocate, across the wrap of the ticks; models allocate, these do not."""
    cells = Hx711Bits(Pin(), Pin(), Ticks(), lambda: 0, lambda state: None), hx711_pio.Hx711Pio(Words(), Ticks())
    counts, ticks = [0] * 16, [0] * 16
    for cell in cells:
        cell.drain(counts, ticks)
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    for _ in range(1000):
        for cell in cells:
            cell.drain(counts, ticks)
    after = gc.mem_alloc()
    gc.enable()
    return after - before
'''


def test_the_drivers_get_the_same_conversions_at_the_same_times_here_and_there(vms):
    here = {}
    exec(PLAY, here)  # the same text runs on the VM
    expected = here["play"]()
    assert len(expected) > 600
    for vm in vms:
        ran = vm.run(PLAY + '\nprint(json.dumps({"said": play()}))')
        assert ran.told[0]["said"] == json.loads(json.dumps(expected))


def test_chance_is_the_same_here_and_there(vm):
    chance = Chance(5)
    draw = "from tabletwin.chips.hx711 import Chance\nimport json\nchance = Chance(5)\n"
    ran = vm.run(draw + 'print(json.dumps({"drawn": [chance.bell() for _ in range(200)]}))')
    assert ran.told[0]["drawn"] == [chance.bell() for _ in range(200)]


def test_a_drain_allocates_nothing(vm):
    ran = vm.run(PLAY + '\nprint(json.dumps({"bytes": allocated()}))')
    assert ran.told[0]["bytes"] == 0
