"""Zero: what a spot weighs with nothing on it, learned again whenever nothing lies on it.

A cell's zero wanders with temperature and creeps after a load; a calibration says what it was once. The law of this
file is `TRANSITIONS`: a spot counts as bare when no tag lies there and its load rests where drift explains it; while it
is bare its cells' own means are followed. What drift explains is bounded: a little at any time, some grams for every
hour since it was last bare, a share of the heaviest load since (creep). However much it is, it is drift where the steps
since it was last bare add up to nothing: things come and go by steps, drift does not. Below its zero no load can be:
that is always drift. More than that on a spot without a tag is doubted and not learned: something lies there that has
no tag.
"""

from datetime import date
from enum import Enum
from math import sqrt

import msgspec

from citytable.sensing.reading import CellQuiet
from citytable.table.fact import Fact, MassMoving, MassSettled, TagCame, TagLeft, ZeroMoved
from citytable.table.health import CellZero, Due
from citytable.table.plan import CellPlan
from citytable.table.spot import Spot

HOUR_US = 3_600_000_000
FIRST_G = 5.0  # between the calibration and the first time it is bare: a night, another room
AGAIN_G = 0.5
DRIFT_G_PER_H = 3.0  # of a cell
CREEP_SHARE = 0.002  # of the heaviest load since
MOVED_G = 0.2  # less is not worth telling: it is below any step
FOLLOW = 0.2  # share of a second's difference the zero takes on: about 5 s
QUIET_G = 0.3  # a second that differs by more is not of a bare spot

DUE_DAYS = 180
DUE_SHARE = 0.01  # of a cell's capacity


class State(Enum):
    """The state of a spot, for its zero."""

    LADEN = "laden"  # or not known
    BARE = "bare"
    DOUBTED = "doubted"


class Event(Enum):
    """The events that change it."""

    RESTS_BARE = "rests bare"
    RESTS_ODD = "rests odd"
    STIRS = "stirs"


TRANSITIONS: dict[tuple[State, Event], State] = {
    (State.LADEN, Event.RESTS_BARE): State.BARE,
    (State.LADEN, Event.RESTS_ODD): State.DOUBTED,
    (State.BARE, Event.STIRS): State.LADEN,
    (State.DOUBTED, Event.STIRS): State.LADEN,
}
"""Every change of state; entering bare learns the zero."""


def due(plan: CellPlan, drift_g: float | None, today: date) -> Due:
    """Return why a cell should be calibrated again, if it should; `unknown` where the plan has no date to judge by."""
    if drift_g is not None and abs(drift_g) > DUE_SHARE * plan.capacity_g:
        return "drifted"
    if plan.calibrated is None:
        return "unknown"
    return "old" if (today - plan.calibrated).days > DUE_DAYS else ""


class SpotZero:
    """The zero of one spot's scale. Masses told by its cells pass through `mind`, which takes the drift off."""

    def __init__(self, spot: Spot, cells: tuple[CellPlan, ...]) -> None:
        self.state = State.LADEN
        self.offset_g = 0.0
        """What is taken off every mass: the drift as it was last told."""
        self._spot = spot
        self._plans = cells
        self._tags: set[str] = set()
        self._cells_g: list[float | None] = [None] * len(cells)  # drift of each, when it was last seen
        self._seconds_g: list[float | None] = [None] * len(cells)  # the same since the spot is bare
        self._spot_g = 0.0  # the drift by the spot's own rests
        self._bare_us: int | None = None
        self._error_g = 0.0
        self._heaviest_g = 0.0  # since it was last bare
        self._steps_g: float | None = None  # all steps since then; None: not known
        self._resting: MassSettled | None = None

    def mind(self, fact: Fact) -> list[Fact]:
        """Take a fact about this spot; return it, its mass less the drift, after a zero that moved."""
        match fact:
            case TagCame(uid=uid):
                self._tags.add(uid)
                self._happens(Event.STIRS)
            case TagLeft(uid=uid):
                self._tags.discard(uid)
                if self._resting is not None:  # its load went before its tag did
                    return [fact, *self._rests(self._resting)]
            case MassMoving():
                self._happens(Event.STIRS)
                self._resting = None
            case MassSettled():
                self._resting = fact
                self._steps_g = None if self._steps_g is None else self._steps_g + fact.step_g
                moved = self._rests(fact)
                return [*moved, msgspec.structs.replace(fact, mass_g=fact.mass_g - self.offset_g)]
            case _:
                pass
        return [fact]

    def quiet(self, reading: CellQuiet) -> list[Fact]:
        """Take one second of one cell at rest: while the spot is bare, that is this cell's zero."""
        if self.state is not State.BARE or reading.n < 1:
            return []
        plan, known_g = self._plans[reading.cell], self._seconds_g[reading.cell]
        grams = (reading.mean - plan.zero_counts) / plan.counts_per_g
        if known_g is None:
            known_g = grams
        if abs(grams - known_g) > QUIET_G:
            return []
        self._seconds_g[reading.cell] = known_g + FOLLOW * (grams - known_g)
        seconds_g = [drift_g for drift_g in self._seconds_g if drift_g is not None]
        if len(seconds_g) < len(self._plans):
            return []
        if abs(sum(seconds_g) - self._spot_g) > QUIET_G * len(seconds_g):  # not seconds of a bare spot after all
            self._seconds_g = [None] * len(seconds_g)
            return []
        self._cells_g[:] = seconds_g
        self._spot_g, self._bare_us = sum(seconds_g), reading.t_us
        return self._moved(reading.t_us)

    def recall(self, fact: ZeroMoved) -> None:
        """Take over the zero of an earlier run of the hub."""
        self.offset_g = self._spot_g = fact.drift_g
        self._bare_us = fact.t_us

    def known(self) -> ZeroMoved | None:
        """Return the fact that `recall` takes; None when there never was one."""
        if self._bare_us is None or not self.offset_g:
            return None
        return ZeroMoved(t_us=self._bare_us, spot=self._spot, drift_g=self.offset_g, error_g=self._error_g)

    def cells_on(self, today: date) -> tuple[CellZero, ...]:
        """Return every cell of the spot, as it is to be shown."""
        return tuple(
            CellZero(
                spot=self._spot,
                cell=number,
                drift_g=drift_g,
                bare_us=None if drift_g is None else self._bare_us,
                calibrated=None if plan.calibrated is None else plan.calibrated.isoformat(),
                due=due(plan, drift_g, today),
            )
            for number, (plan, drift_g) in enumerate(zip(self._plans, self._cells_g, strict=True))
        )

    def _rests(self, fact: MassSettled) -> list[Fact]:
        self._happens(Event.STIRS)
        if self._tags:
            self._heaviest_g = max(self._heaviest_g, fact.mass_g)
        elif fact.mass_g - self._spot_g > self._explained_g(fact.t_us) and not self._went_as_it_came():
            self._happens(Event.RESTS_ODD)
        else:
            self._happens(Event.RESTS_BARE)
            self._steps_g = 0.0
            self._seconds_g = [None] * len(self._plans)
            self._spot_g, self._error_g = fact.mass_g, fact.error_g
            self._bare_us, self._heaviest_g = fact.t_us, 0.0
            return self._moved(fact.t_us)
        return []

    def _went_as_it_came(self) -> bool:
        return self._steps_g is not None and self._steps_g <= AGAIN_G + CREEP_SHARE * self._heaviest_g

    def _explained_g(self, t_us: int) -> float:
        """Return the mass above the last zero that may be drift."""
        if self._bare_us is None:
            return FIRST_G
        hours = max(0, t_us - self._bare_us) / HOUR_US
        return min(FIRST_G, AGAIN_G + DRIFT_G_PER_H * sqrt(len(self._plans)) * hours + CREEP_SHARE * self._heaviest_g)

    def _moved(self, t_us: int) -> list[Fact]:
        if abs(self._spot_g - self.offset_g) < MOVED_G:
            return []
        self.offset_g = self._spot_g
        return [ZeroMoved(t_us=t_us, spot=self._spot, drift_g=self.offset_g, error_g=self._error_g)]

    def _happens(self, event: Event) -> None:
        self.state = TRANSITIONS.get((self.state, event), self.state)
