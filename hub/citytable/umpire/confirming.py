"""Confirming: the acts up to the last commit point become confirmed, if everything before it is known."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeVar

from msgspec.structs import replace

from citytable.table.piece_mass import PieceMass
from citytable.table.question import Question
from citytable.table.spot import Spot
from citytable.umpire import asking
from citytable.umpire.accounting import accounted, spots_accounted
from citytable.umpire.acts import Confirmed
from citytable.umpire.alternatives import other_falls
from citytable.umpire.committing import (
    ended_in_turn,
    of_later_turns,
    of_this_turn,
    still_needed,
    turn_ended_before,
    turn_passed,
)
from citytable.umpire.correcting import rebased
from citytable.umpire.doubts import Doubts
from citytable.umpire.lifted import PATIENCE_US, Lifted, just_turned_back, just_turned_over, lifted, was_just_lifted
from citytable.umpire.means import Means
from citytable.umpire.node import Node, turn_ends
from citytable.umpire.observed import Observed
from citytable.umpire.short_turn import ShortTurn, short_turn
from citytable.umpire.state import RESTLESS_US, State
from citytable.umpire.staying import passed_us, rested_since, unread
from citytable.umpire.steps import Step
from citytable.umpire.story import Story
from citytable.umpire.unfilled import unfilled
from citytable.umpire.weighing import foreign_load_g, learned, may_be_several, taken_g
from citytable.umpire.weights import LETS_GO_US

A = TypeVar("A")
P = TypeVar("P")


def confirmed(means: Means[A, P], state: State[A, P]) -> tuple[State[A, P], tuple[Confirmed[A, P], ...]]:
    """Confirm the acts up to the last commit point; confirm nothing if people have to be asked something first."""
    last = _known_so_far(means, state, _last_commit_point(means, state))
    state, last = _at_rest(means, state, last)
    if not last:
        return state, ()
    forms, state = state.questions, replace(state, questions=(), lifted=None, short=None, account=None)
    if (held := lifted(means.foresight, state.path, last, state.observed)) is not None:
        last = turn_ended_before(means.foresight, state.path, held.k)
        if not last:
            return asking_about(means, state, held, forms), ()
    if k := _waited_for(means, state, last):
        state, last = _looking_again(state, PATIENCE_US), turn_ended_before(means.foresight, state.path, k)
        if not last:
            return replace(state, questions=forms), ()
    state = _between_rivals(means, state, last)
    state = state if state.questions else _which_fell(means, state, last)
    told = state if state.questions else accounted(means, state, last)
    if told.accounted != state.accounted:
        return replace(told, questions=forms), ()
    clear = 0 if told.account is None else told.account.first  # all before that turn is
    state, last = (state, clear) if clear else (told, last)
    state = state if state.questions else _besides(means, state, last)
    if state.questions:
        return replace(state, questions=(*forms, *state.questions)), ()
    if (short := _short_turn(means, state, last)) is not None:
        last = turn_ended_before(means.foresight, state.path, short.k)
        if not last:
            return _asking_what_else(means, state, short, forms), ()
    kept, used = _kept_and_used(means, state, last)
    acts = _acts(means, state, last, used)
    position = acts[-1].position
    path, is_whole = rebased(means, state, position, last + 1)
    is_other = not is_whole  # then the rest is explained again
    cues = state.story.cues[state.story.cues_before(last + 1) :]
    after = replace(
        state.with_answers_about(path, means.game.text),
        observed=_used_up(means, state, last, kept, used),
        story=Story(path, cues, len(path)),
        falls=state.falls.done_with(),
        trial=None if is_other or state.trial is None else state.trial.after(last),
        silence=0,
        full_turns=0,
        accounted=0,
        rests=(),
        questions=forms,
        changed=state.changed or is_other or clear > 0,
    )
    return after, acts


def _at_rest(means: Means[A, P], state: State[A, P], last: int) -> tuple[State[A, P], int]:
    """Return the last of the first `last` acts whose scales all rest; 0 for none.

    A thing that was passed on is weighed only after that. The returned state checks again later if it waits for a
    scale.
    """
    if last and state.observed.weights.may_let_go(state.observed.now_us):
        return _looking_again(state, LETS_GO_US), 0
    if not last or state.are_weighed(last):
        return state, last
    state, last = _looking_again(state, RESTLESS_US), turn_ended_before(means.foresight, state.path, last)
    while last and not (state.are_weighed(last) and rested_since(means.game, state.path, last, state.observed)):
        last = turn_ended_before(means.foresight, state.path, last)
    return state, last


def _looking_again(state: State[A, P], after_us: int) -> State[A, P]:
    """Return the state, to be judged again after this time even if nothing is sensed until then."""
    return replace(state, looks_again_us=state.observed.now_us + after_us)


def _waited_for(means: Means[A, P], state: State[A, P], last: int) -> int:
    """Return the first of the first `last` acts that has to wait: it may be a look, or not done yet; 0 for none."""
    of = (means.foresight, state.path, last, state.observed)
    found = (just_turned_over(*of), just_turned_back(*of), unfilled(*of))
    return min((k for k in found if k), default=0)


def _known_so_far(means: Means[A, P], state: State[A, P], last: int) -> int:
    """Return `last`, or the end of the last turn before the first act whose outcome is not known."""
    texts = (node.action and means.game.text(node.action) for node in state.path)
    first = next((k for k, text in enumerate(texts) if text in state.still_open), len(state.path))
    if last < first:
        return last
    return turn_ended_before(means.foresight, state.path, first)


def asking_about(means: Means[A, P], state: State[A, P], held: Lifted[A], forms: tuple[Question, ...]) -> State[A, P]:
    """Ask people what they did with the thing in a hand, unless it was lifted only a moment ago."""
    if was_just_lifted(held, state.observed):
        return _looking_again(replace(state, questions=forms), PATIENCE_US)
    first = turn_ended_before(means.foresight, state.path, held.k)
    last = next((k for k in turn_ends(means.game, state.path) if k >= held.k), len(state.path))
    turn = enumerate(state.path[first : last + 1], start=first)  # what they did in a later turn is no answer
    others = [node.action for k, node in turn if k != held.k and node.action is not None]
    question = asking.done_with(means.game, held.ways, others)
    return replace(state, lifted=held, questions=(*forms, question))


def _short_turn(means: Means[A, P], state: State[A, P], last: int) -> ShortTurn[A] | None:
    """Return a turn among the first `last` acts that ended with actions left and may contain another act."""
    explainer, observed = means.explainer_of(state), state.observed
    steps = (step for step in observed.steps if step.no > state.cleared_no)  # people have said all about the others
    several = {step.spot for step in steps if may_be_several(step, observed.piece)}
    several -= spots_accounted(means, state, last)
    chosen = explainer.costs.seen(state.path)
    return short_turn(explainer, chosen, last, state.full_turns, several, state.falls.tried)


def _asking_what_else(
    means: Means[A, P], state: State[A, P], short: ShortTurn[A], forms: tuple[Question, ...]
) -> State[A, P]:
    """Ask people what else they did in a turn that ended with actions left."""
    question = asking.left_out(means.game, state.path[: short.k], short.ways)
    return replace(state, short=short, questions=(*forms, question))


def turn_passed_at(means: Means[A, P], state: State[A, P]) -> int:
    """Return the last node by which the turn has certainly passed; 0 for none."""
    return turn_passed(means.foresight, state.best, state.observed, lenient=state.lenient)


def _last_commit_point(means: Means[A, P], state: State[A, P]) -> int:
    """Return the last commit point, 0 for none.

    Acts that may have happened in a silence, and falls, are settled before the turn ends. In a turn that had only begun
    when the kept table was left behind, people may have done something else since.
    """
    passed = turn_passed_at(means, state)
    if state.is_past or state.silence or state.falls.open():
        return passed
    return max(passed, ended_in_turn(means.foresight, state.best))


def _between_rivals(means: Means[A, P], state: State[A, P], last: int) -> State[A, P]:
    """Ask people which of several stories is right (Rule 3). Differences that only scales show are left to accounts."""
    explainer, path = means.explainer_of(state), state.path[: last + 1]
    mine, rivals = _read(means, path), explainer.rivals(explainer.costs.seen(path))
    question = asking.between(means.game, path, [one.path for one in rivals if _read(means, one.path) != mine])
    return state if question is None else replace(state, questions=(question,))


def _which_fell(means: Means[A, P], state: State[A, P], last: int) -> State[A, P]:
    """Ask people which of several deliveries was sensed to fall, if nothing else shows it."""
    explainer = means.explainer_of(state)
    chosen = explainer.costs.seen(state.path[: last + 1])
    for k, node in enumerate(chosen.path):
        others = other_falls(explainer, chosen, k)
        if others and node.action is not None:
            choices = tuple(map(means.game.text, (node.action, *others)))
            return replace(state, questions=(asking.which(means.game, node.action, choices),))
    return state


def _read(means: Means[A, P], path: Sequence[Node[A, P]]) -> Counter[A]:
    """Return what was decided by the acts of a path that readers show."""
    read = (node for before, node in pairwise(path) if node.layout.regions != before.layout.regions)
    return Counter(means.game.decision(node.action) for node in read if node.action is not None)


def _besides(means: Means[A, P], state: State[A, P], last: int) -> State[A, P]:
    """Ask people what else they did, or whether they did anything else (Rule 5)."""
    until_then = _without_later(means, state, last)
    explainer = means.explainer_of(until_then)
    chosen = explainer.costs.seen(state.path[: last + 1])
    doubts = Doubts(explainer, spots_accounted(means, until_then, last))
    loose, silence, doubted = doubts.loose(chosen.path), state.silence, None
    if any(step.spot in loose and step.no > state.cleared_no for step in until_then.observed.steps):
        silence, doubted = max(silence, last), doubts.doubted(chosen)
    hidden = doubts.hidden(chosen, min(silence, last)) if silence and doubted is None else ()
    question = asking.what_else(means.game, chosen.path, doubted, hidden)
    return replace(state, silence=silence, questions=() if question is None else (question,))


def _without_later(means: Means[A, P], state: State[A, P], last: int) -> State[A, P]:
    """Return the state without the steps that scales showed after node `last` passed the turn.

    They belong to later turns.
    """
    over_us = passed_us(means.game, state.path, last, state.observed)
    steps = tuple(step for step in state.observed.steps if not over_us or step.t_us <= over_us or step.others)
    return replace(state, observed=state.observed.with_steps(steps))


def _acts(means: Means[A, P], state: State[A, P], last: int, used: Sequence[Step]) -> tuple[Confirmed[A, P], ...]:
    """Return the first `last` acts; an inferred act has a range of pieces if its weight allows several numbers."""
    answers, position = dict(state.answers), state.path[0].position
    path, acts = state.path[1 : last + 1], list[Confirmed[A, P]]()
    for node, grams in zip(path, taken_g([node.changes for node in path], used), strict=True):
        if node.action is None:
            raise RuntimeError("the root of an explanation is no action")
        action, rules = node.action, means.rules(state, node)
        if values := answers.pop(means.game.text(action), {}):
            action = rules.answered(position, action, values)
        elif grams is not None and not node.cued:
            action = means.game.as_weighed(action, grams, state.observed.piece)
        breaks = means.game.broken_rule(position, action)
        position = rules.applied(position, action)
        stated = node.cue is not None and not (node.cue.accounted and node.cue.sensed)
        acts.append(Confirmed(action, means.game.text(action), position, stated, breaks))
    return tuple(acts)


def _used_up(means: Means[A, P], state: State[A, P], last: int, kept: frozenset[int], used: list[Step]) -> Observed:
    """Return the table without the steps that the confirmed part used; the other steps stay.

    The used steps also show what pieces weigh.
    """
    observed, path = state.observed, state.path[1 : last + 1]
    piece = learned([change for node in path for change in node.changes], used, observed.piece)
    over_us = passed_us(means.game, state.path, last, observed) if last in turn_ends(means.game, state.path) else 0
    layout = state.path[last].layout
    ahead = {thing for spot, things in observed.lying.items() for thing in things - {*layout.region_of(spot).things}}
    rest = pairwise(one.layout for one in state.path[last:])  # a round later a thing lies there again
    ahead |= {thing for before, after in rest for one in means.foresight.moved(before, after) for thing in one.came}
    return replace(
        observed.keeping(kept, since_us=over_us, unread=unread(state.path[last], observed), ahead=ahead),
        piece=_with_reports(means, piece, path),
        foreign_g=_foreign_g(means, path, used, observed),
    )


def _with_reports(means: Means[A, P], piece: PieceMass, path: Sequence[Node[A, P]]) -> PieceMass:
    """Return the masses of pieces, together with the players who reported something that only a statement shows."""
    for node in path:
        if node.said and node.action is not None and means.game.needs_word(node.action):
            seat = means.game.asker(node.action)
            piece = piece if seat is None else piece.with_report(seat)
    return piece


def _foreign_g(
    means: Means[A, P], path: Sequence[Node[A, P]], used: Sequence[Step], observed: Observed
) -> dict[Spot, float]:
    """Return the weights on places of single pieces that belong to no game, after the steps that were used up.

    A thing that changes hands with the turn is no such place, even if it is empty.
    """
    changes = [change for node in path for change in node.changes]
    places = {scale.spot for node in path for scale in node.layout.scales if scale.pieces < observed.piece.kind.handful}
    last = path[-1]
    act = means.game.passing(last.position)
    passed = None if act is None else means.foresight.told(last.position, act, accepted=True)
    for layout in [last.layout] + ([] if passed is None else [passed.layout]):
        places &= {scale.spot for scale in layout.scales}
    loads_g = dict(observed.foreign_g)
    for spot in {step.spot for step in used} & places:
        on, told = [one for one in changes if one.spot == spot], [step for step in used if step.spot == spot]
        loads_g[spot] = foreign_load_g(on, told, observed.piece, loads_g.get(spot, 0.0))
    return {spot: grams for spot, grams in loads_g.items() if grams}


def _kept_and_used(means: Means[A, P], state: State[A, P], last: int) -> tuple[frozenset[int], list[Step]]:
    """Return the numbers of the steps that show acts after node `last`, and of those that show acts before it.

    Steps up to `cleared_no` are neither: they were doubtful.
    """
    observed = state.observed
    later = of_later_turns(means.game, state.path, last, observed)
    later |= of_this_turn(means.foresight, state.path, last, observed)
    kept = still_needed(state.path[last + 1 :], observed.steps) | later
    return kept, [step for step in observed.steps if step.no not in kept and step.no > state.cleared_no]
