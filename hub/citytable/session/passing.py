"""Facts that need no write of their own: that a load moves, and how far the zero of a bare scale has wandered.

A commit of one such fact would write as much to the medium as one of an act, and nothing is lost with it: no station
forgets anything by it, and a hub that comes back knows a load again when its scale has told it. So they wait for the
next commit, and are written in it as they came.
"""

from citytable.journal.entry import Draft, FactNoted
from citytable.table.fact import MassMoving, ZeroMoved

MAX = 100
"""So many wait at most: overnight zeros wander, and nothing else happens."""


class Passing:
    """The drafts that wait."""

    def __init__(self) -> None:
        self._drafts: list[Draft] = []

    def __len__(self) -> int:
        return len(self._drafts)

    def hold(self, drafts: list[Draft]) -> bool:
        """Return whether these may wait, and keep them if so."""
        if len(self._drafts) + len(drafts) > MAX or not all(_passes(draft) for draft in drafts):
            return False
        self._drafts += drafts
        return True

    def take(self) -> tuple[Draft, ...]:
        """Return what waits, the oldest first; it waits no longer."""
        drafts, self._drafts = tuple(self._drafts), []
        return drafts


def _passes(draft: Draft) -> bool:
    return isinstance(draft.body, FactNoted) and isinstance(draft.body.fact, MassMoving | ZeroMoved)
