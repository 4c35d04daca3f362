"""Gaze: what the overhead range sensor sees: whether a hand is over the spot, and whether the top has sunk."""

from collections import deque

SPAN_US = 3_000_000
OLD_US = 400_000  # a range this old says nothing about now
UNSEEN = -999.0  # instead of a feature that cannot be told: no sensor, or nothing valid from it
HAND_MM = 35.0  # nearer than the clear view by so much is a hand, or a piece that is higher than the last
CLEAR_MM = 20.0
STEADY_MM = 8.0  # a view that stays within this for the whole span is the clear one, whatever it shows


class Gaze:
    """The valid ranges of the last three seconds, in millimetres down from the sensor."""

    def __init__(self) -> None:
        self._ranges: deque[tuple[int, int]] = deque()
        self._departed_mm: int | None = None
        self._clear_mm: float | None = None
        self.hand = False  # whether something is between the sensor and what it saw when the view was clear
        self._hand_mm = 0.0  # the nearest range since the hand came
        self._turned_us = 0

    def range(self, t_us: int, tof_mm: int) -> None:
        """One range; a negative one is an invalid frame and passed over."""
        if tof_mm < 0:
            return
        ranges = self._ranges
        ranges.append((t_us, tof_mm))
        while t_us - ranges[0][0] > SPAN_US:
            ranges.popleft()
        self._look(t_us, tof_mm)

    def sees(self, t_us: int) -> bool:
        """Whether there is a valid range of late."""
        return bool(self._ranges) and t_us - self._ranges[-1][0] <= OLD_US

    @property
    def newest_mm(self) -> int | None:
        """The newest valid range of the last three seconds, if any."""
        return self._ranges[-1][1] if self._ranges else None

    def clear_us(self, t_us: int) -> int:
        """For how long no hand has been in view, 0 while one is."""
        return 0 if self.hand else t_us - self._turned_us

    def _look(self, t_us: int, mm: float) -> None:
        clear_mm = self._clear_mm
        if clear_mm is None:
            self._clear_mm = mm
            return
        if mm >= clear_mm - CLEAR_MM:
            self._clear_mm = mm if mm > clear_mm else clear_mm + 0.05 * (mm - clear_mm)
            self._turn(t_us, hand=False)
        elif mm < clear_mm - HAND_MM:
            if not self.hand:
                self._hand_mm = mm
            self._turn(t_us, hand=True)
            self._hand_mm = min(self._hand_mm, mm)
            left = mm > self._hand_mm + HAND_MM  # and what it has put there is nearer than what was there before
            if left or (t_us - self._turned_us >= SPAN_US and self._steady()):
                self._clear_mm = mm
                self._turn(t_us, hand=False)

    def _steady(self) -> bool:
        ranges = [mm for _, mm in self._ranges]
        return max(ranges) - min(ranges) <= STEADY_MM

    def _turn(self, t_us: int, *, hand: bool) -> None:
        if hand != self.hand:
            self.hand, self._turned_us = hand, t_us

    def departed(self) -> None:
        """The load leaves its level now."""
        self._departed_mm = self._ranges[-1][1] if self._ranges else None

    def features(self, t_us: int) -> tuple[float, float, float, float, float]:
        """Now less the farthest, the nearest and at departure; that less the farthest; how long a hand is there.

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
