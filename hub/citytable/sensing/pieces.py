"""Pieces and platforms: what a change of load at rest means: a piece came, a piece went, the platform left or came.

A hand that holds still on a tower is a settled load too. So a change waits until the hand has left the view of the
range sensor, or for as long as a hand rarely holds still; what comes and goes in between is one change.
"""

from collections import deque
from statistics import median

from citytable.sensing.calibration import Cal
from citytable.sensing.event import Event, Kind
from citytable.sensing.gaze import Gaze
from citytable.sensing.trail import Trail
from citytable.table.fact import Fact, Fell, MassMoving, MassSettled

GONE = 0.45  # of the tile's mass: with less than this on the spot, the platform is not there
GONE_G = 8.0  # where the tile's mass is not known
STILL_US = 250_000  # so long a change waits while no hand is in view
HAND_US = 1_500_000  # so long with one
UNSEEN_US = 2_000_000  # and so long when a hand could have been seen, and was not
PRESS_US = 2_500_000  # a hand that presses a piece on rests at more than the piece for less than this
RELEASED_G = 0.7  # a load this far below the one that waits is being let go
PIECE_G = 0.35  # less is no piece
UNTOUCHED_G = 1.6  # nor is this, when no hand was near
PIECES = 12  # of the newest pieces, the usual mass is the median


class PieceWatch:
    """Turns the settled loads of one spot into events. `mass_g` is what rested on the platform last, None at first."""

    def __init__(self, cal: Cal, trail: Trail, gaze: Gaze) -> None:
        self._gone_g = -cal.tile_g + (GONE * cal.tile_g if cal.tile_g else GONE_G)
        self._trail = trail
        self._gaze = gaze
        self.mass_g: float | None = None
        self._base_g = 0.0  # what is told already
        self._next_g = 0.0  # what the change leads to that waits
        self._waits = False
        self._since_us = 0
        self._moving = False
        self._here = True
        self._fell = False
        self._touched = False
        self._usual_g: deque[float] = deque(maxlen=PIECES)

    def take(self, now_us: int, t_us: int, fact: Fact) -> list[Event]:
        """What a fact of motion means for the pieces; `t_us` is the sample's own time, `now_us` the detector's."""
        match fact:
            case Fell(stage="confirmed"):
                out = self._tell(now_us, t_us) if self._waits else []
                self._fell = True
                return out
            case MassMoving():
                self._moving = True
            case MassSettled():
                return self._settled(now_us, t_us, fact)
        return []

    def tick(self, now_us: int, t_us: int) -> list[Event]:
        """Time has come to `now_us`."""
        self._touched |= self._gaze.hand
        if not self._waits or now_us - self._since_us < self._patience_us(now_us):
            return []
        if self._moving and self._trail.mean(8) < self._next_g - RELEASED_G:
            return []
        return self._tell(now_us, t_us)

    def _patience_us(self, now_us: int) -> int:
        if self._gaze.hand:
            return HAND_US
        return STILL_US if self._touched or not self._gaze.sees(now_us) else UNSEEN_US

    def _settled(self, now_us: int, t_us: int, fact: MassSettled) -> list[Event]:
        self._moving = False
        first, self.mass_g = self.mass_g is None, fact.mass_g
        here = fact.mass_g > self._gone_g
        if first:
            self._base_g, self._here = fact.mass_g, here
            return []
        out: list[Event] = []
        if self._waits and not (here and self._pressed(now_us, fact.mass_g)):
            out = self._tell(now_us, t_us)
        self._waits, self._since_us, self._next_g = True, now_us, fact.mass_g
        if self._here != here or self._fell:
            out += self._tell(now_us, t_us)
        return out

    def _pressed(self, now_us: int, mass_g: float) -> bool:
        """Whether the load that waits was a hand: more for a while, and then less."""
        return now_us - self._since_us < PRESS_US and self._next_g > max(mass_g, self._base_g)

    def _tell(self, now_us: int, t_us: int) -> list[Event]:
        self._waits = False
        touched, self._touched = self._touched, self._gaze.hand
        fell, self._fell = self._fell, False
        base_g, self._base_g = self._base_g, self._next_g
        step_g = self._next_g - base_g
        was_here, self._here = self._here, self._next_g > self._gone_g
        if was_here and not self._here:
            return [Event(kind="platform_lifted", t_us=t_us, mass_g=base_g)]
        if self._here and not was_here:
            return [Event(kind="platform_placed", t_us=t_us, mass_g=self._next_g)]
        least_g = PIECE_G if touched or not self._gaze.sees(now_us) else UNTOUCHED_G
        if fell or abs(step_g) < least_g:
            return [] if fell else [Event(kind="disturbance", t_us=t_us)]
        kind: Kind = "piece_added" if step_g > 0 else "piece_removed"
        return [Event(kind=kind, t_us=t_us, mass_g=step_g, n=self._count(step_g))]

    def _count(self, step_g: float) -> int:
        """How many pieces a step is, by the usual mass of the last ones: one, unless it is far too heavy for that."""
        step_g = abs(step_g)
        usual_g = median(self._usual_g) if len(self._usual_g) >= 3 else None
        n = 1 if usual_g is None or step_g < 1.7 * max(self._usual_g) else max(1, round(step_g / usual_g))
        if n == 1:
            self._usual_g.append(step_g)
        return n
