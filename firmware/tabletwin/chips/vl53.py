"""VL53L1X and VL53L4CD: one ranging engine with 16-bit registers, two models (ST UM2356, UM2931 and their registers).

The world provides `target_mm`; `errs(target_mm)` may distort it, and `results`, if set, replace it. A measurement
finishes at its time and is kept until its interrupt is cleared; nothing is measured in between, which is an assumption.
"""

ADDRESS = 0x29
SOFT_RESET, OWN_ADDRESS = 0x0000, 0x0001
OSC_FREQUENCY, MUX, STATUS = 0x0006, 0x0030, 0x0031
PHASE_CALIBRATION = 0x004B
TIMEOUT_A, TIMEOUT_B = 0x005E, 0x0061
SIGMA_LIMIT, SIGNAL_LIMIT, PERIOD = 0x0064, 0x0066, 0x006C
CLEAR, MODE = 0x0086, 0x0087
RESULT, OSC_CALIBRATE, SYSTEM_STATUS, MODEL_ID = 0x0089, 0x00DE, 0x00E5, 0x010F

VALID, SIGMA_FAIL, SIGNAL_FAIL, PHASE_FAIL, HARDWARE_FAIL = 9, 6, 4, 5, 3  # as the chip writes them
BOOT_US = 1200
CONTINUOUS, TIMED = 0x21, 0x40
_OSC = 0xBCCC  # fast oscillator: 48332/1024 MHz
_PLL = 0x03B4  # slow oscillator
_READY = 0x03
_DISTANCE = 0x0096

# VL53L1X: nominal durations by (short?, timeout A, timeout B), as ST's driver writes them
_NOMINAL_US = {
    (True, 0x001D, 0x0027): 15_000,
    (True, 0x0051, 0x006E): 20_000,
    (True, 0x00D6, 0x006E): 33_000,
    (True, 0x01AE, 0x01E8): 50_000,
    (True, 0x02E1, 0x0388): 100_000,
    (True, 0x03E1, 0x0496): 200_000,
    (True, 0x0591, 0x05C1): 500_000,
    (False, 0x001E, 0x0022): 20_000,
    (False, 0x0060, 0x006E): 33_000,
    (False, 0x00AD, 0x00C6): 50_000,
    (False, 0x01CC, 0x01EA): 100_000,
    (False, 0x02D9, 0x02F8): 200_000,
    (False, 0x048F, 0x04A4): 500_000,
}


class _Vl53:
    """`clock` has `now_us()`. `target_mm` None: nothing in view."""

    ident = b""
    nominal_us = {}

    def __init__(self, clock, target_mm=None):
        self._clock = clock
        self.target_mm = target_mm
        self.errs = None
        self.results = []  # (range_mm, status as the chip writes it), oldest first
        self.signal_kcps = 4000
        self.ambient_kcps = 40
        self.sigma_mm = 1.5
        self.stubborn = False  # never ready: its laser is broken
        self.boot_us = BOOT_US
        self.measured = 0
        self._powered = True
        self._boot()
        self._on_us = self._ready_us

    def power(self, level):
        """Set its XSHUT line: low is reset."""
        if level and not self._powered:
            self._boot()
            self._on_us = self._clock.now_us() + BOOT_US
        self._powered = bool(level)

    @property
    def address(self):
        """Return the address it answers at; None while it is off and just after."""
        return self._address if self._powered and self._clock.now_us() >= self._on_us else None

    def hear(self, data):
        """Take a register number of two bytes, and the values to write from there on."""
        self._measure()
        if len(data) < 2:
            return
        self._pointer = data[0] << 8 | data[1]
        for byte in data[2:]:
            self._write(self._pointer, byte)
            self._pointer = self._pointer + 1 & 0xFFFF

    def say(self, n):
        """Return the registers from the pointer on."""
        self._measure()
        said = bytearray(n)
        for k in range(n):
            said[k] = self._read(self._pointer)
            self._pointer = self._pointer + 1 & 0xFFFF
        return said

    def duration_us(self):
        """Return how long one measurement takes with the timeouts that are set."""
        a, b = self.word(TIMEOUT_A), self.word(TIMEOUT_B)
        short = self.registers[PHASE_CALIBRATION] == 0x14
        if (short, a, b) in self.nominal_us:
            return self.nominal_us[short, a, b]
        macro = 16 * (2304 * ((1 << 30) // _OSC) >> 6) >> 6  # 4096ths of a microsecond
        phase_us = ((a & 0xFF) + 1) * macro >> 12 << (a >> 8)
        return 2 * phase_us + 4300 if self._mode == TIMED else phase_us + 2500

    def period_us(self):
        """Return the time from the start of one measurement to the next in timed mode."""
        asked = 0
        for k in range(4):
            asked = asked << 8 | self.registers[PERIOD + k]
        return asked * 1_000_000 // (_PLL * 1065)

    def word(self, register):
        """Return two bytes of its registers."""
        return self.registers[register] << 8 | self.registers[register + 1]

    def _boot(self):
        self._address = ADDRESS
        self._ready_us = self._clock.now_us() + self.boot_us
        self._held = False  # in reset, until that is written to end
        self._pointer = 0
        self._mode = 0
        self._due_us = 0
        self._pending = False
        self.registers = bytearray(0x200)
        self._put(OSC_FREQUENCY, _OSC)
        self._put(OSC_CALIBRATE, _PLL)
        self.registers[MUX] = 0x11
        self.registers[MODEL_ID : MODEL_ID + len(self.ident)] = self.ident

    def _put(self, register, word):
        self.registers[register] = word >> 8 & 0xFF
        self.registers[register + 1] = word & 0xFF

    def _read(self, register):
        if self._held:
            return 0
        if register == SYSTEM_STATUS:
            return _READY if self._clock.now_us() >= self._ready_us else 0
        if register == STATUS:
            active_low = self.registers[MUX] >> 4 & 1
            return self.registers[STATUS] & 0xFE | (1 if self._pending else 0) ^ active_low
        return self.registers[register] if register < len(self.registers) else 0

    def _write(self, register, byte):
        if register == SOFT_RESET:
            self._boot()
            self._held = not byte
        if self._held or register >= RESULT or register in (OSC_FREQUENCY, OSC_FREQUENCY + 1):
            return
        if self._clock.now_us() < self._ready_us and register >= MUX:
            return  # its own program overwrites that while it boots
        self.registers[register] = byte
        if register == OWN_ADDRESS:
            self._address = byte & 0x7F
        elif register == MODE:
            self._start(byte)
        elif register == CLEAR and byte & 1 and self._pending:
            self._pending = False
            self._schedule()

    def _start(self, mode):
        self._mode = mode
        self._pending = False
        self._begun_us = self._clock.now_us()
        self._due_us = self._begun_us + self.duration_us()

    def _schedule(self):
        """Schedule the next measurement: at the end of its period, or at once if that has passed or none is set."""
        period_us = self.period_us() if self._mode == TIMED else 0
        self._begun_us = max(self._begun_us + period_us, self._clock.now_us())
        self._due_us = self._begun_us + self.duration_us()

    def _measure(self):
        if self._mode not in (CONTINUOUS, TIMED) or self._pending or self.stubborn:
            return
        if self._clock.now_us() < self._due_us:
            return
        self.measured += 1
        self._pending = True
        range_mm, status = self.results.pop(0) if self.results else self._judge()
        self.registers[RESULT] = status
        self.registers[0x008C] = 0x10  # effective SPADs, 8.8
        self._put(0x008E, self.signal_kcps // 8)
        self._put(0x0090, self.ambient_kcps // 8)
        self._put(0x0092, int(4 * self.sigma_mm))
        self._put(_DISTANCE, range_mm)
        self._put(0x0098, self.signal_kcps // 8)

    def _judge(self):
        if self.target_mm is None or self.signal_kcps * 128 < self.word(SIGNAL_LIMIT) * 1000:
            return 0, SIGNAL_FAIL
        if 4 * self.sigma_mm > self.word(SIGMA_LIMIT):
            return int(self.target_mm), SIGMA_FAIL
        seen_mm = self.target_mm if self.errs is None else self.errs(self.target_mm)
        return max(0, int(seen_mm + 0.5)), VALID


class Vl53l1x(_Vl53):
    """The older one, to 4 m."""

    ident = b"\xea\xcc\x10"
    nominal_us = _NOMINAL_US


class Vl53l4cd(_Vl53):
    """The newer one, to 1.3 m, from 1 mm on."""

    ident = b"\xeb\xaa"
