"""A chip that was interrupted while it answered, and how it is made to let go."""

import pytest

from tablestation.drivers.bus_clear import bus_clear


class Chip:
    """It sends the rest of a byte: `bits` are what it still has to put on SDA, one a clock; then it listens."""

    def __init__(self, bits):
        self.bits = list(bits)
        self.stops = 0

    def holds(self):
        return bool(self.bits) and not self.bits[0]

    def clock(self):
        if self.bits:
            self.bits.pop(0)


class Lines:
    """Two open drains with pull-ups, the board at one end and the chip at the other."""

    def __init__(self, chip, shorted=False):
        self._chip = chip
        self._shorted = shorted
        self._scl = self._sda = 1

    def scl(self, level=None):
        if level is None:
            return 0 if self._shorted else self._scl
        if self._scl and not level:
            self._chip.clock()
        self._scl = level
        return None

    def sda(self, level=None):
        if level is None:
            return 0 if self._chip.holds() else self._sda
        if level and not self._sda and self._scl and not self._chip.holds():
            self._chip.stops += 1
        self._sda = level
        return None


@pytest.mark.parametrize("bits", [[], [0], [0, 1], [0] * 8, [1, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0]])
def test_a_chip_in_the_middle_of_a_byte_lets_go(bits):
    chip = Chip(bits)
    lines = Lines(chip)
    assert bus_clear(lines.scl, lines.sda, lambda _us: None)
    assert chip.stops == 1


def test_a_shorted_wire_is_told():
    lines = Lines(Chip([]), shorted=True)
    assert not bus_clear(lines.scl, lines.sda, lambda _us: None)
    lines = Lines(Chip([0] * 1_000))
    assert not bus_clear(lines.scl, lines.sda, lambda _us: None)
