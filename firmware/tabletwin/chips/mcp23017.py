"""MCP23017: sixteen pins on an I2C bus (Microchip DS20001952C). Pins 0-7 are port A, 8-15 port B.

Registers are numbered as with IOCON.BANK = 0; with BANK = 1 the model uses the other numbers, like the real chip.
"""

ADDRESS = 0x20
IODIR, IPOL, GPINTEN, DEFVAL, INTCON, IOCON, GPPU, INTF, INTCAP, GPIO, OLAT = range(0, 22, 2)
REGISTERS = 22
BANK, SEQOP = 0x80, 0x20
_SEGREGATED = 0x10  # where port B begins with BANK = 1


class Mcp23017:
    """The chip. An input with nothing on it is high; one that was let go floats (here low) without its pull-up."""

    def __init__(self, address=ADDRESS):
        self.address = address
        self._levels = bytearray(b"\xff\xff")  # what the world puts on the pins of each port; a pin left alone is high
        self._let_go = bytearray(2)  # pins with an open contact or an open collector on them
        self._lines = [None] * 16  # what hangs on a pin and hears its level
        self._reported = bytearray(b"\xff\xff")  # levels that the lines have heard
        self.reset()

    def reset(self):
        """Reset the chip: all pins are inputs without pull-ups."""
        self.registers = bytearray(REGISTERS)
        self.registers[IODIR] = self.registers[IODIR + 1] = 0xFF
        self._pointer = 0
        self._seen = [self._port(0), self._port(1)]
        self._report()

    def wire(self, pin, line):
        """Connect something to a pin: `line(level)` is called when the level changes."""
        self._lines[pin] = line
        line(self._reported[pin >> 3] >> (pin & 7) & 1)

    def put(self, pin, level):
        """Drive a pin from outside (a pressed button: 0), or release it (None)."""
        port, bit = pin >> 3, 1 << (pin & 7)
        for pins, here in ((self._levels, level == 1), (self._let_go, level is None)):
            pins[port] = pins[port] | bit if here else pins[port] & ~bit & 0xFF
        self._notice()

    def output(self, pin):
        """Return the level that the chip puts on a pin, or None while the pin is an input."""
        port, bit = divmod(pin, 8)
        if self.registers[IODIR + port] >> bit & 1:
            return None
        return self.registers[OLAT + port] >> bit & 1

    def hear(self, data):
        """Take a register number and the values to write from there on."""
        if not data:
            return
        self._pointer = data[0]
        for byte in data[1:]:
            self._write(byte)
            self._step()

    def say(self, n):
        """Return the registers from the pointer on."""
        said = bytearray(n)
        for k in range(n):
            said[k] = self._read()
            self._step()
        return said

    def _place(self):
        """Return the register at the pointer as with BANK = 0, or None if there is none."""
        if self.registers[IOCON] & BANK:
            port, k = divmod(self._pointer, _SEGREGATED)
            return 2 * k + port if port < 2 and k < REGISTERS // 2 else None
        return self._pointer if self._pointer < REGISTERS else None

    def _step(self):
        settings = self.registers[IOCON]
        if settings & SEQOP:
            if not settings & BANK:
                self._pointer ^= 1
        elif settings & BANK:
            self._pointer = 0 if self._pointer == _SEGREGATED + REGISTERS // 2 - 1 else self._pointer + 1
        else:
            self._pointer = (self._pointer + 1) % REGISTERS

    def _read(self):
        place = self._place()
        if place is None:
            return 0
        port = place & 1
        if place - port == GPIO:
            self.registers[INTF + port] = 0
            return self._port(port) ^ self.registers[IPOL + port] & self.registers[IODIR + port]
        if place - port == INTCAP:
            self.registers[INTF + port] = 0
        return self.registers[place]

    def _write(self, byte):
        place = self._place()
        if place is None or place - (place & 1) in (INTF, INTCAP):
            return
        if place in (IOCON, IOCON + 1):
            self.registers[IOCON] = self.registers[IOCON + 1] = byte & 0xFE
        elif place in (GPIO, GPIO + 1):
            self.registers[place + 2] = byte
        else:
            self.registers[place] = byte
        self._notice()
        self._report()

    def _port(self, port):
        inputs = self.registers[IODIR + port]
        levels = self._levels[port] | self._let_go[port] & self.registers[GPPU + port]
        return levels & inputs | self.registers[OLAT + port] & ~inputs & 0xFF

    def _notice(self):
        """Raise the interrupt on change; INTCAP keeps the port of that moment."""
        registers = self.registers
        for port in range(2):
            level = self._port(port)
            compare = registers[INTCON + port]
            changed = (level ^ self._seen[port]) & ~compare | (level ^ registers[DEFVAL + port]) & compare
            self._seen[port] = level
            caught = changed & registers[GPINTEN + port] & registers[IODIR + port]
            if caught and not registers[INTF + port]:
                registers[INTF + port] = caught
                registers[INTCAP + port] = level ^ registers[IPOL + port]

    def _report(self):
        for port in range(2):
            level = self._port(port)
            changed = level ^ self._reported[port]
            self._reported[port] = level
            pin = 8 * port
            while changed:
                if changed & 1 and self._lines[pin] is not None:
                    self._lines[pin](level >> (pin & 7) & 1)
                changed >>= 1
                pin += 1
