"""Confidence: how sure an act under way is, by its evidence and its doubts.

It begins at the value of a complete story on a quiet table, and every doubt multiplies it by a factor. The factors come
from simulated evenings: `citytable rehearse evenings` prints how many acts were true, by evidence and by doubt.
"""

from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from citytable.table.spot import Spot
from citytable.umpire.costs import Explanation
from citytable.umpire.foresight import Foresight, Moved
from citytable.umpire.lifted import in_a_hand
from citytable.umpire.node import Node
from citytable.umpire.observed import Observed
from citytable.umpire.story import Story
from citytable.umpire.whole_game import WholeGame

A = TypeVar("A")
P = TypeVar("P")

Ground: TypeAlias = Literal[
    "said",  # a person said it
    "fell",  # a sensor felt it fall
    "tags",  # a reader shows it
    "weight",  # a scale shows it
]
Doubt: TypeAlias = Literal[
    "differs",  # the table does not agree with everything under way
    "new",  # it has never been part of a story that explained the whole table
    "others",  # other acts explain as much
    "hand",  # its thing left its place and is nowhere, and only the thing below came: it may be in a hand
    "moving",  # a scale on which it shows is not at rest
    "unread",  # a spot on which it shows has no reader, or its station is silent
]

WHOLE = 0.97
WEIGHED = 0.83  # only a scale shows it: hands on a bag look like draws, and nobody reads whose hand it was
SAID = 0.98
SAID_ANEW = 0.83  # and the table never looked like it
SHARES: dict[Doubt, float] = {"differs": 0.98, "new": 0.92, "hand": 0.15, "unread": 0.9}


class Confidence(NamedTuple):
    """A confidence between 0 and 1, with the evidence and the doubts behind it."""

    value: float
    grounds: tuple[Ground, ...]
    doubts: tuple[Doubt, ...]


def confidences(
    foresight: Foresight[A, P], story: Story[A, P], best: Explanation[A, P], observed: Observed
) -> tuple[Confidence, ...]:
    """Return the confidence of each act of a story, in the same order; `best` is the explanation that has them."""
    found = []
    for k, (before, node) in enumerate(pairwise(story.path), start=1):
        changed, others = foresight.moved(before.layout, node.layout), _others(foresight.game, node, best)
        spots = _spots(node, changed, observed)
        doubts: list[Doubt] = []
        if not best.complete or best.match.mismatch:
            doubts += ["differs"] if k < story.sure else ["differs", "new"]
        if others:
            doubts.append("others")
        if not node.changes and in_a_hand(before, changed, observed):
            doubts.append("hand")
        if spots & observed.moving:
            doubts.append("moving")
        if any(map(observed.unread, spots)):
            doubts.append("unread")
        found.append(_confidence(node, spots, tuple(doubts), others, observed))
    return tuple(found)


def _confidence(
    node: Node[A, P], spots: frozenset[Spot], doubts: tuple[Doubt, ...], others: int, observed: Observed
) -> Confidence:
    if node.said:
        return Confidence(SAID_ANEW if "new" in doubts else SAID, ("said",), doubts)
    grounds: list[Ground] = [] if node.cue is None else ["fell"]
    scales = {change.spot for change in node.changes}
    grounds += ["tags"] if spots - scales else []
    grounds += ["weight"] if scales else []
    whole = WEIGHED if grounds == ["weight"] else WHOLE
    value = whole if node.cue is None else whole * node.cue.confidence
    for spot in spots:
        value = min(value, whole * observed.sureness.get(spot, 1.0))
    for doubt in doubts:
        value *= SHARES.get(doubt, 1.0)
    return Confidence(round(value / (1 + others), 2), tuple(grounds), doubts)


def _others(game: WholeGame[A, P], node: Node[A, P], best: Explanation[A, P]) -> int:
    """Return the number of stories without this act that explain as much."""
    if not best.others or node.action is None:
        return 0
    decided = game.decision(node.action)
    return sum(decided not in other for other in best.others)


def _spots(node: Node[A, P], changed: tuple[Moved, ...], observed: Observed) -> frozenset[Spot]:
    """Return where an act shows: places that cannot be mistaken for others, where its things lie now, and scales."""
    found = {change.spot for change in node.changes}
    for one in changed:
        moved = one.left | one.came
        found |= {spot for spot in one.spots if len(one.spots) == 1 or observed.at(spot) & moved}
    return frozenset(found)
