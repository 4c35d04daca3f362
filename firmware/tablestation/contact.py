"""Contact: whether a crane's paddle rests on something, by the beam above it.

The paddle hangs below its carriage and leaves the beam clear; where it rests, its rib rises into the beam. So a beam
that is clear while the range rests means that something else holds the carriage. A beam that is dark while the paddle
hangs at its stop is dark for another reason: until it is clear again it says nothing.
"""

DARK_LOOKS = 25  # five seconds at the pace of a parked crane: a hand may hold the paddle for a moment

DARK = "the crane's beam is dark although its paddle hangs free: wipe both halves, and check the emitter's two wires"


class Contact:
    """The looks at one beam, one beside each reading of its range. `faults.report(spot, sensor, what, on)`."""

    def __init__(self, spot, beam, faults):
        self._spot = spot
        self._beam = beam
        self._faults = faults
        self._read = 0  # looks in a row that were answered
        self._broken = 0  # looks in a row at a broken beam
        self._dark = 0  # of these at a parked paddle
        self._fault = False
        self._clear_seen = 0
        self._broken_seen = 0

    def look(self, parked):
        """Look at the beam; `parked` is true while the paddle hangs at its stop."""
        try:
            broken = self._beam.broken()
        except OSError:
            self._read = self._broken = self._dark = 0
            return
        self._read += 1
        if broken:
            self._broken_seen += 1
            self._broken += 1
            self._dark = self._dark + 1 if parked else 0
            if self._dark >= DARK_LOOKS:
                self._blame(True)
            return
        self._clear_seen += 1
        self._broken = self._dark = 0
        self._blame(False)

    def made(self, looks):
        """Return whether the beam was broken at each of the last `looks`, or None if nobody knows."""
        if self._fault or self._read < looks:
            return None
        return self._broken >= looks

    def health(self, reported):
        """Put the looks since the last report into the health of its range."""
        reported["beam_clear"], reported["beam_broken"] = self._clear_seen, self._broken_seen
        self._clear_seen = self._broken_seen = 0

    def _blame(self, on):
        if self._fault != on:
            self._fault = on
            self._faults.report(self._spot, "beam", DARK, on)
