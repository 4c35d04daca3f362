"""Accidents: how a sensed fall, or a weight that is missing without one, changes the story."""

from typing import TypeVar

from msgspec.structs import replace

from citytable.table.fact import Fact, Fell, MassSettled
from citytable.table.spot import Spot
from citytable.umpire.believing import believed, believed_at
from citytable.umpire.falls import MISSED_CONFIDENCE, MISSED_MIN_G, Felt, back, busy, finished, under_way_to, unfelt
from citytable.umpire.means import Means
from citytable.umpire.node import Cue, weighed_only
from citytable.umpire.state import State
from citytable.umpire.story import filled_in
from citytable.umpire.trial import lost_g, steps_there

A = TypeVar("A")
P = TypeVar("P")


def over(means: Means[A, P], state: State[A, P]) -> tuple[A, ...]:
    """Return the decisions that are over and done with."""
    return finished(means.game, state.path, state.answers, complete=state.best.complete)


def felt(means: Means[A, P], state: State[A, P], fact: Fact) -> State[A, P]:
    """Take note of a fact about falls, and believe the fall that it confirms (Rule 4).

    If people have already reported or are clearing up that fall, it counts only once.
    """
    believable: Felt[A] | None = None
    falls = state.falls
    match fact:
        case Fell() if not state.restoring:
            told = _is_asked_about(means, state, fact.spot)
            falls, believable = falls.felt(fact, over(means, state), state.observed, told=told)
        case MassSettled():
            falls, believable = falls.settled(fact)
    closed = state.falls.open() and not falls.open()
    state = replace(state, falls=falls, changed=state.changed or closed)
    if believable is None or state.restoring:
        return state
    return _happened(means, state, believable)


def _is_asked_about(means: Means[A, P], state: State[A, P], spot: Spot) -> bool:
    """Return whether people are already asked what fell there; other falls there belong to that question."""
    asked = {question.about for question in state.questions}
    actions = [node.action for node in state.path if node.action is not None]
    return any(means.game.accident_at(act) == spot and means.game.text(act) in asked for act in actions)


def _happened(means: Means[A, P], state: State[A, P], felt: Felt[A]) -> State[A, P]:
    """Believe a fall: it becomes a cue, of the delivery under way to that spot or of the building there."""
    spot, sure = felt.fact.spot, felt.fact.confidence
    k = state.story.after(felt.finished, means.game)
    under_way = under_way_to(means.game, state.story, spot, k)
    no, otherwise = under_way
    if otherwise is not None and no >= k:
        if lost_g(state.observed, spot) == 0.0:
            falls = replace(state.falls, reported=state.falls.reported | {spot})
            return replace(state, falls=falls, changed=True)
        cue = Cue(otherwise, sensed=True, confidence=sure, felt_us=felt.since_us)
        told = believed(means, state, cue)
        if told is not None or state.path[no].said:
            return told or state
        return replace(state, story=filled_in(state.story, no, cue, means.explaining(state)), changed=True)
    lost_percent = state.observed.lost_percent(spot, felt.fact.lost_g)
    action = means.game.fallen(state.path[-1].position, spot, lost_percent)
    if action is None:
        return _fell_unread(means, state, spot)
    if lost_percent is not None:
        state = replace(state, falls=state.falls.lost(spot, lost_percent))
    how = Cue(action, sensed=True, weighed=felt.weighed, otherwise=otherwise)
    cue = replace(how, confidence=sure, felt_us=felt.since_us)
    return believed_at(means, state, cue, k) or believed(means, state, cue) or state


def _fell_unread(means: Means[A, P], state: State[A, P], spot: Spot) -> State[A, P]:
    """Believe that a tower was delivered where something fell although the table shows nothing there.

    The tower either lies on that spot or is in a hand. If it lies there, acts that were inferred before may be wrong.
    If it is in a hand, no reader read its tag there; or one did, and the tower may be back on its pad before the scale
    rests. People are then asked whether that was a delivery.
    """
    observed, position = state.observed, state.path[0].position
    away = {thing for thing, last in observed.weights.carried.items() if last.away} - observed.read
    towers = {thing for thing in away if thing not in observed.counts or observed.counts[thing].n}
    towers |= {one.thing for one in observed.arrivals if one.spot == spot} - observed.at(spot)
    for tower in (*sorted(observed.at(spot)), *sorted(towers)):
        for fell in map(means.game.fall_of, means.game.attempts(position, tower, spot)):
            cue = (
                None if fell is None else Cue(fell, sensed=True, weighed=tower in towers, confidence=MISSED_CONFIDENCE)
            )
            told = None if cue is None else believed(means, state, cue) or _instead_of_weighed(means, state, cue)
            if told is not None:
                return told
    return state


def _instead_of_weighed(means: Means[A, P], state: State[A, P], cue: Cue[A]) -> State[A, P] | None:
    """Believe a cue in place of an act that only a scale showed: a hand on the bag looks like a draw."""
    path = state.path
    for k in reversed([*weighed_only(path)]):
        without = means.explainer_of(state).without(path, k)
        told = without and believed(means, replace(state, story=state.story.with_path(without)), cue)
        if told:
            return told
    return None


def fell_since(means: Means[A, P], state: State[A, P], action: A) -> State[A, P]:
    """Believe that a delivery which stood, as its player says, fell afterwards if its hex first weighed all of it.

    If only a part is gone, the form of the delivery asks how many pieces stand there.
    """
    observed, game = state.observed, means.game
    k = max((k for k, node in enumerate(state.path) if node.action == action), default=0)
    before = tuple(game.decision(node.action) for node in state.path[1 : k + 1] if node.action is not None)
    for spot in sorted(game.spots_of(action)):
        gone_g = -sum(step.grams for step in steps_there(observed, spot) if step.spot == spot)
        left = {observed.counts[thing].n for thing in observed.at(spot) if thing in observed.counts}
        if k and gone_g >= MISSED_MIN_G and left == {0}:
            fell = Fell(t_us=observed.now_us, spot=spot, lost_g=gone_g, stage="confirmed", confidence=MISSED_CONFIDENCE)
            state = _happened(means, state, Felt(fell, before, weighed=True))
    return state


def missed(means: Means[A, P], state: State[A, P]) -> State[A, P]:
    """Believe that a building which has become lighter lost pieces, although no sensor felt a fall.

    If people put the weight back meanwhile, it never was gone.
    """
    missing = {fell.spot: fell for fell in unfelt(state.observed)}
    k = back(means.game, state.path, missing, state.observed)
    if k:
        state = replace(state, story=filled_in(state.story, k, None, means.explaining(state)))
    agreed = {spot for spot in missing if spot in state.falls.reported}
    for spot in sorted(((missing.keys() - busy(means.game, state.path)) | agreed) - _told_to_have_fallen(means, state)):
        if not state.falls.waiting(spot):
            state = _missed_at(means, state, missing[spot])
    return state


def _told_to_have_fallen(means: Means[A, P], state: State[A, P]) -> set[Spot]:
    """Return the spots with an open question about a delivery that is believed to have fallen: it fell only once."""
    trial = state.trial
    action = None if trial is None or trial.k >= len(state.path) else state.path[trial.k].action
    is_told = action is not None and means.game.fall_of(action) is None
    return {trial.spot} if trial is not None and trial.spot is not None and is_told else set()


def _missed_at(means: Means[A, P], state: State[A, P], fell: Fell) -> State[A, P]:
    """Believe that something fell there unnoticed, unless this did not explain the same table before."""
    wrong = (
        thing
        for found in state.best.match.differing
        for thing in (*found.missing, *(thing for _, thing in found.unexpected))
    )
    found = (fell.spot, fell.lost_g, len(state.path), frozenset(wrong))
    if found in state.falls.unbelieved:
        return state
    after = _happened(means, state, Felt(fell, over(means, state), weighed=True))
    if after is not state:
        return after
    return replace(state, falls=replace(state.falls, unbelieved=state.falls.unbelieved | {found}))


def taken_home(means: Means[A, P], state: State[A, P]) -> State[A, P]:
    """Believe that a delivery fell if it lost weight on its hex and left it before anybody reported anything."""
    trial = state.trial
    if trial is None or trial.spot is None or state.observed.at(trial.spot) or trial.k >= len(state.path):
        return state
    fell, stood = trial.ways
    if stood is None or state.path[trial.k].action != stood or means.game.fall_of(stood) != fell:
        return state
    cue = Cue(fell, sensed=True, weighed=True, confidence=MISSED_CONFIDENCE)
    return replace(state, trial=None, story=filled_in(state.story, trial.k, cue, means.explaining(state)))
