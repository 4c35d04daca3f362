"""Collapses: the falls that the umpire confirmed, as they happen. Falls that people only insert do not count."""

from collections.abc import Iterable
from typing import Generic, TypeVar

from citytable.journal.entry import ActionConfirmed, Entry
from citytable.session.play import Play
from citytable.table.spot import Spot
from citytable.umpire.acts import Confirmed
from citytable.umpire.whole_game import WholeGame
from citytable.views.collapse import Cause, Collapse

A = TypeVar("A")
P = TypeVar("P")


def fell_at(game: WholeGame[A, P], action: A) -> Spot | None:
    """Return where something fell by this action, or None.

    It is an accident, or a decision that needs a spot and ended without one.
    """
    accident = game.accident_at(action)
    missed = game.spots_of(game.decision(action)) - game.spots_of(action)
    return accident if accident is not None else min(missed, default=None)


class Collapses(Generic[A, P]):
    """The collapses of one play. `now` is the fall that was confirmed last; None after anything else."""

    def __init__(self, play: Play[A, P]) -> None:
        self._play = play
        self.now: Collapse | None = None

    def forget(self) -> None:
        """Forget the fall after a correction."""
        self.now = None

    def take(self, entries: Iterable[Entry], confirmed: Iterable[Confirmed[A, P]], before: P) -> None:
        """Take the actions that were confirmed in the position `before`, and written among these entries."""
        written = [entry.seq for entry in entries if isinstance(entry.body, ActionConfirmed)]
        last = None
        for no, one in zip(written, confirmed, strict=True):
            spot = fell_at(self._play.game, one.action)
            if spot is not None:
                last = self._collapse(no, spot, one.action, before)
            before = one.position
        if written:
            self.now = last

    def _collapse(self, no: int, spot: Spot, action: A, before: P) -> Collapse:
        game = self._play.game
        delivered = game.accident_at(action) is None
        stood = game.supposed(before, game.decision(action)) if delivered else before
        felt = self._play.senses.fall(spot)
        cause: Cause = "delivery" if delivered else "knock" if felt is not None and felt[1] else "unknown"
        scene = game.scene(stood, stood, tuple(self._play.actions), self._play.start)
        return Collapse(no=no, spot=spot, cause=cause, before=scene, load=None if felt is None else felt[0])
