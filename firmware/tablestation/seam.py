"""The seam: everything a board provides to the station program. Real boards and models are interchangeable behind it.

A *port* has
    ticks_us()              microseconds below 2**30, which wrap like MicroPython's
    sleep_ms(ms)            awaitable
    within(ms, coroutine)   awaitable: the coroutine's result; OSError (ETIMEDOUT) if it takes longer
    spawn(coroutine)        run it beside the others
    random30()              a random number below 2**30
    free_bytes()            free memory, or None where that means nothing
    feed()                  feed the watchdog, which restarts the board after 8 s without

A *link* has
    publish(channel, payload, urgent, retain=False)
                            True if the payload was taken; it never waits. Urgent payloads go before samples, and
                            samples are dropped first if there is no more room
    dropped                 how many payloads of samples found no room since the start
    run(station)            awaitable, for ever: it calls `station.connected()`, `station.disconnected()` and
                            `station.receive(channel, payload)`, and announces `station.will()`; the hub's own state
                            comes as channel `HUB_STATE`

Drivers:
    cell.drain(counts, ticks, at=0)
                            writes the conversions since the last call into two arrays ('i', of equal length) from place
                            `at` on, oldest first: signed 24-bit counts, and the ticks_us of each. Returns how many,
                            never more than fit; the rest stays for the next call or is lost. There is room for 16.
                            Allocates nothing
    cell.lost               conversions known to be lost since the start
    reader.read()           awaitable: the UID of the tag in the field as lower-case hex, or None; OSError when silent
    reader.pages(first, n)  awaitable: n pages of four bytes of the NTAG in the field; OSError if that fails
    ranger.start()          begin to measure; OSError when the chip is silent
    ranger.take()           (range_mm, status) of a new reading, status 0 being a valid one, or None when there is none;
                            OSError when the chip or its bus is silent
    beam.broken()           whether something stands in a crane's beam; OSError when the chip is silent
    accelerometer.start()   begin to measure; OSError when the chip is silent
    accelerometer.take(peaks_mg, ticks, at=0)
                            writes the windows of 10 ms since the last call whose peak was KNOCK_MG or more into two
                            arrays ('i') from place `at` on, oldest first: the peaks, and the ticks_us of their ends.
                            Returns how many, at most four. OSError when the chip or its bus is silent
    accelerometer.windows, .lost, .loudest_mg
                            windows since the start; how often some were missed; the highest peak since somebody set
                            it to 0
    ring.write(rgb)         takes a bytearray of 3 bytes a pixel, which the board's `show_rings` sends
    button.take()           True once per press

Between two awaits a driver or a board takes less than 5 ms, so that no conversion is lost.
"""

HUB_STATE = "hub"
# The HX711 compares its cell with its own supply, which cancels out: with gain 128 it gives 2**23 counts for 1/256 of
# the supply (data sheet, "analog input differential range"). A 1 kg cell of 1 mV/V then has 2**31 / 10**6 a gram.
NOMINAL_COUNTS_PER_G = 2147


class SpotBoard:
    """One spot of a board with its drivers. The `ranger` is the crane's, above its paddle, and the `beam` tells
    whether this paddle rests on something.

    A resting cell never exceeds `noise_counts` (the span of a block of 100 ms) and `shift_counts` (the distance of the
    block's mean from the resting level). A drop of `alert_g` grams of the whole spot raises an alert; 0 raises none.
    `counts_per_g` has the scale of each cell, negative where counts fall when the load rises. It is nominal until the
    hub sends the calibration.
    """

    def __init__(self, spot, cells=(), reader=None, ring=None, ring_leds=0, ranger=None):
        self.spot = spot
        self.cells = cells
        self.reader = reader
        self.ring = ring
        self.ring_leds = ring_leds
        self.ranger = ranger
        self.beam = None
        self.noise_counts = 600
        self.shift_counts = 200
        self.alert_g = 0
        self.counts_per_g = [NOMINAL_COUNTS_PER_G] * len(cells)

    def describe(self):
        """Return the description of this spot in a birth."""
        described = {
            "spot": self.spot,
            "cells": len(self.cells),
            "reader": self.reader is not None,
            "ring": self.ring_leds,
            "crane": self.ranger is not None,
        }
        if self.beam is not None:
            described["beam"] = True
        return described


class Board:
    """One board: its kind, its spots, the button of a seat, and the current its rings may draw together.

    `about` holds what the birth reports about the hardware, as far as it is known: `hardware`, `uid`, `bundle`,
    `reset`. A board with cells overrides `pause`, one with rings overrides `show_rings`. Only a board with cells may
    have an `accelerometer`; the program finds out whether the chip is fitted.
    """

    def __init__(self, kind, spots, button=None, seat=0, ring_ma=400, about=None):
        self.kind = kind
        self.spots = spots
        self.button = button
        self.seat = seat
        self.ring_ma = ring_ma
        self.about = about or {}
        self.accelerometer = None

    async def pause(self):
        """Wait between two looks at the cells, short enough for their drivers to keep all conversions: 20 ms if a PIO
        machine with its buffer reads them, 4 ms if the program does."""
        raise NotImplementedError("a board with cells must define the pause between two looks at them")

    def show_rings(self):
        """Send changed rings, each strip in one go."""

    def lamp(self, on):
        """Switch the light on the board, if it has one."""
