"""An SPI bus with chips behind their selects, in the shape of MicroPython's `machine.SPI`, most significant bit first.

A chip has
    select()            its select line went low
    exchange(byte)      takes the master's byte and returns the byte that the chip sends at the same time
    deselect()          its select line went high
"""

FLOATING = 0xFF  # nobody drives the wire to the master


class Select:
    """The select line of one chip: called with a level as a `Pin` is, or listening to a `Wire`."""

    def __init__(self, chip):
        self.chip = chip
        self.level = 1

    def __call__(self, level=None):
        """Drive it, or say its level."""
        if level is None:
            return self.level
        level = 1 if level else 0
        if level != self.level:
            self.level = level
            if level:
                self.chip.deselect()
            else:
                self.chip.select()
        return None

    def hear(self, level, _t_us, _ns):
        """Take a wire's edge as its listener."""
        self(level)


class SPI:
    """The bus. `clock` has `spend(us)`. Two chips selected at once are counted in `clashes`."""

    LSB = 1
    MSB = 0

    def __init__(self, clock, baudrate=1_000_000):
        self._clock = clock
        self._baudrate = baudrate
        self._selects = []
        self.clashes = 0
        self.longest_us = 0  # of one transfer

    def init(self, baudrate=1_000_000, polarity=0, phase=0, bits=8, firstbit=MSB, sck=None, mosi=None, miso=None):  # noqa: ARG002, PLR0913, PLR0917 (MicroPython's; the wires are what they are)
        """Set the bus up like the RP2's, which cannot send the least significant bit first either."""
        if firstbit != self.MSB:
            raise NotImplementedError("LSB")
        self._baudrate = baudrate

    def attach(self, chip):
        """Put a chip on the bus; return its select line."""
        self._selects.append(Select(chip))
        return self._selects[-1]

    def write(self, data):
        """Send bytes and drop the answer."""
        self._run(data, None)

    def readinto(self, buffer, write=0):
        """Fill the buffer, sending the same byte over and over."""
        self._run(bytes([write] * len(buffer)), buffer)

    def write_readinto(self, data, buffer):
        """Send and receive at the same time; both may be the same buffer."""
        if len(data) != len(buffer):
            raise ValueError("buffers must be the same length")
        self._run(bytes(data), buffer)

    def _run(self, data, buffer):
        chips = [line.chip for line in self._selects if not line.level]
        if len(chips) > 1:
            self.clashes += 1
        took_us = 8 * len(data) * 1_000_000 // self._baudrate
        self.longest_us = max(self.longest_us, took_us)
        self._clock.spend(took_us)
        for k in range(len(data)):
            seen = FLOATING
            for chip in chips:
                seen &= chip.exchange(data[k])
            if buffer is not None:
                buffer[k] = seen
