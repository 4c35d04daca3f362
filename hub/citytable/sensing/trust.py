"""Trust: whether an overhead range sensor is to be believed.

The law of this file is `TRANSITIONS`; docs/reference/sensing.md draws it. Hands and towers come and go once, and a
range stays near the one before, or goes on as it went. A sensor that leaps from one range to the next and back again,
sample after sample, sees nothing that is there: a loose wire, another sensor in its light, a broken one. What it says
is left out until it has been quiet for as long.
"""

from collections import deque
from enum import Enum

RANGES = 12  # that are looked at together
LEAP_MM = 80.0  # second difference of three ranges; of hands and towers in the lab at most 5 of 12 are as large
CONTRADICTS, AGREES = 8, 2  # so many leaps of them, and so few


class State(Enum):
    """The verdict on the sensor."""

    BELIEVED = "believed"
    DOUBTED = "doubted"


class Event(Enum):
    """The events its ranges can show."""

    CONTRADICTS = "contradicts itself"
    AGREES = "agrees with itself"


TRANSITIONS: dict[tuple[State, Event], State] = {
    (State.BELIEVED, Event.CONTRADICTS): State.DOUBTED,
    (State.DOUBTED, Event.AGREES): State.BELIEVED,
}
"""Every change of state. While it is doubted no range is taken; entering doubted tells a fault."""


class Trust:
    """One sensor's valid ranges, one after the other."""

    def __init__(self) -> None:
        self.state = State.BELIEVED
        self._ranges: deque[int] = deque(maxlen=3)
        self._leaps: deque[bool] = deque(maxlen=RANGES)

    def range(self, mm: int) -> bool:
        """Take one range, and report whether it changes the verdict on the sensor. A negative one is invalid."""
        if mm < 0:
            return False
        ranges = self._ranges
        ranges.append(mm)
        if len(ranges) < 3:
            return False
        self._leaps.append(abs(ranges[0] - 2 * ranges[1] + ranges[2]) > LEAP_MM)
        leaps = sum(self._leaps)
        if leaps >= CONTRADICTS:
            return self._happens(Event.CONTRADICTS)
        return leaps <= AGREES and len(self._leaps) == RANGES and self._happens(Event.AGREES)

    @property
    def doubted(self) -> bool:
        """Report whether the sensor's ranges are to be left out."""
        return self.state is State.DOUBTED

    def _happens(self, event: Event) -> bool:
        state = TRANSITIONS.get((self.state, event))
        self.state = state or self.state
        return state is not None
