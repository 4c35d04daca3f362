"""Putting right: how many taps lead from a wrong confirmation back to what was done, by the ways that the pages offer.

The first tap opens an act of the record, the second takes one of the ways that are shown with it. Counted are the wrong
confirmations of an evening, and one that is put into the record of each evening that went well.
"""

import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from citytable.evenings.performance import Done
from citytable.evenings.umpire_door import UmpireDoor

SHOWN = 6
"""So many ways a page shows with an act; one more tap shows the rest."""
TAPS, TAPS_WITH_MORE = 2, 3
EDITS_MAX = 4
SPOILING_TRIES = 8


class Turn(NamedTuple):
    """The acts of one turn in a record, with all acts before and since; `true` is what was done in that turn."""

    before: tuple[Any, ...]
    acts: tuple[Any, ...]
    since: tuple[Any, ...]
    true: tuple[Done, ...]


class _Edit(NamedTuple):
    wrong: int
    taps: int
    turn: Turn


def taps_to_truth(door: UmpireDoor, turn: Turn, fits: Callable[[Any, Done], bool]) -> int | None:
    """Return the taps after which the acts of a turn are the true ones.

    Each edit takes the way that leaves least to correct. None: no such ways lead there, and somebody has to fill in a
    form.
    """
    taps = 0
    for _ in range(EDITS_MAX):
        left = wrong_in(turn, fits)
        if not left:
            return taps
        edits = (_Edit(wrong_in(after, fits), cost, after) for cost, after in _edits(door, turn))
        best = min(edits, default=None, key=lambda edit: edit[:2])
        if best is None or best.wrong >= left:
            return None
        taps, turn = taps + best.taps, best.turn
    return None if wrong_in(turn, fits) else taps


def wrong_in(turn: Turn, fits: Callable[[Any, Done], bool]) -> int:
    """Return how many of the acts nobody did, or how many are missing, whichever is more."""
    left, spare = list(turn.true), 0
    for act in turn.acts:
        one = next((one for one in left if fits(act, one)), None)
        if one is None:
            spare += 1
        else:
            left.remove(one)
    return max(spare, len(left))


def _edits(door: UmpireDoor, turn: Turn) -> Iterator[tuple[int, Turn]]:
    """Yield the turn after each possible edit, with the taps that the edit takes."""
    for k, act in enumerate(turn.acts):
        before, after = turn.acts[:k], turn.acts[k + 1 :]
        ways = door.otherwise((*turn.before, *before), act, (*after, *turn.since))
        for rank, way in enumerate(ways):
            edited = (*before, *way.instead_of(act), *after)
            yield TAPS if rank < SHOWN else TAPS_WITH_MORE, turn._replace(acts=edited)


def spoilt(door: UmpireDoor, turn: Turn, rng: random.Random) -> Turn:
    """Return a turn in which one act is missing, replaced or invented; its end stays.

    The rules allow the rest, since nothing else is ever confirmed; a turn that cannot be spoilt is returned as it is.
    """
    for _ in range(SPOILING_TRIES):
        acts = _spoilt_acts(door, turn, rng)
        if door.allows((*turn.before, *acts)):
            return turn._replace(acts=acts)
    return turn


def _spoilt_acts(door: UmpireDoor, turn: Turn, rng: random.Random) -> tuple[Any, ...]:
    k = rng.randrange(len(turn.acts))
    before, act, after = turn.acts[:k], turn.acts[k], turn.acts[k + 1 :]
    others = door.possible((*turn.before, *before))
    other = rng.choice([one for one in others if one != act] or [act])
    if k == len(turn.acts) - 1:
        return (*before, other, act)
    what = rng.choice(((), (other,), (other, act)))
    return (*before, *what, *after)
