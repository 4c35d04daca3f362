"""LIS3DH: an accelerometer, as registers on I2C (ST DocID17530, AN3308).

The world provides `acceleration_mg(t_us)`: three axes in thousandths of g, gravity included. The model computes past
conversions when the chip is next accessed. The datasheet has no figures for these assumptions: the range clips each
axis before the high-pass filter; that filter is of first order and begins settled; the filter in front of the converter
passes everything.
"""

from math import pi

LOW_ADDRESS, HIGH_ADDRESS = 0x18, 0x19
CTRL_0, WHO_AM_I = 0x1E, 0x0F
CTRL_1, CTRL_2, CTRL_4, CTRL_5 = 0x20, 0x21, 0x23, 0x24
REFERENCE, STATUS, OUT, OUT_END = 0x26, 0x27, 0x28, 0x2D
FIFO_CTRL, FIFO_SRC = 0x2E, 0x2F
SLOTS = 32
_RATES_HZ = (0, 1, 10, 25, 50, 100, 200, 400, 1600, 1344)
_LOW_POWER_HZ = 5376  # the last of them in the low-power mode
_STEP_FACTOR = (1, 2, 4, 12)  # +-2, 4, 8, 16 g
_CUT_OFF = (50, 100, 200, 400)  # the rate divided by the cut-off, by HPCF
_LOW_POWER, _NORMAL, _HIGH = (8, 16), (6, 4), (4, 1)  # how far left a value stands, thousandths of g a step at +-2 g


class HighPass:
    """The chip's high-pass filter for one axis."""

    def __init__(self, divider=_CUT_OFF[0]):
        self._last = None
        self._through = 0.0
        self.cut_off(divider)

    def cut_off(self, divider):
        """Set the ratio of conversion rate and filter frequency."""
        self._keeps = 1 / (1 + 2 * pi / divider)

    def settle(self):
        """Take the next value as level."""
        self._last = None
        self._through = 0.0

    def pass_on(self, value):
        """Filter the next value of the axis."""
        if self._last is not None:
            self._through = self._keeps * (self._through + value - self._last)
        self._last = value
        return self._through


class Lis3dh:
    """`clock` has `now_us()`. `hiss_mg()`, if there is one, is the chip's own noise of an axis and conversion."""

    def __init__(self, clock, acceleration_mg, address=LOW_ADDRESS):
        self._clock = clock
        self._acceleration_mg = acceleration_mg
        self.address = address
        self.hiss_mg = None
        self.reset()

    def reset(self):
        """Reset the chip, as a loss of power does."""
        self.registers = bytearray(0x40)
        self.registers[CTRL_0] = 0x10
        self.registers[CTRL_1] = 0x07
        self.registers[WHO_AM_I] = 0x33
        self._pointer = 0
        self._goes_on = False
        self._due_us = None  # the next conversion; None: powered down
        self._filters = [HighPass() for _ in range(3)]
        self._slots = []
        self._overrun = False

    def hear(self, data):
        """Take a register number, with its top bit set to increment, and the values to write from there on."""
        self._convert()
        if not data:
            return
        self._pointer, self._goes_on = data[0] & 0x7F, data[0] & 0x80 != 0
        for byte in data[1:]:
            self._write(self._pointer, byte)
            self._advance()

    def say(self, n):
        """Return the registers from the pointer on."""
        self._convert()
        said = bytearray(n)
        for k in range(n):
            said[k] = self._read(self._pointer)
            self._advance()
        return said

    def rate_hz(self):
        """Return the conversions a second; 0: powered down."""
        setting = self.registers[CTRL_1] >> 4
        if setting == len(_RATES_HZ) - 1 and self.registers[CTRL_1] & 0x08:
            return _LOW_POWER_HZ
        return _RATES_HZ[setting] if setting < len(_RATES_HZ) else 0

    def _advance(self):
        if not self._goes_on:
            return
        if self._pointer == OUT_END and self._buffers():
            self._pointer = OUT
        else:
            self._pointer = self._pointer + 1 & 0x7F

    def _buffers(self):
        return self.registers[CTRL_5] & 0x40 and self.registers[FIFO_CTRL] >> 6

    def _read(self, register):
        if register == FIFO_SRC:
            return self._fifo_source()
        if register == OUT and self._slots:
            self.registers[OUT : OUT_END + 1] = self._slots.pop(0)
            self._overrun = False
        if register == OUT_END:
            self.registers[STATUS] = 0
        if register == REFERENCE:
            for one in self._filters:
                one.settle()
        return self.registers[register] if register < len(self.registers) else 0

    def _fifo_source(self):
        n = len(self._slots)
        watermark = 0x80 if n > self.registers[FIFO_CTRL] & 0x1F else 0
        overrun = 0x40 if self._overrun else 0
        return watermark | overrun | (0x20 if not n else 0) | min(n, SLOTS - 1)

    def _write(self, register, byte):
        if register <= WHO_AM_I or STATUS <= register <= OUT_END or register in (FIFO_SRC, 0x31, 0x35, 0x39):
            return  # read only
        if register >= len(self.registers):
            return
        before_hz = self.rate_hz()
        self.registers[register] = byte
        if register == CTRL_5:
            self.registers[CTRL_5] &= 0x7F  # BOOT is over at once
        if not self._buffers():
            self._slots = []
            self._overrun = False
        if register == CTRL_2:
            for one in self._filters:
                one.cut_off(_CUT_OFF[byte >> 4 & 3])
        if self.rate_hz() != before_hz:
            self._due_us = self._clock.now_us() + self._period_us() if self.rate_hz() else None

    def _period_us(self):
        return 1_000_000 // self.rate_hz()

    def _convert(self):
        """Make all conversions that are due."""
        if self._due_us is None:
            return
        now_us, period_us = self._clock.now_us(), self._period_us()
        while self._due_us <= now_us:
            self._keep(self._acceleration_mg(self._due_us))
            self._due_us += period_us

    def _keep(self, axes_mg):
        range_mg = 2000 << (self.registers[CTRL_4] >> 4 & 3)
        filtered = self.registers[CTRL_2] & 0x08
        shift, step_mg = self._format()
        step_mg *= _STEP_FACTOR[self.registers[CTRL_4] >> 4 & 3]
        data = bytearray(6)
        for k in range(3):
            value = axes_mg[k] + (self.hiss_mg() if self.hiss_mg is not None else 0)
            value = max(-range_mg, min(range_mg, value))
            through = self._filters[k].pass_on(value)
            self._put(data, 2 * k, round((through if filtered else value) / step_mg), shift)
        if self._buffers():
            self._store(data)
        else:
            self.registers[OUT : OUT_END + 1] = data
            self.registers[STATUS] = 0xFF if self.registers[STATUS] & 0x08 else 0x0F

    def _format(self):
        """Format a value: the buffer has ten bits in every mode."""
        if self.registers[CTRL_1] & 0x08:
            return _LOW_POWER
        return _HIGH if self.registers[CTRL_4] & 0x08 and not self._buffers() else _NORMAL

    def _put(self, data, at, steps, shift):
        most = (1 << (15 - shift)) - 1
        word = max(-most - 1, min(most, steps)) << shift & 0xFFFF
        data[at], data[at + 1] = word & 0xFF, word >> 8

    def _store(self, data):
        if len(self._slots) == SLOTS:
            self._overrun = True
            if self.registers[FIFO_CTRL] >> 6 == 1:
                return  # FIFO mode: full is full
            self._slots.pop(0)
        self._slots.append(data)
