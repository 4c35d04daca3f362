"""MCP23017: sixteen slow pins on I2C, for chip selects, shutdown lines, a button and beams (Microchip DS20001952C).

Pins are numbered 0-7 for GPA0-GPA7 and 8-15 for GPB0-GPB7. GPA7 and GPB7 are outputs only.
"""

from errno import ENODEV

ADDRESS = 0x20
_GPINTENB_OR_IOCON = 0x05  # IOCON as long as the chip numbers its registers port by port (IOCON.BANK)
_IPOL = 0x02  # then GPINTEN, DEFVAL, INTCON and IOCON, two bytes each, all 0 at power on
_GPINTEN = 0x04
_IOCON = 0x0A
_GPPU = 0x0C  # then INTF, INTCAP and GPIO, two bytes each
_OLAT = 0x14  # after which the numbers start again: OLATA, OLATB, IODIRA, IODIRB
_OUTPUTS_ONLY = 0x8080
LOOKS_SKIPPED = 20  # when the chip is silent: waiting for a stuck bus takes the cells' time


class Output:
    """An output pin, called with a level like a `machine.Pin`."""

    def __init__(self, chip, mask):
        self._chip = chip
        self._mask = mask

    def __call__(self, level):
        self._chip.drive(self._mask, level)


class Button:
    """A button to ground. The chip latches a press shorter than the time between two looks.

    A silent chip has no pressed buttons; the readers behind its chip selects report it.
    """

    def __init__(self, chip, mask):
        self._chip = chip
        self._mask = mask
        self._down = False
        self._up = 0  # looks since it was let go: contacts bounce
        self._silent = 0  # looks to skip

    def take(self):
        """Return True once per press; call this every 50 ms."""
        if self._silent:
            self._silent -= 1
            return False
        try:
            down = self._chip.look(self._mask)
        except OSError:
            self._silent = LOOKS_SKIPPED
            return False
        if not down:
            self._up += 1
            if self._up >= 2:
                self._down = False
            return False
        self._up = 0
        pressed = not self._down
        self._down = True
        return pressed


class Beam:
    """The receiver of a break beam, an open collector that pulls its pin down while it sees no light."""

    def __init__(self, chip, mask):
        self._chip = chip
        self._mask = mask

    def broken(self):
        """Return whether something stands in the beam; raise OSError if the chip is silent."""
        return not self._chip.levels() & self._mask


class MCP23017:
    """The chip. Name its pins with `output`, `button` and `beam`, then call `start` to set them up."""

    def __init__(self, i2c, address=ADDRESS):
        self._i2c = i2c
        self._address = address
        self._levels = 0xFFFF  # chip selects and shutdown lines rest high
        self._inputs = 0xFFFF
        self._buttons = 0
        self._pulled = 0  # inputs with a pull-up: buttons and beams
        self._out = bytearray(4)
        self._in = bytearray(8)
        self._two = bytearray(2)
        self._caught = 0

    def output(self, pin, level=1):
        """Return an output pin that begins at this level."""
        mask = 1 << pin
        self._inputs &= ~mask
        if not level:
            self._levels &= ~mask
        return Output(self, mask)

    def button(self, pin):
        """Return a button between a pin and ground."""
        mask = self._pull_up(pin)
        self._buttons |= mask
        return Button(self, mask)

    def beam(self, pin):
        """Return the beam whose receiver hangs on a pin."""
        return Beam(self, self._pull_up(pin))

    def _pull_up(self, pin):
        mask = 1 << pin
        if mask & _OUTPUTS_ONLY:
            raise ValueError("pin {} of an MCP23017 is an output only: take another one as an input".format(pin))
        self._pulled |= mask
        return mask

    def start(self):
        """Set the chip up, whatever its state; raise OSError if it is silent or another chip."""
        self._write(_GPINTENB_OR_IOCON, 0)
        self._write(_IOCON, 0)
        self._i2c.writeto_mem(self._address, _IPOL, bytes(10))
        self._write(_GPPU, self._pulled)
        self._show()
        self._write(_GPINTEN, self._buttons)
        self._i2c.readfrom_mem_into(self._address, _GPPU, self._in)
        self._check()
        self._caught = 0

    def drive(self, mask, level):
        """Set the output pins. The directions are written too, so a chip that lost power recovers."""
        self._levels = self._levels | mask if level else self._levels & ~mask
        self._show()

    def look(self, mask):
        """Report whether one of these buttons is down, or was since the last look."""
        self.levels()
        down = self._caught & mask
        self._caught &= ~mask
        return down != 0

    def levels(self):
        """Return the levels of all pins, and remember presses: reading them lets the chip forget its own notes."""
        self._i2c.readfrom_mem_into(self._address, _GPPU, self._in)
        if self._in[0] != self._pulled & 0xFF or self._in[1] != self._pulled >> 8:
            self.start()  # it has been without power
        seen = self._in
        changed = seen[2] | seen[3] << 8
        kept = seen[4] | seen[5] << 8
        now = seen[6] | seen[7] << 8
        self._caught |= (~now | changed & ~kept) & self._buttons
        return now

    def _show(self):
        out = self._out
        out[0] = self._levels & 0xFF
        out[1] = self._levels >> 8
        out[2] = self._inputs & 0xFF
        out[3] = self._inputs >> 8
        self._i2c.writeto_mem(self._address, _OLAT, out)

    def _write(self, register, word):
        two = self._two
        two[0] = word & 0xFF
        two[1] = word >> 8
        self._i2c.writeto_mem(self._address, register, two)

    def _check(self):
        if self._in[0] != self._pulled & 0xFF or self._in[1] != self._pulled >> 8:
            raise OSError(ENODEV, "no MCP23017 at 0x{:02x}: it does not keep written values".format(self._address))
