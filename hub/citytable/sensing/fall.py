"""Falls: what tells pieces that fell from pieces that a hand took away.

The law of this file is `TRANSITIONS`; docs/reference/sensing.md draws it.

A settled load looks fallen when all of this holds: the spot rests lighter than before; something still lies on it (who
lifts a platform takes everything); no tag left it meanwhile; it did not merely return to where it rested before a rise
by more than a piece (a hand that leant long enough to rest); and the transient held a jolt, a change of slope that an
impact has and a hand's movement lacks. One small piece makes no such jolt: its fall reads as a removal.
"""

from collections import deque
from enum import Enum

from citytable.table.fact import Fact, Fell, Stage

DROP_G, DROP_SIGMA = 3.0, 8.0  # an alert: two loads in a row this far below the level, reached that fast
FAST_LOADS = 8  # about 80 ms
LOST_G = 1.0  # less is no fall
JOLT_G, JOLT_SIGMA = 6.5, 15.0  # second difference of three loads in a row
JOLT_US = 32_000  # which lie this close together: across lost samples any ramp has a corner
ON_SPOT_G = 3.0  # a spot with less on it is empty
HAND_G = 20.0  # a rise that one piece does not make: a hand that leans, or a platform
RETURN_G = 0.7
TAG_US = 2_000_000  # a tag that left so close to the beginning of the motion belongs to the same act
ALERT_JOLT = 0.8  # share of the jolt that is enough for an alert
PATIENCE_US = 10_000_000  # an alert of which nothing comes
ALERT_CONFIDENCE = 0.5
CONFIRMED_CONFIDENCE = 0.9


class State(Enum):
    """What a watch is at."""

    CALM = "calm"
    WATCHING = "watching"
    ALERTED = "alerted"


class Event(Enum):
    """What can happen to it."""

    DEPARTED = "departed"
    DROPPED = "dropped"
    LOOKS_FALLEN = "looks fallen"
    LOOKS_HANDLED = "looks handled"
    LOST = "lost"


TRANSITIONS: dict[tuple[State, Event], tuple[State, Stage | None]] = {
    (State.CALM, Event.DEPARTED): (State.WATCHING, None),
    (State.CALM, Event.DROPPED): (State.ALERTED, "alert"),  # the station saw it first
    (State.WATCHING, Event.DROPPED): (State.ALERTED, "alert"),
    (State.WATCHING, Event.LOOKS_FALLEN): (State.CALM, "confirmed"),
    (State.WATCHING, Event.LOOKS_HANDLED): (State.CALM, None),
    (State.WATCHING, Event.LOST): (State.CALM, None),
    (State.ALERTED, Event.LOOKS_FALLEN): (State.CALM, "confirmed"),
    (State.ALERTED, Event.LOOKS_HANDLED): (State.CALM, "withdrawn"),
    (State.ALERTED, Event.LOST): (State.CALM, "withdrawn"),
}
"""Every change of state with the stage of the `Fell` it tells; an event not listed for a state changes nothing."""

_CONFIDENCE: dict[Stage, float] = {
    "alert": ALERT_CONFIDENCE,
    "confirmed": CONFIRMED_CONFIDENCE,
    "withdrawn": CONFIRMED_CONFIDENCE,
}


def _jolt_g(first: tuple[int, float], second: tuple[int, float], third: tuple[int, float]) -> float:
    """By how much the load turns a corner at the second of three loads."""
    if not 0 < third[0] - first[0] <= JOLT_US:
        return 0.0
    return abs(third[1] - 2 * second[1] + first[1])


class FallWatch:
    """Watches one spot's loads. `empty_g` is what its load reads with nothing on it, not even a platform."""

    def __init__(self, spot: str, empty_g: float = 0.0) -> None:
        self.state = State.CALM
        self._spot = spot
        self._empty_g = empty_g
        self._recent: deque[tuple[int, float]] = deque([(0, 0.0)] * FAST_LOADS, maxlen=FAST_LOADS)
        self._level_g: float | None = None  # where the load rested last
        self._before_hand_g: float | None = None  # and before that, if it rose by more than a piece since
        self._noise_g = 0.0
        self._below_g = 0.0  # a load under this may be a drop
        self._drop_g = DROP_G
        self._below = 0
        self._jolt_g = 0.0
        self._since_us = 0
        self._tag_left_us: int | None = None

    def load(self, t_us: int, grams: float, out: list[Fact]) -> None:
        """One load, at rest or not; facts are appended to `out`."""
        recent = self._recent
        recent.append((t_us, grams))
        if self.state is not State.CALM:
            self._jolt_g = max(self._jolt_g, _jolt_g(recent[-3], recent[-2], recent[-1]))
            if self.state is State.WATCHING:
                self._look_for_drop(t_us, grams, out)
            elif t_us - self._since_us > PATIENCE_US:
                self._happens(Event.LOST, t_us, 0.0, out)

    def departed(self, t_us: int, level_g: float, noise_g: float) -> None:
        """The load left `level_g`, where it rested with `noise_g`."""
        recent = list(self._recent)
        self._jolt_g = max(map(_jolt_g, recent, recent[1:], recent[2:]))
        self._noise_g = noise_g
        self._level_g = level_g
        self._drop_g = max(DROP_G, DROP_SIGMA * noise_g)
        self._below_g = level_g - self._drop_g
        self._below = 0
        self._happens(Event.DEPARTED, t_us, 0.0, [])

    def settled(self, t_us: int, level_g: float, error_g: float, out: list[Fact]) -> None:
        """The load rests at `level_g`, give or take `error_g`."""
        before_g, self._level_g = self._level_g, level_g
        if before_g is not None and self.state is not State.CALM:
            lost_g = before_g - level_g
            fallen = self._looks_fallen(lost_g, level_g, error_g)
            self._happens(Event.LOOKS_FALLEN if fallen else Event.LOOKS_HANDLED, t_us, lost_g, out)
        if before_g is not None and abs(level_g - before_g) > RETURN_G:
            self._before_hand_g = before_g if level_g - before_g > HAND_G else None

    def station_alert(self, t_us: int, lost_g: float, out: list[Fact]) -> None:
        """The station itself saw a fast drop of `lost_g`."""
        if lost_g > LOST_G and self._level_g is not None:
            self._happens(Event.DROPPED, t_us, lost_g, out)

    def tag_left(self, t_us: int) -> None:
        """A tag left this spot: what happens to its load around now is a lift."""
        self._tag_left_us = t_us

    def rested(self, t_us: int, out: list[Fact]) -> None:
        """The load never left its level: an alert of the station's own was nothing, if it is a second old."""
        if self.state is State.ALERTED and t_us - self._since_us > 1_000_000:
            self._happens(Event.LOOKS_HANDLED, t_us, 0.0, out)

    def lost(self, t_us: int, out: list[Fact]) -> None:
        """The load is not known any more."""
        self._happens(Event.LOST, t_us, 0.0, out)

    def _look_for_drop(self, t_us: int, grams: float, out: list[Fact]) -> None:
        if grams > self._below_g:
            self._below = 0
            return
        self._below += 1
        if self._below < 2 or self._jolt_g < ALERT_JOLT * self._jolt_needed_g() or self._level_g is None:
            return
        if max(recent_g for _, recent_g in self._recent) - grams >= self._drop_g:
            self._happens(Event.DROPPED, t_us, self._level_g - grams, out)

    def _looks_fallen(self, lost_g: float, level_g: float, error_g: float) -> bool:
        if lost_g < max(LOST_G, 3 * error_g) or level_g < self._empty_g + ON_SPOT_G:
            return False
        if self._tag_left_us is not None and abs(self._tag_left_us - self._since_us) < TAG_US:
            return False
        if self._before_hand_g is not None and abs(level_g - self._before_hand_g) < RETURN_G + error_g:
            return False
        return self._jolt_g >= self._jolt_needed_g()

    def _jolt_needed_g(self) -> float:
        return max(JOLT_G, JOLT_SIGMA * self._noise_g)

    def _happens(self, event: Event, t_us: int, lost_g: float, out: list[Fact]) -> None:
        change = TRANSITIONS.get((self.state, event))
        if change is None:
            return
        if self.state is State.CALM:
            self._since_us = t_us
        self.state, stage = change
        if stage is not None:
            lost_g = 0.0 if stage == "withdrawn" else lost_g
            out.append(Fell(t_us=t_us, confidence=_CONFIDENCE[stage], spot=self._spot, lost_g=lost_g, stage=stage))
