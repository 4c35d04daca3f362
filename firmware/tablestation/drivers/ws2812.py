"""A chain of WS2812 LEDs on one pin: several rings one after the other.

Sending blocks interrupts: 30 us for each LED, 2.2 ms for the 72 of a full station. The readers of the cells can wait
much longer.
"""

from tablestation.clock import ticks_between

TIMING_NS = (400, 850, 800, 450)  # for machine.bitstream: high and low of a 0, high and low of a 1
LATCH_US = 300  # how long the wire must rest before it is a new frame; the slowest of the family


class Chain:
    """All LEDs of the pin. `send(grb)` puts bytes on the wire, e.g. with `machine.bitstream(pin, 0, TIMING_NS,
    grb)`."""

    def __init__(self, send, ticks_us, leds):
        self._send = send
        self._ticks_us = ticks_us
        self._sent = ticks_us()
        self._leds = leds
        self._taken = 0
        self._changed = True  # after a reset the LEDs still show what they did
        self.grb = bytearray(3 * leds)

    def ring(self, leds):
        """Return the next LEDs of the chain as a ring."""
        first = self._taken
        if first + leds > self._leds:
            raise ValueError("{} LEDs after the first {}: the chain has {}".format(leds, first, self._leds))
        self._taken += leds
        return Ring(self, first, leds)

    def change(self):
        """Mark the frame as changed."""
        self._changed = True

    def show(self):
        """Send the frame if it has changed; the last one was latched before."""
        if not self._changed:
            return
        while ticks_between(self._sent, self._ticks_us()) < LATCH_US:
            pass
        self._send(self.grb)
        self._changed = False
        self._sent = self._ticks_us()


class Ring:
    """Some LEDs of a chain."""

    def __init__(self, chain, first, leds):
        self._chain = chain
        self._first = first
        self._leds = leds

    def write(self, rgb):
        """Write 3 bytes a pixel; the chain's next `show` sends them."""
        grb = self._chain.grb
        at = 3 * self._first
        for k in range(0, 3 * self._leds, 3):
            grb[at + k] = rgb[k + 1]
            grb[at + k + 1] = rgb[k]
            grb[at + k + 2] = rgb[k + 2]
        self._chain.change()
