"""Confidence: how sure an act under way is, by what speaks for it and what makes it doubtful.

It begins at what a whole and quiet story is worth, and every doubt takes its share of that. The shares are those that
rehearsals showed: `citytable rehearse` prints how many acts shown with so much confidence were confirmed.
"""

from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from citytable.table.spot import Spot
from citytable.umpire.explaining import Explanation, Node
from citytable.umpire.observed import Observed
from citytable.umpire.story import Story
from citytable.umpire.table_game import TableGame

A = TypeVar("A")
P = TypeVar("P")

Ground: TypeAlias = Literal[
    "said",  # a person said it
    "fell",  # it was felt to fall
    "tags",  # something lies elsewhere
    "weight",  # a scale shows it
]
Doubt: TypeAlias = Literal[
    "differs",  # the table does not agree with all that is under way
    "new",  # it has not yet been part of what explained the whole table
    "others",  # other acts explain as much
    "moving",  # a scale on which it shows is not at rest
    "unread",  # nobody reads, or hears of, a spot on which it shows
]

WHOLE = 0.98
SAID = 0.99
SHARES: dict[Doubt, float] = {"differs": 0.95, "new": 0.75, "moving": 0.95, "unread": 0.8}


class Confidence(NamedTuple):
    """Between 0 and 1, with what it comes from."""

    value: float
    grounds: tuple[Ground, ...]
    doubts: tuple[Doubt, ...]


def confidences(
    game: TableGame[A, P], story: Story[A, P], best: Explanation[A, P], observed: Observed
) -> tuple[Confidence, ...]:
    """Of every act of a story, in its order; `best` is what it explains."""
    decided = [game.decision(node.action) for node in story.path if node.action is not None]
    others = [sum(act not in other for other in best.others) for act in decided]
    found = []
    for k, (before, node) in enumerate(pairwise(story.path), start=1):
        spots = _spots(before, node, observed)
        doubts: list[Doubt] = []
        if not best.complete:
            doubts += ["differs"] if k < story.sure else ["differs", "new"]
        if others[k - 1]:
            doubts.append("others")
        if spots & observed.moving:
            doubts.append("moving")
        if any(map(observed.unread, spots)):
            doubts.append("unread")
        found.append(_confidence(node, spots, tuple(doubts), others[k - 1], observed))
    return tuple(found)


def _confidence(
    node: Node[A, P], spots: frozenset[Spot], doubts: tuple[Doubt, ...], others: int, observed: Observed
) -> Confidence:
    if node.said:
        return Confidence(SAID, ("said",), doubts)
    grounds: list[Ground] = [] if node.cue is None else ["fell"]
    scales = {change.spot for change in node.changes}
    grounds += ["tags"] if spots - scales else []
    grounds += ["weight"] if scales else []
    value = WHOLE if node.cue is None else WHOLE * node.cue.confidence
    for spot in spots:
        value = min(value, WHOLE * observed.sureness.get(spot, 1.0))
    for doubt in doubts:
        value *= SHARES.get(doubt, 1.0)
    return Confidence(round(value / (1 + others), 2), tuple(grounds), doubts)


def _spots(before: Node[A, P], node: Node[A, P], observed: Observed) -> frozenset[Spot]:
    """Where an act shows: places that cannot be mistaken for others, where its things lie now, and scales."""
    kept = {id(region) for region in before.layout.regions}.intersection(map(id, node.layout.regions))
    was = {region.spots: frozenset(region.things) for region in before.layout.regions if id(region) not in kept}
    found = {change.spot for change in node.changes}
    for region in node.layout.regions:
        if id(region) not in kept:
            moved = was.get(region.spots, frozenset()) ^ frozenset(region.things)
            found |= {spot for spot in region.spots if observed.at(spot) & moved or (moved and len(region.spots) == 1)}
    return frozenset(found)
