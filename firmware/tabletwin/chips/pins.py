"""Wires between a board and the chips on it.

Either a board drives a wire, and every listener receives the edge; or a chip drives it, and the board asks for its
level. A chip that drives a wire has

    level(t_us)         0 or 1
    next_edge(t_us)     when the level may change next if nobody touches the chip, or None for never

A listener is called as `listener(level, t_us, ns)`: ns is the part of the edge's moment below a microsecond.
"""


class Wire:
    """One wire, known to the board by the number of its pin."""

    def __init__(self, number):
        self.number = number
        self.driver = None  # the chip at the other end, or None when the board drives it or nobody does
        self.pull = 0  # what the board reads where nobody drives
        self.output = False  # whether the board drives it
        self.driven = 0
        self._listeners = []

    def listen(self, listener):
        """Call the listener at every edge that the board makes."""
        self._listeners.append(listener)

    def drive(self, level, t_us, ns=0):
        """Drive the wire from the board's side."""
        if level != self.driven:
            self.driven = level
            for listener in self._listeners:
                listener(level, t_us, ns)

    def level(self, t_us):
        """Return the level that the board reads: its own where it drives, else the chip's, else the pull resistor's."""
        if self.output:
            return self.driven
        return self.pull if self.driver is None else self.driver.level(t_us)

    def next_edge(self, t_us):
        """Return when that may change without the board, or None."""
        return None if self.driver is None else self.driver.next_edge(t_us)


class Wires:
    """All wires of a board, made when they are first named."""

    def __init__(self, clock):
        self.clock = clock
        self._wires = {}

    def wire(self, number):
        """Return the wire at that pin."""
        if number not in self._wires:
            self._wires[number] = Wire(number)
        return self._wires[number]
