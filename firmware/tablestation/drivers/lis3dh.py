"""LIS3DH: an accelerometer on I2C that detects shocks (ST DocID17530; its sections are named below).

The chip measures 400 times a second, filters out gravity and slow sway, and buffers 32 measurements (5.1.3, stream
mode): 80 ms. The buffer holds ten bits of each axis, so the narrowest range, +-2 g, resolves best: 4 thousandths of g
a step (table 4). In the normal mode the bandwidth is half the rate. The high-resolution mode would cut it to 44 Hz
(table 10), below most shocks, for bits that the buffer drops.

Four measurements make a window of 10 ms. The peak of a window is the length of its longest acceleration.
"""

from errno import ENODEV, ETIMEDOUT
from math import sqrt

from tablewire.messages import KNOCK_MG

ADDRESSES = (0x18, 0x19)  # 6.1.1: SDO/SA0 low, or high; modules have it either way
_WHO_AM_I = 0x0F
_LIS3DH = 0x33  # 8.6
_EACH_NEXT = 0x80  # 6.1.1: the register number goes on by itself
_CTRL_1 = 0x20
_CONTROLS = bytes(
    (
        0x77,  # CTRL_REG1 (8.8): 400 Hz, three axes, no low power
        0x08,  # CTRL_REG2 (8.9): high-pass at its highest, 8 Hz at this rate, and what it lets through is what is kept
        0x00,  # CTRL_REG3: no interrupts
        0x80,  # CTRL_REG4 (8.11): both bytes of a value of one moment; +-2 g
        0x40,  # CTRL_REG5 (8.12): the buffer is on
        0x00,  # CTRL_REG6
    )
)
_OUT_X_L = 0x28  # 8.16-8.18: six bytes a measurement, low before high; after them come those of the next
_FIFO_CTRL = 0x2E  # 8.19
_EMPTIED = b"\x00"
_STREAM = b"\x80"
_FIFO_SRC = 0x2F  # 8.20
_OVERRUN = 0x40
_UNREAD = 0x1F
PERIOD_US = 2_500
WINDOW = 4  # measurements
STEP_MG = 4
READ_MAX = 16  # measurements at a time, 2.3 ms of the bus: more would keep the cells waiting
SETTLING = 48  # measurements until the high-pass has forgotten 1 g: six of its time constants
_LEAST = (KNOCK_MG // STEP_MG) ** 2
_TICKS = 0x3FFFFFFF


class LIS3DH:
    """One chip, at either of its two addresses.

    `windows` counts the windows since the start, `lost` the times that measurements were overwritten before they were
    read. `loudest_mg` is the highest peak since somebody set it to 0.
    """

    def __init__(self, i2c, ticks_us):
        self._i2c = i2c
        self._ticks_us = ticks_us
        self._address = ADDRESSES[0]
        self._one = bytearray(1)
        values = memoryview(bytearray(6 * READ_MAX))
        self._values = [values[: 6 * n] for n in range(READ_MAX + 1)]  # cut once, not at every reading
        self._settling = 0
        self._in_window = 0
        self._longest = 0  # in squares of steps
        self.windows = 0
        self.lost = 0
        self.loudest_mg = 0

    def start(self):
        """Set the chip up, whatever its state; raise OSError if no such chip answers."""
        self._find()
        self._write(_CTRL_1 | _EACH_NEXT, _CONTROLS)
        self._write(_FIFO_CTRL, _EMPTIED)
        self._write(_FIFO_CTRL, _STREAM)
        self._settling = SETTLING
        self._in_window = self._longest = 0

    def take(self, peaks_mg, ticks, at=0):
        """Write the loud windows since the last call into two arrays from index `at` on: peaks, and the ticks of their
        ends.

        Return how many, at most four. Call this at least every 60 ms. Raise OSError if the chip is silent.
        """
        self._read(_FIFO_SRC, self._one)
        now = self._ticks_us()
        waiting = self._one[0] & _UNREAD
        if self._one[0] & _OVERRUN:
            waiting += 1  # 32 do not fit into its five bits
            self.lost += 1
        n = min(READ_MAX, waiting)
        if not n:
            return 0
        values = self._values[n]
        self._read(_OUT_X_L | _EACH_NEXT, values)
        found = 0
        for k in range(n):
            if self._measure(values, 6 * k):
                peak_mg = self._end_window()
                if peak_mg:
                    peaks_mg[at + found] = peak_mg
                    ticks[at + found] = (now - (waiting - 1 - k) * PERIOD_US) & _TICKS
                    found += 1
        return found

    def _measure(self, values, at):
        """Take one measurement into the window; return True if it completes the window."""
        if self._settling:
            self._settling -= 1
            return False
        length, end = 0, at + 6
        while at < end:  # no tuple of places, which would be garbage 400 times a second
            step = values[at + 1] << 2 | values[at] >> 6
            if step & 0x200:
                step -= 0x400
            length += step * step
            at += 2
        if length > self._longest:
            self._longest = length
        self._in_window += 1
        return self._in_window == WINDOW

    def _end_window(self):
        """End the window; return its peak if it was loud, else 0."""
        longest, self._longest, self._in_window = self._longest, 0, 0
        self.windows += 1
        if longest < _LEAST:
            return 0
        peak_mg = int(STEP_MG * sqrt(longest))
        if peak_mg > self.loudest_mg:
            self.loudest_mg = peak_mg
        return peak_mg

    def _find(self):
        silent = None
        for address in ADDRESSES:
            self._address = address
            try:
                self._read(_WHO_AM_I, self._one)
            except OSError as error:
                if error.errno == ETIMEDOUT:
                    raise  # the bus is stuck; the other address would cost as long
                silent = error
                continue
            if self._one[0] == _LIS3DH:
                return
            silent = OSError(
                ENODEV,
                "LIS3DH at 0x{:02x}: 0x{:02x} expected, saw 0x{:02x}: another chip".format(
                    address, _LIS3DH, self._one[0]
                ),
            )
        raise silent

    def _read(self, register, buffer):
        self._i2c.readfrom_mem_into(self._address, register, buffer)

    def _write(self, register, values):
        self._i2c.writeto_mem(self._address, register, values)
