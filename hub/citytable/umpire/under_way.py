"""Acts under way: those since the last confirmed one, as people are shown them."""

from itertools import pairwise
from typing import TypeVar

from citytable.rules.errors import IllegalAction
from citytable.umpire.acts import Provisional
from citytable.umpire.confidence import Confidence, confidences
from citytable.umpire.means import Means
from citytable.umpire.node import Node
from citytable.umpire.state import State

A = TypeVar("A")
P = TypeVar("P")


def under_way(means: Means[A, P], state: State[A, P]) -> tuple[Provisional, ...]:
    """Return the actions since the last confirmed one, oldest first."""
    sureness = confidences(means.foresight, state.story, state.best, state.observed)
    return tuple(
        _provisional(means, state, before, node, node.action, sure)
        for (before, node), sure in zip(pairwise(state.path), sureness, strict=True)
        if node.action is not None
    )


def settled(means: Means[A, P], state: State[A, P]) -> P:
    """Return the provisional position before the first act with an open question."""
    asked = {question.about for question in state.questions}
    for before, node in pairwise(state.path):
        if node.action is not None and means.game.text(node.action) in asked:
            return before.position
    return state.path[-1].position


def _provisional(
    means: Means[A, P], state: State[A, P], before: Node[A, P], node: Node[A, P], action: A, sure: Confidence
) -> Provisional:
    shown = state.mode == "advise" or (state.mode == "enforce" and node.accepted)
    breaks = _breaks(means, state, before, node, action) if shown else ""
    spots = tuple(means.game.spots_of(action))
    return Provisional(means.game.text(action), state.best.complete, node.cued, spots, sure, breaks)


def _breaks(means: Means[A, P], state: State[A, P], before: Node[A, P], node: Node[A, P], action: A) -> str:
    """Return the rule that forbids the action as far as it is known."""
    values = state.answers.get(means.game.text(action))
    if values is not None:
        try:
            action = means.rules(state, node).answered(before.position, action, values)
        except IllegalAction as refusal:  # what was answered does not fit what happened since
            return refusal.rule
    return means.game.broken_rule(before.position, action)
