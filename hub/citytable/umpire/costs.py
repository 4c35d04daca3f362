"""Costs: how badly a path explains one observed table; of two paths the cheaper one is believed.

A search asks for the same paths again and again, and mostly only whether one is nearer to the table than another. So
results are cached, and counting stops as soon as the answer is known.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Generic, TypeVar

import msgspec

from citytable.table.layout import Layout
from citytable.table.spot import Spot
from citytable.umpire.foresight import Foresight
from citytable.umpire.light import Light
from citytable.umpire.matching import UNEXPLAINED, LayoutMatch, Matcher
from citytable.umpire.node import Node
from citytable.umpire.reaching import (
    after_turn,
    came_up,
    came_up_before,
    felt_later,
    in_a_hand,
    in_two_turns,
    laid_too_soon,
    lay_there_a_turn_before,
    out_of_order,
    reached_ahead,
    told_turns_late,
    turned_up_too_soon,
    turns_over,
)
from citytable.umpire.rounds import Rounds
from citytable.umpire.unfilled import unlikely
from citytable.umpire.weighing import LAID_THERE, unexplained_steps

A = TypeVar("A")
P = TypeVar("P")

CUE = 10_000  # the cost of a cue that is not yet part of the explanation: more than any table can differ
BROKEN = 3  # an act against a rule that nobody let stand, where the mode takes such acts: a legal story is better
EARLY = 2  # an act whose player's turn had not begun when its thing left its place: they reached ahead
CAME_UP_BEFORE = 2  # a tile that was in the supply before the one that it replaces left
IN_TWO_TURNS = 6  # an act that was begun in one turn and ended in the next
OUT_OF_ORDER = 1  # an act placed after one that began when this act's thing was already in its place
LAIN = 2 * UNEXPLAINED  # a thing was at its new place when a turn passed, but was never taken there
FELT_LATER = 2 * UNEXPLAINED  # a fall in a turn that had passed when a sensor first suspected it
IN_HAND_AFTER_TURN = UNEXPLAINED  # the same, while the thing that it moves is in an unknown hand
SHOWN_AT_ONCE = 2 * UNEXPLAINED  # a thing that is among another player's, and was taken just now
AFTER_TURN = 3  # an act of a player after their turn was over, as they said or as the bag shows
TOLD_TURNS_LATE = 3  # an act in a later turn than the one in which its player reported it


class Explanation(msgspec.Struct, Generic[A, P], frozen=True):
    """A path of nodes from the confirmed position (the root) and how far its last layout is from the table."""

    path: tuple[Node[A, P], ...]
    match: LayoutMatch
    scales: tuple[Spot, ...]  # the scales that contradict the path
    mismatch: int
    cues: int  # how many cues it has used
    broken: int = 0  # how many of its acts are against a rule and nobody let them stand
    early: int = 0  # for how many of its acts a player reached ahead
    others: frozenset[frozenset[A]] = frozenset()  # the decisions of other paths that explain as much in as few acts

    @property
    def last(self) -> Node[A, P]:
        """The node at the end."""
        return self.path[-1]

    @property
    def complete(self) -> bool:
        """True when the table is exactly what this explanation leads to."""
        return self.mismatch - BROKEN * self.broken < UNEXPLAINED


class Costs(Generic[A, P]):
    """The costs of paths on one observed table, which should contain a given number of cues."""

    def __init__(self, foresight: Foresight[A, P], matcher: Matcher, light: Light[A, P], cues: int) -> None:
        self.rounds = Rounds(foresight, matcher.observed)
        self._foresight = foresight
        self._matcher = matcher
        self._observed = matcher.observed
        self._light = light
        self._cues = cues
        # by the ids of a path's nodes, which are kept alive
        self._seen: dict[tuple[int, ...], Explanation[A, P]] = {}
        self._scales: dict[tuple[int, ...], tuple[tuple[Node[A, P], ...], dict[Spot, int]]] = {}

    def seen(self, path: tuple[Node[A, P], ...]) -> Explanation[A, P]:
        """Return how well a path explains the table."""
        key = tuple(map(id, path))
        found = self._seen.get(key)
        if found is None:
            found = self._seen[key] = self._explanation(path)
        return found

    def nearer(self, path: tuple[Node[A, P], ...], than: int) -> Explanation[A, P] | None:
        """Return how well a path explains the table if it costs less than `than`; otherwise None.

        In most cases the scales alone decide this.
        """
        if self._least(path) >= than:
            return None
        found = self.seen(path)
        return found if found.mismatch < than else None

    def of_layout(self, layout: Layout, cues: int) -> int:
        """Return the least cost of a path that leads to this layout and contains this number of cues."""
        return self._matcher.match(layout).mismatch + CUE * (self._cues - cues)

    def _least(self, path: tuple[Node[A, P], ...]) -> int:
        """Return the part of a path's cost that comes from its last layout, the scales, the cues and the rules."""
        cues = sum(node.cued for node in path)
        return self.of_layout(path[-1].layout, cues) + sum(self.scales(path).values()) + BROKEN * _broken(path)

    def _explanation(self, path: tuple[Node[A, P], ...]) -> Explanation[A, P]:
        observed, foresight = self._observed, self._foresight
        over_us, came = turns_over(foresight, path, observed), tuple(came_up(foresight, path, observed))
        early = reached_ahead(foresight, path, observed, over_us)
        late = list(after_turn(foresight, path, observed))
        mismatch = self._least(path) + EARLY * early
        in_hands = sum(in_a_hand(foresight, moved, path[-1].layout, observed) for moved in late)
        mismatch += IN_HAND_AFTER_TURN * in_hands + AFTER_TURN * (len(late) - in_hands)
        mismatch += TOLD_TURNS_LATE * told_turns_late(foresight, path, over_us)
        mismatch += UNEXPLAINED * laid_too_soon(foresight, path, observed)
        mismatch += LAIN * lay_there_a_turn_before(foresight, path, observed, over_us)
        mismatch += FELT_LATER * felt_later(foresight, path, observed)
        mismatch += UNEXPLAINED * turned_up_too_soon(came)
        mismatch += CAME_UP_BEFORE * came_up_before(came)
        mismatch += IN_TWO_TURNS * in_two_turns(foresight, path, observed, over_us)
        mismatch += OUT_OF_ORDER * out_of_order(foresight, path, observed)
        mismatch += UNEXPLAINED * unlikely(foresight, path, observed)
        mismatch += self._light.overlooked(path)
        mismatch += UNEXPLAINED * (self.rounds.missing(path) + self.rounds.made_up(path))
        mismatch += LAIN * self.rounds.left_out(path)
        mismatch += SHOWN_AT_ONCE * self._shown_at_once(path)
        match, cues = self._matcher.match(path[-1].layout), sum(node.cued for node in path)
        return Explanation(path, match, self._contradicting(path), mismatch, cues, _broken(path), early)

    def _shown_at_once(self, path: tuple[Node[A, P], ...]) -> int:
        """Return the number of things among another player's that their owner got only in this path.

        A player shows things that they have had for longer; a new one was taken by the other player.
        """
        shown = self._matcher.match(path[-1].layout).shown
        if not shown:
            return 0
        had = {thing for one in path[0].layout.regions if one.looked_at for thing in one.things}
        return len(shown - had)

    def _contradicting(self, path: tuple[Node[A, P], ...]) -> tuple[Spot, ...]:
        """Return the scales that do not show what a path should do to them."""
        places = {one.spot for one in path[-1].layout.scales if one.pieces < self._observed.piece.kind.handful}
        costs = self.scales(path)
        return tuple(sorted(one for one in costs if costs[one] >= (LAID_THERE if one in places else UNEXPLAINED)))

    def beside_scales(self, path: tuple[Node[A, P], ...], mismatch: int) -> int:
        """Return how much of a path's mismatch is not that of its scales: what they show, an account may explain."""
        return mismatch - sum(self.scales(path).values())

    def scales(self, path: tuple[Node[A, P], ...]) -> dict[Spot, int]:
        """Return the cost of scales, of all layouts on the path, that do not show what the path says."""
        key = tuple(map(id, path))
        known = self._scales.get(key)
        if known is None:
            known = self._scales[key] = (path, self._unexplained(path))
        return known[1]

    def _unexplained(self, path: tuple[Node[A, P], ...]) -> dict[Spot, int]:
        observed, apart = self._observed, self.rounds.apart(path)
        if not apart.changes and not apart.steps:
            return {}
        holds = self.weighing(path)
        holds |= {name: holds[spot] for name, spot in apart.scale_of.items() if spot in holds}
        silent = frozenset(spot for spot in holds if observed.unweighed(apart.scale_of.get(spot, spot)))
        costs = Counter[Spot]()
        steps = unexplained_steps(apart.changes, apart.steps, observed.piece, holds, silent, observed.foreign_g)
        for spot, cost in steps.items():
            costs[apart.scale_of.get(spot, spot)] += cost
        return dict(costs)

    def weighing(self, path: tuple[Node[A, P], ...]) -> dict[Spot, int]:
        """Return the scales of a path, with the largest number of pieces that each holds.

        This includes the scales that showed a step of a thing on these scales, because a bag goes further.
        """
        scales = sorted((scale.pieces, scale.spot) for node in path for scale in node.layout.scales)
        holds = {spot: pieces for pieces, spot in scales}
        most = scales[-1][0] if scales else 0
        things = {thing for spot in holds for thing in path[-1].layout.region_of(spot).things}
        return {**{step.spot: most for step in self._observed.steps if step.thing in things}, **holds}


def _broken(path: Sequence[Node[A, P]]) -> int:
    """Return how many acts are against a rule and nobody let them stand."""
    return sum(node.accepted and not node.cued for node in path)
