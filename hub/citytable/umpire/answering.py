"""Answering: what the answer to an open question makes of an umpire's state."""

from collections.abc import Mapping, Sequence
from itertools import chain, pairwise
from typing import TypeVar

from msgspec.structs import replace

from citytable.table.question import FieldValue, Question
from citytable.table.word import Answer
from citytable.umpire import accounting
from citytable.umpire.accidents import fell_since
from citytable.umpire.asking import BETWEEN, NOTHING, WHERE, WHICH, as_read, unread
from citytable.umpire.believing import believed, believed_at, retold
from citytable.umpire.doubts import Doubts
from citytable.umpire.explaining import without_weighed
from citytable.umpire.lifted import Lifted
from citytable.umpire.matching import UNEXPLAINED
from citytable.umpire.means import Means
from citytable.umpire.node import Cue, Node, replayed, rules_for, turn_ends
from citytable.umpire.short_turn import ShortTurn, nowhere, without_later
from citytable.umpire.state import State
from citytable.umpire.steps import with_what_came, without_acts
from citytable.umpire.story import explained, filled_in, named, sided
from citytable.umpire.trial import Trial
from citytable.umpire.unfitting import unfitting

A = TypeVar("A")
P = TypeVar("P")


def answered_at_once(means: Means[A, P], state: State[A, P], answer: Answer) -> State[A, P]:
    """Take an answer by the table as it is; raises `ValueError` when nothing was asked or it makes no sense."""
    question = next((asked for asked in state.questions if asked.id == answer.question), None)
    if question is None:
        raise unfitting("not_open", seen=repr(answer.question))
    wanted = {field.name for field in question.fields}
    if set(answer.values) != wanted:
        raise unfitting("fields", seen=repr(question.id), wanted=sorted(wanted), told=sorted(answer.values))
    if WHICH in wanted:
        state = _decided(means, state, question, str(answer.values[WHICH]))
    elif WHERE in wanted:
        state = _found(means, state, str(answer.values[WHERE]))
    else:
        state = _filled_in(means, state, question.about, answer.values)
    rest = tuple(asked for asked in state.questions if asked.id != question.id)
    return replace(state, questions=rest, changed=True)


def _found(means: Means[A, P], state: State[A, P], spot: str) -> State[A, P]:
    """Believe that the act of which all shows except its place was done at this spot; raises `ValueError`."""
    way = next((act for act in state.ways if spot in means.game.spots_of(act)), None)
    told = None if way is None else _found_at(means, state, Cue(way))
    if told is None:
        raise unfitting("not_there", seen=repr(spot))
    return told


def _found_at(means: Means[A, P], state: State[A, P], cue: Cue[A]) -> State[A, P] | None:
    """Believe an act where the story explains most with it, the latest of such places: play has gone on since.

    What only a scale tells may not have been done then: the next player may have reached into the bag.
    """
    weighed = without_weighed(means.explainer_of(state), state.path)
    others = (replace(state, story=state.story.with_path(path)) for path in weighed)
    found = (_in_its_place(means, one, cue) for one in chain([state], others))
    return next(filter(None, found), None) or believed(means, state, cue)


def _in_its_place(means: Means[A, P], state: State[A, P], cue: Cue[A]) -> State[A, P] | None:
    """Believe an act in its place in this story, as if it had been reported when the last of its things left its place.

    None where it has no place.
    """
    places = range(len(state.path), 0, -1)
    latest = next(((k, told) for k in places if (told := believed_at(means, state, cue, k))), None)
    if latest is None:
        return None
    k, told = latest
    moved = means.foresight.moved(told.path[k - 1].layout, told.path[k].layout)
    left_us = [state.observed.left_us.get(thing, 0) for one in moved for thing in one.left]
    since = replace(cue, said_us=max(left_us, default=0))
    told_since = filter(None, (believed_at(means, state, since, k) for k in places))
    return min(told_since, key=lambda one: one.best.mismatch)


def _decided(means: Means[A, P], state: State[A, P], question: Question, choice: str) -> State[A, P]:
    """Believe that one of the choices is what was done; raises `ValueError`."""
    choices = question.fields[0].choices
    if state.trial is not None:
        return _tried(means, state, state.trial, choice)
    if state.lifted is not None:
        return _with_lifted(means, state, state.lifted, question.about, choice)
    if state.account is not None:
        return accounting.answered(means, state, state.account, choice)
    if state.short is not None:
        return in_short_turn(means, state, state.short, choice)
    if NOTHING not in choices:
        return _sided(means, state, question.about, Cue(means.game.action(choice)))
    state = replace(state, cleared_no=state.observed.weights.last_step)
    if choices[0] != NOTHING:
        return _done_or_not(means, state, question.about, done=choice != NOTHING)
    if choice == NOTHING:
        return replace(state, silence=0)
    cue = Cue(means.game.action(choice))
    places = range(min(state.silence, len(state.path) - 1), 0, -1)
    told = next(filter(None, (believed_at(means, state, cue, k) for k in places)), None)
    if told is None:
        raise unfitting("no_fit", seen=repr(choice))
    # there may have been a third
    return replace(told, silence=told.silence + 1, story=told.story.affirmed(cue.action))


def _chosen(means: Means[A, P], ways: Sequence[A], choice: str) -> A:
    """Return the one of several acts that people chose; raises `Unfitting` when it is none of them."""
    for way in ways:
        if means.game.text(way) == choice:
            return way
    raise unfitting("no_fit", seen=repr(choice))


def _with_lifted(means: Means[A, P], state: State[A, P], held: Lifted[A], about: str, choice: str) -> State[A, P]:
    """Believe what was done with things that are in a hand; raises `ValueError`."""
    if choice == NOTHING:
        observed = replace(state.observed, held=state.observed.held | held.things)
        return _never(means, replace(state, observed=observed, lifted=None), held.k)
    return _sided(means, replace(state, lifted=None), about, Cue(_chosen(means, held.ways, choice)))


def in_short_turn(means: Means[A, P], state: State[A, P], short: ShortTurn[A], choice: str) -> State[A, P]:
    """Believe what else was done in a turn that ended with actions left; raises `ValueError`."""
    if choice == NOTHING:
        return replace(state, short=None, full_turns=short.turn)
    acts = next((way for way in short.ways if BETWEEN.join(map(means.game.text, way)) == choice), ())
    told: State[A, P] | None = state if acts else None
    for k, act in enumerate(acts, start=short.k):
        if told is not None:
            path = without_later(means.game, told.path, k, act)
            only = path[: next((end for end in turn_ends(means.game, path) if end >= k), len(path)) + 1]
            stories = (told.story.with_path(one) for one in (path, only))  # the next turn may have been told otherwise
            tries = (believed_at(means, replace(told, story=story), Cue(act), k) for story in stories)
            told = next((one for one in tries if one is not None), None)
    if told is None:
        raise unfitting("no_fit", seen=repr(choice))
    explainer = means.explainer_of(told)
    new = pairwise(told.path[short.k - 1 : short.k + len(acts)])
    in_hands = frozenset[str]().union(*(nowhere(explainer, before, node) for before, node in new))
    story = told.story.affirmed(*(one.action for one in told.path[1 : short.k + len(acts)]))
    return _with_in_hands(means, replace(told, short=None, story=story, changed=True), in_hands)


def _with_in_hands(means: Means[A, P], state: State[A, P], things: frozenset[str]) -> State[A, P]:
    """Return the state where these things are in a hand; what came up from below may lie there again by another act."""
    below = frozenset[str]().union(*(hidden.things for hidden in state.path[0].layout.hidden))
    observed, held = state.observed, state.observed.held
    in_hand = replace(state, observed=replace(observed, held=held | things))
    if not things & below:
        return in_hand
    lies = replace(state, observed=replace(observed, held=held | (things - below)))
    costs = [explained(one.story, means.explaining(one))[1].mismatch for one in (in_hand, lies)]
    return lies if costs[1] < costs[0] + UNEXPLAINED else in_hand


def _tried(means: Means[A, P], state: State[A, P], trial: Trial[A], choice: str) -> State[A, P]:
    """Believe how a delivery came out; raises `ValueError`."""
    ways = [one for one in trial.choices() if one is not None]
    way = None if choice == NOTHING else _chosen(means, ways, choice)
    lain = (one.spot for one in state.observed.arrivals) if way is None else ()  # nothing was delivered at any of these
    tried = state.falls.tried.union(lain, () if trial.spot is None else (trial.spot,))
    state = replace(state, trial=None, falls=replace(state.falls, tried=tried))
    told = state
    if way != state.path[trial.k].action or trial.spot is None or trial.others:
        cue = None if way is None else Cue(way)
        told = replace(state, story=filled_in(state.story, trial.k, cue, means.explaining(state)))
    return told if way is None or means.game.fall_of(way) is None else fell_since(means, told, way)


def _done_or_not(means: Means[A, P], state: State[A, P], about: str, *, done: bool) -> State[A, P]:
    """Believe that a doubtful step of a scale was an act, or that it never was one."""
    k = next(k for k, node in enumerate(state.path) if node.action and means.game.text(node.action) == about)
    if done:
        return replace(state, story=state.story.affirmed(state.path[k].action))
    steps, joined = without_acts(state.observed.steps, Doubts(means.explainer_of(state)).never(state.path, k))
    cleared_no = 0 if joined else state.cleared_no  # it may be one fewer still
    return _never(means, replace(state, observed=state.observed.with_steps(steps), cleared_no=cleared_no), k)


def _check_later(means: Means[A, P], state: State[A, P], k: int, filled: A) -> None:
    """Raise what forbids an act that was reported since, if node `k` was this: one of the two is wrong."""
    told = replayed(means.game, state.path[:k], (replace(state.path[k], action=filled),))
    for node in state.path[k + 1 :]:
        further = told and replayed(means.game, told, (node,))
        if told and not further and node.said and node.action is not None:
            rules_for(means.game, accepted=node.accepted or state.lenient).supposed(told[-1].position, node.action)
        told = further or told


def _never(means: Means[A, P], state: State[A, P], k: int) -> State[A, P]:
    """Believe that node `k` of the path never was."""
    return replace(state, story=filled_in(state.story, k, None, means.explaining(state)))


def _sided(means: Means[A, P], state: State[A, P], mine: str, cue: Cue[A]) -> State[A, P]:
    told = retold(state, sided(state.story, mine, cue, means.game))
    if told is None:
        raise unfitting("no_fit", seen=repr(means.game.text(cue.action)))
    return told


def _asked_about(means: Means[A, P], state: State[A, P], about: str) -> tuple[int, Node[A, P]]:
    """Return the number of the node that a form is about, and the node as it is asked; the root where there is none."""
    for k, (before, node) in enumerate(pairwise(state.path), start=1):
        asked = as_read(means.game, state.observed, before, node)
        if asked.action is not None and means.game.text(asked.action) == about:
            return k, asked
    return 0, state.path[0]


def _filled_in(means: Means[A, P], state: State[A, P], about: str, values: Mapping[str, FieldValue]) -> State[A, P]:
    """Put an answer to its action: a cue becomes what it was, anything else waits for its confirmation."""
    k, node = _asked_about(means, state, about)
    if node.action is None:
        return state
    if means.game.denied(values):
        spot = means.game.accident_at(node.action)
        rest = with_what_came(state.observed.steps, spot)
        return _never(means, replace(state, observed=state.observed.with_steps(rest)), k)
    before = state.path[k - 1]
    filled = means.rules(state, node).answered(before.position, node.action, values)
    _check_later(means, state, k, filled)
    is_told_again = state.named.get(node.action) == filled  # although what somebody took since speaks against it
    if node.cue is not None or is_told_again:
        final = node.cue is not None and node.cue.final
        felt_us, said_us = (0, 0) if node.cue is None else (node.cue.felt_us, node.cue.said_us)
        cue = Cue(filled, node.accepted or state.lenient, final=final, felt_us=felt_us, said_us=said_us)
        return replace(state, story=filled_in(state.story, k, cue, means.explaining(state)))
    if unread(state.observed, before, node):
        story = named(state.story, k, filled, means.game)
        return replace(state, named={**state.named, node.action: filled}, story=story)
    return replace(state, answers={**state.answers, about: values})
