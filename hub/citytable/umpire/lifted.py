"""Lifted: an act that shows only by a thing having left its place. The thing may be in a hand, and the act not done.

The thing may also be back in its place, unless a reader is there.

While the thing is in a hand, nothing that depends on it is confirmed. People get some time to lay it down; then they
are asked what they did with it.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Generic, TypeVar

import msgspec

from citytable.umpire.foresight import Foresight, Moved
from citytable.umpire.node import Node, turn_ends
from citytable.umpire.observed import Observed, has_lain
from citytable.umpire.staying import brought, sent_us

A = TypeVar("A")
P = TypeVar("P")

PATIENCE_US = 8_000_000  # how long something may be in a hand before people are asked about it


class Lifted(msgspec.Struct, Generic[A], frozen=True):
    """The number of the act, the things that may be in a hand, and everything that people may have done with them."""

    k: int
    things: frozenset[str]
    ways: tuple[A, ...]


def in_a_hand(before: Node[A, P], changed: tuple[Moved, ...], observed: Observed) -> frozenset[str]:
    """Return the things of an act if it shows only by their having been lifted off what they covered."""
    came = frozenset[str]().union(*(one.came for one in changed))
    gone = frozenset[str]().union(*(one.left for one in changed)) - came
    below = frozenset[str]().union(*(hidden.things for hidden in before.layout.hidden))
    if not gone or not came <= below or not gone.isdisjoint(observed.read):
        return frozenset()
    return gone


def _never_laid(before: Node[A, P], changed: tuple[Moved, ...], observed: Observed) -> frozenset[str]:
    """Return the things that an act brings to where people look at them, and that never arrived there.

    The last card of a column covers nothing, so no other act begins like that.
    """
    moved = frozenset[str]().union(*(one.left for one in changed if not any(map(observed.unread, one.spots))))
    came = [one for one in changed if before.layout.region_of(one.spots[0]).looked_at]
    came = [one for one in came if not any(map(observed.unread, one.spots))]
    there = {one.spots: one.came & moved - observed.read for one in came}
    return frozenset(one for spots, things in there.items() for one in things if not has_lain(observed, one, spots))


def _put_back(
    foresight: Foresight[A, P], path: tuple[Node[A, P], ...], changed: tuple[Moved, ...], end: int, observed: Observed
) -> frozenset[str]:
    """Return the things that an act took from a place without a reader, and that may be back there.

    They left their new place before node `end` ended the turn, if one did, and no reader sees them now.
    """
    unread = (one.left for one in changed if one.left and all(map(observed.unread, one.spots)))
    came = (one.came for one in changed if not any(map(observed.unread, one.spots)))
    taken = frozenset[str]().union(*came) & frozenset[str]().union(*unread) & observed.left_us.keys()
    component = foresight.game.component
    until_us = (sent_us(foresight.game, path, end, observed) if end else 0) or observed.now_us
    read = set(map(component, observed.read))
    return frozenset(one for one in taken if observed.left_us[one] <= until_us and component(one) not in read)


def lifted(foresight: Foresight[A, P], path: tuple[Node[A, P], ...], last: int, observed: Observed) -> Lifted[A] | None:
    """Return the first of the first `last` acts that may not have happened: its thing may be in a hand."""
    ends = turn_ends(foresight.game, path[: last + 1])
    for k, (before, node) in enumerate(pairwise(path[: last + 1]), start=1):
        if node.action is None or node.cued or node.changes:
            continue
        changed = foresight.moved(before.layout, node.layout)
        end = next((one for one in ends if one >= k), 0)
        things = in_a_hand(before, changed, observed) or _never_laid(before, changed, observed)
        things = things or _put_back(foresight, path, changed, end, observed)
        if things:
            return Lifted(k, things, (node.action, *_others(foresight, before, node, things)))
    return None


def _others(foresight: Foresight[A, P], before: Node[A, P], node: Node[A, P], things: frozenset[str]) -> Iterator[A]:
    """Yield the other acts that people may have done with these things."""
    for choice in foresight.choices(before.position):
        for way in () if choice.needs_word else foresight.ways(before.position, choice.decision, accepted=False):
            left = (one.left for one in foresight.moved(before.layout, way.layout))
            if way.action != node.action and not things.isdisjoint(frozenset[str]().union(*left)):
                yield way.action


def was_just_lifted(found: Lifted[A], observed: Observed) -> bool:
    """Return whether the things left their place only a moment ago: a hand may still lay them down."""
    left_us = (observed.left_us.get(thing, observed.now_us - PATIENCE_US) for thing in found.things)
    return any(observed.now_us - at_us < PATIENCE_US for at_us in left_us)


def just_turned_over(foresight: Foresight[A, P], path: tuple[Node[A, P], ...], last: int, observed: Observed) -> int:
    """Return the first of the first `last` acts that turned a component over only a moment ago, and late; 0 for none.

    The bag was already on its way then, so this was probably a look and not an act of the turn.
    """
    component, ends = foresight.game.component, turn_ends(foresight.game, path[: last + 1])
    for k, (before, node) in enumerate(pairwise(path[: last + 1]), start=1):
        end = next((one for one in ends if one > k), 0)
        if node.cued or not end:
            continue
        moved = foresight.moved(before.layout, node.layout)
        over = {thing for one in moved for thing in one.came if component(thing) in set(map(component, one.left))}
        came_us = max((one.t_us for one in observed.arrivals if one.thing in over), default=0)
        sets_out_us = [
            observed.set_out_us.get(one, 0) for region in brought(path[end - 1], path[end]) for one in region.things
        ]
        if over and came_us > max(sets_out_us, default=came_us) and observed.now_us - came_us < PATIENCE_US:
            return k
    return 0


def just_turned_back(foresight: Foresight[A, P], path: tuple[Node[A, P], ...], last: int, observed: Observed) -> int:
    """Return the first of the first `last` acts that wait for a component with its other side up; 0 for none.

    Somebody fetched it, and it was turned a moment ago, while the bag was on its way. They may be looking at it, and
    turn it once more. Earlier acts with it wait, or else the end of that turn does.
    """
    component, now_us, there = foresight.game.component, observed.now_us, path[0].layout.fetched_to
    fresh = [one for one in observed.arrivals if now_us - one.t_us < PATIENCE_US and one.spot in there]
    for k in turn_ends(foresight.game, path[: last + 1]) if fresh else ():
        out_us = sent_us(foresight.game, path, k, observed)
        before = {(component(one.thing), one.spot): one.thing for one in observed.arrivals if one.t_us <= out_us}
        since = ((component(one.thing), one) for one in fresh if one.t_us > out_us > 0)
        turned = {thing for thing, one in since if before.get((thing, one.spot), one.thing) != one.thing}
        if turned:
            steps = enumerate(pairwise(path[: k + 1]), start=1)
            came = ((n, foresight.moved(one.layout, node.layout)) for n, (one, node) in steps)
            return next((n for n, moved in came if any(_brings(component, one, turned) for one in moved)), k)
    return 0


def _brings(component: Callable[[str], str], moved: Moved, components: set[str]) -> bool:
    return not components.isdisjoint(map(component, moved.came))
