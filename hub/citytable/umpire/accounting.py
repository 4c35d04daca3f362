"""Accounting: the umpire takes over what the account of a turn says, or asks people.

Rule 1: every turn has an account in which a scale showed what was done. If it is clear it is believed, whatever the
        story says.
Rule 2: what people answer, and what is believed, needs no step of a scale any more (`Cue.accounted`).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

from msgspec.structs import replace

from citytable.table.spot import Spot
from citytable.umpire import asking
from citytable.umpire.account import OFFERED_MIN, Account, Accounts, Telling, takes_off, turns_of
from citytable.umpire.committing import has_passed
from citytable.umpire.matching import UNEXPLAINED
from citytable.umpire.means import Means
from citytable.umpire.node import Cue, Node, replayed, turn_ends, with_cue
from citytable.umpire.state import State
from citytable.umpire.steps import Step, attributed, goes_on, rest_of
from citytable.umpire.unfitting import unfitting
from citytable.umpire.weighing import learned

A = TypeVar("A")
P = TypeVar("P")


def accounted(means: Means[A, P], state: State[A, P], last: int) -> State[A, P]:
    """Tell the turns up to node `last` as their accounts say; it asks about the first that is not clear."""
    for account in _needed(means, state, last):
        if not account.is_clear:
            return _asking(means, state, account)
        told = _told_otherwise(means, state, account)
        if told is not None:
            return told
    return state


def lost_turn(means: Means[A, P], state: State[A, P]) -> int:
    """Return the node that ends a turn which has passed, and of which only scales do not fit; 0 for none.

    A story with a round that nothing showed is no ground to believe anything on.
    """
    best, path, costs = state.best, state.path, means.explainer_of(state).costs
    if costs.rounds.made_up(path) or costs.beside_scales(path, best.mismatch) >= UNEXPLAINED:
        return 0
    ends = [k for _, _, k in turns_of(means.game, path, len(path) - 1) if has_passed(path, k, state.observed)]
    return ends[-1] if ends and state.are_weighed(ends[-1]) else 0


def spots_accounted(means: Means[A, P], state: State[A, P], last: int) -> frozenset[Spot]:
    """Return the scales of which accounts tell all that was done on them up to node `last`."""
    return frozenset(account.spot for account in _needed(means, replace(state, accounted=0), last))


def same_turn(means: Means[A, P], state: State[A, P], before: State[A, P], account: Account[A, P]) -> Account[A, P]:
    """Return the account of the same turn in a story that tells it otherwise than `before`, or the one given."""
    turn = slice(account.first + 1, account.last + 1)
    if [node.action for node in state.path[turn]] == [node.action for node in before.path[turn]]:
        return account
    anew = _needed(means, replace(state, accounted=0), len(state.path) - 1)
    return next((one for one in anew if (one.turn, one.spot) == (account.turn, account.spot)), account)


def reads_the_same_turn(means: Means[A, P], state: State[A, P], before: State[A, P], account: Account[A, P]) -> bool:
    """Return whether a story tells a turn by the same acts as `before`, but for what only scales show.

    What it tells besides was done after the turn had passed: of the turn before, or of the next one, early. What came
    out otherwise than it was read then is newer.
    """
    ends = turn_ends(means.game, state.path)
    if len(ends) < account.turn:
        return False
    now, then = state.path[: ends[account.turn - 1] + 1], before.path[: account.last + 1]
    return not Counter(_read_acts(then)) - Counter(_read_acts(now))


def _read_acts(path: Sequence[Node[A, P]]) -> list[A]:
    return [
        node.action
        for earlier, node in pairwise(path)
        if node.action is not None and not (node.changes and node.layout.regions == earlier.layout.regions)
    ]


def answered(means: Means[A, P], state: State[A, P], account: Account[A, P], choice: str) -> State[A, P]:
    """Tell a turn as people say; raises `Unfitting` when it is none of the ways they were offered."""
    for way in _offered(account):
        if choice in {_text(means, way), _text(means, way, in_full=True)}:
            told = _told(means, state, account, way, sensed=False)
            if told is not None:
                return told
    raise unfitting("no_fit", seen=repr(choice))


def _needed(means: Means[A, P], state: State[A, P], last: int) -> Iterator[Account[A, P]]:
    """Yield the accounts of the turns up to node `last` that are not told by theirs yet."""
    if state.rests or state.restoring:
        return
    explainer = means.explainer_of(state)
    accounts = Accounts(explainer, state.path)
    for turn, first, k in turns_of(means.game, state.path, last):
        account = accounts.of(turn, first, k) if turn > state.accounted else None
        if account is not None:
            yield account


def _text(means: Means[A, P], way: Telling[A, P], *, in_full: bool = False) -> str:
    """Return what was done beside what is known; `in_full`: with how that came out of which people left it open."""
    shown = zip(way.shows, way.acts, strict=True)
    acts = [act for k, act in shown if not way.nodes[k].cued or (in_full and _left_open(way.nodes[k]))]
    acts += way.early
    return asking.BETWEEN.join(map(means.game.text, acts)) or asking.NOTHING


def _left_open(node: Node[A, P]) -> bool:
    """Return whether what a person said leaves open how it came out."""
    return node.cue is not None and not node.cue.accounted and node.cue.action != node.action


def _asking(means: Means[A, P], state: State[A, P], account: Account[A, P]) -> State[A, P]:
    ways = _offered(account)
    came_out = {tuple(node.action for node in way.nodes if _left_open(node)) for way in ways}
    in_full = len(came_out) > 1
    choices = tuple(dict.fromkeys(_text(means, way, in_full=in_full) for way in ways))
    best = account.ways[0]
    known = [node for k, node in enumerate(best.nodes) if node.cued or k not in best.shows]
    known = [node for node in known if not (in_full and _left_open(node))]
    acts = [node.action for node in known if node.action is not None]
    question = asking.account(means.game, state.path[account.last], acts, choices)
    return replace(state, account=account, questions=(*state.questions, question))


def _offered(account: Account[A, P]) -> list[Telling[A, P]]:
    """Return the ways that people may choose from, the likeliest first.

    All that the player may have done is offered however unlikely, and so is that the next player did it: somebody who
    is asked must be able to say what they did. Where that is unlikely, hands went otherwise than anybody reckons with,
    and its weight tells no number.
    """
    all_theirs = next((way for way in account.ways if way.early and not way.shows), None)
    return [
        way if way.share >= OFFERED_MIN else replace(way, acts=_open_acts(way))
        for way in account.ways
        if way.share >= OFFERED_MIN or not way.early or way is all_theirs
    ]


def _open_acts(way: Telling[A, P]) -> tuple[A, ...]:
    """Return the acts of a way with the numbers that the rules allow."""
    return tuple(action for k in way.shows if (action := way.nodes[k].action) is not None)


def _told_otherwise(means: Means[A, P], state: State[A, P], account: Account[A, P]) -> State[A, P] | None:
    """Return the state whose story tells a turn in the likeliest way; None where it does so already."""
    way = account.ways[0]
    mine = [node.action for node in state.path[account.first + 1 : account.last + 1]]
    is_told = not way.early and mine == [node.action for node in way.nodes]
    # what its scale says may be all that keeps a turn from being confirmed, or leave something to the next one
    adds = not state.best.complete or any(goes_on(step, account.next_scale[0]) for step in account.steps)
    if is_told and not adds:
        return None
    return _told(means, state, account, way, sensed=True)


def _told(
    means: Means[A, P], state: State[A, P], account: Account[A, P], way: Telling[A, P], *, sensed: bool
) -> State[A, P] | None:
    """Return the state whose story tells a turn in this way; None when the rest cannot have been then."""
    acts = dict(zip(way.shows, way.acts, strict=True))
    path: tuple[Node[A, P], ...] | None = state.path[: account.first + 1]
    for k, node in enumerate(way.nodes):
        cue = replace(node.cue or Cue(acts[k], sensed=sensed), accounted=True) if k in acts else node.cue
        path = path and replayed(means.game, path, (replace(node, action=acts.get(k, node.action), cue=cue),))
    path = path and _going_on(means, state, account, path, _early_cues(way, sensed=sensed))
    if path is None:
        return None
    looked = [node.layout.regions for node in state.path if node.shown]
    path = tuple(replace(node, shown=node.layout.regions in looked) for node in path)
    story = replace(state.story.with_nodes(path), sure=min(state.story.sure, len(path)))
    observed = state.observed.with_steps(_steps_left(state, account, way))
    if not way.early:
        changes = [change for k in way.shows for change in way.nodes[k].changes]
        observed = replace(observed, piece=learned(changes, list(account.steps), observed.piece))
    return replace(state, account=None, story=story, observed=observed, accounted=account.turn, changed=True)


def _steps_left(state: State[A, P], account: Account[A, P], way: Telling[A, P]) -> tuple[Step, ...]:
    """Return the steps that nothing tells yet when a turn went this way: those of the next player are theirs.

    Of one that was done in several turns, of which no scale weighed anything, the rest is whose turn came after.
    """
    mine, steps = account.steps[: len(account.steps) - way.theirs], state.observed.steps
    (next_spot, stay), numbers = account.next_scale, {step.no for step in mine}
    for theirs in account.steps[len(mine) :]:
        steps = attributed(steps, theirs.no, next_spot, stay)
    piece = state.observed.piece
    mine_g = piece.mean_g * sum(change.pieces for k in way.shows for change in way.nodes[k].changes)
    mine_g = min(0.0, mine_g - sum(step.grams for step in mine if not goes_on(step, next_spot)))
    for step in mine:
        if goes_on(step, next_spot):
            steps = rest_of(steps, step, step.grams - mine_g, next_spot, stay)
            numbers.discard(step.no)
    return tuple(step for step in steps if step.no not in numbers)


def _going_on(
    means: Means[A, P],
    state: State[A, P],
    account: Account[A, P],
    path: tuple[Node[A, P], ...],
    early: Sequence[Cue[A]],
) -> tuple[Node[A, P], ...] | None:
    """Return a path with what was done after the turn; with what the next player did `early` in it, unless it is there.

    None when that cannot have been.
    """
    explainer, old, after = means.explainer_of(state), list(state.path), account.last + 1
    told: tuple[Node[A, P], ...] | None = path
    for cue in early:
        said = next((k for k in range(after, len(old)) if _says(means, state, account, old[k], cue)), 0)
        if said:
            old[said] = replace(old[said], cue=replace(old[said].cue or cue, accounted=cue.accounted))
        else:
            told = told and with_cue(means.game, told, cue)
    whole = told and explainer.going_on(told, tuple(old), after)
    return whole or explainer.going_on(path, tuple(old), after)


def _says(means: Means[A, P], state: State[A, P], account: Account[A, P], node: Node[A, P], early: Cue[A]) -> bool:
    """Return whether a node says what was done `early`: the same, or a draw before their own scale lost anything."""
    if node.cue is None or not node.said or node.action == early.action:
        return node.said
    if node.action is None or early.action is None or means.game.asker(node.action) != means.game.asker(early.action):
        return False
    own = (step for step in state.observed.steps if (step.spot, step.stay) == account.next_scale)
    first_us = min((step.t_us for step in own if step.grams < 0), default=state.observed.now_us)
    return takes_off(node) and 0 < node.cue.said_us <= first_us


def _early_cues(way: Telling[A, P], *, sensed: bool) -> tuple[Cue[A], ...]:
    """Return the cues for what the next player did; none where it shows on their scale, and nobody said it."""
    if sensed and not way.both:
        return ()
    return tuple(Cue(act, sensed=sensed, accounted=way.both, by_others=not sensed) for act in way.early)
