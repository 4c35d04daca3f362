"""Unfilled: an act after which something should have come up, and nobody has seen it.

People forget to refill a supply, or no reader reads the tag of what they lay there. The act waits a while, because
people mostly refill a little later. Then it is confirmed without that thing, which stays unknown until a reader reads
it or somebody names it. The game then names it by an act of its own.
"""

from collections.abc import Mapping, Sequence
from itertools import islice, pairwise
from typing import TypeVar

from citytable.table.layout import Layout, Region
from citytable.umpire.foresight import Foresight, Moved
from citytable.umpire.node import Node
from citytable.umpire.observed import Observed
from citytable.umpire.reaching import in_a_hand

A = TypeVar("A")
P = TypeVar("P")

PATIENCE_US = 20_000_000  # how long people may take to refill the place from which they took


def unfilled(foresight: Foresight[A, P], path: tuple[Node[A, P], ...], last: int, observed: Observed) -> int:
    """Return the first of the first `last` acts that waits for a thing to come up; 0 for none."""
    for k, (before, node) in enumerate(pairwise(path[: last + 1]), start=1):
        if not _left_open(before, node):
            continue
        moved = foresight.moved(before.layout, node.layout)
        came = frozenset[str]().union(*(one.came for one in moved))
        times_us = [one.t_us for one in observed.arrivals if one.thing in came]
        times_us += [observed.left_us.get(thing, 0) for one in moved for thing in one.left]
        if observed.now_us - max(times_us, default=0) < PATIENCE_US:
            return k
    return 0


def unlikely(foresight: Foresight[A, P], path: Sequence[Node[A, P]], observed: Observed) -> int:
    """Return how many things that came up unseen cannot be explained by a supply that nobody refilled.

    In one story somebody forgets one thing. If a thing was taken from there to where a reader is, it has arrived;
    otherwise it is in a hand, and its place is empty for that reason. If the place is occupied, the unknown thing is
    elsewhere, or something else happened. Where no reader is, nothing counts as forgotten.
    """
    acts = [(before, node, left) for before, node in pairwise(path) if (left := _left_open(before, node))]
    acts = [one for one in acts if not _is_unread(one[1].layout, observed)]
    found = sum(left for _, _, left in acts) - min(1, len(acts))
    for before, node in pairwise(path) if acts else ():
        moved = foresight.moved(before.layout, node.layout)
        found += _from_filled_up(before.layout, moved) and in_a_hand(foresight, moved, path[-1].layout, observed)
    return found + _without_a_place(path[-1].layout, observed)


def _from_filled_up(layout: Layout, moved: Sequence[Moved]) -> bool:
    return any(layout.region_of(one.spots[0]).filled_late for one in moved if one.left)


def _is_unread(layout: Layout, observed: Observed) -> bool:
    """Return whether no reader covers any place that people fill up late."""
    return all(observed.unread(spot) for region in layout.regions if region.filled_late for spot in region.spots)


def _without_a_place(layout: Layout, observed: Observed) -> int:
    """Return how many things that came up unseen have no place where nothing is read."""
    late = (region for region in layout.regions if region.filled_late and region.unknowns)
    return sum(max(0, len(region.unknowns) - sum(not observed.at(spot) for spot in region.spots)) for region in late)


def _left_open(before: Node[A, P], node: Node[A, P]) -> int:
    """Return how many things came up by an act where people fill up late, without being seen."""
    if not node.layout.is_filled_late:
        return 0
    pairs = ((before.layout.by_spots.get(one.spots), one) for one in node.layout.regions if one.filled_late)
    return sum(len(now.unknowns) - (0 if was is None else _staying(was, now)) for was, now in pairs)


def _staying(was: Region, now: Region) -> int:
    """Return how many things are still there that nobody had seen: none if no known thing is there."""
    return 0 if was.things and set(was.things).isdisjoint(now.things) else len(was.unknowns)


def _unknowns(layout: Layout) -> int:
    return sum(len(region.unknowns) for region in layout.regions if region.filled_late)


def with_older_first(bindings: Mapping[str, str], before: Layout) -> dict[str, str]:
    """Return the things read that came up by an act: those that came up unseen before fill up first."""
    return dict(islice(bindings.items(), _unknowns(before) if before.is_filled_late else 0, None))
