"""Reach: the rangers of the cranes, and one averaged height for each lowering of a paddle.

A crane's ranger looks down on the white side of its paddle. Parked, the paddle hangs at its stop 45 mm below; lowered,
it rests on a tower or on the bare platform. `Crane` has these states. `level` is the median of the last five plausible
readings (valid, and 20-1300 mm):

    from       to         when
    any        PARKED     level is 55 mm or less
    PARKED     SETTLING   level is more than 62 mm
    SETTLING   MEASURING  the last 6 readings rest
    MEASURING  TOLD       12 more readings rest where those 6 did: their mean is reported as the height
    MEASURING  SETTLING   12 more readings do not: the paddle swung or slipped
    TOLD       SETTLING   level is 30 mm less than that height: raised, to be lowered again

Readings *rest* when they scatter by at most 4 mm (standard deviation) and the means of their two halves differ by at
most 1.5 mm; two groups rest at the same place when their means differ by no more than that. A reading 15 mm or more off
the level is not averaged: chips mark such outliers as valid. A paddle held still in the air looks like one that
rests.
"""

from errno import ENODEV, ETIMEDOUT
from math import sqrt

from tablestation.clock import ticks_between
from tablestation.contact import Contact

PARKED_MM = 55
LOWERED_MM = 62
PLAUSIBLE_MM = (20, 1300)
STRAY_MM = 15
RAISED_MM = 30
LEVEL_OF = 5
SETTLED_READINGS = 6
READINGS = 12
SCATTER_MM = 4.0
DRIFT_MM = 1.5

PARKED, SETTLING, MEASURING, TOLD = range(4)

BUSY_MS = 20  # between two looks at a ranger while its paddle moves or is measured
IDLE_MS = 200
APART_MS = 2  # between a ranger in trouble and the next: a stuck bus takes milliseconds from the cells each time
SILENT_US = 1_500_000
RESTART_US = 1_000_000
BLIND_READINGS = 40
SEEING_READINGS = 5
FAILURES = 3  # transfers in a row: a single one is a loose plug's or a spark's

STUCK = "the I2C bus is stuck: a wire is shorted, or a chip blocks it until you cut its power"
SILENT = "the crane's ranger does not answer: check its cable"
IDLE = "the crane's ranger answers but measures nothing: cut its power for a moment"
BLIND = "the crane's ranger sees no target: clean its window, and check the paddle's white side and its stop"


class Crane:
    """The readings of one crane, in order."""

    def __init__(self):
        self.state = PARKED
        self._recent = []
        self._window = []
        self._mean_mm = 0.0  # where it rested, or what was told

    def feed(self, range_mm):
        """Take a plausible reading; return (range_mm, spread_mm, n) if there is a height to report, else None."""
        recent = self._recent
        recent.append(range_mm)
        if len(recent) > LEVEL_OF:
            recent.pop(0)
        if len(recent) < LEVEL_OF:
            return None
        level = sorted(recent)[LEVEL_OF // 2]
        self._follow(level)
        if self.state in (PARKED, TOLD) or not -STRAY_MM < range_mm - level < STRAY_MM:
            return None
        self._window.append(range_mm)
        return self._settle() if self.state == SETTLING else self._measure()

    def stirs(self):
        """Report whether the last reading alone suggests that the paddle has just moved."""
        if not self._recent:
            return False
        last = self._recent[-1]
        if self.state == PARKED:
            return last > LOWERED_MM
        return self.state != TOLD or last <= self._mean_mm - RAISED_MM

    def _follow(self, level):
        if level <= PARKED_MM:
            self.state = PARKED
        elif (self.state == PARKED and level > LOWERED_MM) or (
            self.state == TOLD and level <= self._mean_mm - RAISED_MM
        ):
            self._begin()

    def _begin(self):
        self.state = SETTLING
        self._window = []

    def _settle(self):
        window = self._window
        if len(window) > SETTLED_READINGS:
            window.pop(0)
        if len(window) == SETTLED_READINGS and rest(window):
            self.state = MEASURING
            self._mean_mm = mean_of(window)
            self._window = []

    def _measure(self):
        window = self._window
        if len(window) < READINGS:
            return None
        mean_mm = mean_of(window)
        if not rest(window) or abs(mean_mm - self._mean_mm) > DRIFT_MM:
            self._begin()
            return None
        self.state = TOLD
        self._mean_mm = mean_mm
        return round(mean_mm, 1), round(spread_of(window), 1), len(window)


def mean_of(readings):
    """Return the mean."""
    return sum(readings) / len(readings)


def spread_of(readings):
    """Return the standard deviation."""
    mean = mean_of(readings)
    return sqrt(sum([(reading - mean) ** 2 for reading in readings]) / (len(readings) - 1))


def rest(readings):
    """Report whether all values belong to one position."""
    half = len(readings) // 2
    drift = mean_of(readings[half:]) - mean_of(readings[:half])
    return -DRIFT_MM <= drift <= DRIFT_MM and spread_of(readings) <= SCATTER_MM


class RangerMonitor:
    """One ranger with its readings, faults and health, and perhaps its crane's beam (a `contact.Contact`).

    `faults.report(spot, sensor, what, on)` may be repeated.
    """

    def __init__(self, spot, ranger, faults, contact=None):
        self.spot = spot
        self.crane = Crane()
        self.contact = contact
        self._ranger = ranger
        self._faults = faults
        self._fault = None  # (sensor, what)
        self._failures = 0
        self._blind = 0
        self._seeing = 0
        self._running = False
        self._seen = False  # a reading since it runs
        self._forget()

    def begin(self, now):
        """Start the ranger, or start it again."""
        self._running = self._seen = False
        self._since = now
        try:
            self._ranger.start()
            self._running = True
        except OSError as error:
            self._fail(error)

    def look(self, now):
        """Take a reading if there is one; return (range_mm, spread_mm, n) if there is a height to report, else None."""
        waited_us = ticks_between(self._since, now)
        if not self._running or waited_us > SILENT_US:
            if waited_us > RESTART_US:
                if self._running:
                    self._blame("ranger", IDLE)
                self.begin(now)
            return None
        try:
            reading = self._ranger.take()
        except OSError as error:
            self._failures += 1
            if self._failures >= FAILURES:
                self._fail(error)
            return None
        self._failures = 0
        if reading is None:
            return None
        self._since = now
        self._seen = True
        return self._judge(reading[0], reading[1])

    def troubled(self):
        """Report whether the last transfer failed."""
        return self._failures > 0 or not self._running

    def busy(self):
        """Report whether the next reading is wanted soon."""
        return self._running and (not self._seen or self.crane.stirs())

    def health(self):
        """Return the health since the last report: readings, the scatter between neighbours, unusable readings."""
        scatter = sqrt(self._squares / (2 * self._pairs)) if self._pairs else 0.0
        reported = {"spot": self.spot, "n": self._n, "spread_mm": round(scatter, 1), "bad": self._bad}
        if self.contact is not None:
            self.contact.health(reported)
        self._forget()
        return reported

    def _forget(self):
        self._n = 0
        self._bad = 0
        self._pairs = 0
        self._squares = 0
        self._last = None

    def _judge(self, range_mm, status):
        low, high = PLAUSIBLE_MM
        if status or not low <= range_mm <= high:
            self._bad += 1
            self._seeing = 0
            self._blind += 1
            if self._blind >= BLIND_READINGS:
                self._blame("ranger", BLIND)
            return None
        self._n += 1
        if self._last is not None and -STRAY_MM < range_mm - self._last < STRAY_MM:  # not the paddle's own way
            self._pairs += 1
            self._squares += (range_mm - self._last) ** 2
        self._last = range_mm
        self._seeing += 1
        if self._seeing >= SEEING_READINGS:
            self._blind = 0
            self._absolve()
        if self.contact is not None:
            self.contact.look(self.crane.state == PARKED)
        return self.crane.feed(range_mm)

    def _fail(self, error):
        self._running = False
        self._bad += 1
        self._failures = 0
        if error.errno == ETIMEDOUT:
            self._blame("bus", STUCK)
        elif error.errno == ENODEV and len(error.args) > 1:
            self._blame("ranger", error.args[1])
        else:
            self._blame("ranger", SILENT)

    def _blame(self, sensor, what):
        if self._fault != (sensor, what):
            self._absolve()
            self._fault = (sensor, what)
            self._faults.report(self.spot, sensor, what, True)

    def _absolve(self):
        if self._fault is not None:
            self._faults.report(self.spot, self._fault[0], self._fault[1], False)
            self._fault = None


def _contact(board, faults):
    return None if board.beam is None else Contact(board.spot, board.beam, faults)


class Rangers:
    """All rangers of a station."""

    def __init__(self, port, clock, boards, faults):
        self._port = port
        self._clock = clock
        self.monitors = [
            RangerMonitor(board.spot, board.ranger, faults, _contact(board, faults))
            for board in boards
            if board.ranger is not None
        ]

    def health(self):
        """Return the health of every ranger, as wire objects."""
        return [eye.health() for eye in self.monitors]

    async def run(self, pulse, post):
        """Run for ever, if there are rangers. `post` takes height events and returns False if it cannot yet."""
        for eye in self.monitors:
            eye.begin(self._port.ticks_us())
        untold = []
        while self.monitors:
            busy = False
            for eye in self.monitors:
                reported = eye.look(self._port.ticks_us())
                if reported is not None:
                    untold.append(self._height(eye, reported))
                busy = busy or eye.busy()
                if eye.troubled():
                    await self._port.sleep_ms(APART_MS)
            pulse.beat()
            while untold and post(untold[0]):
                untold.pop(0)
            await self._port.sleep_ms(BUSY_MS if busy else IDLE_MS)

    def _height(self, eye, reported):
        range_mm, spread_mm, n = reported
        height = {"type": "height", "at": self._clock.now(), "spot": eye.spot}
        height["range_mm"] = range_mm
        height["spread_mm"] = spread_mm
        height["n"] = n
        contact = None if eye.contact is None else eye.contact.made(READINGS)
        if contact is not None:
            height["contact"] = contact
        return height
