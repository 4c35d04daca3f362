"""Occlusion: whether a hand is between the overhead range sensor and the spot, and whether the top has sunk.

The law of this file is `TRANSITIONS`; docs/reference/sensing.md draws it. A hand is whatever is far nearer than the
clear view. It is gone when the view is clear again, when what is seen has sunk to a top higher than before, or when
nothing has moved for so long that the nearer view must be the new clear one.
"""

from collections import deque
from enum import Enum

SPAN_US = 3_000_000
OLD_US = 400_000  # a range this old says nothing about now
UNSEEN = -999.0  # instead of a feature that cannot be told: no sensor, or nothing valid from it
HAND_MM = 35.0  # nearer than the clear view by so much is a hand, or a piece that is higher than the last
CLEAR_MM = 20.0
STEADY_MM = 8.0  # a view that stays within this for the whole span is the clear one, whatever it shows


class State(Enum):
    """The state of the view."""

    UNSEEN = "unseen"
    CLEAR = "clear"
    HAND = "hand"


class Event(Enum):
    """The events a range can show."""

    SEEN = "seen"
    COVERED = "covered"
    UNCOVERED = "uncovered"
    LEFT = "left something"
    STEADY = "steady"
    LOST = "lost"


TRANSITIONS: dict[tuple[State, Event], State] = {
    (State.UNSEEN, Event.SEEN): State.CLEAR,
    (State.CLEAR, Event.COVERED): State.HAND,
    (State.HAND, Event.UNCOVERED): State.CLEAR,
    (State.HAND, Event.LEFT): State.CLEAR,
    (State.HAND, Event.STEADY): State.CLEAR,
    (State.CLEAR, Event.LOST): State.UNSEEN,
    (State.HAND, Event.LOST): State.UNSEEN,
}
"""Every change of state; an event that is not listed for a state changes nothing."""


class Occlusion:
    """The valid ranges of the last three seconds, in millimetres down from the sensor."""

    def __init__(self) -> None:
        self._ranges: deque[tuple[int, int]] = deque()
        self._departed_mm: int | None = None
        self.state = State.UNSEEN
        self._clear_mm = 0.0  # what is seen without a hand
        self._hand_mm = 0.0  # the nearest range since the hand came
        self._turned_us = 0

    def range(self, t_us: int, tof_mm: int) -> None:
        """Take one range; ignore a negative one, which is an invalid frame.

        So is 0, as long as nothing else was seen: later it is a hand at the sensor, from the start a broken one.
        """
        if tof_mm < 0 or (tof_mm == 0 and self.state is State.UNSEEN):
            return
        ranges = self._ranges
        ranges.append((t_us, tof_mm))
        while t_us - ranges[0][0] > SPAN_US:
            ranges.popleft()
        self._look(t_us, tof_mm)

    def lost(self) -> None:
        """Forget the view: the sensor is not believed any more."""
        self._happens(Event.LOST, self._turned_us)
        self._ranges.clear()
        self._departed_mm = None

    def sees(self, t_us: int) -> bool:
        """Report whether there is a valid range of late."""
        return bool(self._ranges) and t_us - self._ranges[-1][0] <= OLD_US

    @property
    def hand(self) -> bool:
        """Report whether something is between the sensor and what it saw when the view was clear."""
        return self.state is State.HAND

    @property
    def newest_mm(self) -> int | None:
        """Return the newest valid range of the last three seconds, if any."""
        return self._ranges[-1][1] if self._ranges else None

    def clear_us(self, t_us: int) -> int:
        """Return for how long no hand has been in view, 0 while one is."""
        return 0 if self.hand else t_us - self._turned_us

    def _look(self, t_us: int, mm: float) -> None:
        clear_mm = self._clear_mm
        if self.state is State.UNSEEN:
            self._happens(Event.SEEN, t_us)
            self._clear_mm = mm
        elif mm >= clear_mm - CLEAR_MM:
            self._clear_mm = mm if mm > clear_mm else clear_mm + 0.05 * (mm - clear_mm)
            self._happens(Event.UNCOVERED, t_us)
        elif mm < clear_mm - HAND_MM:
            self._cover(t_us, mm)

    def _cover(self, t_us: int, mm: float) -> None:
        """Take a view that is far nearer than the clear one."""
        self._hand_mm = min(self._hand_mm, mm) if self.hand else mm
        self._happens(Event.COVERED, t_us)
        left = mm > self._hand_mm + HAND_MM  # and what it has put there is nearer than what was there before
        if left or (t_us - self._turned_us >= SPAN_US and self._steady()):
            self._clear_mm = mm
            self._happens(Event.LEFT if left else Event.STEADY, t_us)

    def _steady(self) -> bool:
        ranges = [mm for _, mm in self._ranges]
        return max(ranges) - min(ranges) <= STEADY_MM

    def _happens(self, event: Event, t_us: int) -> None:
        state = TRANSITIONS.get((self.state, event))
        if state is None:
            return
        if self.state is not State.UNSEEN:
            self._turned_us = t_us
        self.state = state

    def departed(self) -> None:
        """Note that the load leaves its level now."""
        self._departed_mm = self._ranges[-1][1] if self._ranges else None

    def features(self, t_us: int) -> tuple[float, float, float, float, float]:
        """Return now less the farthest, the nearest and at departure; that less the farthest; a hand's time in view.

        The last in milliseconds, negative since a hand was there last.
        """
        if not self.sees(t_us):
            return UNSEEN, UNSEEN, UNSEEN, UNSEEN, UNSEEN
        now_mm = self._ranges[-1][1]
        ranges = [mm for _, mm in self._ranges]
        far_mm = max(ranges)
        turned_ms = min(5000.0, (t_us - self._turned_us) / 1e3)
        hand_ms = turned_ms if self.hand else -turned_ms
        if self._departed_mm is None:
            return now_mm - far_mm, now_mm - min(ranges), UNSEEN, UNSEEN, hand_ms
        return now_mm - far_mm, now_mm - min(ranges), now_mm - self._departed_mm, self._departed_mm - far_mm, hand_ms
