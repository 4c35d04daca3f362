"""Putting back: what the scales must still show before the table is as it was after an entry.

Rule 1: pieces that were drawn go back into the bag, and pieces that were put in come out, in any number of steps.
Rule 2: a scale on which nothing should change must finally show what it showed when the last action was confirmed, or
        that as many pieces were taken as put. A player who drew three and gave three back does not find the same pieces
        again, and a monument that had been replaced may be another one now.
Rule 3: nobody knows what a piece weighs, so half of the pieces may look like all. If it is known what a thing weighed
        then, this decides: steps from before anybody put anything back do not count, and when the thing weighs as much
        as then, everything is back. But people may put back other pieces. So whatever moves in the same direction
        before the turn has passed may be the rest, or an act if one fits. Whatever moves in the other direction is
        play.
Rule 4: nothing waits for a scale that cannot weigh, and people may always say that the table stays as it is.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, TypeVar

import msgspec

from citytable.table.layout import Layout
from citytable.table.piece_mass import PieceKind
from citytable.table.spot import Spot
from citytable.umpire.observed import Observed
from citytable.umpire.steps import Step, freed
from citytable.umpire.weighing import DOUBTFUL_MAX_G, Change, comes_to

P = TypeVar("P")


class AsItWas(msgspec.Struct, Generic[P], frozen=True):
    """The target when people put scales back: the position, and the weights when its last action was confirmed.

    Several weights if it was one of them and nobody knows which; none if nothing is known.
    """

    position: P
    weighed_g: Mapping[str, tuple[float, ...]] = msgspec.field(default_factory=dict)


class Outstanding(msgspec.Struct, frozen=True):
    """For each scale, how many pieces it lacks compared with the last confirmed layout, and the weights of things then.

    `since` is the number of the last step before anybody put anything back.
    """

    pieces: Mapping[str, int] = msgspec.field(default_factory=dict)
    weighed_g: Mapping[str, tuple[float, ...]] = msgspec.field(default_factory=dict)
    since: int = 0

    def grown(
        self, confirmed: Layout, target: Layout, weighed_g: Mapping[str, tuple[float, ...]], since: int
    ) -> "Outstanding":
        """Return what is outstanding after another undo, from a confirmed layout to this one."""
        was = {scale.name: scale.pieces for scale in confirmed.scales}
        pieces = {
            scale.name: self.pieces.get(scale.name, 0) + scale.pieces - was[scale.name]
            for scale in target.scales
            if scale.name in was
        }
        return Outstanding(pieces, weighed_g, since)

    def unshown(self, target: Layout, observed: Observed) -> tuple[Spot, ...]:
        """Return the scales that do not yet show that everything is back."""
        return tuple(sorted(self._unshown(target, observed)))

    def _unshown(self, target: Layout, observed: Observed) -> Iterator[Spot]:
        for spot, owed, pieces, things in self._scales(target):
            steps = [step for thing in things for step in observed.steps_of(thing)]
            if observed.unweighed(spot):
                continue
            if things and all(self.is_back(thing, observed) for thing in things):
                continue  # also where other pieces went in than came out
            came = _come_to(Change(spot, owed), pieces, steps, observed.piece.kind)
            if not came or (owed and self._was_so(things, steps)):
                yield spot

    def _was_so(self, things: tuple[str, ...], steps: list[Step]) -> bool:
        """Return whether the scales showed this before anybody put anything back, and something else since."""
        told = all(self.weighed_g.get(thing) for thing in things)
        return told and all(step.no <= self.since for step in steps)

    def _scales(self, target: Layout) -> Iterator[tuple[Spot, int, int, tuple[str, ...]]]:
        """Yield for each scale how many pieces it lacks, how many it will hold, and the things on which they lie."""
        things = {spot: region.things for region in target.regions for spot in region.spots}
        for scale in target.scales:
            if scale.name in self.pieces:
                yield scale.spot, self.pieces[scale.name], scale.pieces, things.get(scale.spot, ())

    def is_back(self, thing: str, observed: Observed) -> bool:
        """Return whether a thing weighs as much as it did then."""
        now_g = observed.weighs_g(thing)
        own_g = sum(step.own_g for step in observed.steps_of(thing))
        then_g = self.weighed_g.get(thing, ())
        return now_g is not None and any(abs(now_g - weight_g) <= DOUBTFUL_MAX_G + own_g for weight_g in then_g)

    def rests(self, target: Layout, observed: Observed) -> tuple["Rest", ...]:
        """Return what may still come after the scales show the right weights.

        Also for things that weigh as they did: half of other pieces may weigh as much as all those that were drawn.
        """
        return tuple(
            Rest(self, thing, Change(spot, owed), pieces, tuple(observed.steps_of(thing)), observed.piece.kind)
            for spot, owed, pieces, things in self._scales(target)
            for thing in things
            if owed or (thing in self.weighed_g and not self.is_back(thing, observed))
        )


def _come_to(owed: Change, pieces: int, steps: Sequence[Step], kind: PieceKind) -> bool:
    """Return whether the steps may be what is owed, in total, or taken and put back separately.

    `pieces` belong on the scale in the end: no more can have been taken and put back.
    """
    if comes_to(owed, steps, kind):
        return True
    taken, put = ([step for step in steps if (step.grams > 0) == more] for more in (False, True))
    exchanged = range(max(1, 1 - owed.pieces), min(pieces, kind.turn_most) + 1)
    spot, more = owed.spot, owed.pieces
    return any(
        comes_to(Change(spot, -n), taken, kind) and comes_to(Change(spot, n + more), put, kind) for n in exchanged
    )


class Rest(msgspec.Struct, frozen=True):
    """Some of these pieces that people were to put onto a thing, or take off it, may still be missing."""

    outstanding: Outstanding
    thing: str
    owed: Change
    pieces: int  # that belong on the scale in the end
    came: tuple[Step, ...]
    kind: PieceKind

    def may_be(self, steps: list[Step]) -> bool:
        """Return whether the last of these steps may be more of the rest.

        Pieces that come out of the bag although nobody asked for it are more likely a draw.
        """
        asked = bool(self.outstanding.weighed_g.get(self.thing)) or self.owed.pieces > 0
        same_way = steps[-1].grams * self.owed.pieces > 0
        return asked and same_way and _come_to(self.owed, self.pieces, (*self.came, *steps), self.kind)


def still_to_come(rests: tuple[Rest, ...], observed: Observed) -> tuple[tuple[Rest, ...], Observed]:
    """Return what may still come after the present weights, and the table that takes note of it."""
    left = []
    for rest in rests:
        steps = observed.steps_of(rest.thing)
        if steps and steps[-1].grams * rest.owed.pieces < 0:
            continue  # play goes on, though the thing may happen to weigh as it did
        left.append(rest)
        if steps:
            observed = _noted(rest, steps, observed)
    return tuple(left), observed


def _noted(rest: Rest, steps: list[Step], observed: Observed) -> Observed:
    """Return the table without the steps of a thing that weighs as it did: they were no act.

    The last step may be no act either, if it can be more of the rest.
    """
    if rest.outstanding.is_back(rest.thing, observed):
        return observed.with_steps(tuple(step for step in observed.steps if step.thing != rest.thing))
    if not steps[-1].free and all(step.free for step in steps[:-1]) and rest.may_be(steps):
        return observed.with_steps(freed(observed.steps, steps[-1].no))
    return observed
