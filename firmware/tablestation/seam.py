"""The seam: what a board hands to the station program. Real boards and models are interchangeable behind it.

A *port* has
    ticks_us()              microseconds below 2**30, beginning anew without notice, as MicroPython's
    sleep_ms(ms)            awaitable
    spawn(coroutine)        run it beside the others
    random30()              a random number below 2**30

A *link* has
    publish(channel, payload, urgent, retain=False)
                            True when the payload was handed on; urgent payloads go before samples
and calls `Station.connected()` at every connection and `Station.receive(channel, payload)` for what comes in; the hub's
own state comes as channel `HUB_STATE`.

Drivers:
    cell.take()             a block of conversions since the last call, or None when there was none:
                            (ticks_us of the first, [microseconds from each to the next], counts, conversions lost)
    reader.read()           awaitable: the UID of the tag in the field as lower-case hex, or None; OSError when silent
    crane.take()            once after the paddle has settled: (range_mm, spread_mm, readings averaged), else None
    button.take()           True once per press
    ring.write(rgb)         show a bytearray of 3 bytes a pixel
"""

HUB_STATE = "hub"


class SpotBoard:
    """One spot of a board: its name and the drivers behind it.

    `noise_counts` and `shift_counts` are what a resting cell never exceeds: the span of a block of 100 ms, and the
    distance of its mean from the resting level. `alert_counts` is the drop of the whole spot that raises an alert; 0
    raises none.
    """

    def __init__(self, spot, cells=(), reader=None, ring=None, ring_leds=0, crane=None):
        self.spot = spot
        self.cells = cells
        self.reader = reader
        self.ring = ring
        self.ring_leds = ring_leds
        self.crane = crane
        self.noise_counts = 600
        self.shift_counts = 200
        self.alert_counts = 0

    def describe(self):
        """What a birth says of this spot."""
        return {
            "spot": self.spot,
            "cells": len(self.cells),
            "reader": self.reader is not None,
            "ring": self.ring_leds,
            "crane": self.crane is not None,
        }


class Board:
    """One board: its kind, its spots, the button of a seat, and how much current its rings may draw together."""

    def __init__(self, kind, spots, button=None, seat=0, ring_ma=400):
        self.kind = kind
        self.spots = spots
        self.button = button
        self.seat = seat
        self.ring_ma = ring_ma
