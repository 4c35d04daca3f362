"""Facts that need no write of their own, and facts that wait for others to be written with them.

Committing one fact writes as much to the disk as committing an act. A moving load, or a drift of the zero of a bare
scale, waits for the next commit: no station forgets anything because of it, and after a restart the hub learns the load
from the scale's next report. Other facts without consequences wait for `TOGETHER_US`, because one act of a hand gives
several facts within that time. Until a fact is written, its station must not forget it. Facts are written in the order
and with the times in which they came.
"""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from citytable.journal.entry import Draft, FactNoted
from citytable.link.inbox import Marks, Received, high_water
from citytable.link.link import Batch
from citytable.table.fact import (
    HeightMeasured,
    MassMoving,
    MassSettled,
    PiecesCounted,
    TagCame,
    TagLeft,
    ZeroMoved,
)

MAX = 100
"""So many wait at most: overnight zeros wander, and nothing else happens."""
TOGETHER_US = 2_000_000
"""So long at most what sensors tell waits, by the hub's clock. Stations say again what nobody acknowledges after five
seconds."""


class Passing:
    """The waiting drafts, and the messages they came from."""

    def __init__(self) -> None:
        self._drafts: list[Draft] = []
        self._received: list[Received] = []
        self._until_us: int | None = None  # when it has to be written
        self._safe: list[Received] = []  # written and not acknowledged

    def __len__(self) -> int:
        return len(self._drafts)

    def hold(self, drafts: Sequence[Draft], batch: Batch) -> bool:
        """Return whether the drafts of a batch may wait, and keep them if so. In lock-step hardly anything waits."""
        if len(self._drafts) + len(drafts) > MAX or not all(_is_sensed(draft) for draft in drafts):
            return False
        if batch.high_water or not all(_passes(draft) for draft in drafts):
            if batch.tick is not None:
                return False
            self._until_us = self._until_us or batch.now_us + TOGETHER_US
        if self._until_us is not None and batch.now_us >= self._until_us:
            return False
        self._drafts += drafts
        if batch.high_water:  # nights are long, and of samples nothing is to be acknowledged
            self._received += batch.received
        return True

    def written_with(
        self, drafts: Iterable[Draft], received: Iterable[Received] = ()
    ) -> tuple[tuple[Draft, ...], Marks]:
        """Return everything to be written now, waiting drafts first, and how far each station was heard in them."""
        written = (*self._drafts, *drafts)
        heard = [*self._received, *received]
        self._safe += heard
        self._drafts, self._received, self._until_us = [], [], None
        return written, high_water(heard)

    def acknowledging(self, batch: Batch) -> Batch:
        """Return this batch with the messages whose effects have been written since the last one."""
        safe, self._safe = tuple(self._safe), []
        return replace(batch, received=safe)


def _passes(draft: Draft) -> bool:
    return isinstance(draft.body, FactNoted) and isinstance(draft.body.fact, MassMoving | ZeroMoved)


def _is_sensed(draft: Draft) -> bool:
    sensed = MassMoving | ZeroMoved | MassSettled | PiecesCounted | TagCame | TagLeft | HeightMeasured
    return isinstance(draft.body, FactNoted) and isinstance(draft.body.fact, sensed)
