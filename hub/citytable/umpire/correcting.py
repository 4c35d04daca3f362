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
    """Go on from a position that people corrected.

    `restoring`: people first have to put the table back to it. If they are already putting it back, this goes on,
    because the record was corrected once more. `scales` is what the scales must show then; None: nobody can know, and
    nothing waits for them.
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
    """Return the path from node `k` on, repeated from a confirmed position that may contain more answers.

    The result goes as far as possible from there, and says whether that is the whole path.
    """
    path, until = means.explainer_of(state).as_far_as((root(means.game, position),), state.path, k)
    return path, until == len(state.path)


def _owing(means: Means[A, P], state: State[A, P], scales: AsItWas[P] | None) -> State[A, P]:
    """Note what the scales must still show: the way from the last confirmed layout back to the earlier one."""
    if scales is None:
        return replace(state, outstanding=Outstanding(), observed=replace(state.observed.keeping(), foreign_g={}))
    confirmed, target = state.path[0].layout, means.game.layout(scales.position)
    outstanding = state.outstanding.grown(confirmed, target, scales.weighed_g, state.observed.weights.last_step)
    return replace(state, outstanding=outstanding)


def _put_back(means: Means[A, P], state: State[A, P]) -> Explanation[A, P]:
    """Return how far the table is put back: things in wrong places, and scales without the right weight."""
    seen = means.seen(state)
    scales = state.outstanding.unshown(seen.last.layout, state.observed)
    return replace(seen, scales=scales, mismatch=seen.match.mismatch + UNEXPLAINED * len(scales))


def looked_back(means: Means[A, P], state: State[A, P]) -> State[A, P]:
    """Check how far the table is put back.

    When it is as it was, including stations that fell silent meanwhile, it is judged again.
    """
    state = replace(state, best=_put_back(means, state))
    if state.best.complete and state.are_weighed() and state.observed.silent.keys() <= state.silent_then:
        rests = state.outstanding.rests(state.best.last.layout, state.observed)
        return replace(restored(state), rests=rests, accounted=1)  # the rest may come in this turn: no proof
    return state


def restored(state: State[A, P]) -> State[A, P]:
    """Judge the table again from now on, without the steps of putting it back."""
    weighed = {scale.spot for scale in state.path[0].layout.scales}
    observed = replace(state.observed.keeping().forgetting_away(weighed), foreign_g={})
    return replace(state, restoring=False, outstanding=Outstanding(), rests=(), observed=observed)
