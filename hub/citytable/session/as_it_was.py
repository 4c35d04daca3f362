"""The weights to which the scales must return after an undo, from the journal of the game."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import TypeVar

from citytable.journal.entry import ActionConfirmed, Entry, FactNoted
from citytable.journal.replay import Played, as_done, standing
from citytable.table.fact import MassSettled, TagCame
from citytable.umpire.observed import Observed
from citytable.umpire.restoring import AsItWas

A = TypeVar("A")
P = TypeVar("P")


def as_it_was(entries: Sequence[Entry], replayed: Callable[[tuple[Entry, ...]], Played[A, P]]) -> AsItWas[P] | None:
    """Return the weights to which the scales must return if the last entry is an undo.

    None if it is not an undo, or if nobody can know.
    """
    done = as_done(entries, replayed)
    return None if done is None else AsItWas(done.position, _weighed_when_confirmed(entries))


def _weighed_when_confirmed(entries: Sequence[Entry]) -> dict[str, tuple[float, ...]]:
    """Return the weight of each thing when the last action that counts was confirmed.

    Actions are confirmed together, a turn at a time, and nobody recorded which step of a scale belonged to which. So if
    some of a group do not count, the answer is every weight of the thing since the previous confirmation. Inserted
    actions were on no scale.
    """
    last = next((entry for entry in reversed(standing(entries)) if isinstance(entry.body, ActionConfirmed)), None)
    if last is None or not isinstance(entries[last.seq - 1].body, ActionConfirmed):
        return {}
    observed = Observed()
    found: dict[str, list[float]] = {}
    for _, together in groupby(entries, key=lambda entry: entry.at_us):
        group = tuple(together)
        observed = _weighed(observed, group, found)
        confirmed = [entry for entry in group if isinstance(entry.body, ActionConfirmed)]
        if confirmed and confirmed[-1].seq <= last.seq:
            found = {thing: weights[-1:] for thing, weights in found.items()}
        if group[-1].seq >= last.seq:
            break
    return {thing: tuple(dict.fromkeys(weights)) for thing, weights in found.items()}


def _weighed(observed: Observed, group: Iterable[Entry], found: dict[str, list[float]]) -> Observed:
    """Return the table after a group of entries, and note in `found` the things whose weight the group changes."""
    for entry in group:
        if not isinstance(entry.body, FactNoted):
            continue
        fact = entry.body.fact
        observed = observed.took(fact)
        if not isinstance(fact, MassSettled | TagCame):
            continue
        for thing in observed.at(fact.spot):
            weight_g = observed.weighs_g(thing)
            if weight_g is not None and observed.weighed(fact.spot):
                found.setdefault(thing, []).append(weight_g)
    return observed
