"""Too soon: a statement that the rules forbid only because the umpire does not understand the player's turn yet.

For example, a monument needs its delivery, and the umpire is still asking where that stands. The statement waits until
the story explains the table again. Then it becomes an act of its player's turn, if the rules allow it there. If the
next player draws while the bag is on its way to them, their statement waits until their turn has come. The player who
has just passed the bag may first report what they did after their delivery, and then the delivery.

While a statement waits, a fall waits with it, because the stated act may have brought what fell. A statement belongs to
a turn that had begun by then, or began soon after it, however long people are asked about that turn; after that it is
forgotten.
"""

from typing import TypeVar

from msgspec.structs import replace

from citytable.umpire.believing import believed, believed_at
from citytable.umpire.late import LATE_WORD_US, agrees, is_meant
from citytable.umpire.means import Means
from citytable.umpire.node import Cue, turn_ends
from citytable.umpire.state import State
from citytable.umpire.staying import passed_us
from citytable.umpire.story import filled_in

A = TypeVar("A")
P = TypeVar("P")

SOON_US = 60_000_000


def kept(means: Means[A, P], state: State[A, P], action: A) -> State[A, P] | None:
    """Keep a statement of the player at turn until the table is understood; None if it is, or if nothing is missing.

    It also keeps a statement of the next player while the bag is on its way to them, and of the player who has just
    passed it, even if only a tile that came up in their turn is not known yet: they may name what they took. If a
    statement is refused because of what is on the table, and not because of the position, it stays refused.
    """
    last = state.path[-1].position
    lacks = not state.best.complete and any(found.missing for found in state.best.match.differing)
    is_theirs = means.game.asker(action) == means.game.seat(last) and action != means.game.passing(last)
    is_before = _is_of_the_one_before(means, state, action)
    if state.restoring or not (lacks or (is_before and state.still_open)):
        return None
    is_theirs |= bool(state.too_soon) and means.game.accident_at(action) is not None
    if not is_theirs and not _is_of_the_next(means, state, action) and not is_before:
        return None
    if means.foresight.told(last, action, accepted=False) is not None:
        return None
    return replace(state, too_soon=(*state.too_soon, Cue(action, said_us=state.observed.now_us)))


def _is_of_the_one_before(means: Means[A, P], state: State[A, P], action: A) -> bool:
    """Return whether a player whose turn has just passed reports what they did in it."""
    game, path = means.game, state.path
    end = max(turn_ends(game, path), default=0)
    before = path[end - 1].position if end else None
    if before is None or game.asker(action) != game.seat(before) or action == game.passing(before):
        return False
    over_us = passed_us(game, path, end, state.observed)
    return over_us > 0 and state.observed.now_us - over_us <= LATE_WORD_US


def _is_of_the_next(means: Means[A, P], state: State[A, P], action: A) -> bool:
    """Return whether the next player reports an act of their turn while the bag is on its way to them."""
    game, last = means.game, state.path[-1]
    passing = game.passing(last.position)
    way = None if passing is None else means.foresight.told(last.position, passing, accepted=True)
    if way is None or game.asker(action) != game.seat(way.position) or action == game.passing(way.position):
        return False
    passed = frozenset[str]().union(*(one.came for one in means.foresight.moved(last.layout, way.layout)))
    in_a_hand = {thing for found in state.best.match.differing for thing in found.missing}
    return not passed.isdisjoint(in_a_hand) and means.foresight.told(way.position, action, accepted=False) is not None


def told_at_last(means: Means[A, P], state: State[A, P]) -> State[A, P]:
    """Return the state with the statements that came too soon, as far as their turns are understood by now."""
    waiting = tuple(cue for cue in state.too_soon if state.observed.turn_us - cue.said_us < SOON_US)
    for cue in waiting:
        told = believed(means, state, cue) if _has_come(means, state, cue) else None
        if told is None and state.best.complete:
            is_fall = means.game.accident_at(cue.action) is not None
            told = _at_its_place(means, state, cue) if is_fall else _in_its_turn(means, state, cue)
        elif told is None:
            told = _explaining_more(means, state, cue)
        if told is not None:
            rest = tuple(one for one in waiting if one != cue)
            return told_at_last(means, replace(told, best=means.seen(told), too_soon=rest))
    return replace(state, too_soon=waiting)


def _has_come(means: Means[A, P], state: State[A, P], cue: Cue[A]) -> bool:
    """Return whether the turn of a player who made a statement has just begun, and they may have acted there."""
    path, player = state.path, means.game.asker(cue.action)
    begins = max(turn_ends(means.game, path), default=0)
    if not begins or begins != len(path) - 1 or means.game.seat(path[-1].position) != player:
        return False
    if passed_us(means.game, path, begins, state.observed) - cue.said_us >= SOON_US:
        return False
    return means.foresight.told(path[-1].position, cue.action, accepted=False) is not None


def _at_its_place(means: Means[A, P], state: State[A, P], cue: Cue[A]) -> State[A, P] | None:
    """Return the state with a fall in the turn in which people reported it, or as soon after that as possible."""
    ends = turn_ends(means.game, state.path)
    begins = (k for k in ends if 0 < passed_us(means.game, state.path, k, state.observed) <= cue.said_us)
    first, last = max(begins, default=0) + 1, len(state.path)
    told = (believed_at(means, state, cue, k) for k in range(first, last))
    return next((one for one in told if one is not None), None) or believed(means, state, cue)


def _in_its_turn(means: Means[A, P], state: State[A, P], cue: Cue[A]) -> State[A, P] | None:
    """Return the state with a statement as an act in a turn of its player, the last possible one; None if none is.

    It may be an act that was inferred there meanwhile.
    """
    path, player, ends = state.path, means.game.asker(cue.action), turn_ends(means.game, state.path)
    late = [k for k in ends if passed_us(means.game, path, k, state.observed) - cue.said_us >= SOON_US]
    for k in range(min(late, default=len(path)), 0, -1):
        if means.game.seat(path[k - 1].position) != player:
            continue
        if k < len(path) and not path[k].cued and is_meant(means, state, k, cue):
            return replace(state, story=filled_in(state.story, k, cue, means.explaining(state)), changed=True)
        told = believed(means, state, cue) if k == len(path) else believed_at(means, state, cue, k)
        is_over = k < len(path)  # what was taken in it may lie in a lap
        if told is not None and (means.seen(told).complete or (is_over and agrees(means, state, told.story))):
            return told
    return None


def _explaining_more(means: Means[A, P], state: State[A, P], cue: Cue[A]) -> State[A, P] | None:
    """Return the state with a statement in place of inferred acts; None if it explains no more of the table.

    For example, somebody had turned a platform over to look at it before its player delivered it. The look was taken
    for a rezoning, which made the delivery impossible.
    """
    told = believed(means, state, cue)
    return told if told is not None and means.seen(told).mismatch < state.best.mismatch else None
