"""The crane: from the range down to its paddle to the interval in which a tower's height lies.

The station lowers nothing and waits for nothing: a person places the paddle on the tower, it settles, the station
averages and tells one mean (its own table is in the station's program), the person lifts the paddle. What the hub makes
of that mean is the law of this file, `TRANSITIONS`:

* A reading *agrees* when it fits what is known of the tower: what was measured before, what was put on or taken off
  since. Then it is reported.
* It *surprises* when it could be, but does not fit: the paddle beside the tower, on a hand, on the neighbour's roof. It
  is doubted, and told only when a second lowering gives the same.
* It is *impossible* when no tower gives it: below zero, beyond the bare platform, scattered, too few ranges, or with a
  beam that says that the paddle rests on nothing.
"""

from enum import Enum
from math import inf, isfinite, sqrt

from citytable.sensing.height import Interval, about
from citytable.sensing.reading import HeightReading
from citytable.table.fact import Fact, Fell, HeightMeasured, MassSettled, SensorFault, TagCame, TagLeft
from citytable.table.spot import Spot

READINGS_MIN = 5
SPREAD_MAX_MM = 6.0  # the station averages nothing that scatters by more than 4

# Parts of the error, taken together as squares. They are assumptions about the sensor, wide ones.
OWN_ERROR_MM = 1.8  # zero, temperature and a paddle that hangs askew
SCALE_ERROR = 0.012  # of the height: a sensor's millimetre is not exactly one
KNOWN_SCALE_ERROR = 0.006  # the same once a block of known height was measured
MEAN_ERRORS = 2.8  # so many standard errors of the mean

STEP_MOST_MM = 120.0  # the most that one act of building puts on top
LOWEST_PIECE_MM = 3.0  # a tower with anything on it is higher than this
STEP_MIN_G = 1.0  # less may be the cells' own


class State(Enum):
    """The state of the hub's knowledge by the crane."""

    UNMEASURED = "unmeasured"
    MEASURED = "measured"
    DOUBTED = "doubted"


class Event(Enum):
    """The events that change it."""

    AGREES = "agrees"
    REPEATS = "repeats"
    SURPRISES = "surprises"
    IMPOSSIBLE = "impossible"
    CHANGED = "changed"


TRANSITIONS: dict[tuple[State, Event], State] = {
    (State.UNMEASURED, Event.AGREES): State.MEASURED,
    (State.UNMEASURED, Event.SURPRISES): State.DOUBTED,
    (State.UNMEASURED, Event.IMPOSSIBLE): State.DOUBTED,
    (State.MEASURED, Event.AGREES): State.MEASURED,
    (State.MEASURED, Event.SURPRISES): State.DOUBTED,
    (State.MEASURED, Event.IMPOSSIBLE): State.DOUBTED,
    (State.MEASURED, Event.CHANGED): State.UNMEASURED,
    (State.DOUBTED, Event.AGREES): State.MEASURED,
    (State.DOUBTED, Event.REPEATS): State.MEASURED,
    (State.DOUBTED, Event.SURPRISES): State.DOUBTED,
    (State.DOUBTED, Event.IMPOSSIBLE): State.DOUBTED,
}
"""Every change of state; entering measured tells a height, entering doubted a fault of the range sensor."""


def error_mm(height_mm: float, spread_mm: float, n: int, scale_error: float = SCALE_ERROR) -> float:
    """Return the error of a height by the mean of `n` ranges that scatter by `spread_mm`."""
    mean_mm = MEAN_ERRORS * spread_mm / sqrt(n)
    return sqrt(OWN_ERROR_MM**2 + (scale_error * height_mm) ** 2 + mean_mm**2)


class Crane:
    """One crane over one spot. `zero_mm`: the range with the paddle on the bare platform.

    `scale`: millimetres of height for one of range, if it was measured. `beam`: it has a beam, which is trusted.
    """

    def __init__(self, spot: Spot, zero_mm: float, scale: float | None = None, *, beam: bool = False) -> None:
        self.state = State.UNMEASURED
        self._spot = spot
        self._zero_mm = zero_mm
        self._beam = beam
        self._scale = 1.0 if scale is None else scale
        self._scale_error = SCALE_ERROR if scale is None else KNOWN_SCALE_ERROR
        self._fault = ""
        self._doubted: Interval | None = None
        self._possible = Interval(0.0, inf)  # by measurements, and by changes since then
        self._arriving = True  # the next load that settles is the platform itself

    def measure(self, reading: HeightReading) -> list[Fact]:
        """Return the height interval, not below 0, or a fault with the reason and what to do."""
        what = self._impossible(reading)
        if what:
            return self._happens(Event.IMPOSSIBLE, reading.t_us, what)
        height_mm = (self._zero_mm - reading.range_mm) * self._scale
        interval = about(height_mm, error_mm(height_mm, reading.spread_mm, reading.n, self._scale_error))
        what = self._surprising(interval)
        event = Event.SURPRISES if what else Event.AGREES
        if what and self._doubted is not None and self._doubted.overlaps(interval):
            event, what = Event.REPEATS, ""
        self._doubted = interval if what else None
        out = self._happens(event, reading.t_us, what)
        if not what:
            self._possible = interval
            out.append(_reported(reading.t_us, self._spot, interval))
        return out

    def mind(self, fact: Fact) -> None:
        """Take a fact about this spot that changes the possible height of its tower."""
        match fact:
            case TagCame() | TagLeft():
                self._possible = Interval(0.0, inf)
                self._arriving = True
                self._changed(fact.t_us)
            case MassSettled(step_g=step_g) if abs(step_g) >= STEP_MIN_G:
                if not self._arriving:
                    self._built(added=step_g > 0)
                    self._changed(fact.t_us)
                self._arriving = False
            case MassSettled():
                self._arriving = False
            case Fell(stage="confirmed"):
                self._built(added=False)
                self._changed(fact.t_us)
            case _:
                return

    def _changed(self, t_us: int) -> None:
        self._doubted = None
        self._happens(Event.CHANGED, t_us, "")

    def _built(self, *, added: bool) -> None:
        """Widen the height by a step: pieces put on lower nothing, pieces taken off raise nothing."""
        low_mm, high_mm = self._possible
        if added:
            self._possible = Interval(max(low_mm, LOWEST_PIECE_MM), high_mm + STEP_MOST_MM)
        else:
            self._possible = Interval(0.0, high_mm)

    def _impossible(self, reading: HeightReading) -> str:
        if not isfinite(reading.range_mm) or not isfinite(reading.spread_mm) or reading.spread_mm < 0:
            return "no usable range"
        if reading.n < READINGS_MIN:
            return f"only {max(0, reading.n)} ranges: leave the paddle on the tower for a second"
        if reading.spread_mm > SPREAD_MAX_MM:
            return f"ranges scatter by {reading.spread_mm:.0f} mm: let the paddle rest, and keep sunlight off it"
        if reading.range_mm < 0:
            return "range below zero"
        if self._beam and reading.contact is False:
            return "the paddle hangs free, something else holds its carriage: lower it until the paddle rests"
        beyond_mm = reading.range_mm - self._zero_mm
        if beyond_mm > error_mm(0.0, reading.spread_mm, reading.n):
            return "range beyond the bare platform: calibrate the crane's zero"
        return ""

    def _surprising(self, interval: Interval) -> str:
        if interval.high_mm < self._possible.low_mm:
            return f"{_about(interval)}, but what stands here is higher: is the paddle on its top? lower it once more"
        if interval.low_mm > self._possible.high_mm:
            return f"{_about(interval)}, but what stands here is lower: is a hand under it? lower it once more"
        return ""

    def _happens(self, event: Event, t_us: int, what: str) -> list[Fact]:
        """Change the state; a fault is reported when it begins and when it ends."""
        self.state = TRANSITIONS.get((self.state, event), self.state)
        out: list[Fact] = []
        if event is Event.CHANGED or self._fault == what:
            return out
        for text, on in ((self._fault, False), (what, True)):
            if text:
                out.append(SensorFault(t_us=t_us, spot=self._spot, sensor="range", what=text, on=on))
        self._fault = what
        return out


def _reported(t_us: int, spot: Spot, interval: Interval) -> HeightMeasured:
    return HeightMeasured(t_us=t_us, spot=spot, low_mm=interval.low_mm, high_mm=interval.high_mm, source="crane")


def _about(interval: Interval) -> str:
    return f"{(interval.low_mm + interval.high_mm) / 2:.0f} mm"
