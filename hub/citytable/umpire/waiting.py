"""Waiting: a turn that is over and lacks only an answer is judged by a copy of the table from when it was understood.

Rule 1: what people lift, weigh or lay down after the turn passed is not part of it. So a question stays, and its answer
        counts, while the table has already gone on.
Rule 2: it waits as long as the present story begins with the same acts, or does not explain the table. If a story that
        explains the table begins otherwise, or needs no question, it is newer and counts. A thing that is put back
        where it was lifted gives no answer: the thing that it covered may have been taken meanwhile.
Rule 3: both take an answer: the copy of the table, and the story as it has gone on.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from msgspec.structs import replace

from citytable.rules.errors import LocalisedError
from citytable.table.spot import Spot
from citytable.table.word import Answer
from citytable.umpire import asking
from citytable.umpire.account import Account
from citytable.umpire.accounting import reads_the_same_turn, same_turn
from citytable.umpire.acts import Confirmed
from citytable.umpire.answering import answered_at_once, in_short_turn
from citytable.umpire.confirming import turn_passed_at
from citytable.umpire.correcting import rebased
from citytable.umpire.falls import Falls
from citytable.umpire.means import Means
from citytable.umpire.node import Node, turn_ends
from citytable.umpire.observed import Observed
from citytable.umpire.state import State
from citytable.umpire.staying import unread
from citytable.umpire.steps import known
from citytable.umpire.story import Story

A = TypeVar("A")
P = TypeVar("P")


def answered(means: Means[A, P], state: State[A, P], answer: Answer) -> State[A, P]:
    """Take an answer; raise `ValueError` if there is no such question or the answer makes no sense."""
    waiting = state.waiting
    if waiting is None or all(question.id != answer.question for question in waiting.questions):
        return answered_at_once(means, state, answer)
    told = answered_at_once(means, waiting, answer)
    return replace(_going_on(means, state, waiting, answer), waiting=told, changed=True)


def _going_on(means: Means[A, P], state: State[A, P], waiting: State[A, P], answer: Answer) -> State[A, P]:
    """Give an answer to the story as it is now; if it no longer fits there, only the waiting turn takes it."""
    rest = tuple(question for question in state.questions if question.id != answer.question)
    asked = replace(
        state,
        questions=waiting.questions,
        lifted=waiting.lifted,
        short=waiting.short,
        account=waiting.account and same_turn(means, state, waiting, waiting.account),
        trial=waiting.trial,
        silence=waiting.silence,
    )
    try:
        told = answered_at_once(means, asked, answer)
    except (ValueError, LocalisedError):
        told = replace(state, account=None)
    cleared_no = min(told.cleared_no, max(state.cleared_no, waiting.observed.weights.last_step))
    return replace(told, questions=rest, trial=state.trial, cleared_no=cleared_no)


def asked_further(means: Means[A, P], state: State[A, P], before: State[A, P], after: State[A, P]) -> State[A, P]:
    """Return the present story after an answer that leads to a further question about the waiting turn.

    If the story does not begin with the answer, it continues from there: everything after that turn stays as it was, or
    is explained again.
    """
    if after.account is not None or before.account is not None or begins_with(means, state, after):
        return state
    told = after.path[: len(_over(means, after)) + 1]
    ends, turns = turn_ends(means.game, state.path), len(turn_ends(means.game, told))
    k = ends[turns - 1] if 0 < turns <= len(ends) else len(state.path) - 1
    path = means.explainer_of(state).going_on(told, state.path, k + 1) or told
    since = (cue for cue in state.story.cues if cue not in (*before.story.cues, *after.story.cues))
    return replace(state, story=Story(path, (*after.story.cues, *since), len(told)))


def kept_waiting(means: Means[A, P], state: State[A, P], asked: State[A, P]) -> State[A, P]:
    """Let a turn wait that lacks an answer, as the table is now or was, and ask its question.

    `asked` is the state before this judgement. Beside the waiting turn, it may have asked for the account of a later
    one.
    """
    before = state.waiting
    told = None if before is None else _shown_since(means, state, before)
    if told is not None:
        return replace(state, waiting=told, changed=True)
    if before is not None and before.questions and is_asked_yet(means, state, before):
        state = _asking_yet(state, asked)
        ids = {question.id for question in before.questions}
        twice = {"besides"} if before.short and state.short and before.short.turn == state.short.turn else set[str]()
        more = (one for one in state.questions if one.id not in ids and one.prompt not in twice)
        return replace(state, questions=(*more, *before.questions))
    lacks = _lacks_an_answer(means, state)
    return replace(state, waiting=replace(state, waiting=None, is_past=True) if lacks else None)


def _asking_yet(state: State[A, P], asked: State[A, P]) -> State[A, P]:
    """Return the state that still asks for an account while a scale moves, or something is in a hand (Rule 2)."""
    account, is_settled = asked.account, state.best.complete and state.are_weighed(len(state.path) - 1)
    if account is None or state.account is not None or is_settled or _is_weighed_otherwise(state, account):
        return state
    known, then = ([node.action for node in one.path[: account.last + 1]] for one in (state, asked))
    questions = tuple(one for one in asked.questions if one.prompt == "account")
    return replace(state, account=account, questions=questions) if known == then else state


def is_asked_yet(means: Means[A, P], state: State[A, P], before: State[A, P]) -> bool:
    """Return whether the question for which a turn waits is still open (Rule 2)."""
    if before.account is not None and _is_weighed_otherwise(state, before.account):
        return False
    return not state.best.complete or begins_with(means, state, before) or leaves_it_out(means, state, before)


def _is_weighed_otherwise(state: State[A, P], account: Account[A, P]) -> bool:
    """Return whether later weights show that a step of an account belongs to another scale."""
    scale_of = {step.no: step.spot for step in state.observed.steps}
    return any(scale_of.get(step.no, step.spot) != step.spot for step in account.steps)


def _shown_since(means: Means[A, P], state: State[A, P], before: State[A, P]) -> State[A, P] | None:
    """Return the waiting state, answered by what the table has shown since; None if it shows no answer.

    For example, a platform that somebody held unseen in their lap comes to a pad.
    """
    short = before.short
    if short is None or before.account is not None or not before.questions:
        return None
    acts = [node.action for node in before.path[1 : turn_passed_at(means, before) + 1]]
    for way in short.ways:
        shown = [*acts[: short.k - 1], *way, *acts[short.k - 1 :]]
        is_told = len(shown) < state.story.sure and _are(means, state.path[1:], shown)
        if is_told and all(_is_read(means, state, short.k + n) for n in range(len(way))):
            choice = asking.BETWEEN.join(map(means.game.text, way))
            return replace(in_short_turn(means, before, short, choice), questions=(), changed=True)
    return None


def _is_read(means: Means[A, P], state: State[A, P], k: int) -> bool:
    """Return whether readers show what node `k` lays: acts that only follow from later ones may be different."""
    moved = means.foresight.moved(state.path[k - 1].layout, state.path[k].layout)
    return any(one.came and not all(map(state.observed.unread, one.spots)) for one in moved)


def _lacks_an_answer(means: Means[A, P], state: State[A, P]) -> bool:
    if state.account is not None or (state.lifted is not None and not state.best.complete):
        return True
    last = turn_passed_at(means, state) if state.best.complete and state.questions else 0
    return bool(last) and state.are_weighed(last)


def begins_with(means: Means[A, P], state: State[A, P], before: State[A, P]) -> bool:
    """Return whether a story begins with everything that was done until the turn passed.

    Acts that only scales show may be different if they are the subject of the question.
    """
    if before.account is not None:
        return reads_the_same_turn(means, state, before, before.account)
    return _begins(means, state, _over(means, before))


def leaves_it_out(means: Means[A, P], state: State[A, P], before: State[A, P]) -> bool:
    """Return whether a story is that of `before`, except for the act about which people are asked.

    If a thing is on top again, it was put back, or the thing below it was taken.
    """
    if before.lifted is None:
        return False
    k, over = before.lifted.k, _over(means, before)
    return _begins(means, state, [*over[: k - 1], *over[k:]])


def _over(means: Means[A, P], before: State[A, P]) -> Sequence[Node[A, P]]:
    """Return what was done until the turn passed, by the waiting story."""
    return before.path[1 : turn_passed_at(means, before) + 1]


def _begins(means: Means[A, P], state: State[A, P], over: Sequence[Node[A, P]]) -> bool:
    return len(state.path) > len(over) and _are(means, state.path[1:], [node.action for node in over])


def _are(means: Means[A, P], path: Sequence[Node[A, P]], actions: Sequence[A | None]) -> bool:
    """Return whether a path begins with these decisions, or with all of them for which it is long enough."""
    decision = means.game.decision
    pairs = zip(path, actions, strict=False)
    return all(
        node.action is not None and action is not None and decision(node.action) == decision(action)
        for node, action in pairs
    )


def gone_on(
    means: Means[A, P],
    state: State[A, P],
    before: State[A, P],
    after: State[A, P],
    acts: tuple[Confirmed[A, P], ...],
) -> State[A, P]:
    """Return the present story after acts were confirmed by the table as it was `before`; that left `after`."""
    n = _told_until(means, state, before, acts)
    cues = state.story.cues[state.story.cues_before(n + 1) :]
    if not n:
        cues = (*after.story.cues, *(cue for cue in state.story.cues if cue not in before.story.cues))
    path, _ = rebased(means, state, acts[-1].position, n + 1 if n else len(state.path))
    return replace(
        state.with_answers_about(path, means.game.text),
        waiting=None,
        observed=_since(state.observed, before.observed, after.observed, unread(after.path[0], state.observed)),
        story=Story(path, cues, max(1, min(len(path), state.story.sure - n))),
        falls=_falls_since(state.falls, before.falls),
        trial=state.trial.after(n) if n and state.trial is not None else None,
        too_soon=tuple(cue for cue in state.too_soon if cue not in before.too_soon or cue in after.too_soon),
        silence=max(1, state.silence - n) if state.silence_no > before.silence_no else 0,
        full_turns=0,
        accounted=0,
        rests=(),
        changed=True,
    )


def _told_until(means: Means[A, P], state: State[A, P], before: State[A, P], acts: tuple[Confirmed[A, P], ...]) -> int:
    """Return the last node of a path that has these acts, or ends as many turns; 0 for none.

    However those turns went, everything after them happened. A bag that has gone all the way round would show nothing
    of it.
    """
    if len(state.path) > len(acts) and _are(means, state.path[1:], [act.action for act in acts]):
        return len(acts)
    seats = [means.game.seat(before.path[0].position), *(means.game.seat(act.position) for act in acts)]
    over = sum(seat != then for seat, then in pairwise(seats))
    ends = turn_ends(means.game, state.path)
    return ends[over - 1] if 0 < over <= len(ends) and seats[-1] != seats[-2] else 0


def _since(observed: Observed, before: Observed, after: Observed, lies: Mapping[Spot, frozenset[str]]) -> Observed:
    """Return the table without the steps of the confirmed part and the arrivals until then.

    `lies`: the things at places without a reader, by the confirmed part.
    """
    left = {step.no for step in after.steps}
    new = {step.no for step in observed.steps if step.no > before.weights.last_step}
    later = (one for one in observed.arrivals if one in after.arrivals or one.t_us > before.now_us)
    ahead = {thing for spot, things in observed.lying.items() for thing in things - before.at(spot)}
    ahead |= {thing for thing, us in observed.left_us.items() if us > before.now_us}  # all the way round
    kept = observed.keeping(left | new, unread=lies, ahead=ahead)
    told = {step.no: step for step in after.steps}  # people may have said whose they are
    lay_g = after.foreign_g  # what was laid down then may be gone already
    steps = (told.get(step.no) or known(step, step.stay, lay_g.get(step.spot, 0.0)) for step in kept.steps)
    kept = kept.with_steps(tuple(steps))
    return replace(kept, piece=after.piece, arrivals=tuple(later), turn_us=after.turn_us, foreign_g=after.foreign_g)


def _falls_since(falls: Falls[A], before: Falls[A]) -> Falls[A]:
    return replace(falls, reported=falls.reported - before.reported, tried=falls.tried - before.tried)
