"""Faults: each is reported once when it begins and once when it ends.

`CellFault` checks a cell ten times a second:

    from         to           when
    any          SILENT       no conversion for 250 ms (at the start: a second)
    any          SATURATED    3 blocks in a row touch an end of the chip's range, and it is not silent
    any          STUCK        14 conversions in a row are equal within the range, and it is none of the above
    any          WRONG_RATE   2 seconds in a row have not 60-110 conversions each, and it is none of the above
    any of them  SOUND        none of the above at 5 looks in a row

If one fault follows another, the end of the first is reported before the beginning of the second.
"""

from tablestation.clock import ticks_between
from tablestation.gate import COUNTED

SOUND, SILENT, SATURATED, STUCK, WRONG_RATE = range(5)
WHAT = (
    "",
    "cell {} gives no conversions: check its plug",
    "cell {} is at the end of its range: take the load off, then check its wires",
    "cell {} repeats one value: check its wires and its supply",
    "cell {} does not convert 60 to 110 times a second: check the RATE pin of its HX711",
)
SATURATED_BLOCKS = 3
STUCK_SAMPLES = 14  # the chip's own noise is tens of counts
RATE_HZ = (60, 110)
WRONG_SECONDS = 2
WELL_LOOKS = 5


class CellFault:
    """The fault state of one cell."""

    def __init__(self, gate, ticks):
        self._gate = gate
        self.state = SOUND
        self._well = 0
        self._wrong_seconds = 0
        self._rated = ticks
        self._taken = gate.taken

    def look(self):
        """Follow the gate; return True if the state has changed."""
        gate = self._gate
        if gate.silent:
            seen = SILENT
        elif gate.railed >= SATURATED_BLOCKS:
            seen = SATURATED
        elif gate.same >= STUCK_SAMPLES and not gate.railed:  # at the end of the range all are equal, too
            seen = STUCK
        else:
            seen = WRONG_RATE if self._wrong_seconds >= WRONG_SECONDS else SOUND
        if seen == self.state:
            self._well = 0
            return False
        if seen == SOUND:
            self._well += 1
            if self._well < WELL_LOOKS:
                return False
        self.state = seen
        self._well = 0
        return True

    def rate(self, now):
        """Check the conversion rate; call this about once a second."""
        gate = self._gate
        passed_us = ticks_between(self._rated, now)
        n = (gate.taken - self._taken) & COUNTED
        self._rated = now
        self._taken = gate.taken
        low, high = RATE_HZ
        if passed_us <= 0 or not n or low <= n * 1_000_000 // passed_us <= high:
            self._wrong_seconds = 0
        else:
            self._wrong_seconds += 1


class Faults:
    """All faults of a station, by spot, sensor and description. Report a fault as often as you like."""

    def __init__(self, clock):
        self._clock = clock
        self._known = {}  # (spot, sensor, what): [on, told on, since when]

    def report(self, spot, sensor, what, on):
        """Record that a fault is present or gone; repeating it changes nothing."""
        key = (spot, sensor, what)
        fault = self._known.get(key)
        if fault is None:
            if on:
                self._known[key] = [True, False, self._clock.now()]
        elif fault[0] != on:
            fault[0] = on
            fault[2] = self._clock.now()

    def send(self, post):
        """Give `post` every change. A change it refuses is offered again, because a fault lasts."""
        for key in list(self._known):
            on, reported, at = self._known[key]
            spot, sensor, what = key
            if on != reported and not post(
                {"type": "fault", "at": at, "spot": spot, "sensor": sensor, "what": what, "on": on}
            ):
                return
            self._known[key][1] = on
            if not on:
                del self._known[key]

    def send_again(self):
        """Report every present fault again: the hub is new."""
        for fault in self._known.values():
            fault[1] = False
