"""An HX711 on a state machine of an RP2's PIO, which reads every conversion the moment it is ready.

The machine runs on its own; its joined FIFO holds eight conversions, 100 ms, while the processor is busy. Each cell has
its own machine and clock line, because each chip has its own oscillator.
"""

# ruff: noqa: F821 (the words of the PIO language are not Python's)

from tablestation.drivers.hx711_phase import Phase, ticks_after

FREQUENCY_HZ = 1000000  # one instruction a microsecond
DEPTH = 8  # words in a joined FIFO


def _program():
    """Run on the PIO: turn the chip off and on, then read every conversion.

    Off means PD_SCK high for more than 60 us. Afterwards DOUT is high, as it is after each reading; if it is not, the
    wire is broken or the chip has miscounted its pulses, and the program starts again.

    A conversion is 24 bits and a last one that must be 1, because the 25th pulse lets DOUT rise. PD_SCK is high for 2
    us (datasheet: 0.2 to 50) and low for at least 1 (0.2 or more). Bits are read at the end of the high time, 1 us
    after the edge (0.1). A conversion is always read within 80 us of being ready, so it never meets the next one.
    """
    wrap_target()
    label("anew")
    set(x, 7).side(1)
    label("off")
    jmp(x_dec, "off").side(1)[15]
    set(x, 31).side(0)
    label("wake")
    jmp(x_dec, "wake").side(0)[15]
    jmp(pin, "ready").side(0)
    jmp("anew").side(0)
    label("ready")
    wait(0, pin, 0).side(0)
    set(x, 23).side(0)
    label("bit")
    nop().side(1)
    in_(pins, 1).side(1)
    jmp(x_dec, "bit").side(0)
    nop().side(1)[1]
    in_(pins, 1).side(0)
    push(noblock).side(0)  # with a full FIFO the conversion is lost, but the chip goes on being read in time
    jmp(pin, "ready").side(0)
    wrap()


def assemble(rp2):
    """Assemble the program once for all cells of a board; `rp2` is the module."""
    pio = rp2.PIO
    return rp2.asm_pio(sideset_init=pio.OUT_LOW, in_shiftdir=pio.SHIFT_LEFT, fifo_join=pio.JOIN_RX)(_program)


def state_machine(rp2, number, program, dout, sck):
    """Return the state machine of one cell, by its number, on the cell's pins."""
    return rp2.StateMachine(number, program, freq=FREQUENCY_HZ, in_base=dout, jmp_pin=dout, sideset_base=sck)


class Hx711Pio:
    """One cell: channel A, gain 128. `machine` is its `state_machine`.

    `lost` counts conversions without room in the FIFO, and garbled ones.
    """

    def __init__(self, machine, ticks_us, period_us=12500):
        self._machine = machine
        self._ticks_us = ticks_us
        self._phase = Phase(period_us, ticks_us())
        self.lost = 0
        machine.active(1)

    def drain(self, counts, ticks, at=0):
        """Write all conversions since the last call, oldest first, from index `at` on; return how many there were."""
        phase = self._phase
        now = self._ticks_us()
        n = self._machine.rx_fifo()
        if n == 0:
            phase.nothing(now)
            return 0
        if n < DEPTH:
            last = phase.follow(n, now)
        else:
            last = phase.follow_full(n, now)
            dropped = phase.passed(now)
            phase.skip(dropped)
            self.lost += dropped
        return self._take(n, ticks_after(last, -(n - 1) * phase.period_us()), counts, ticks, at)

    def _take(self, n, ready, counts, ticks, at):
        machine, period_us = self._machine, self._phase.period_us()
        taken = at
        for _ in range(n):
            word = machine.get()
            if word & 1 and taken < len(counts):
                word >>= 1
                counts[taken] = word - 0x1000000 if word & 0x800000 else word
                ticks[taken] = ready
                taken += 1
            else:
                self.lost += 1
            ready = ticks_after(ready, period_us)
        return taken - at
