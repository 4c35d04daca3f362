"""Rounds: the bag, or whatever shows whose turn it is, went all the way round and is where it was.

The table looks as it did before, but every player had a turn. A story without these turns puts the acts of the last one
into the first. A story with two turns of one player must not mix up what that player's scale showed in each.
"""

import dataclasses
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

from citytable.table.layout import Layout
from citytable.table.spot import Spot, seat_of
from citytable.umpire.foresight import Foresight
from citytable.umpire.node import Node, replayed, turn_ends
from citytable.umpire.observed import Observed
from citytable.umpire.steps import Step
from citytable.umpire.weighing import Change

A = TypeVar("A")
P = TypeVar("P")

FOREVER_US = 2**63
PLAYERS_MIN = 3  # of two players, one may have passed it and got it back: that is no round


class Apart(NamedTuple):
    """Changes and steps of scales, with scales named by turn.

    `scale_of` maps these names to the scales.
    """

    changes: list[Change]
    steps: Sequence[Step]
    scale_of: Mapping[Spot, Spot]


class Passed(NamedTuple):
    """The spots to which each passing turn brings something, one player after the other.

    Each with the time when that thing left its place, and when it arrived.
    """

    ring: Sequence[frozenset[Spot]] = ()
    t_us: tuple[int, ...] = ()
    sent_us: tuple[int, ...] = ()
    unread: frozenset[str] = frozenset()  # the things at places without a reader, before any turn passed
    in_play: frozenset[str] = frozenset()  # the components in the layout then, or that an act turns up

    def turns_us(self, spot: Spot) -> Sequence[tuple[int, int]]:
        """Return the beginning and the end of each turn of the player to whose place a spot belongs, if any.

        A player who has passed the bag may still lift what they took. The last turn goes on.
        """
        seats = [next(map(seat_of, spots), None) for spots in self.ring]  # that of the first player is the last
        whose, spans = seat_of(spot), zip((0, *self.t_us), (*self.sent_us, FOREVER_US), strict=True)
        return [span for k, span in enumerate(spans) if whose is not None and seats[(k - 1) % len(seats)] == whose]


def _unread(layout: Layout, observed: Observed) -> frozenset[str]:
    """Return the things of a layout at places without a reader."""
    regions = (one.things for one in layout.regions if all(map(observed.unread, one.spots)))
    return frozenset[str]().union(*regions)


def _named(spot: Spot, turn: int) -> Spot:
    return f"{spot}#{turn}"


class Rounds(Generic[A, P]):
    """The turns that passed on one observed table, as readers showed them."""

    def __init__(self, foresight: Foresight[A, P], observed: Observed) -> None:
        self._foresight = foresight
        self._observed = observed
        self._passed: dict[int, tuple[P, Passed]] = {}  # by id of a position, which is kept alive

    def missing(self, path: Sequence[Node[A, P]]) -> int:
        """Return how many whole rounds a path leaves out."""
        passed = self._passes(path[0].position)
        players = len(passed.ring)
        if players < PLAYERS_MIN:
            return 0
        return max(0, len(passed.t_us) - len(turn_ends(self._foresight.game, path))) // players

    def made_up(self, path: Sequence[Node[A, P]]) -> int:
        """Return how many whole rounds a path has that no sensor showed, where it infers that a turn passed.

        Somebody said that their turn was over, and the bag is still there.
        """
        ends = turn_ends(self._foresight.game, path)
        if len(ends) < 2 or all(path[k].cued for k in ends):
            return 0
        passed = self._passes(path[0].position)
        ring = passed.ring or tuple(self._ring(path[0].position))
        read = not any(self._observed.unread(spot) for spots in ring for spot in spots)
        return max(0, len(ends) - len(passed.t_us)) // len(ring) if ring and read else 0

    def left_out(self, path: Sequence[Node[A, P]]) -> int:
        """Return how many things were at a player's place when their turn passed, but never by the path.

        The player took such a thing, even if somebody has lifted it since. If it was laid there while others played,
        that may have been a mistake, unless it came from a place without a reader. So may things that no act takes,
        such as a park tile on a pad.
        """
        passed, observed = self._passes(path[0].position), self._observed
        lifted = {thing for thing, us in observed.left_us.items() if passed.t_us and us > passed.sent_us[0]}
        lifted = (lifted & observed.set_out_us.keys()) - observed.read
        return sum(
            any(
                (0 if thing in passed.unread else began_us) <= observed.set_out_us[thing] < us < observed.left_us[thing]
                for began_us, us in passed.turns_us(observed.left_at[thing])
            )
            and not self._tells_of(path, thing)
            for thing in lifted
            if self._foresight.game.component(thing) in passed.in_play
        )

    def _in_play(self, position: P) -> frozenset[str]:
        """Return the components that the layout of a position names, or that an act turns up."""
        game, layout = self._foresight.game, self._foresight.layout(position)
        lying, below = (one.things for one in layout.regions), (one.things for one in layout.hidden)
        things = set[str]().union(*lying, *below, *game.unseen(position).values())
        return frozenset(map(game.component, things))

    def _tells_of(self, path: Sequence[Node[A, P]], thing: str) -> bool:
        """Return whether the path ever has a thing where it was, whichever side is up.

        If it was there from the beginning, its player turned it over and back in another turn, or somebody only looked
        at it.
        """
        component, left_us = self._foresight.game.component, self._observed.left_us[thing]
        spot = self._observed.left_at[thing]
        lies = [node.layout.region_of(spot).things for node in path]
        turns_us = self._passes(path[0].position).turns_us(spot)
        if component(thing) in map(component, lies[0]) and any(start <= left_us < end for start, end in turns_us):
            return any(thing in things for things in lies)
        return any(component(thing) in map(component, things) for things in lies)

    def filled_in(self, path: tuple[Node[A, P], ...], k: int) -> tuple[Node[A, P], ...] | None:
        """Return the first `k` nodes of a path, followed by a round in which nobody did anything."""
        told = path[:k]
        for _ in self._passes(path[0].position).ring:
            last, act = told[-1], self._foresight.game.passing(told[-1].position)
            further = act and replayed(self._foresight.game, told, (Node(act, None, last.position, last.layout, ()),))
            if not further:
                return None
            told = further
        return told

    def apart(self, path: Sequence[Node[A, P]]) -> Apart:
        """Return what a path should do to the scales and what they showed, with one scale per turn.

        If the turn of a step is not known, its scale stays a single one.
        """
        steps, ends = self._observed.steps, turn_ends(self._foresight.game, path)
        turn_of = self._turn_of_each_stay(path, ends)
        if not turn_of:
            return Apart([change for node in path for change in node.changes], steps, {})
        several = turn_of.keys()
        told = [
            Change(_named(change.spot, bisect_left(ends, k)), change.pieces) if change.spot in several else change
            for k, node in enumerate(path)
            for change in node.changes
        ]
        felt = [
            dataclasses.replace(one, spot=_named(one.spot, turn_of[one.spot][one.stay])) if one.spot in several else one
            for one in steps
        ]
        turns = range(1 + max(len(ends), *(turn for stays in turn_of.values() for turn in stays.values())))
        return Apart(told, felt, {_named(spot, turn): spot for spot in several for turn in turns})

    def _turn_of_each_stay(self, path: Sequence[Node[A, P]], ends: Sequence[int]) -> dict[Spot, dict[int, int]]:
        """Return the turn of each stay in which a scale that changes hands showed steps.

        A stay that was no turn, such as the bag going the wrong way first, belongs to the turn in which it was, if
        another turn passed since. Scales with a step of unknown turn are left out, and so are all scales of a story
        without two turns of one player.
        """
        stays: dict[Spot, set[int]] = {}
        for step in self._observed.steps:
            stays.setdefault(step.spot, set()).add(step.stay)
        if len(ends) < PLAYERS_MIN - 1 and not any(len(known) > 1 for known in stays.values()):
            return {}
        passed = self._passes(path[0].position)
        turns = {us: turn for turn, us in enumerate(passed.t_us, start=1)}
        found: dict[Spot, dict[int, int]] = {}
        for spot in stays.keys() & frozenset[Spot]().union(*passed.ring):
            first = {us: 0 for us in stays[spot] if 0 < us <= self._observed.turn_us}
            astray = {us: bisect_right(passed.t_us, us) for us in stays[spot] if 0 < us < max(passed.t_us, default=0)}
            known = {us: turn for us, turn in (astray | turns | first).items() if us in stays[spot]}
            if known.keys() == stays[spot]:
                found[spot] = known
        return found

    def astray(self, path: tuple[Node[A, P], ...]) -> int:
        """Return how many steps of scales, and things that left their place, a path puts into a wrong turn."""
        passed_us = self._passes(path[0].position).t_us
        ends = turn_ends(self._foresight.game, path)
        turns = [path[first : last + 1] for first, last in pairwise((0, *ends, len(path)))]
        told = {(k, change.spot) for k, turn in enumerate(turns) for node in turn[1:] for change in node.changes}
        steps = [(bisect_right(passed_us, step.t_us), step.spot) for step in self._observed.steps]
        left_us = self._observed.left_us
        late = (
            bisect_right(passed_us, left_us[thing]) != k
            for k, turn in enumerate(turns)
            for before, node in pairwise(turn)
            for moved in self._foresight.moved(before.layout, node.layout)
            for thing in moved.came
            if thing in left_us
        )
        return sum(one not in told for one in steps) + sum(late)

    def _passes(self, position: P) -> Passed:
        """Return how turns passed since a position."""
        known = self._passed.get(id(position))
        if known is None:
            ring = tuple(self._ring(position)) if self._came_us(self._observed.stays) else ()
            passed = Passed(ring, *self._in_turn(ring))
            if passed.t_us:
                unread = _unread(self._foresight.layout(position), self._observed)
                passed = passed._replace(unread=unread, in_play=self._in_play(position))
            known = self._passed[id(position)] = (position, passed)
        return known[1]

    def _came_us(self, spots: Iterable[Spot]) -> list[tuple[int, Spot]]:
        """Return when something came to these spots since the confirmed position, and to which of them."""
        stays, since_us = self._observed.stays, self._observed.turn_us
        return sorted((t_us, spot) for spot in spots for t_us in stays.get(spot, ()) if t_us > since_us)

    def _ring(self, position: P) -> Iterator[frozenset[Spot]]:
        """Yield the spots to which each passing turn brings something, until it is the first player's turn again."""
        game, first = self._foresight.game, self._foresight.game.seat(position)
        while (act := game.passing(position)) is not None:
            before, way = self._foresight.layout(position), self._foresight.told(position, act, accepted=True)
            if way is None:
                return
            yield frozenset(spot for one in self._foresight.moved(before, way.layout) if one.came for spot in one.spots)
            position = way.position
            if game.seat(position) == first:
                return

    def _in_turn(self, ring: Sequence[frozenset[Spot]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return when the bag, or what shows whose turn it is, came to each next player, and when it had left."""
        stays, sent_us = self._observed.stays, self._observed.sent_us
        passed: list[tuple[int, int]] = []
        for t_us, spot in self._came_us(sorted(frozenset[Spot]().union(*ring))) if ring else ():
            if spot in ring[len(passed) % len(ring)]:
                passed.append((t_us, sent_us[spot][stays[spot].index(t_us)]))
        return tuple(came_us for came_us, _ in passed), tuple(out_us for _, out_us in passed)
