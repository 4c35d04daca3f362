"""The `hx711` package, as a Raspberry Pi uses it, reads our chip: a driver that others wrote and use."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tabletwin.chips.hx711 import RAIL_HIGH

DOUT, SCK = 2, 3
VALUES = [12_345, -12_345, 8_000_000, -8_000_000, 1, -2, 0x555555, -0x555556]


class Package:
    """The package on a bench's pins, under its clock."""

    def __init__(self, bench, monkeypatch):
        monkeypatch.syspath_prepend(str(Path(__file__).with_name("fake_pi")))
        from pi_pins import Pins, PiTime  # noqa: PLC0415 (a folder of fakes, on the path only here)

        gpio = Pins(bench.wires)
        packages = {"RPi": ModuleType("RPi"), "RPi.GPIO": gpio}
        packages["RPi"].GPIO = gpio
        for name, module in packages.items():
            monkeypatch.setitem(sys.modules, name, module)
        monkeypatch.delitem(sys.modules, "hx711", raising=False)
        self.module = importlib.import_module("hx711")
        monkeypatch.setattr(self.module, "time", PiTime(bench.clock, self._sleep))
        self._bench = bench
        self.give_up_us = 60_000_000

    def _sleep(self, seconds):
        if self._bench.clock.now_us() > self.give_up_us:
            raise TimeoutError("it waits for ever")

    def begin(self):
        return self.module.HX711(dout_pin=DOUT, pd_sck_pin=SCK, gain=128, channel="A")


@pytest.fixture
def package(bench, monkeypatch):
    return Package(bench, monkeypatch)


def test_it_reads_the_counts_that_were_put_in(bench, package):
    chip = bench.chip(lambda k, t_us: VALUES[k % len(VALUES)])
    cell = package.begin()
    begun = len(chip.bridge.conversions)
    read = cell.get_raw_data(50)
    converted = [count for _, count in chip.bridge.conversions]
    assert read[0] in converted[begun - 1 : begun + 3]
    first = converted.index(read[0], begun - 1)
    assert read == converted[first : first + 50]
    assert chip.garbled == chip.powered_down == 0


def test_it_chooses_gain_128_by_25_pulses_after_64_by_27(bench, package):
    chip = bench.chip(lambda k, t_us: 1000)
    cell = package.begin()
    assert cell.get_raw_data(4) == [1000] * 4
    assert chip.gain == 128
    cell.channel_a_gain = 64
    assert cell.get_raw_data(4) == [500] * 4
    assert chip.gain == 64


def test_it_turns_the_chip_off_and_on_again(bench, package):
    chip = bench.chip(lambda k, t_us: 1000)
    cell = package.begin()
    assert cell.reset()
    assert chip.powered_down == 1
    assert cell.get_raw_data(2) == [1000] * 2


@pytest.mark.parametrize("count", [0, -1, RAIL_HIGH])
def test_some_counts_it_never_hands_over(bench, package, count):
    """Why the Pi's cells are in child processes: at the end of the range, and at 0 and -1, it waits for ever."""
    bench.chip(lambda k, t_us: count)
    cell = package.begin()
    with pytest.raises(TimeoutError, match="waits for ever"):
        cell.get_raw_data(2)
