"""Knocks: shocks that the accelerometer of a station detects, if there is one.

No table needs it, so a missing one is not a fault: a line for people reports it once, and the station keeps looking for
it. `hears` is True in the second state only.

    from      to        when
    ABSENT    HEARING   it was started, and a window has come
    HEARING   ABSENT    3 transfers in a row failed, or no window came for half a second
    ABSENT    ABSENT    5 s later: it is started again

A line reports once that it is missing, and 10 s after it came (back) that it works.
"""

from array import array
from errno import ENODEV, ETIMEDOUT

from tablestation.clock import ticks_between
from tablestation.gate import COUNTED

ROOM = 32  # windows that wait to be sent: 320 ms of noise
MOST = 4  # that one look can bring
FAILURES = 3
SILENT_US = 500_000
AGAIN_US = 5_000_000
WELL_US = 10_000_000
TOLD_US = 950_000  # with ten rounds a second: once a second

MISSING = "no accelerometer answers; the table does without: knocks are not heard here"
MUTE = "the accelerometer does not answer any more: check its cable; until then knocks are not heard here"
IDLE = "the accelerometer answers but measures nothing: cut its power for a moment"
STUCK = "the accelerometer's I2C bus is stuck: a wire is shorted, or a chip blocks it until you cut its power"
HEARD = "the accelerometer is heard"


class Knocks:
    """Windows of the accelerometer that wait to be sent. `log(level, text)` writes a line for people."""

    def __init__(self, port, accelerometer, log):
        self._port = port
        self._chip = accelerometer
        self._log = log
        self.hears = False
        self._running = False
        self._failures = 0
        self._complained = False
        self._peaks_mg = array("i", [0] * ROOM)
        self._ticks = array("i", [0] * ROOM)
        self._n = 0
        self._until = self._since = self._reported = self._asked = port.ticks_us()
        self._windows = self._windows_reported = accelerometer.windows
        self._lost_reported = accelerometer.lost

    @property
    def answers(self):
        """Report whether the chip answers, as far as is known."""
        return self._running

    def begin(self):
        """Start the chip, or start it again."""
        self._since = self._port.ticks_us()
        self._failures = 0
        try:
            self._chip.start()
        except OSError as error:
            self._fail(error)
        else:
            self._running = True

    def look(self):
        """Take the new windows; call this with every look at the cells. If there is no room, they wait in the chip."""
        now = self._port.ticks_us()
        if not self._running:
            if ticks_between(self._since, now) > AGAIN_US:
                self.begin()
            return
        if self._n > ROOM - MOST:
            return
        try:
            self._n += self._chip.take(self._peaks_mg, self._ticks, self._n)
        except OSError as error:
            self._failures += 1
            if self._failures >= FAILURES:
                self._fail(error)
            return
        self._failures = 0
        self._follow(now)

    def next_message(self, clock):
        """Return a wire object without its numbers, or None: the loud windows, or once a second that none was loud."""
        now = self._port.ticks_us()
        n = self._n
        if not n and (not self.hears or ticks_between(self._reported, now) < TOLD_US):
            return None
        self._reported = now
        self._n = 0
        clock.now()
        ticks = self._ticks
        gaps = [max(1, ticks_between(ticks[k - 1], ticks[k])) for k in range(1, n)]
        first = clock.at(ticks[0] if n else self._until)
        return {"type": "knocks", "at": first, "dt_us": gaps, "peak_mg": list(self._peaks_mg[:n])}

    def health(self):
        """Return the health since the last report, as a wire object."""
        now, chip = self._port.ticks_us(), self._chip
        heard = (chip.windows - self._windows_reported) & COUNTED
        passed_us = max(1, ticks_between(self._asked, now))
        reported = {"rate_hz": round(heard * 1e6 / passed_us, 1), "lost": (chip.lost - self._lost_reported) & COUNTED}
        reported["peak_mg"] = chip.loudest_mg
        self._asked, self._windows_reported, self._lost_reported, chip.loudest_mg = now, chip.windows, chip.lost, 0
        return reported

    def _follow(self, now):
        windows = self._chip.windows
        if windows == self._windows:
            if ticks_between(self._until if self.hears else self._since, now) > SILENT_US:
                self._complain("warning", IDLE)
                self._stop()
            return
        self._windows = windows
        self._until = now
        if not self.hears:
            self.hears = True
            self._reported = self._since = now
        elif self._complained and ticks_between(self._since, now) > WELL_US:
            self._complained = False
            self._log("info", HEARD)

    def _fail(self, error):
        if error.errno == ETIMEDOUT:
            self._complain("warning", STUCK)
        elif error.errno == ENODEV and len(error.args) > 1:
            self._complain("warning", error.args[1])
        elif self.hears:
            self._complain("warning", MUTE)
        else:
            self._complain("info", MISSING)
        self._stop()

    def _stop(self):
        self._running = self.hears = False
        self._since = self._port.ticks_us()

    def _complain(self, level, text):
        if not self._complained:
            self._complained = True
            self._log(level, text)
