"""A module like MicroPython's `rp2`: a recorder of PIO programs, and state machines that run them on wires.

Put `Rp2(wires)` into `sys.modules["rp2"]`. It supports the instructions that our programs use, and refuses others. A
machine catches up with the present when the processor accesses it; while it waits for a wire it costs nothing, so a
minute at 80 conversions a second takes a few seconds.
"""

FIFO_WORDS = 4  # of 32 bits; a joined one has twice as many


class PIO:
    """The constants of the real one."""

    IN_LOW = 0
    IN_HIGH = 1
    OUT_LOW = 2
    OUT_HIGH = 3
    SHIFT_LEFT = 0
    SHIFT_RIGHT = 1
    JOIN_NONE = 0
    JOIN_TX = 1
    JOIN_RX = 2


class Instruction:
    """One instruction as it is being written: `nop().side(1)[3]`."""

    def __init__(self, name, words):
        self.name = name
        self.words = words
        self.side_set = None
        self.delay = 0

    def side(self, value):
        """Return the level of the side-set pin during it."""
        self.side_set = value
        return self

    def __getitem__(self, delay):
        self.delay = delay
        return self


class Program:
    """A program that `asm_pio` made of a function: instructions, labels and settings.

    `source` is the same in the vendor's language.
    """

    def __init__(self, settings):
        self.settings = settings
        self.instructions = []
        self.labels = {}
        self.wrap_at = 0
        self.wrap_end = None

    def source(self):
        """Return the same program for an assembler."""
        lines = [".program recorded"]
        if "sideset_init" in self.settings:
            always = all(instruction.side_set is not None for instruction in self.instructions)
            lines.append(".side_set 1" if always else ".side_set 1 opt")
        for k in range(len(self.instructions) + 1):
            if k == self.wrap_at:
                lines.append(".wrap_target")
            for name in self.labels:
                if self.labels[name] == k:
                    lines.append(name + ":")
            if k < len(self.instructions):
                lines.append(_line(self.instructions[k]))
            if k + 1 == self.wrap_end:
                lines.append(".wrap")
        return "\n".join(lines)

    def names(self):
        """Return the words a program is written in."""

        def writer(name):
            def write(*words):
                instruction = Instruction(name, words)
                self.instructions.append(instruction)
                return instruction

            return write

        known = {word: word for word in ("pin", "gpio", "pins", "x", "y", "null", "noblock", "block")}
        known["x_dec"], known["y_dec"] = "x--", "y--"
        for name in ("nop", "wait", "set", "in_", "out", "jmp", "push", "pull"):
            known[name] = writer(name)
        known["label"] = lambda name: self.labels.update({name: len(self.instructions)})
        known["wrap_target"] = self._wrap_target
        known["wrap"] = self._wrap
        return known

    def _wrap_target(self):
        self.wrap_at = len(self.instructions)

    def _wrap(self):
        self.wrap_end = len(self.instructions)


def _line(instruction):
    words = ["" + str(word) for word in instruction.words]
    name = instruction.name
    if name == "in_":
        name = "in"
    joined = " ".join(words) if name in ("wait", "push", "pull") else ", ".join(words)
    line = "  " + name + " " + joined
    if instruction.side_set is not None:
        line += " side {}".format(instruction.side_set)
    if instruction.delay:
        line += " [{}]".format(instruction.delay)
    return line


def asm_pio(**settings):
    """Return a decorator that runs the function once with the words of the language as its globals."""

    def assemble(function):
        program = Program(settings)
        names = function.__globals__
        saved = dict(names)
        names.update(program.names())
        try:
            function()
        finally:
            names.clear()
            names.update(saved)
        if program.wrap_end is None:
            program.wrap_end = len(program.instructions)
        return program

    return assemble


class _StateMachine:
    """One machine; `wires` is the board's, in a class of its own per board."""

    wires = None

    def __init__(self, number, program, freq=125000000, in_base=None, jmp_pin=None, sideset_base=None):  # noqa: PLR0913, PLR0917 (MicroPython's)
        self.number = number
        self.program = program
        self.dropped = 0
        self._cycle_ns = 1000000000 // freq
        self._in = self.wires.wire(in_base.number)
        self._jmp = None if jmp_pin is None else self.wires.wire(jmp_pin.number)
        self._side = None if sideset_base is None else self.wires.wire(sideset_base.number)
        joined = program.settings.get("fifo_join") == PIO.JOIN_RX
        self._room = FIFO_WORDS * (2 if joined else 1)
        self._left = program.settings.get("in_shiftdir", PIO.SHIFT_LEFT) == PIO.SHIFT_LEFT
        self._fifo = []
        self._active = False
        self._at = self._x = self._y = self._isr = 0
        self._t_us = self._ns = 0
        if self._side is not None:
            self._side.output = True
            self._side.drive(1 if program.settings["sideset_init"] == PIO.OUT_HIGH else 0, self.wires.clock.now_us())

    def active(self, on=None):
        """Start or stop it; return whether it runs."""
        self._run()
        if on is None:
            return self._active
        if on and not self._active:
            self._t_us = self.wires.clock.now_us()
            self._ns = 0
        self._active = bool(on)
        return None

    def restart(self):
        """Restart the program with empty registers; the FIFO stays."""
        self._run()
        self._at = self._x = self._y = self._isr = 0

    def rx_fifo(self):
        """Return the number of words that wait."""
        self._run()
        return len(self._fifo)

    def get(self, buf=None, shift=0):
        """Return the oldest word; wait for it."""
        self.wires.clock.spend(41)  # measured on an emulated RP2040
        self._run()
        while not self._fifo:
            if not self._active:
                raise OSError("waiting for a state machine that is stopped")
            self.wires.clock.spend(100)
            self._run()
        word = self._fifo.pop(0) >> shift
        if buf is None:
            return word
        buf[0] = word
        return buf

    def _run(self):
        now_us = self.wires.clock.now_us()
        while self._active and self._t_us < now_us:
            instruction = self.program.instructions[self._at]
            if instruction.side_set is not None:
                self._side.drive(instruction.side_set, self._t_us, self._ns)
            if instruction.name == "wait" and self._stalls(instruction.words, now_us):
                return
            self._do(instruction)
            self._tick(1 + instruction.delay)

    def _tick(self, cycles):
        self._ns += cycles * self._cycle_ns
        self._t_us += self._ns // 1000
        self._ns %= 1000

    def _stalls(self, words, now_us):
        """Wait for the wire; return True if it does not change until now."""
        level, _, offset = words
        wire = self.wires.wire(self._in.number + offset)
        while wire.level(self._t_us) != level:
            edge_us = wire.next_edge(self._t_us)
            if edge_us is None or edge_us >= now_us:
                self._t_us, self._ns = now_us, 0
                return True
            self._t_us, self._ns = edge_us, 0
        return False

    def _do(self, instruction):
        name, words = instruction.name, instruction.words
        self._at = self.program.wrap_at if self._at + 1 == self.program.wrap_end else self._at + 1
        if name == "set":
            self._set(words)
        elif name == "in_":
            self._shift(words)
        elif name == "jmp":
            self._jump(words)
        elif name == "push":
            self._push(words)
        elif name not in ("nop", "wait"):
            raise NotImplementedError(name)

    def _set(self, words):
        where, value = words
        if where == "x":
            self._x = value
        elif where == "y":
            self._y = value
        else:
            raise NotImplementedError("set({})".format(where))

    def _shift(self, words):
        if words != ("pins", 1) or not self._left:
            raise NotImplementedError("in_{}, shifting right or more than a bit".format(words))
        self._isr = (self._isr << 1 | self._in.level(self._t_us)) & 0xFFFFFFFF

    def _jump(self, words):
        taken = True
        if words[0] == "x--":
            taken, self._x = self._x != 0, (self._x - 1) & 0xFFFFFFFF
        elif words[0] == "y--":
            taken, self._y = self._y != 0, (self._y - 1) & 0xFFFFFFFF
        elif words[0] == "pin":
            taken = self._jmp.level(self._t_us)
        elif len(words) > 1:
            raise NotImplementedError("jmp({})".format(words[0]))
        if taken:
            self._at = self.program.labels[words[-1]]

    def _push(self, words):
        if "noblock" not in words:
            raise NotImplementedError("push that waits")
        if len(self._fifo) < self._room:
            self._fifo.append(self._isr)
        else:
            self.dropped += 1
        self._isr = 0


class Rp2:
    """The module."""

    PIO = PIO

    def __init__(self, wires):
        class StateMachine(_StateMachine):
            pass

        StateMachine.wires = wires
        self.StateMachine = StateMachine
        self.asm_pio = asm_pio
