"""Alternatives: other decisions for the same spot that explain the table as well as one act of a story does."""

from typing import TypeVar

from citytable.umpire.costs import Explanation
from citytable.umpire.explaining import Explainer
from citytable.umpire.node import Node

A = TypeVar("A")
P = TypeVar("P")


def alternatives(explainer: Explainer[A, P], best: Explanation[A, P], k: int) -> tuple[A, ...]:
    """Return what may have been done instead of node `k`, at the same spots; none for what somebody said.

    Two contracts lie before a player who has delivered one of them and turned over neither.
    """
    game, before, node = explainer.game, best.path[k - 1], best.path[k]
    if node.action is None or node.cued:
        return ()
    mine, spots = game.decision(node.action), game.spots_of(game.decision(node.action))
    others = [
        choice.decision
        for choice in explainer.foresight.choices(before.position)
        if spots and choice.spots == spots and not choice.needs_word and choice.decision != mine
    ]
    nodes = (one for decision in others for one in explainer.nodes(before, decision, None, accepted=False))
    return tuple(one.action for one in nodes if one.action is not None and _is_as_good(explainer, best, k, one))


def _is_as_good(explainer: Explainer[A, P], best: Explanation[A, P], k: int, other: Node[A, P]) -> bool:
    path = explainer.going_on((*best.path[:k], other), best.path, k + 1)
    return path is not None and explainer.costs.seen(path).mismatch <= best.mismatch
