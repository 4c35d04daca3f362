"""A Pi with one HX711, for a child process of the Pi board: its data pin is the first pin that is set up as an input.

The chip's time passes in the sleeps of the package, of which the short ones are real. While the file
`$FAKE_PI/<data pin>` exists, the cell's wire is torn off, and floats if no resistor pulls it up.
"""

import os
import sys
import time
from pathlib import Path

from pi_pins import Pins, PiTime

from tabletwin.chips.clock import Clock
from tabletwin.chips.hx711 import OPEN, WORKING, Bridge, Chance, Hx711
from tabletwin.chips.pins import Wires

_torn = Path(os.environ["FAKE_PI"])
_clock = Clock()
_wires = Wires(_clock)
_pins = Pins(_wires)
_setup: dict[int, int] = {}
_chip: list[Hx711] = []
_floats = Chance(7)
BCM, OUT, IN, PUD_OFF, PUD_UP = _pins.BCM, _pins.OUT, _pins.IN, _pins.PUD_OFF, _pins.PUD_UP
output = _pins.output


def setmode(mode: int) -> None:
    _pins.setmode(mode)
    sys.modules["hx711"].time = PiTime(_clock, _sleep)


def setup(pin: int, direction: int, pull_up_down: int = PUD_OFF) -> None:
    _pins.setup(pin, direction, pull_up_down)
    _setup[direction] = pin
    if len(_setup) == 2 and not _chip:
        bridge = Bridge(lambda t_us: 100.0 + _setup[IN], noise_counts=40, seed=_setup[IN])
        _chip.append(Hx711(_wires, _setup[IN], _setup[OUT], bridge))


def input(pin: int) -> int:  # noqa: A001 (RPi.GPIO's name)
    level = _pins.input(pin)
    torn_off = (_torn / str(pin)).exists()
    return _floats.below(2) if torn_off and not _wires.wire(pin).pull else level


def _sleep(seconds: float) -> None:
    time.sleep(min(seconds, 0.01))
    torn = OPEN if (_torn / str(_setup[IN])).exists() else WORKING
    _chip[0].faults.append([_clock.now_us(), torn])
