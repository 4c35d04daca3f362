"""Nodes: the parts of a story of the table, one for each decision, and the cues on which some of them rest."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Generic, TypeVar

import msgspec

from citytable.rules.errors import IllegalAction
from citytable.table.layout import Layout
from citytable.umpire.weighing import Change, changes
from citytable.umpire.whole_game import WholeGame

A = TypeVar("A")
P = TypeVar("P")


class Cue(msgspec.Struct, Generic[A], frozen=True):
    """A person's statement, or a sensed fall. `accepted`: the host lets it stand although a rule forbids it.

    `sensed`: nobody said it, so people may still say that it was none; `otherwise` is what it was if the table comes to
    look like it: a delivery that fell after all. `weighed`: a scale showed it, and it never was when the scale shows
    that. `final`: people looked at it and all before it, and said it is right. `accounted`: the account of its turn
    has it, so that no step of a scale need show it. `said_us`: when a person said it, or when what they were asked
    about had left its place; 0 where nobody knows. `felt_us`: when a sensor suspected it first; 0 where none did.
    `confidence` is that of the sensor that reported it. `by_others`: somebody who was asked about their own turn named
    it, and its player has not reported it. `again`: it was reported once more, and nothing shows whether it was done
    twice.
    """

    action: A
    accepted: bool = False
    sensed: bool = False
    weighed: bool = False
    otherwise: A | None = None
    final: bool = False
    accounted: bool = False
    confidence: float = 1.0
    by_others: bool = False
    said_us: int = 0
    felt_us: int = 0
    again: bool = False


class Node(msgspec.Struct, Generic[A, P], frozen=True):
    """One step of an explanation: an action, how it changed the scales, and the position after it.

    `accepted`: it counts as it happened, legal or not. `shown`: the whole table once looked like it while all stations
    were connected, or people said that this is how it went.
    """

    action: A | None  # None in the root
    cue: Cue[A] | None  # what it is believed for; None when it was inferred
    position: P
    layout: Layout
    changes: tuple[Change, ...]
    accepted: bool = False
    shown: bool = False

    @property
    def cued(self) -> bool:
        """True if it was stated or sensed to fall, and not inferred."""
        return self.cue is not None

    @property
    def said(self) -> bool:
        """True when a person said it."""
        return self.cue is not None and not self.cue.sensed


def root(game: WholeGame[A, P], position: P) -> Node[A, P]:
    """Return the node where every explanation begins."""
    return Node(None, None, position, game.layout(position), ())


def _node(
    game: WholeGame[A, P], before: Node[A, P], action: A, cue: Cue[A] | None, position: P, *, accepted: bool
) -> Node[A, P]:
    layout = game.layout(position)
    if (cue is not None and cue.accounted) or not game.moves_pieces(action):
        return Node(action, cue, position, layout, (), accepted)
    changed = changes(before.layout, layout, game.exchanges(before.position, action))
    return Node(action, cue, position, layout, changed, accepted)


def rules_for(game: WholeGame[A, P], *, accepted: bool) -> WholeGame[A, P]:
    """Return the rules by which an act is judged that counts as it happened, or not."""
    return game.accepting() if accepted else game


def replayed(
    game: WholeGame[A, P], path: tuple[Node[A, P], ...], nodes: tuple[Node[A, P], ...]
) -> tuple[Node[A, P], ...] | None:
    """Return the path with the nodes' actions repeated after it; None if one of them is illegal.

    The positions may know more now. An open outcome of a cue may have been another one than it seemed: a material that
    was announced is drawn, or the bag has none of it.
    """
    for node in nodes:
        if node.action is None:
            continue
        rules = rules_for(game, accepted=node.accepted)
        try:
            action, position = node.action, rules.supposed(path[-1].position, node.action)
        except IllegalAction:
            other = None if node.cue is None else next(iter(rules.cases(path[-1].position, node.cue.action)), None)
            if other is None:
                return None
            action, position = other.action, other.after
        path = (*path, _node(game, path[-1], action, node.cue, position, accepted=node.accepted))
    return path


def gives_back(before: Node[A, P], node: Node[A, P]) -> bool:
    """Return whether an act lays nothing and makes scales heavier."""
    heavier = all(change.pieces > 0 for change in node.changes)
    return heavier and node.layout.regions == before.layout.regions


def pieces_moved(node: Node[A, P]) -> int:
    """Return how many pieces an act moves on the one scale on which it shows."""
    return abs(sum(change.pieces for change in node.changes))


def weighed_only(path: Sequence[Node[A, P]]) -> Iterator[int]:
    """Yield the numbers of the nodes that only a scale shows: they lay nothing, and nobody stated them."""
    for k, (before, node) in enumerate(pairwise(path), start=1):
        if node.changes and not node.cued and node.layout.regions == before.layout.regions:
            yield k


def last_act(path: Sequence[Node[A, P]], k: int) -> int:
    """Return the number of the last act up to node `k`; what goes back to a scale after it is no act."""
    while k > 0 and _only_heavier(path[k - 1].layout, path[k].layout):
        k -= 1
    return k


def _only_heavier(before: Layout, after: Layout) -> bool:
    grown = [change.pieces for change in changes(before, after)]
    return bool(grown) and min(grown) > 0 and after.regions == before.regions


def turn_ends(game: WholeGame[A, P], path: Sequence[Node[A, P]]) -> list[int]:
    """Return the numbers of the nodes that end a turn."""
    seats = [game.seat(node.position) for node in path]
    return [k for k in range(1, len(seats)) if seats[k] != seats[k - 1]]


def with_cue(game: WholeGame[A, P], path: tuple[Node[A, P], ...], cue: Cue[A]) -> tuple[Node[A, P], ...] | None:
    """Return the path followed by the act of a cue, with its first outcome; None if that is illegal there."""
    last = path[-1]
    ways = rules_for(game, accepted=cue.accepted).cases(last.position, cue.action)
    action = next((way.action for way in ways), cue.action)
    return replayed(game, path, (Node(action, cue, last.position, last.layout, (), cue.accepted),))
