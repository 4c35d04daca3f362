"""Correcting: the position is put right, and perhaps the table is to be put back to it before anything is inferred."""

from typing import TypeVar

from msgspec.structs import replace

from citytable.umpire.costs import Explanation
from citytable.umpire.matching import UNEXPLAINED
from citytable.umpire.means import Means
from citytable.umpire.node import Node, root
from citytable.umpire.restoring import AsItWas, Outstanding
from citytable.umpire.state import State
from citytable.umpire.story import Story

A = TypeVar("A")
P = TypeVar("P")


def put_right(
    means: Means[A, P], state: State[A, P], position: P, *, restoring: bool, scales: AsItWas[P] | None
) -> State[A, P]:
    """Go on from a position that people corrected. `restoring`: the table is to be put back to it first.

    A table that is being put back still is goes on being put back: its record was corrected once more. `scales` is
    what they are to be put back to; None: nobody can know, and they are not waited for.
    """
    falls = state.falls.forgotten()
    state = replace(state.with_answers_forgotten(), questions=(), waiting=None, falls=falls, too_soon=(), changed=True)
    if restoring:
        state = _owing(means, state, scales)
        state = replace(state, restoring=True, rests=(), silent_then=frozenset(state.observed.silent))
    cues, k = ((), len(state.path)) if state.restoring else (state.story.cues, 1)
    path, _ = rebased(means, state, position, k)
    state = replace(state, story=Story(path, cues))
    return replace(state, best=_put_back(means, state) if state.restoring else means.seen(state))


def rebased(means: Means[A, P], state: State[A, P], position: P, k: int) -> tuple[tuple[Node[A, P], ...], bool]:
    """Return the path from node `k` on upon a confirmed position, which may know more (answers) than the supposed one.

    As far as it can have been from there, and whether that is all of it.
    """
    path, until = means.explainer_of(state).as_far_as((root(means.game, position),), state.path, k)
    return path, until == len(state.path)


def _owing(means: Means[A, P], state: State[A, P], scales: AsItWas[P] | None) -> State[A, P]:
    """Let the scales owe from now on what leads from where they were last confirmed to how they were."""
    if scales is None:
        return replace(state, outstanding=Outstanding(), observed=replace(state.observed.keeping(), foreign_g={}))
    confirmed, target = state.path[0].layout, means.game.layout(scales.position)
    outstanding = state.outstanding.grown(confirmed, target, scales.weighed_g, state.observed.weights.last_step)
    return replace(state, outstanding=outstanding)


def _put_back(means: Means[A, P], state: State[A, P]) -> Explanation[A, P]:
    """Return how far the table is put back: what lies wrong, and which scales do not show yet what they should."""
    seen = means.seen(state)
    scales = state.outstanding.unshown(seen.last.layout, state.observed)
    return replace(seen, scales=scales, mismatch=seen.match.mismatch + UNEXPLAINED * len(scales))


def looked_back(means: Means[A, P], state: State[A, P]) -> State[A, P]:
    """Look how far the table is put back.

    It is when it is as it was, stations that fell silent meanwhile included; then it is judged again.
    """
    state = replace(state, best=_put_back(means, state))
    if state.best.complete and state.are_weighed() and state.observed.silent.keys() <= state.silent_then:
        rests = state.outstanding.rests(state.best.last.layout, state.observed)
        return replace(restored(state), rests=rests, accounted=1)  # the rest may come in this turn, which tells nothing
    return state


def restored(state: State[A, P]) -> State[A, P]:
    """Judge the table again from now on, without the weights of putting it back."""
    weighed = {scale.spot for scale in state.path[0].layout.scales}
    observed = replace(state.observed.keeping().forgetting_away(weighed), foreign_g={})
    return replace(state, restoring=False, outstanding=Outstanding(), rests=(), observed=observed)
