"""VL53L1X and VL53L4CD time-of-flight rangers, which share their registers (ST UM2356, UM2931).

Nothing here waits: after `start`, every `take` goes one step on, through boot, set-up and the first calibration to the
readings. So a look costs one short transfer, and the cells never miss a conversion. The ranger uses its short mode with
50 ms of light every 55 ms: with this budget a white target at 0.1-0.3 m repeats best, and ten readings take less than a
second.
"""

from errno import ENODEV

ADDRESS = 0x29  # of all of them, at power on
_BITS = 16  # of a register's number
_SOFT_RESET = 0x0000
_OWN_ADDRESS = 0x0001
_OSC_FREQUENCY = 0x0006
_VHV_BOUND = 0x0008
_VHV_START = 0x000B
_SETTINGS = 0x002D
_READY = 0x0031
_TIMEOUT_A = 0x005E
_TIMEOUT_B = 0x0061
_PERIOD = 0x006C
_VIEW = 0x0080
_CLEAR = 0x0086
_MODE = 0x0087
_RESULT = 0x0089
_OSC_CALIBRATE = 0x00DE
_SYSTEM_STATUS = 0x00E5
_MODEL_ID = 0x010F
_BOOTED = 0x03
_STOP = b"\x00"
_TIMED = b"\x40"
_ONE = b"\x01"
BUDGET_MS = 50
PERIOD_MS = 55  # the chip asks for its budget and 4 ms more

# what the chip writes -> ST's numbers: 0 valid, 1 sigma too big, 2 signal too weak, 3 too near, 4 out of phase,
# 5 hardware, 6 no wrap-around check, 7 wrapped, 9 crosstalk, 10 interrupt, 11 merged, 12 weak, 255 anything else
_STATUS = (255, 255, 255, 5, 2, 4, 1, 7, 3, 0, 255, 255, 9, 13, 255, 255, 255, 255, 10, 6, 255, 255, 11, 12)


def _settings():
    """Return registers 0x2D-0x87 as ST's set-up leaves them in short mode; interrupt active low, sigma at most 15
    mm."""
    block = bytearray(0x88 - _SETTINGS)
    for register, values in (
        (0x30, b"\x11\x02\x00\x02\x08\x00\x08\x10\x01\x01"),
        (0x3E, b"\xff\x00\x0f"),
        (0x46, b"\x20\x0b\x00\x00\x02\x14\x21\x00\x00\x05"),
        (0x54, b"\xc8\x00\x00\x38\xff\x01\x00\x08"),
        (0x5E, b"\x01\xcc\x07\x01\xf1\x05\x00\x3c\x00\x80\x08\x38"),
        (0x6C, b"\x00\x00\x0f\x89"),
        (0x77, b"\x01\x07\x05\x06\x06\x00\x00\x02\xc7\xff\x9b\x00\x00\x00\x01"),
    ):
        block[register - _SETTINGS : register - _SETTINGS + len(values)] = values
    return bytes(block)


_BLOCK = _settings()


class Ranger:
    """One ranger; use `VL53L1X` or `VL53L4CD` below.

    Rangers on one bus share one `lock`, and each has its shutdown line `xshut` (called with a level; low is off) and
    its own address: all start at the same address, so only one at a time may be awake there.
    """

    name = ""
    model = 0

    def __init__(self, i2c, address=ADDRESS, xshut=None, lock=None):
        if (xshut is None or lock is None) and address != ADDRESS:
            raise ValueError("a ranger at 0x{:02x} needs a shutdown line and a lock to get there".format(address))
        self._i2c = i2c
        self._address = address
        self._xshut = xshut
        self._lock = lock
        self._ours = False  # the lock
        self._step = self._nothing
        self._one = bytearray(1)
        self._two = bytearray(2)
        self._result = bytearray(15)  # status, 12 bytes of rates and phase, range
        if xshut is not None:
            xshut(0)

    def start(self):
        """Restart the chip from reset; raise OSError if it is silent."""
        self._release()
        if self._xshut is None:
            self._step = self._nothing
            self._write(_SOFT_RESET, b"\x00")
            self._step = self._leave_reset
        else:
            self._xshut(0)
            self._step = self._switch_on

    def take(self):
        """Take the next step; return (range_mm, status) of a new reading, where status 0 is valid, or None.

        Call this at least 2 ms after `start` or the last call. Raise OSError if the chip is silent or another one.
        """
        try:
            return self._step()
        except OSError:
            self._release()
            raise

    def _nothing(self):
        return None

    def _leave_reset(self):
        self._write(_SOFT_RESET, _ONE)
        self._step = self._identify

    def _switch_on(self):
        if not self._lock.take():
            return
        self._ours = True
        self._xshut(1)
        self._step = self._move

    def _move(self):
        self._one[0] = self._address
        self._i2c.writeto_mem(ADDRESS, _OWN_ADDRESS, self._one, addrsize=_BITS)
        self._release()
        self._step = self._identify

    def _identify(self):
        seen = self._word(_MODEL_ID)
        if seen != self.model:
            raise OSError(
                ENODEV,
                "{} at 0x{:02x}: model 0x{:04x} expected, saw 0x{:04x}: another chip, or two at one address".format(
                    self.name, self._address, self.model, seen
                ),
            )
        self._read(_SYSTEM_STATUS, self._one)
        if self._one[0] == _BOOTED:
            self._write(_SETTINGS, _BLOCK)
            self._write(_MODE, _TIMED)
            self._step = self._calibrate

    def _calibrate(self):
        """Let the first measurement calibrate the chip's voltage; then write our settings."""
        if not self._ready():
            return
        self._write(_CLEAR, _ONE)
        self._write(_MODE, _STOP)
        self._write(_VHV_BOUND, b"\x09")
        self._write(_VHV_START, _STOP)
        self._time()
        counts = PERIOD_MS * (self._word(_OSC_CALIBRATE) & 0x3FF) * 1065 // 1000
        self._write(_PERIOD, bytes([0, counts >> 16 & 0xFF, counts >> 8 & 0xFF, counts & 0xFF]))
        self._write(_MODE, _TIMED)
        self._step = self._measure

    def _measure(self):
        if not self._ready():
            return None
        result = self._result
        self._read(_RESULT, result)
        self._write(_CLEAR, _ONE)
        status = result[0] & 0x1F
        return result[13] << 8 | result[14], _STATUS[status] if status < len(_STATUS) else 255

    def _time(self):
        """Write the two timeouts that make up the timing budget."""
        raise NotImplementedError("{} has no timing budget".format(self.name))

    def _ready(self):
        self._read(_READY, self._one)
        return not self._one[0] & 1

    def _release(self):
        if self._ours:
            self._ours = False
            self._lock.release()

    def _read(self, register, buffer):
        self._i2c.readfrom_mem_into(self._address, register, buffer, addrsize=_BITS)

    def _word(self, register):
        self._read(register, self._two)
        return self._two[0] << 8 | self._two[1]

    def _write(self, register, values):
        self._i2c.writeto_mem(self._address, register, values, addrsize=_BITS)


class VL53L1X(Ranger):
    """A VL53L1X in its short mode: 40 mm to 1.3 m.

    It sees a cone of 20 degrees, 0.35 of the distance across, which the paddle has to fill. With all its 16 by 16
    detectors it would see 27 degrees (UM2356), and objects beside the paddle would distort the range.
    """

    name = "VL53L1X"
    model = 0xEACC

    def _time(self):
        self._write(_TIMEOUT_A, b"\x01\xae")  # 50 ms, from ST's table for the short mode
        self._write(_TIMEOUT_B, b"\x01\xe8")
        self._write(_VIEW, b"\x77")  # 8 by 8 detectors in the middle


class VL53L4CD(Ranger):
    """A VL53L4CD: 1 mm to 1.3 m. It sees a cone of 18 degrees."""

    name = "VL53L4CD"
    model = 0xEBAA

    def _time(self):
        self._write(0x0024, b"\x05\x00")  # as ST's set-up, which gives no name for it
        frequency = self._word(_OSC_FREQUENCY)
        if not frequency:
            raise OSError(ENODEV, "VL53L4CD at 0x{:02x}: its oscillator reports 0 Hz".format(self._address))
        macro = 2304 * (0x40000000 // frequency) >> 6
        half = (BUDGET_MS * 1000 - 4300) // 2 << 12  # 4096ths of a microsecond
        self._write(_TIMEOUT_A, _timeout(half, 16 * macro >> 6))
        self._write(_TIMEOUT_B, _timeout(half, 12 * macro >> 6))


def _timeout(time, period):
    """Return a number of periods as the chip encodes it: exponent and mantissa of 8 bits each."""
    periods = (time + period // 2) // period - 1
    exponent = 0
    while periods > 0xFF:
        periods >>= 1
        exponent += 1
    return bytes([exponent, periods])
