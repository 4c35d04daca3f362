"""Things that came to light: they were hidden, and a reader has read them somewhere since.

An act turned each of them up, even one that is gone again. If a story leads to the present table but never contains
such a thing, it leaves out an act.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Generic, TypeVar

from citytable.table.layout import Layout
from citytable.table.spot import Spot
from citytable.umpire.matching import UNEXPLAINED
from citytable.umpire.node import Node
from citytable.umpire.observed import Arrival, Observed
from citytable.umpire.whole_game import WholeGame

A = TypeVar("A")
P = TypeVar("P")

BESIDE_OTHERS = 2  # people who turn up one tile after the other have some old ones beside the new ones for a while
UNDONE = 4  # something was turned up on top of a thing that was put back there later
BESIDE_OTHERS_MAX = 4  # the maximum: it distinguishes stories, and never keeps one from explaining the table


class Light(Generic[A, P]):
    """The things that came to light on one observed table."""

    def __init__(self, game: WholeGame[A, P], observed: Observed) -> None:
        self._game = game
        self._observed = observed
        self._arrivals = observed.arrivals
        self._set_out_us = observed.set_out_us
        self._read = observed.read if observed.arrivals else frozenset[str]()
        self._new: dict[int, tuple[P, tuple[Arrival, ...]]] = {}  # by id of a position, which is kept alive

    def overlooked(self, path: Sequence[Node[A, P]]) -> int:
        """Return the cost of a path that leaves out things that came to light, or has them beside other things."""
        new = self._since(path[0].position)
        lay_there = {one: [node for node in path if one.thing in node.layout.region_of(one.spot).things] for one in new}
        told = [one.thing for one, nodes in lay_there.items() if nodes]
        known = {
            self._game.component(thing) for thing in (*told, *self._read)
        }  # somebody turned it over, to look at it
        gone = [one for one in new if not lay_there[one] and self._game.component(one.thing) not in known]
        undone = [one for one in gone if self._is_undone(one, path[0])]
        gone = [one for one in gone if one not in undone]
        alone = sum(not _has_lain_so(one, nodes) for one, nodes in lay_there.items() if nodes)
        left_out = UNEXPLAINED * len(_unbound(path, gone)) + UNDONE * len(undone)
        return left_out + min(BESIDE_OTHERS * alone, BESIDE_OTHERS_MAX)

    def bindings(self, before: P, after: Layout) -> Iterator[dict[str, str]]:
        """Yield what the unknowns of a layout may have been: the things that came for them, one after the other."""
        region = after.open_region if self._arrivals else None
        if region is None:
            return
        came = [one.thing for one in self._since(before) if one.spot in region.spots]
        came += self._elsewhere(before, region.spots)
        names = [unknown.name for unknown in region.unknowns]
        if 0 < len(came) < len(names) and all(map(self._observed.unread, region.spots)):
            yield dict(zip(names, came, strict=False))  # the others are there, where no reader is
        for first in range(len(came) - len(names) + 1):
            yield dict(zip(names, came[first:], strict=False))

    def _is_undone(self, one: Arrival, first: Node[A, P]) -> bool:
        """Return whether a thing that was there from the beginning was put back later: its other place was wrong."""
        old = set(first.layout.region_of(one.spot).things)
        return any(other.thing in old for other in self._arrivals if other.spot == one.spot and other.t_us > one.t_us)

    def _elsewhere(self, position: P, spots: Sequence[Spot]) -> list[str]:
        """Return hidden things that would be turned up on these spots but were laid elsewhere at once.

        A thing that came up here is not among them, whichever side shows elsewhere. Of its two sides the one that was
        read first counts, because somebody may have turned it over to look at it.
        """
        unseen, component = self._game.unseen(position), self._game.component
        came_up = {component(one.thing) for one in self._arrivals if one.spot in spots}
        hidden = [unseen[spot] for spot in spots if spot in unseen]
        laid = (one.thing for one in self._arrivals if one.spot not in spots)
        elsewhere = (
            one for one in laid if self._first[component(one)] == one and any(one in there for there in hidden)
        )
        return [thing for thing in elsewhere if component(thing) not in came_up]

    @cached_property
    def _first(self) -> dict[str, str]:
        """Return the side of each thing that was read first."""
        last_first = sorted(self._arrivals, key=lambda one: self._set_out_us.get(one.thing, 0), reverse=True)
        return {self._game.component(one.thing): one.thing for one in last_first}

    def _since(self, position: P) -> tuple[Arrival, ...]:
        """Return the arrivals of things that are hidden in a position, at places where an act turns them up."""
        if not self._arrivals:
            return ()
        found = self._new.get(id(position))
        if found is None:
            unseen, nothing = self._game.unseen(position), frozenset[str]()
            new = tuple(one for one in self._arrivals if one.thing in unseen.get(one.spot, nothing))
            found = self._new[id(position)] = (position, new)
        return found[1]


def _has_lain_so(one: Arrival, nodes: Sequence[Node[A, P]]) -> bool:
    """Return whether the things beside an arrival are also there after one of these nodes."""
    return any(one.beside <= set(node.layout.region_of(one.spot).things) for node in nodes)


def _unbound(path: Sequence[Node[A, P]], arrivals: Sequence[Arrival]) -> list[Arrival]:
    """Return the arrivals for which the path has no unknown left, except those with which it ends."""
    taken = {unknown.name for region in path[-1].layout.regions for unknown in region.unknowns}
    left: list[Arrival] = []
    for one in arrivals:
        unknowns = (unknown for node in path for unknown in node.layout.region_of(one.spot).unknowns)
        name = next((it.name for it in unknowns if one.thing in it.among and it.name not in taken), None)
        if name is None:
            left.append(one)
        else:
            taken.add(name)
    return left
