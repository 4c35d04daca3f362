"""Too soon: what a player says that the rules forbid only because the umpire does not understand their turn yet.

A monument needs its delivery, and where that stands is still being asked. The word waits until the story explains the
table again, and is an act of its player's turn then, if the rules allow it there. The next player draws while the bag
is on its way to them: the word waits until their turn has come. The player who has just passed it on says first what
they did after their delivery, and then the delivery. While such a word waits, a fall waits with it: what it brings may
be what fell. It is of a turn that had begun by then, or began soon after it, however long people are asked about that;
later a word is forgotten.
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
    """Keep a word of the player whose turn it is, until the table is understood; None where it is, or lacks nothing.

    So is a word of the next player while the bag is on its way to them, and of the one who has just passed it on, also
    where only what came up in their turn is not known yet: they may name what they took of it.
    What is refused for what lies there, and not by the position, is refused whatever becomes of that.
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
    """Return whether a player whose turn has just passed says what they did in it."""
    game, path = means.game, state.path
    end = max(turn_ends(game, path), default=0)
    before = path[end - 1].position if end else None
    if before is None or game.asker(action) != game.seat(before) or action == game.passing(before):
        return False
    over_us = passed_us(game, path, end, state.observed)
    return over_us > 0 and state.observed.now_us - over_us <= LATE_WORD_US


def _is_of_the_next(means: Means[A, P], state: State[A, P], action: A) -> bool:
    """Return whether the next player says what they may do in their turn, while the bag is on its way to them."""
    game, last = means.game, state.path[-1]
    passing = game.passing(last.position)
    way = None if passing is None else means.foresight.told(last.position, passing, accepted=True)
    if way is None or game.asker(action) != game.seat(way.position) or action == game.passing(way.position):
        return False
    passed = frozenset[str]().union(*(one.came for one in means.foresight.moved(last.layout, way.layout)))
    in_a_hand = {thing for found in state.best.match.differing for thing in found.missing}
    return not passed.isdisjoint(in_a_hand) and means.foresight.told(way.position, action, accepted=False) is not None


def told_at_last(means: Means[A, P], state: State[A, P]) -> State[A, P]:
    """Return the state with what was said too soon, as far as its turn is understood by now."""
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
    """Return whether the turn of a player who said what they did has just begun, and they may have done it there."""
    path, player = state.path, means.game.asker(cue.action)
    begins = max(turn_ends(means.game, path), default=0)
    if not begins or begins != len(path) - 1 or means.game.seat(path[-1].position) != player:
        return False
    if passed_us(means.game, path, begins, state.observed) - cue.said_us >= SOON_US:
        return False
    return means.foresight.told(path[-1].position, cue.action, accepted=False) is not None


def _at_its_place(means: Means[A, P], state: State[A, P], cue: Cue[A]) -> State[A, P] | None:
    """Return the state with a fall in the turn in which people reported it, or as early after that as it can be."""
    ends = turn_ends(means.game, state.path)
    begins = (k for k in ends if 0 < passed_us(means.game, state.path, k, state.observed) <= cue.said_us)
    first, last = max(begins, default=0) + 1, len(state.path)
    told = (believed_at(means, state, cue, k) for k in range(first, last))
    return next((one for one in told if one is not None), None) or believed(means, state, cue)


def _in_its_turn(means: Means[A, P], state: State[A, P], cue: Cue[A]) -> State[A, P] | None:
    """Return the state with a word as an act of a turn of its player, the last that it can be; None where it is none.

    It may be what was inferred there meanwhile.
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
    """Return the state with a word in place of what was inferred; None if it explains no more of the table.

    They delivered a platform that somebody had turned over to look at: it was taken for rezoned, and the delivery for
    impossible.
    """
    told = believed(means, state, cue)
    return told if told is not None and means.seen(told).mismatch < state.best.mismatch else None
