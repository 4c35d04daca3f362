"""Pieces and platforms: what a change of load means: a piece came, a piece went, the platform left or came.

What rests shows platforms. Trees detect pieces: whenever the load holds still, if only for a quarter of a second, they
judge the change since the last verdict, and report a piece as soon as it is likely enough. The longer the load has
rested, the less is enough; a change that is not reported after one second is a hand, a neighbour or drift. A verdict
waits until no hand is in view any more, so that the height can be seen with it. Where nobody takes pieces, other trees
are asked: pieces come and go there after a fall, and before one nearly every change is something else.
"""

from math import inf

import msgspec

from citytable.sensing.calibration import Cal
from citytable.sensing.change import MEANT, NAMES, Changes
from citytable.sensing.event import Event, Kind
from citytable.sensing.fall import FallWatch
from citytable.sensing.piece_sizes import HEAVIEST_G
from citytable.sensing.piece_states import TRANSITIONS, State
from citytable.sensing.piece_states import Event as Happening
from citytable.sensing.trail import Trail
from citytable.sensing.trees import Judge, kept_piece_forest, piece_forest
from citytable.table.fact import Fact, Fell, MassMoving, MassSettled

KEPT_NAMES = (*NAMES, "fallen", "beside", "fell")
"""The features of the trees that are asked where nobody takes pieces: those of a change, whether something fell from
this platform before, whether a load beside the spot moves, and how likely it fell in the motion that just ended."""
GONE = 0.45  # of the tile's mass: with less than this on the spot, the platform is not there
GONE_G = 8.0  # where the tile's mass is not known
PIECE_G = 0.35  # less is no piece
MOVING_US, RESTING_US = 100_000, 250_000  # between two looks
STILL_G, STILL = 0.5, 0.15  # spread of what holds still while it moves, and as a share of the change
MOVING, SURE = 0.93, 0.9  # enough while it moves, and when it begins to rest
RATHER, RATHER_ALONE = 0.45, 0.5  # enough in the end; one cell alone does not see where the load changes
LET_GO = 0.6  # share of a piece that a hand still held, or pressed, when it was told
HARDLY = 0.05  # less is no piece, once the load leaves again
CLEAR_US, HAND_US = 250_000, 1_000_000  # a verdict waits until no hand has been in view for so long, but not longer
LETTING_US = 800_000  # nor while the load moves: a hand lets go
VIEW_US = 600_000  # and so long after a verdict while it moves, the view may still be the one before
CALM_US = 700_000  # so long nothing must follow a motion that changed nothing: it may be the hand that brings a piece
PIECES_AT_ONCE = 5  # so many times the heaviest piece is no hand's load
NOWHERE = (0, inf)
UNKNOWN = -1.0  # how likely something fell in a motion that still goes on
PATIENCE_US = 1_000_000  # so long a load that rests is looked at


def rather(cells: int) -> float:
    """Return the likelihood a piece must have to be reported in the end, by so many cells."""
    return RATHER if cells > 1 else RATHER_ALONE


class PieceWatch:
    """Turns the loads of one spot into events. `mass_g` is what rested on the platform last, None at first."""

    def __init__(self, cal: Cal, trail: Trail, watch: FallWatch, judge: Judge | None = None) -> None:
        self._watch = watch
        occlusion = watch.occlusion
        self._gone_g = -cal.tile_g + (GONE * cal.tile_g if cal.tile_g else GONE_G)
        self.state = State.UNKNOWN
        self._trail = trail
        self._rather = rather(trail.cells)
        self._changes = Changes(cal, trail, occlusion)
        self._judge = judge
        self.mass_g: float | None = None
        self._error_g = 0.0
        self._settled_us: int | None = None
        self._moved_us = 0
        self._next_us: int | None = None  # when to look next
        self._rested = NOWHERE  # since when, and at how many grams, a load rests that is not judged yet
        self._likely = 0.0  # how likely it is a piece, as of the last look at rest
        self._occlusion = occlusion
        self._verdict: tuple[int, Event] | None = None  # from when on it may be told
        self._told = False  # whether anything was told of the motion that goes on, or ended last
        self._calm_us: int | None = None  # when a motion that changed nothing is told, if nothing follows
        self._off_g = 0.0  # how far its load rests from where it did
        self._doubt = ""  # why a change may be none: a cell was at fault meanwhile
        self._most_g = PIECES_AT_ONCE * (cal.heaviest_g or HEAVIEST_G)

    def take(self, now_us: int, t_us: int, fact: Fact) -> list[Event]:
        """Judge a fact of motion for pieces; `t_us` is the sample's own time, `now_us` the detector's."""
        match fact:
            case Fell(stage="confirmed"):
                self._happens(Happening.FELL)
                self._next_us = None
                self._told, self._calm_us = True, None
                return self._spoken()
            case MassMoving() if self.mass_g is not None:
                return self._departed(now_us, t_us, self.mass_g)
            case MassSettled():
                return self._settled(now_us, t_us, fact)
        return []

    def _departed(self, now_us: int, t_us: int, mass_g: float) -> list[Event]:
        """Report what was likely until now, when the load leaves its resting level."""
        reported: list[Event] = []
        if self.state is State.KNOWN:
            self._changes.departed()
        elif self.state is State.OPEN and self._settled_us is not None:
            if self._likely >= self._rather:
                reported = self._report(self._settled_us, t_us, mass_g, self._likely)
            elif self._likely < HARDLY:
                self._accept(self._settled_us, mass_g)
        self._happens(Happening.MOVES)
        self._told, self._calm_us = False, None
        self._settled_us, self._moved_us = None, now_us
        self._next_us = now_us + MOVING_US if self.state is State.MOVING else None
        return reported

    def tick(self, now_us: int, t_us: int) -> list[Event]:
        """Let time come to `now_us`."""
        reported: list[Event] = []
        if self._verdict is not None:
            late_us = now_us - self._verdict[0]
            rests = self.state is not State.MOVING or late_us >= LETTING_US
            if late_us >= 0 and ((rests and self._occlusion.clear_us(now_us) >= CLEAR_US) or late_us >= HAND_US):
                self._weigh_again(now_us)
                reported = self._spoken()
        if self._calm_us is not None and now_us >= self._calm_us:
            self._calm_us = None
            reported = [*reported, self._disturbance(t_us)]
        if self._next_us is None or now_us < self._next_us or self.mass_g is None:
            return reported
        if self.state is State.MOVING:
            return reported + self._look_moving(now_us, t_us)
        return reported + self._look_resting(now_us, t_us, self.mass_g)

    def _weigh_again(self, now_us: int) -> None:
        """Correct the verdict by where the load has come to rest since: a hand that still held on has let go."""
        if self._verdict is None or self.state is not State.OPEN or self.mass_g is None or self._likely >= self._rather:
            return
        from_us, event = self._verdict
        reported_g, more_g = event.mass_g or 0.0, self.mass_g - self._changes.base_g
        if abs(more_g) <= LET_GO * abs(reported_g):
            self._changes.amend(now_us, self.mass_g)
            self._verdict = from_us, msgspec.structs.replace(event, mass_g=reported_g + more_g)
            self._judged()
            self._next_us = None

    def _spoken(self) -> list[Event]:
        """Return the verdict that waits, if any."""
        waiting, self._verdict = self._verdict, None
        return [] if waiting is None else [waiting[1]]

    def _settled(self, now_us: int, t_us: int, fact: MassSettled) -> list[Event]:
        before, base_g = self.state, self._changes.base_g
        self.mass_g = fact.mass_g
        self._settled_us, self._error_g, self._next_us = now_us, fact.error_g, None
        self._happens(Happening.RESTS if fact.mass_g > self._gone_g else Happening.EMPTY)
        if self.state is State.OPEN:
            if abs(self._rested[1] - fact.mass_g) > PIECE_G:
                self._rested = now_us, fact.mass_g
            return self._look_resting(now_us, t_us, fact.mass_g)
        self._rested = NOWHERE
        self._changes.begin(now_us, fact.mass_g)
        if self.state is State.GONE and before not in (State.GONE, State.UNKNOWN):
            return [*self._spoken(), Event(kind="platform_lifted", t_us=t_us, mass_g=base_g)]
        if before is State.GONE and self.state is State.KNOWN:
            return [*self._spoken(), Event(kind="platform_placed", t_us=t_us, mass_g=fact.mass_g)]
        return []

    def _look_resting(self, now_us: int, t_us: int, load_g: float) -> list[Event]:
        """Judge a load that rests: report its change, evaluate it again later, or accept it as no change."""
        waited = (now_us - self._rested[0]) / PATIENCE_US
        self._next_us, self._likely = None, 0.0
        if abs(load_g - self._changes.base_g) >= PIECE_G:
            self._likely = self._chance(now_us, load_g)
            if self._likely >= (self._rather if waited >= 1 else SURE + (self._rather - SURE) * waited):
                return self._report(now_us, t_us, load_g, self._likely)
            if waited < 1:
                self._next_us = now_us + RESTING_US
                return []
        self._off_g = load_g - self._changes.base_g
        self._accept(now_us, load_g)
        if not self._told and self._calm_us is None:
            self._calm_us = now_us + CALM_US
        return []

    def _disturbance(self, t_us: int) -> Event:
        """Return the verdict that the last motion changed nothing: no piece and, where nobody takes pieces, no fall.

        There it also says how far the load is from its earlier rest: the missing part may have fallen.
        """
        event = Event(kind="disturbance", t_us=t_us, at_rest=True, confidence=round(1 - self._likely, 3))
        if not self._watch.second_look.kept:
            return event
        confidence = round((1 - self._likely) * (1 - self._fell()), 3)
        return msgspec.structs.replace(event, confidence=confidence, mass_g=self._off_g)

    def _fell(self) -> float:
        """Return how likely something fell in the motion that ended last."""
        judged = self._watch.judged
        return 0.0 if judged is None else judged.chance

    def _look_moving(self, now_us: int, t_us: int) -> list[Event]:
        """Judge a load that moves, and may hold still for a moment in between."""
        self._next_us = now_us + MOVING_US
        load_g = self._trail.mean(MEANT)
        size_g = abs(load_g - self._changes.base_g)
        if size_g < PIECE_G or load_g < self._gone_g or self._trail.spread(MEANT) > STILL_G + STILL * size_g:
            return []
        likely = self._chance(now_us, load_g)
        return self._report(now_us, t_us, load_g, likely) if likely >= MOVING else []

    def _chance(self, now_us: int, load_g: float) -> float:
        taken = self._changes.take(now_us, load_g, self._error_g, self._settled_us, self._moved_us)
        look = self._watch.second_look
        fell = UNKNOWN if self._settled_us is None else self._fell()
        row = [*taken, float(not look.untouched), look.beside.moved_since(self._moved_us), fell]
        return (self._judge or (kept_piece_forest() if look.kept else piece_forest())).chance(row)

    def _accept(self, now_us: int, load_g: float) -> None:
        self._judged()
        self._changes.accept(now_us, load_g)

    def _judged(self) -> None:
        self._happens(Happening.JUDGED)
        self._rested = NOWHERE

    def _report(self, now_us: int, t_us: int, load_g: float, likely: float) -> list[Event]:
        self._judged()
        self._told, self._calm_us = True, None
        step_g = load_g - self._changes.base_g
        why = self._why_unsure(step_g)
        if why:
            self._changes.accept(now_us, load_g)
            return [
                *self._spoken(),
                Event(kind="unsure", t_us=t_us, confidence=round(likely, 3), mass_g=step_g, what=why),
            ]
        n = self._changes.count(step_g)
        step_g = self._changes.report(now_us, load_g)
        kind: Kind = "piece_added" if step_g > 0 else "piece_removed"
        event = Event(kind=kind, t_us=t_us, confidence=round(likely, 3), mass_g=step_g, n=n)
        reported = self._spoken()
        self._verdict = now_us + self._view_us(now_us), event
        return reported

    def _view_us(self, now_us: int) -> int:
        """Return how long a verdict waits for a view of the height after it, and for a hand that still holds on."""
        if self._settled_us is not None:
            return CLEAR_US
        return VIEW_US if self._occlusion.sees(now_us) else 0

    def doubt(self, why: str) -> None:
        """Note that a cell was at fault: changes meanwhile may be changes of its scale only."""
        self._doubt = why

    def _why_unsure(self, step_g: float) -> str:
        """Return why a change is not reported as a piece although it looks like one; "" if it is reported."""
        why, self._doubt = self._doubt, ""
        if why:
            return f"{step_g:+.1f} g since {why}: a piece, or the cell: look at the platform"
        if abs(step_g) > self._most_g:
            return f"{step_g:+.1f} g at once, more than a handful of pieces: look at the platform"
        return ""

    def _happens(self, happening: Happening) -> None:
        self.state = TRANSITIONS.get((self.state, happening), self.state)
