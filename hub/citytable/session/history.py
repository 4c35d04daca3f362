"""The history of one game: its entries so far, and what can be computed from them."""

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
    """Entries of one game, oldest first; `replay` returns the game that they make. What they make is computed once."""

    entries: Sequence[Entry]
    replay: Replay[A, P]

    @cached_property
    def played(self) -> Played[A, P]:
        """The game after the last entry; raises `Unreplayable`."""
        return self.replay(tuple(self.entries))

    @cached_property
    def stands(self) -> tuple[Entry, ...]:
        """The actions, and the end of the game, that stand after every correction; raises `Unreplayable`."""
        return standing(self.entries)

    def scales(self) -> AsItWas[P] | None:
        """Return what the last entry, if it is an undo, puts the scales back to."""
        return as_it_was(self.entries, self._replayed)

    def reported_before(self) -> tuple[Report, ...]:
        """Return what people had reported, and was not confirmed yet, before the correction that the last entry undoes.

        Nothing where the last entry undoes actions, or is no undo.
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
        """Return what the bag should weigh with all pieces in it, by the weighings of this game."""
        return bag_of(tuple(self.entries), game, self.replay)

    @property
    def is_over(self) -> bool:
        """True when the end of the game was written and stands."""
        return any(isinstance(entry.body, GameEnded) for entry in self.stands)

    def _replayed(self, entries: tuple[Entry, ...]) -> Played[A, P]:
        """Return the game that other entries make, or these."""
        return self.played if entries == tuple(self.entries) else self.replay(entries)
