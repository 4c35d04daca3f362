"""Bands: how many of the acts that a rehearsal showed with so much confidence became confirmed, and how many dissolved.

One act is counted once in every band in which it was shown. Confidence is worth what these figures say it is.
"""

from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from citytable.views.state import View

EDGES = (0.0, 0.5, 0.7, 0.9, 0.95, 1.0)


class Band(msgspec.Struct, frozen=True):
    """Acts shown with a confidence from `low` up to the next band's."""

    low: float
    confirmed: int
    dissolved: int


def _low(confidence: float) -> float:
    return max(edge for edge in EDGES[:-1] if confidence >= edge)


class Bands:
    """Show it every view; `confirmed` gives the actions that are confirmed so far.

    `settled` gives as much of an act in notation as does not change while it comes to light.
    """

    def __init__(self, confirmed: Callable[[], Sequence[object]], settled: Callable[[str], str] = str) -> None:
        self._confirmed = confirmed
        self._settled = settled
        self._known = 0
        self._shown: dict[str, set[float]] = {}  # what is under way, and the bands in which it was shown
        self._counted: Counter[tuple[float, bool]] = Counter()

    def show(self, view: View) -> None:
        """Take a view that was shown."""
        told = self._confirmed()
        fresh, self._known = [str(action) for action in told[self._known :]], len(told)
        now = {self._settled(one.action): one.confidence for one in view.provisional}
        for key in self._shown.keys() - now.keys():
            happened = any(text.startswith(key) for text in fresh)
            self._counted.update((low, happened) for low in self._shown.pop(key))
        for key, confidence in now.items():
            self._shown.setdefault(key, set()).add(_low(confidence))

    def counted(self) -> tuple[Band, ...]:
        """Return what became of what was shown."""
        return tuple(Band(low, self._counted[low, True], self._counted[low, False]) for low in EDGES[:-1])
