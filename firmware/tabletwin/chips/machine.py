"""A module like MicroPython's `machine`, over wires: put `Machine(wires)` into `sys.modules["machine"]`.

Operations take the time they take on a board (`PIN_US`), so that bit-banging is as slow as it is there. Buses are
models: `machine.buses["spi", 0] = bus` makes `machine.SPI(0, ...)` call `bus.init(...)` with the same arguments and
return `bus`; the same with "i2c". A bus has the methods of MicroPython's class and spends its time on `wires.clock`.
"""

PIN_US = 12  # one Pin operation with its share of the loop: a HX711 read of 25 pulses took 1018 us on an RP2040
IRQ_US = 1
WATCHDOG_MS_MAX = 8388  # RP2040: 24 bits that count half microseconds


class Reset(BaseException):
    """The board restarts, on request or by its watchdog; nothing may catch this."""


class _Pin:
    """One pin; `wires` is the board's, in a class of its own per Machine."""

    IN = 0
    OUT = 1
    OPEN_DRAIN = 2
    PULL_UP = 1
    PULL_DOWN = 2
    wires = None

    def __init__(self, number, mode=-1, pull=-1, value=None):
        self.number = number
        self._clock = self.wires.clock
        self._wire = self.wires.wire(number)
        self.init(mode, pull, value)

    def init(self, mode=-1, pull=-1, value=None):
        """Set the pin up like MicroPython's: settings not given stay."""
        if pull != -1:
            self._wire.pull = 1 if pull == self.PULL_UP else 0
        if value is not None:
            self._wire.drive(1 if value else 0, self._clock.now_us())
        if mode != -1:
            self._wire.output = mode != self.IN

    def value(self, level=None):
        """Read the pin, or drive it."""
        self._clock.spend(PIN_US)
        if level is None:
            return self._wire.level(self._clock.now_us())
        self._wire.drive(1 if level else 0, self._clock.now_us())
        return None

    __call__ = value

    def on(self):
        """Drive the pin high."""
        self.value(1)

    def off(self):
        """Drive the pin low."""
        self.value(0)

    high = on
    low = off


class _Watchdog:
    """A watchdog. Once started it cannot be stopped."""

    machine = None

    def __init__(self, id=0, timeout=5000):  # noqa: A002, ARG002 (MicroPython's)
        if not 1 <= timeout <= WATCHDOG_MS_MAX:
            raise ValueError("timeout exceeds {}".format(WATCHDOG_MS_MAX))
        self._timeout_us = 1000 * timeout
        self._fed_us = self.machine.wires.clock.now_us()
        self.machine.watchdog = self

    def feed(self):
        """Feed the watchdog. If this comes too late, the board was reset before."""
        if self.bitten_us() is not None:
            raise Reset("the watchdog bit")
        self._fed_us = self.machine.wires.clock.now_us()

    def bitten_us(self):
        """Return when it bit, or None."""
        due_us = self._fed_us + self._timeout_us
        return due_us if self.machine.wires.clock.now_us() >= due_us else None


class _Clock:
    """The clock that MicroPython's programs set."""

    machine = None

    def datetime(self, time):
        """Set the clock: year, month, day, weekday, hours, minutes, seconds, fractions."""
        self.machine.time = time


class Machine:
    """The module. `watchdog` is the one the program started, and `time` what it set the clock to, or None;
    `reset_cause` returns `cause`."""

    PWRON_RESET = 1
    WDT_RESET = 3

    def __init__(self, wires, uid=b"\xe6\x61\x64\x08\x43\x12\x34\x56", cause=PWRON_RESET):
        self.wires = wires
        self.buses = {}
        self.watchdog = None
        self.time = None
        self.cause = cause
        self._uid = uid
        bound = self

        class Pin(_Pin):
            pass

        class WDT(_Watchdog):
            pass

        class RTC(_Clock):
            pass

        Pin.wires = wires
        WDT.machine = RTC.machine = bound
        self.Pin = Pin
        self.WDT = WDT
        self.RTC = RTC

    def SPI(self, number, *settings, **named):  # noqa: N802 (MicroPython's name)
        """Return the bus of that number."""
        bus = self.buses["spi", number]
        bus.init(*settings, **named)
        return bus

    def I2C(self, number, *settings, **named):  # noqa: N802 (MicroPython's name)
        """Return the bus of that number."""
        bus = self.buses["i2c", number]
        bus.init(*settings, **named)
        return bus

    def bitstream(self, pin, encoding, timing_ns, data):
        """Send bytes with interrupts off; `timing_ns` = (high of a 0, low of a 0, high of a 1, low of a 1)."""
        if encoding != 0:
            raise ValueError("encoding {}: only 0 (high then low) is known".format(encoding))
        state = self.disable_irq()
        clock = self.wires.clock
        wire = self.wires.wire(pin.number)
        t_us, ns = clock.now_us(), 0
        for byte in data:
            for k in range(7, -1, -1):
                high = 2 * (byte >> k & 1)
                wire.drive(1, t_us, ns)
                ns += timing_ns[high]
                t_us, ns = t_us + ns // 1000, ns % 1000
                wire.drive(0, t_us, ns)
                ns += timing_ns[high + 1]
                t_us, ns = t_us + ns // 1000, ns % 1000
        clock.reach(t_us + 1)
        self.enable_irq(state)

    def disable_irq(self):
        """Block interrupts until `enable_irq` gets the value returned here."""
        clock = self.wires.clock
        before = clock.masked
        clock.masked = True
        clock.spend(IRQ_US)
        return before

    def enable_irq(self, state=False):
        """Restore interrupts; a waiting one comes now."""
        clock = self.wires.clock
        clock.masked = state
        clock.spend(IRQ_US)

    def unique_id(self):
        """Return the eight bytes of the flash chip's id."""
        return self._uid

    def reset_cause(self):
        """Return why the program began."""
        return self.cause

    def reset(self):
        """Restart the board."""
        raise Reset("the program asked for it")
