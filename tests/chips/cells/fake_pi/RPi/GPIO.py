"""A Pi with one HX711, for a child process of the Pi board: its data pin is the first pin that is set up as an input.

The chip's time passes in the sleeps of the package, of which the short ones are real. While the file
`$FAKE_PI/<data pin>` exists, the cell's wire is torn off.
"""

import os
import sys
import time
from pathlib import Path

from pi_pins import Pins, PiTime

from tabletwin.chips.clock import Clock
from tabletwin.chips.hx711 import OPEN, WORKING, Bridge, Hx711
from tabletwin.chips.pins import Wires

_torn = Path(os.environ["FAKE_PI"])
_clock = Clock()
_wires = Wires(_clock)
_pins = Pins(_wires)
_setup: dict[int, int] = {}
_chip: list[Hx711] = []
BCM, OUT, IN = _pins.BCM, _pins.OUT, _pins.IN
output, input = _pins.output, _pins.input  # noqa: A001 (RPi.GPIO's names)


def setmode(mode: int) -> None:
    _pins.setmode(mode)
    sys.modules["hx711"].time = PiTime(_clock, _sleep)


def setup(pin: int, direction: int) -> None:
    _pins.setup(pin, direction)
    _setup[direction] = pin
    if len(_setup) == 2:
        bridge = Bridge(lambda t_us: 100.0 + _setup[IN], noise_counts=40, seed=_setup[IN])
        _chip.append(Hx711(_wires, _setup[IN], _setup[OUT], bridge))


def _sleep(seconds: float) -> None:
    time.sleep(min(seconds, 0.01))
    torn = OPEN if (_torn / str(_setup[IN])).exists() else WORKING
    _chip[0].faults.append([_clock.now_us(), torn])
