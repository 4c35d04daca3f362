"""What the bag weighed in a game, from its journal: so it is known what it should weigh with every piece in it."""

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import TypeVar

from citytable.journal.entry import ActionConfirmed, Entry, FactNoted
from citytable.journal.replay import Played, Unreplayable
from citytable.umpire.clearing import BagWeighed, FullBag, cradle, full_bag
from citytable.umpire.observed import Observed
from citytable.umpire.table_game import TableGame

A = TypeVar("A")
P = TypeVar("P")


def _at_rest(entries: Iterable[Entry]) -> list[tuple[int, float]]:
    """Where actions were confirmed: the number of the last entry, and what the bag then weighed at rest."""
    observed, found = Observed(), []
    for _, together in groupby(entries, key=lambda entry: entry.at_us):
        group = tuple(together)
        for entry in group:
            if isinstance(entry.body, FactNoted):
                observed.take(entry.body.fact)
        spot = cradle(observed)
        if spot is not None and any(isinstance(entry.body, ActionConfirmed) for entry in group):
            found.append((group[-1].seq, observed.mass_g[spot]))
    return found


def bag_of(
    entries: tuple[Entry, ...],
    game: TableGame[A, P],
    replayed: Callable[[tuple[Entry, ...]], Played[A, P]],
) -> FullBag | None:
    """The full bag by the first and the last weighing of the game; None when it was weighed too seldom."""
    found = _at_rest(entries)
    if len(found) < 2:
        return None

    def weighed(seq: int, mass_g: float) -> BagWeighed | None:
        try:
            position = replayed(tuple(entry for entry in entries if entry.seq <= seq)).position
        except Unreplayable:  # a correction that came later mends what stood here then
            return None
        pieces = next((scale.pieces for scale in game.layout(position).scales if scale.spot.endswith("/bag")), None)
        return None if pieces is None else BagWeighed(pieces, mass_g)

    first, last = weighed(*found[0]), weighed(*found[-1])
    return None if first is None or last is None else full_bag(first, last, game.all_pieces())
