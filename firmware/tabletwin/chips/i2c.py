"""An I2C bus with chips on it, in the shape of MicroPython's `machine.I2C`.

A chip has
    address         7 bits, or None while it is in reset and answers nobody
    hear(data)      bytes written to it, without the address; none at all is a probe
    say(n)          n bytes it answers with

Chips with the same address receive the same and pull the same wire, so a read returns the bits that all leave high.
"""

from errno import EIO, ETIMEDOUT

TIMEOUT_US = 50_000  # how long an RP2 waits for a bus that does not move, unless it is told otherwise


class I2C:
    """The bus. `clock` has `spend(us)`: a transfer takes the time of its bits."""

    def __init__(self, clock, freq=400_000):
        self._clock = clock
        self._freq = freq
        self._timeout_us = TIMEOUT_US
        self.chips = []
        self.stuck = False  # a wire is shorted, or a chip holds it down
        self.deaf = 0  # so many transfers are not acknowledged: a loose plug
        self.spoil = None  # a function from bytes read to the bytes that arrive: I2C has no checksum
        self.transfers = 0
        self.longest_us = 0  # of one transfer

    def init(self, scl=None, sda=None, freq=400_000, timeout=TIMEOUT_US):  # noqa: ARG002 (the wires are what they are)
        """Set the bus up like MicroPython's."""
        self._freq = freq
        self._timeout_us = timeout

    def attach(self, chip):
        """Put a chip on the bus."""
        self.chips.append(chip)
        return chip

    def scan(self):
        """Return the addresses that answer."""
        return [address for address in range(0x08, 0x78) if self._answers(address)]

    def writeto(self, address, data, stop=True):  # noqa: ARG002 (a restart is a new transfer to these chips)
        """Write; return how many bytes were acknowledged."""
        for chip in self._begin(address, len(data)):
            chip.hear(bytes(data))
        return len(data)

    def readfrom_into(self, address, buffer, stop=True):  # noqa: ARG002 (as above)
        """Fill the buffer."""
        chips = self._begin(address, len(buffer))
        self._fill(chips, buffer)

    def readfrom(self, address, n, stop=True):
        """Read n bytes."""
        buffer = bytearray(n)
        self.readfrom_into(address, buffer, stop)
        return bytes(buffer)

    def writeto_mem(self, address, register, data, *, addrsize=8):
        """Write to a register, whose number has `addrsize` bits."""
        self.writeto(address, _number(register, addrsize) + bytes(data))

    def readfrom_mem_into(self, address, register, buffer, *, addrsize=8):
        """Fill the buffer from a register on."""
        self.writeto(address, _number(register, addrsize), False)
        self.readfrom_into(address, buffer)

    def _answers(self, address):
        return not self.stuck and any(chip.address == address for chip in self.chips)

    def _begin(self, address, n):
        """Return the chips that acknowledge their address; raise OSError if there is none or the bus is stuck."""
        self.transfers += 1
        if self.stuck:
            self._clock.spend(self._timeout_us)
            raise OSError(ETIMEDOUT, "the bus does not move")
        self._spend(n)
        chips = [chip for chip in self.chips if chip.address == address]
        if self.deaf:
            self.deaf -= 1
            chips = []
        if not chips:
            raise OSError(EIO, "nobody answers at 0x{:02x}".format(address))
        return chips

    def _spend(self, n):
        took_us = (9 * (n + 1) + 2) * 1_000_000 // self._freq
        self.longest_us = max(self.longest_us, took_us)
        self._clock.spend(took_us)

    def _fill(self, chips, buffer):
        n = len(buffer)
        joined = bytearray([0xFF] * n)
        for chip in chips:
            said = chip.say(n)
            for k in range(n):
                joined[k] &= said[k]
        if self.spoil is not None:
            joined = self.spoil(bytes(joined))
        for k in range(n):
            buffer[k] = joined[k]


def _number(register, bits):
    return bytes([register >> 8, register & 0xFF]) if bits == 16 else bytes([register])
