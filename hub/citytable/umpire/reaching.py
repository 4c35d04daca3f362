"""Too soon: an act of a player whose turn had not begun when they lifted what it moves, or a weight before its act."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeVar

from citytable.umpire.foresight import Foresight, Moved
from citytable.umpire.node import Node, turn_ends
from citytable.umpire.observed import Observed
from citytable.umpire.weighing import HANDFUL

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
    over_us = min(over_us, said_us) if (said_us := over_by_word_us(path[begins])) else over_us
    acts = pairwise(path[begins:])
    return sum(not node.cued and _left_before(foresight, over_us, before, node, observed) for before, node in acts)


def _left_before(
    foresight: Foresight[A, P], t_us: int, before: Node[A, P], node: Node[A, P], observed: Observed
) -> bool:
    """Return whether everything that an act moves had left its place before a moment."""
    moved = foresight.moved(before.layout, node.layout)
    left_us = [observed.left_us.get(thing, t_us) for one in moved for thing in one.left]
    return bool(left_us) and max(left_us) < t_us


def laid_too_soon(foresight: Foresight[A, P], path: Sequence[Node[A, P]], observed: Observed) -> int:
    """Return how many single pieces were laid down, as only scales show, before what the acts before moved set out.

    A piece on a park before its building was delivered is no monument.
    """
    if not observed.steps:
        return 0
    laid_us = {step.spot: step.t_us for step in observed.steps if step.grams > 0}  # the last time
    moved_us, too_soon = 0, 0
    for before, node in pairwise(path):
        if foresight.game.seat(before.position) != foresight.game.seat(node.position):
            moved_us = 0
            continue
        moved_us = max(moved_us, _set_out_us(foresight, before, node, observed))
        places = {scale.spot for scale in node.layout.scales if scale.pieces < HANDFUL}
        gains = [change.spot for change in node.changes if change.pieces > 0 and change.spot in places]
        is_felt_only = gains and not node.cued and node.layout.regions == before.layout.regions
        too_soon += bool(is_felt_only and all(laid_us.get(spot, moved_us) < moved_us - AT_ONCE_US for spot in gains))
    return too_soon


def _set_out_us(foresight: Foresight[A, P], before: Node[A, P], node: Node[A, P], observed: Observed) -> int:
    """Return when the last of the things set out that an act moved, and that lie there now."""
    moved = foresight.moved(before.layout, node.layout)
    there = (thing for one in moved for spot in one.spots for thing in one.came & observed.at(spot))
    return max((observed.set_out_us.get(thing, 0) for thing in there), default=0)


def over_by_word_us(end: Node[A, P]) -> int:
    """Return when a person said that a turn was over; 0 where nobody did."""
    return 0 if end.cue is None or end.cue.sensed else end.cue.said_us


def after_word(foresight: Foresight[A, P], path: Sequence[Node[A, P]], observed: Observed) -> int:
    """Return how many acts of turns moved what lay at its place yet when their player said that the turn was over."""
    acts, late = list[Sequence[Moved]](), 0
    seats = [foresight.game.seat(node.position) for node in path]
    for k, (before, node) in enumerate(pairwise(path), start=1):
        if seats[k] == seats[k - 1]:
            acts += [] if node.cued else [foresight.moved(before.layout, node.layout)]
            continue
        said_us = over_by_word_us(node)
        late += sum(_left_after(said_us, moved, observed) for moved in acts) if said_us else 0
        acts = []
    return late


def _left_after(t_us: int, moved: Sequence[Moved], observed: Observed) -> bool:
    left_us = [observed.left_us.get(thing, 0) for one in moved for thing in one.left]
    return bool(left_us) and min(left_us) > t_us
