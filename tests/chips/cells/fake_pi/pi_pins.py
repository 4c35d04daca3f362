"""The Pi's pins as the `hx711` package uses them: RPi.GPIO's functions, and the time it measures, over wires."""

from tabletwin.chips.clock import Clock
from tabletwin.chips.pins import Wires

OPERATION_US = 2  # one call of RPi.GPIO from Python on a Pi 4, about


class Pins:
    """The functions of RPi.GPIO that the package calls."""

    BCM = 11
    OUT = 0
    IN = 1
    PUD_OFF = 20
    PUD_UP = 22

    def __init__(self, wires: Wires) -> None:
        self._wires = wires
        self._clock = wires.clock

    def setmode(self, mode: int) -> None:
        assert mode == self.BCM

    def setup(self, pin: int, direction: int, pull_up_down: int = PUD_OFF) -> None:
        self._wires.wire(pin).output = direction == self.OUT
        self._wires.wire(pin).pull = int(pull_up_down == self.PUD_UP)

    def output(self, pin: int, level: bool) -> None:
        assert self._wires.wire(pin).output, f"pin {pin} is no output"
        self._clock.spend(OPERATION_US)
        self._wires.wire(pin).drive(int(level), self._clock.now_us())

    def input(self, pin: int) -> int:
        self._clock.spend(OPERATION_US)
        return self._wires.wire(pin).level(self._clock.now_us())


class PiTime:
    """What the package needs of the module time. `slept` hears of every sleep."""

    def __init__(self, clock: Clock, slept=lambda seconds: None) -> None:
        self._clock = clock
        self._slept = slept

    def sleep(self, seconds: float) -> None:
        self._slept(seconds)
        self._clock.spend(int(1e6 * seconds))

    def perf_counter(self) -> float:
        return self._clock.now_us() / 1e6
