"""Saying: how a person's statement changes an umpire's state. A refused statement changes nothing."""

from collections.abc import Sequence
from typing import TypeAlias, TypeVar

from msgspec.structs import replace

from citytable.rules.errors import IllegalAction
from citytable.table.mode import Mode
from citytable.table.word import Answer, Approval, Denial, ModeChoice, Ruling, Statement, TableStays
from citytable.umpire.accidents import fell_since, over
from citytable.umpire.acts import Said
from citytable.umpire.believing import believed, believed_at
from citytable.umpire.correcting import restored
from citytable.umpire.judging import explained_anew, glimpsed
from citytable.umpire.late import is_of_the_turn_before, told_late
from citytable.umpire.means import Means
from citytable.umpire.node import Cue, Node, gives_back, replayed, rules_for, turn_ends, with_cue
from citytable.umpire.passing import by_the_other
from citytable.umpire.state import State
from citytable.umpire.story import filled_in
from citytable.umpire.too_soon import kept
from citytable.umpire.trial import had_it_stood
from citytable.umpire.under_way import under_way
from citytable.umpire.unfitting import unfitting
from citytable.umpire.waiting import answered, is_asked_yet
from citytable.umpire.weighing import loaded

A = TypeVar("A")
P = TypeVar("P")


Path: TypeAlias = tuple[Node[A, P], ...]
SAID_TWICE_US = 5_000_000  # nobody does the same thing twice, and reports both, in less time
BY_ALL_US = 60_000_000  # how long people report the same fall that no scale felt


def said(means: Means[A, P], state: State[A, P], word: Said, at_us: int = 0) -> State[A, P]:
    """Take what a person says at that time; raises `Unreadable`, `IllegalAction` or `ValueError` when it cannot be."""
    state = replace(state, spoken_us=max(at_us, state.observed.now_us))
    match word:
        case Statement(action=action):
            return _of_what_waits(means, state, _reported_or_kept(means, state, action), action)
        case Ruling(action=action):
            return _stated(means, state, action, accepted=True)
        case Approval(actions=actions):
            return _approved(means, state, actions)
        case Denial(action=action):
            return _denied(means, state, action)
        case Answer():
            _check_still_asked(means, state, word)
            return answered(means, state, word)
        case ModeChoice(mode=mode):
            return _in_mode(state, mode)
        case TableStays():
            return _let_stand(means, restored(state))


def _let_stand(means: Means[A, P], state: State[A, P]) -> State[A, P]:
    """Let the table stand as it is: missing things that no act explains are out of every reader's sight.

    This also holds after a restart of the hub, when some stations have not reported yet.
    """
    state = replace(state, changed=True)
    best, observed = glimpsed(means, state).best, state.observed
    bare = [] if best.complete else [one.bare(observed) for one in best.match.differing]
    return replace(state, observed=replace(observed, vouched=observed.vouched.union(*bare)))


def _check_still_asked(means: Means[A, P], state: State[A, P], answer: Answer) -> None:
    """Raise if a question of a waiting turn is no longer open, by what was sensed since it was last judged.

    For example, a card that was in a hand has come to another player: this shows that the turn went otherwise.
    """
    waiting = state.waiting
    if waiting is None or all(question.id != answer.question for question in waiting.questions):
        return
    now, _ = explained_anew(means, state)
    if not is_asked_yet(means, now, waiting):
        raise unfitting("not_open", seen=repr(answer.question))


def _in_mode(state: State[A, P], mode: Mode) -> State[A, P]:
    if mode == "enforce":
        broken = (k for k, node in enumerate(state.path) if node.accepted and not node.cued)
        story = state.story.with_path(state.path[: next(broken, len(state.path))])
        state = replace(state, story=story).with_answers_forgotten()
    return replace(state, mode=mode, waiting=None, changed=True)


def _reported_or_kept(means: Means[A, P], state: State[A, P], text: str) -> State[A, P]:
    """Believe a report, or keep one that is refused while its turn is not understood."""
    try:
        return _reported(means, state, text)
    except IllegalAction:
        later = kept(means, state, means.game.action(text))
        if later is None:
            raise
        return later


def _of_what_waits(means: Means[A, P], before: State[A, P], told: State[A, P], text: str) -> State[A, P]:
    """Return the state in which a turn that waits for a player's account knows what the player has said about it since.

    The question then leaves that out, or is no longer needed. What they say in a turn that has begun since belongs to
    that turn.
    """
    waiting, game = before.waiting, means.game
    if waiting is None or waiting.account is None or told.too_soon != before.too_soon:
        return told
    player = game.asker(game.action(text))
    is_its = player == game.seat(waiting.path[waiting.account.first].position) != game.seat(before.path[-1].position)
    if not is_its:
        return told
    try:
        knows = _reported(means, waiting, text)
    except (IllegalAction, ValueError):
        return told
    return replace(told, waiting=replace(knows, changed=True), changed=True)


def _reported(means: Means[A, P], state: State[A, P], text: str) -> State[A, P]:
    """Believe a report. The same one again a moment later is a second tap, or somebody else's on the same act.

    That is so where a scale would have shown another act, and showed none. What shows nowhere hardly anybody does
    twice: it is asked about when their turn is over.
    """
    action = means.game.action(text)
    if is_of_the_turn_before(means, state, action) or _fell_already(means, state, action):
        return state
    last, at_us, step = state.last_said
    now_us, last_step = state.spoken_us, state.observed.weights.last_step
    if text == last and state.mode == "enforce":
        same = [k for k, node in enumerate(state.path) if node.said and _text(means, node.action) == text]
        soon = now_us - at_us < SAID_TWICE_US
        if same and (soon or _shows_nowhere(state.path, same[-1])) and not _shows_again(state, same[-1], step):
            return state if soon else replace(state, story=state.story.reported_again(same[-1]), changed=True)
    return replace(_stated(means, state, text, accepted=False), last_said=(text, now_us, last_step))


def _fell_already(means: Means[A, P], state: State[A, P], action: A) -> bool:
    """Return whether somebody has already reported this accident, and its scale has shown nothing since.

    Several people at a table report the same fall. If there is no scale, they do so within a minute.
    """
    spot = means.game.accident_at(action)
    said = (node.cue for node in state.path if node.said and node.action == action) if spot is not None else ()
    at_us = max((cue.said_us for cue in said if cue is not None), default=0)
    if spot is None or not at_us:
        return False
    if state.observed.unweighed(spot):
        return state.observed.now_us - at_us < BY_ALL_US
    return all(step.t_us <= at_us for step in state.observed.steps if step.spot == spot)


def _shows_nowhere(path: Path[A, P], k: int) -> bool:
    """Return whether the table looks the same after node `k`, the last of a path: repeating it would be useless."""
    return k == len(path) - 1 and not path[k].changes and path[k].layout.regions == path[k - 1].layout.regions


def _shows_again(state: State[A, P], k: int, last_step: int) -> bool:
    """Return whether a scale that shows node `k` has shown something since a step, or is silent."""
    spots = {change.spot for change in state.path[k].changes}
    newer = {step.spot for step in state.observed.steps if step.no > last_step}
    return not spots.isdisjoint(newer) or any(map(state.observed.unweighed, spots))


def _stated(means: Means[A, P], state: State[A, P], text: str, *, accepted: bool) -> State[A, P]:
    """Believe an action; `accepted` if the host lets it stand although a rule forbids it."""
    if state.restoring:
        raise unfitting("restoring")
    cue, last = Cue(means.game.action(text), accepted, said_us=state.observed.now_us), state.path[-1].position
    rules = rules_for(means.game, accepted=accepted or state.lenient)
    told = _after_all(means, state, cue) or _as_accounted(means, state, cue) or _as_sensed(means, state, cue)
    told = told or _as_it_came_out(means, state, cue)
    told = told or _as_fallen_since(means, state, cue) or told_late(means, state, cue)
    told = told or _as_inferred(means, state, cue) or _before_it_went_back(means, state, cue)
    if told is not None:
        return told
    rules.check_stated(last, cue.action, loaded(state.observed))
    if means.game.accident_at(cue.action) is not None:
        told = believed_at(means, state, cue, state.story.after(over(means, state), means.game))
    told = told or believed(means, state, cue) or _by_the_other(means, state, cue)
    if told is None and state.lenient:
        told = believed(means, state, Cue(cue.action, accepted=True))
    if told is None and (possible := _without_impossible(means, state)) is not None:
        return _stated(means, possible, text, accepted=accepted)
    if told is None:
        rules.supposed(last, cue.action)
        raise unfitting("no_fit", seen=repr(text))
    return told


def _without_impossible(means: Means[A, P], state: State[A, P]) -> State[A, P] | None:
    """Return the state without the first word that its story leaves untold, if the rules forbid it by now; else None.

    Such as an act that a correction made impossible: whatever lies on the table, it would only be in the way.
    """
    told = state.story.cues_before(len(state.path))
    untold = state.story.cues[told : told + 1]
    for cue in untold:
        try:
            rules_for(means.game, accepted=cue.accepted or state.lenient).supposed(state.path[-1].position, cue.action)
        except IllegalAction:
            cues = (*state.story.cues[:told], *state.story.cues[told + 1 :])
            return replace(state, story=replace(state.story, cues=cues))
    return None


def _as_sensed(means: Means[A, P], state: State[A, P], cue: Cue[A]) -> State[A, P] | None:
    """Believe a person who reports a fall that was sensed: it is that one; None if none was sensed.

    Also a fall that people have denied and about which they are asked.
    """
    spot = means.game.accident_at(cue.action)
    for k, node in enumerate(state.path):
        if node.action is None or spot is None or node.cue is None:
            continue
        if not node.cue.sensed and _text(means, node.action) not in state.still_open:
            continue
        if means.game.accident_at(node.action) == spot:
            told = replace(cue, felt_us=node.cue.felt_us)
            return replace(state, story=filled_in(state.story, k, told, means.explaining(state)), changed=True)
    return None


def _as_fallen_since(means: Means[A, P], state: State[A, P], cue: Cue[A]) -> State[A, P] | None:
    """Believe a person who reports that a delivered building fell although a sensor took it for a failed delivery."""
    game, spot = means.game, means.game.accident_at(cue.action)
    for k, node in enumerate(state.path):
        if spot is None or node.cue is None or not node.cue.sensed or node.action is None:
            continue
        stood = had_it_stood(game, state.path, k, spot, state.observed)
        if stood is None:
            continue
        story = filled_in(state.story, k, Cue(stood, sensed=True), means.explaining(state))
        falls = replace(state.falls, tried=state.falls.tried | {spot})
        since = replace(state, story=story, falls=falls, changed=True)
        return believed_at(means, since, cue, k + 1) or believed(means, since, cue)
    return None


def _before_it_went_back(means: Means[A, P], state: State[A, P], cue: Cue[A]) -> State[A, P] | None:
    """Believe a player who names an act after they gave pieces back, which ends their actions; None otherwise."""
    game, path, k = means.game, state.path, len(state.path)
    is_theirs = game.asker(cue.action) == game.seat(path[-1].position)
    if not is_theirs or means.foresight.told(path[-1].position, cue.action, accepted=False) is not None:
        return None
    while k > 1 and path[k - 1].said and gives_back(path[k - 2], path[k - 1]):
        k -= 1
    return believed_at(means, state, cue, k) if k < len(path) else None


def _by_the_other(means: Means[A, P], state: State[A, P], cue: Cue[A]) -> State[A, P] | None:
    """Believe a person by whose word it was the other player who drew from a bag on its way; None where neither is."""
    others = (replace(state, observed=observed) for observed in by_the_other(state.observed, state.story))
    return next((told for other in others if (told := believed(means, other, cue)) is not None), None)


def _after_all(means: Means[A, P], state: State[A, P], cue: Cue[A]) -> State[A, P] | None:
    """Believe a person who says that a sensed fall came out otherwise; None if there is no such fall."""
    fell = means.game.fall_of(cue.action)
    for k, node in enumerate(state.path):
        if node.cue is None or not node.cue.sensed or fell is None or node.action != fell:
            continue
        story = filled_in(state.story, k, cue, means.explaining(state))
        if cue.action in {node.action for node in story.path}:
            spots = means.game.spots_of(cue.action)
            falls = replace(state.falls, tried=state.falls.tried | spots)
            return fell_since(means, replace(state, story=story, falls=falls, changed=True), cue.action)
    return None


def _as_accounted(means: Means[A, P], state: State[A, P], cue: Cue[A]) -> State[A, P] | None:
    """Believe a person who reports an act that an account has already found: it is the same act.

    So is an act that others named before the player's turn, when they were asked about the previous turn.
    """
    begins = max(turn_ends(means.game, state.path), default=0)
    for k, node in enumerate(state.path):
        if node.action is None or node.cue is None:
            continue
        was_told = k > begins and _named_by_others(means, node, cue)
        if not was_told and not (node.cue.accounted and node.cue.sensed):
            continue
        if type(node.action) is type(cue.action) and means.game.asker(cue.action) == means.game.asker(node.action):
            told = replace(cue, accounted=node.cue.accounted)
            return replace(state, story=filled_in(state.story, k, told, means.explaining(state)))
    return None


def _as_it_came_out(means: Means[A, P], state: State[A, P], cue: Cue[A]) -> State[A, P] | None:
    """Believe a player who reports the outcome of an act that they announced, as long as no scale shows one of them.

    For example, they announced glass, and the bag has none. If no scale would show that, they report it at once.
    """
    game, path, steps, now_us = means.game, state.path, state.observed.steps, state.observed.now_us
    for k in range(max(turn_ends(game, path), default=0) + 1, len(path)):
        node = path[k]
        if node.cue is None or not node.said or not node.cue.action == game.decision(cue.action) != cue.action:
            continue
        shows = {change.spot for change in node.changes}
        is_shown = any(step.spot in shows and step.t_us > state.observed.turn_us for step in steps)
        is_it = not is_shown and (shows or now_us - node.cue.said_us < SAID_TWICE_US)
        if is_it and with_cue(game, path[:k], cue) is not None:
            return replace(state, story=filled_in(state.story, k, cue, means.explaining(state)), changed=True)
    return None


def _named_by_others(means: Means[A, P], node: Node[A, P], cue: Cue[A]) -> bool:
    """Return whether somebody who was asked about the previous turn named the act that its player reports now."""
    if node.action is None or node.cue is None or not node.cue.by_others:
        return False
    return means.game.decision(node.action) == means.game.decision(cue.action)


def _as_inferred(means: Means[A, P], state: State[A, P], cue: Cue[A]) -> State[A, P] | None:
    """Believe a player who names what no reader reads in an inferred act of their turn; None if that is not so.

    For example, for which of two contracts they tried a building that fell. Or they name something inferred before an
    act that they stated first.
    """
    game, path = means.game, state.path
    for k in range(max(turn_ends(game, path), default=0) + 1, len(path)):
        node = path[k]
        is_rival = not node.said and type(node.action) is type(cue.action)
        if node.action is None or not is_rival or with_cue(game, path[:k], cue) is None:
            continue
        of_one_thing = "" != game.measured_thing(node.action) == game.measured_thing(cue.action)
        is_building = of_one_thing and not game.fall_of(node.action) and not game.fall_of(cue.action)
        # what they said first was done later, as the table shows
        is_same = node.action == cue.action and not node.changes and any(later.said for later in path[k + 1 :])
        if is_building or is_same:
            return replace(state, story=filled_in(state.story, k, cue, means.explaining(state)), changed=True)
    return None


def _approved(means: Means[A, P], state: State[A, P], actions: Sequence[str]) -> State[A, P]:
    """Make the first acts under way final, if they are these; raise `ValueError` if they are others now."""
    if state.restoring:
        raise unfitting("restoring")
    now = [one.action for one in under_way(means, state)]
    if not actions or now[: len(actions)] != list(actions):
        raise unfitting("not_under_way", now=" | ".join(now) or "–", seen=" | ".join(actions))
    return replace(state, story=state.story.closed(len(actions)), changed=True)


def _denied(means: Means[A, P], state: State[A, P], text: str) -> State[A, P]:
    """Withdraw a reported act and every act that needs it; raise `ValueError` if nobody reported it."""
    if state.restoring:
        raise unfitting("restoring")
    reported = (k for k, node in enumerate(state.path) if node.said and _text(means, node.action) == text)
    k = max(reported, default=0)
    if not k:
        raise unfitting("not_reported", seen=repr(text))
    path = _before_the_pass(means, k, _as_far_as_it_can_be(means, state.path, k))
    cues = tuple(node.cue for node in path if node.cue is not None)
    story = replace(state.story, cues=cues, given_up=()).with_path(path)
    answers = {about: values for about, values in state.answers.items() if about != text}
    return replace(state, story=story, answers=answers, waiting=None, changed=True)


def _as_far_as_it_can_be(means: Means[A, P], path: Path[A, P], k: int) -> Path[A, P]:
    """Return the path without its node `k`, up to the first act that is then impossible."""
    told = path[:k]
    for node in path[k + 1 :]:
        further = replayed(means.game, told, (node,))
        if further is None:
            break
        told = further
    return told


def _before_the_pass(means: Means[A, P], k: int, path: Path[A, P]) -> Path[A, P]:
    """Return the path without the pass at its end if nobody else has acted since node `k`: the turn goes on (A14)."""
    game = means.game
    ends = len(path) > k and path[-1].action == game.passing(path[-2].position)
    return path[:-1] if ends and game.seat(path[-2].position) == game.seat(path[k - 1].position) else path


def _text(means: Means[A, P], action: A | None) -> str:
    return "" if action is None else means.game.text(action)
