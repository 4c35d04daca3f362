"""The weights of the bag in a game, from its journal: they show what it should weigh with every piece in it.

The number of pieces at each weighing is the one known now, with later corrections.
"""

from collections.abc import Callable, Iterable
from itertools import groupby, starmap
from typing import TypeVar

from citytable.journal.entry import ActionConfirmed, Entry, FactNoted
from citytable.journal.replay import Played, as_done
from citytable.table.word import Undo
from citytable.umpire.clearing import BagWeighed, FullBag, cradle, full_bag
from citytable.umpire.observed import Observed
from citytable.umpire.whole_game import WholeGame

A = TypeVar("A")
P = TypeVar("P")


def _at_rest(entries: Iterable[Entry]) -> list[tuple[int, float]]:
    """Return the confirmations at rest: the number of the last entry, and the weight of the bag then."""
    observed, found = Observed(), []
    for _, together in groupby(entries, key=lambda entry: entry.at_us):
        group = tuple(together)
        for entry in group:
            if isinstance(entry.body, FactNoted):
                observed = observed.took(entry.body.fact)
        spot = cradle(observed)
        if spot is not None and any(isinstance(entry.body, ActionConfirmed) for entry in group):
            found.append((group[-1].seq, observed.mass_g[spot]))
    return found


def bag_of(
    entries: tuple[Entry, ...],
    game: WholeGame[A, P],
    replayed: Callable[[tuple[Entry, ...]], Played[A, P]],
) -> FullBag | None:
    """Return the full bag by the first and the last weighing of the game; None if it was weighed too seldom.

    Its contents before a position was set are unknown, so only later weighings count then.
    """
    found = _at_rest(entries)

    def weighed(seq: int, mass_g: float) -> BagWeighed | None:
        then = Undo(to=seq, by="", why="")  # as if that were taken back
        done = as_done((*entries, Entry(len(entries) + 1, entries[-1].at_us, "system", then)), replayed)
        scales = () if done is None else game.layout(done.position).scales
        pieces = next((scale.pieces for scale in scales if scale.spot.endswith("/bag")), None)
        return None if pieces is None else BagWeighed(pieces, mass_g)

    first = next((one for one in starmap(weighed, found) if one is not None), None)
    last = next((one for one in starmap(weighed, reversed(found)) if one is not None), None)
    return None if first is None or last is None else full_bag(first, last, game.all_pieces())
