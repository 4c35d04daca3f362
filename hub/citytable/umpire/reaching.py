"""Reaching ahead: an act of a player whose turn had not begun when they lifted what it moves."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeVar

from citytable.umpire.foresight import Foresight
from citytable.umpire.node import Node, turn_ends
from citytable.umpire.observed import Observed

A = TypeVar("A")
P = TypeVar("P")

AT_ONCE_US = 1_000_000  # hands of two players that act at the same time


def reached_ahead(foresight: Foresight[A, P], path: Sequence[Node[A, P]], observed: Observed) -> int:
    """Return how many acts of the last turn moved what had left its place while the turn before went on.

    That one is over when the thing that shows whose turn it is leaves for its next place, as far as somebody reads it.
    """
    begins = max(turn_ends(foresight.game, path), default=0)
    if not begins:
        return 0
    came = (one for one in foresight.moved(path[begins - 1].layout, path[begins].layout) if one.came)
    there = (thing for one in came for spot in one.spots for thing in one.came & observed.at(spot))
    over_us = max((observed.set_out_us.get(thing, 0) for thing in there), default=0) - AT_ONCE_US
    acts = pairwise(path[begins:])
    return sum(not node.cued and _left_before(foresight, over_us, before, node, observed) for before, node in acts)


def _left_before(
    foresight: Foresight[A, P], t_us: int, before: Node[A, P], node: Node[A, P], observed: Observed
) -> bool:
    """Return whether everything that an act moves had left its place before a moment."""
    moved = foresight.moved(before.layout, node.layout)
    left_us = [observed.left_us.get(thing, t_us) for one in moved for thing in one.left]
    return bool(left_us) and max(left_us) < t_us
