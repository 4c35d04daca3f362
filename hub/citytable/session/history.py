"""The history of one game: its entries so far, and results computed from them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeAlias, TypeVar

from citytable.journal.entry import ActionConfirmed, Entry, FactNoted, GameEnded
from citytable.journal.replay import Played, standing
from citytable.session.as_it_was import as_it_was
from citytable.session.bag_weighings import bag_of
from citytable.table.word import Answer, Approval, Correction, Denial, PositionSet, Ruling, Statement, Undo
from citytable.umpire.clearing import FullBag
from citytable.umpire.restoring import AsItWas
from citytable.umpire.whole_game import WholeGame

A = TypeVar("A")
P = TypeVar("P")

Report: TypeAlias = Statement | Answer | Approval | Denial | Ruling
Replay: TypeAlias = Callable[[tuple[Entry, ...]], Played[A, P]]
"""Returns the game that entries make; raises `Unreplayable`."""


@dataclass(frozen=True)
class History(Generic[A, P]):
    """Entries of one game, oldest first; `replay` returns the game that they make. Results are computed once."""

    entries: Sequence[Entry]
    replay: Replay[A, P]

    @cached_property
    def played(self) -> Played[A, P]:
        """Return the game after the last entry; raises `Unreplayable`."""
        return self.replay(tuple(self.entries))

    @cached_property
    def stands(self) -> tuple[Entry, ...]:
        """Return the actions, and the end of the game, that count after all corrections; raises `Unreplayable`."""
        return standing(self.entries)

    def scales(self) -> AsItWas[P] | None:
        """Return the weights to which the scales must return if the last entry is an undo."""
        return as_it_was(self.entries, self._replayed)

    def reported_before(self) -> tuple[Report, ...]:
        """Return the unconfirmed reports from before the correction that the last entry undoes.

        Empty if the last entry undoes actions, or is not an undo.
        """
        undo = self.entries[-1].body if self.entries else None
        if not isinstance(undo, Undo):
            return ()
        after = (entry.body for entry in self.entries if entry.seq > undo.to)
        if not isinstance(next((body for body in after if not isinstance(body, FactNoted)), None), Correction):
            return ()
        words: list[Report] = []
        for entry in self.entries:
            if entry.seq <= undo.to and isinstance(entry.body, ActionConfirmed | Undo | PositionSet):
                words.clear()
            elif entry.seq <= undo.to and isinstance(entry.body, Report):
                words.append(entry.body)
        return tuple(words)

    def full_bag(self, game: WholeGame[A, P]) -> FullBag | None:
        """Return the weight of the bag with all pieces in it, by the weighings of this game."""
        return bag_of(tuple(self.entries), game, self.replay)

    @property
    def is_over(self) -> bool:
        """Return whether the end of the game was written and counts."""
        return any(isinstance(entry.body, GameEnded) for entry in self.stands)

    def _replayed(self, entries: tuple[Entry, ...]) -> Played[A, P]:
        """Return the game that other entries make, or these."""
        return self.played if entries == tuple(self.entries) else self.replay(entries)
