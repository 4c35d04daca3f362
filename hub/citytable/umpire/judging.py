"""Judging: the table is explained again when anything changed, and what is certain by then becomes confirmed."""

from typing import TypeVar

from msgspec.structs import replace

from citytable.table.question import Question
from citytable.umpire import asking
from citytable.umpire.accidents import missed, taken_home
from citytable.umpire.accounting import accounted, lost_turn
from citytable.umpire.acts import Confirmed
from citytable.umpire.alternatives import alternatives, other_falls, unseen_ways
from citytable.umpire.committing import turn_ended_before
from citytable.umpire.confirming import asking_about, confirmed
from citytable.umpire.correcting import looked_back
from citytable.umpire.lifted import lifted
from citytable.umpire.means import Means
from citytable.umpire.node import turn_ends
from citytable.umpire.passing import brought_back, next_player_drew, through_laps
from citytable.umpire.state import State
from citytable.umpire.staying import passed_us
from citytable.umpire.story import explained
from citytable.umpire.too_soon import told_at_last
from citytable.umpire.trial import Trial, trial_of
from citytable.umpire.waiting import asked_further, gone_on, is_asked_yet, kept_waiting, leaves_it_out

A = TypeVar("A")
P = TypeVar("P")


def judged(means: Means[A, P], state: State[A, P]) -> tuple[State[A, P], tuple[Confirmed[A, P], ...]]:
    """Explain the table again if anything changed, and return what this confirms."""
    asked_before, open_already = state, {question.id for question in state.questions}
    state, earlier = _waited(means, state)
    state, is_explained = explained_anew(means, state)
    if not is_explained:
        return state, earlier
    told_so_far = state.accounted
    state, acts = _settled(means, state)
    if state.accounted != told_so_far and not acts:  # its account settled a turn
        state, acts = judged(means, state)
        return state, (*earlier, *acts)
    if acts and state.changed and state.waiting is None:  # there is more to ask
        state, later = judged(means, replace(state, best=means.seen(state)))
        return state, (*earlier, *acts, *later)
    state = replace(state, waiting=None, best=means.seen(state)) if acts else state
    state = kept_waiting(means, state, asked_before)
    asked = state.asked + sum(question.id not in open_already for question in state.questions)
    return replace(state, asked=asked), (*earlier, *acts)


def _settled(means: Means[A, P], state: State[A, P]) -> tuple[State[A, P], tuple[Confirmed[A, P], ...]]:
    """Confirm everything that is certain, or ask about a turn that only its scale leaves open."""
    waiting = state.waiting
    if waiting is not None and waiting.account is not None:
        if is_asked_yet(means, state, waiting):
            return state, ()  # nothing done since makes the answer unnecessary
        state = replace(state, waiting=None)
    elif waiting is not None and state.best.complete and leaves_it_out(means, state, waiting):
        return state, ()
    if state.best.complete:
        return confirmed(means, state)
    if (then := _before_it_was_lifted(means, state)) is not None:
        after, acts = confirmed(means, then)
        if acts or after.accounted != state.accounted:
            since = replace(after.observed, lying=state.observed.lying)
            return replace(after, observed=since, is_past=False, changed=True), acts
        if after.questions and waiting is None:
            return replace(state, waiting=after), ()
    return (state if state.questions else _at_a_loss(means, state)), ()


def _at_a_loss(means: Means[A, P], state: State[A, P]) -> State[A, P]:
    """Confirm a turn as its account says if only scales contradict it, or ask about it.

    A thing that may be in a hand comes first: whether it was taken decides how many actions its player has left.
    """
    last = lost_turn(means, state)
    if not last:
        return state
    held = lifted(means.foresight, state.path, last, state.observed)
    told = accounted(means, state, last)
    about = told.account
    turn = (turn_ended_before(means.foresight, state.path, last), last) if about is None else (about.first, about.last)
    if held is not None and turn[0] < held.k <= turn[1]:
        return asking_about(means, state, held, ())
    return told


def _before_it_was_lifted(means: Means[A, P], state: State[A, P]) -> State[A, P] | None:
    """Return the state as if things lifted since the last turn were still in their places; None if there are none.

    Nothing else may keep the story from explaining the table, and no act of the story may move these things.
    """
    path, observed, differing = state.path, state.observed, state.best.match.differing
    last = max(turn_ends(means.game, path), default=0)
    over_us = passed_us(means.game, path, last, observed) if last else 0
    lying = dict(observed.lying)
    for thing in (thing for found in differing for thing in found.missing if thing not in found.not_seen):
        spot = observed.left_at.get(thing, "")
        lay = all(thing in node.layout.region_of(spot).things for node in (path[0], path[last])) if spot else False
        if not over_us or not lay or observed.left_us[thing] <= over_us:
            return None
        lying[spot] = observed.at(spot) | {thing}
    then = replace(state, observed=replace(observed, lying=lying), is_past=True)
    then = replace(then, best=means.seen(then))
    return _with_questions(means, then) if differing and then.best.complete else None


def _waited(means: Means[A, P], state: State[A, P]) -> tuple[State[A, P], tuple[Confirmed[A, P], ...]]:
    """Judge a turn that waited for an answer and now has it, by the table as it was then."""
    before = state.waiting
    if before is None or not before.changed:
        return state, ()
    after, acts = judged(means, before)
    if acts:
        return gone_on(means, state, before, after, acts), acts
    state = asked_further(means, state, before, after) if after.questions else state
    return replace(state, waiting=replace(after, waiting=None) if after.questions else None, changed=True), ()


def explained_anew(means: Means[A, P], state: State[A, P]) -> tuple[State[A, P], bool]:
    """Explain the table again; False if nothing changed, or people are still putting it back."""
    if not state.changed:
        return state, False
    after = means.remembered(state) or _explained(means, state)
    return after, not after.restoring


def glimpsed(means: Means[A, P], state: State[A, P]) -> State[A, P]:
    """Explain the table again without confirming anything, and remember the result."""
    after, _ = explained_anew(means, state)
    if state.changed:
        means.remember(state, after)
    return after


def _explained(means: Means[A, P], state: State[A, P]) -> State[A, P]:
    state = replace(state, changed=False, lifted=None, short=None, account=None)
    if state.restoring:
        state = looked_back(means, state)
        if state.restoring:
            return state
    state = taken_home(means, missed(means, state))
    story, best = explained(state.story, means.explaining(state))
    observed = through_laps(means.game, best.path, brought_back(best.path, state.observed))
    if observed is not state.observed:
        story, best = explained(story, means.explaining_table(state)(observed))
    people_are_asked = state.waiting is not None and state.waiting.account is not None
    if not best.complete and not people_are_asked:
        story, best, observed = next_player_drew(means.game, story, best, means.explaining_table(state), observed)
    state = told_at_last(means, replace(state, story=story, best=best, observed=observed))
    return _with_questions(means, _after_silence(state))


def _after_silence(state: State[A, P]) -> State[A, P]:
    """Ask what else people did where scales that were silent report again."""
    newest = max((step.no for step in state.observed.steps if step.bridged), default=0)
    if newest <= state.silence_no:
        return state
    return replace(state, silence_no=newest, silence=len(state.path))


def _of_several(means: Means[A, P], state: State[A, P], form: Question) -> Question:
    """Return the form of an act, or the question which act it was if another one explains as much."""
    path, text = state.best.path, means.game.text
    k = next((k for k, node in enumerate(path) if node.action is not None and text(node.action) == form.about), 0)
    action = path[k].action
    if action is None or not state.best.complete:
        return form
    others = alternatives(means.explainer_of(state), state.best, k)
    return asking.which(means.game, action, (form.about, *map(text, others))) if others else form


def _with_questions(means: Means[A, P], state: State[A, P]) -> State[A, P]:
    game, lost, complete = means.game, state.falls.lost_percent, state.best.complete
    sure = len(state.path) if complete else state.story.sure
    told = {*state.answers, *map(game.text, state.named.values())}
    asked, still_open = asking.open_forms(game, state.observed, state.path, told, lost, sure=sure)
    trial = trial_of(game, state.path, state.observed, state.falls) or _touched(state)
    state = replace(state, still_open=still_open, trial=trial)
    if trial is not None:
        trial = _with_others(means, state, trial)
        open_now = still_open | {game.text(way) for way in trial.choices() if way is not None}
        asked = (asking.tried(game, state.path, trial),)
        return replace(state, still_open=open_now, trial=trial, questions=asked)
    asked = tuple(_of_several(means, state, form) for form in asked)
    return replace(state, questions=asked) if asked or complete else _seeking(means, state)


def _touched(state: State[A, P]) -> Trial[A] | None:
    """Return the trial that was already open while somebody touches what stands there: nothing can be weighed."""
    trial = state.trial
    if trial is None or trial.spot not in state.observed.moving or trial.k >= len(state.path):
        return None
    return trial if state.path[trial.k].action in trial.ways else None


def _with_others(means: Means[A, P], state: State[A, P], trial: Trial[A]) -> Trial[A]:
    """Return a trial with every act that it may have been: more than one contract may fit."""
    explainer, fall_of = means.explainer_of(state), means.game.fall_of
    if not state.best.complete:
        return trial
    if trial.spot is None:
        others = tuple((fell, None) for fell in other_falls(explainer, state.best, trial.k))
        return replace(trial, others=others)
    stood = alternatives(explainer, state.best, trial.k)
    ways = [(fell, one) for one in stood if (fell := fall_of(one)) is not None]
    in_order = trial.ways[1] == state.path[trial.k].action
    return replace(trial, others=tuple(ways if in_order else ((one, fell) for fell, one in ways)))


def _seeking(means: Means[A, P], state: State[A, P]) -> State[A, P]:
    """Ask for the place of an act of which everything else shows, even while something else is on its way."""
    lacking = frozenset(thing for found in state.best.match.differing for thing in found.missing)
    ways = unseen_ways(means.explainer_of(state), state.best)
    if ways:
        state = replace(state, ways=ways, sought=lacking)
    is_open = bool(ways) or (bool(state.ways) and bool(state.sought) and state.sought <= lacking)
    return replace(state, questions=(asking.where(means.game, state.ways),) if is_open else ())
