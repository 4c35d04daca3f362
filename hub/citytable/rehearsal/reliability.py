"""Reliability: counts, per bin of shown confidence, how many acts of a rehearsal were confirmed and how many dissolved.

An act is counted once in every bin in which it was shown. The counts show how far the confidence can be trusted.
"""

from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from citytable.views.state import View

EDGES = (0.0, 0.5, 0.7, 0.9, 0.95, 1.0)


class ReliabilityBin(msgspec.Struct, frozen=True):
    """The acts shown with a confidence from `low` up to the next bin's `low`."""

    low: float
    confirmed: int
    dissolved: int


def _low(confidence: float) -> float:
    return max(edge for edge in EDGES[:-1] if confidence >= edge)


class Reliability:
    """Counts the acts in every view it is shown; `confirmed` returns the actions that are confirmed so far.

    `settled` returns the part of an act's notation that does not change while its outcome becomes known.
    """

    def __init__(self, confirmed: Callable[[], Sequence[object]], settled: Callable[[str], str] = str) -> None:
        self._confirmed = confirmed
        self._settled = settled
        self._known = 0
        self._shown: dict[str, set[float]] = {}  # acts under way, and the bins in which each was shown
        self._counted: Counter[tuple[float, bool]] = Counter()

    def show(self, view: View) -> None:
        """Take a view that was shown."""
        confirmed = self._confirmed()
        fresh, self._known = [str(action) for action in confirmed[self._known :]], len(confirmed)
        now = {self._settled(one.action): one.confidence for one in view.provisional}
        for key in self._shown.keys() - now.keys():
            happened = any(text.startswith(key) for text in fresh)
            self._counted.update((low, happened) for low in self._shown.pop(key))
        for key, confidence in now.items():
            self._shown.setdefault(key, set()).add(_low(confidence))

    def counted(self) -> tuple[ReliabilityBin, ...]:
        """Return the bins in ascending order."""
        return tuple(ReliabilityBin(low, self._counted[low, True], self._counted[low, False]) for low in EDGES[:-1])
