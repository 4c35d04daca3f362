"""Weighing: whether what actions do to a scale is what the scale showed.

A hand in the bag keeps its scale moving, so what one action takes is one step; only more than a handful may come in
several. Steps and changes come in the same order. Every way of pairing them has a cost, the cheapest counts.
"""

from collections.abc import Iterator

import msgspec

from citytable.table.layout import Layout
from citytable.table.spot import Spot
from citytable.umpire.matching import UNEXPLAINED
from citytable.umpire.observed import Step

HANDFUL = 3  # pieces that go into the bag at once
PIECE_MASS_MIN_G = 0.44  # the lightest piece of the house set
PIECE_MASS_MAX_G = 18.0  # the heaviest piece anybody reported, with room
STEP_ERROR_G = 0.25  # of a step on a 3 kg cell

# what is odd but contradicts nothing costs less than UNEXPLAINED
TAKEN_BACK = 1  # two steps of which the second undid the first: something was taken and put back
DOUBTFUL = 2  # a step so small, or across a silence, that it may be the scale's own: nobody can put it right
EXCHANGED = 8  # something was taken and something else put in its place, and no action does that
UNFELT = 5  # a single piece that should have moved the scale and did not: it may have been too light
DOUBTFUL_MAX_G = 1.2
SAME_G = 0.5  # two weighings of the same thing differ by less


class Change(msgspec.Struct, frozen=True):
    """What an action does to a scale: so many pieces more or fewer on this spot."""

    spot: Spot
    pieces: int


def changes(before: Layout, after: Layout, exchanged: tuple[Spot, ...] = ()) -> tuple[Change, ...]:
    """What the scales should show from one layout to the next; on `exchanged` one piece goes and another comes."""
    was = {scale.name: scale for scale in before.scales}
    found = [Change(spot, pieces) for spot in exchanged for pieces in (-1, 1)]
    for scale in after.scales:
        old = was.get(scale.name)
        if old is not None and old.pieces != scale.pieces:
            found.append(Change(old.spot, scale.pieces - old.pieces))
    return tuple(found)


def _explains(change: Change, grams: float) -> bool:
    pieces = abs(change.pieces)
    if (change.pieces > 0) != (grams > 0):
        return False
    return pieces * PIECE_MASS_MIN_G - STEP_ERROR_G <= abs(grams) <= pieces * PIECE_MASS_MAX_G


class _Pairing:
    """The cheapest pairing of the changes from `i` on with the steps from `j` on, each asked once."""

    def __init__(self, changes: list[Change], steps: list[Step], *, silent: bool) -> None:
        self._silent = silent
        self._changes = changes
        self._steps = steps
        self._known: dict[tuple[int, int], int] = {}

    def cost(self, i: int = 0, j: int = 0) -> int:
        """0 when they explain each other."""
        if (i, j) not in self._known:
            self._known[i, j] = min(self._ways(i, j), default=0)
        return self._known[i, j]

    def _ways(self, i: int, j: int) -> Iterator[int]:
        if i < len(self._changes):
            change = self._changes[i]
            unfelt = 0 if self._silent else UNFELT if abs(change.pieces) == 1 else UNEXPLAINED
            yield unfelt + self.cost(i + 1, j)
            yield from self._explained(i, j)
        if j < len(self._steps):
            grams = self._steps[j].grams
            doubtful = self._steps[j].bridged or abs(grams) < DOUBTFUL_MAX_G
            yield (DOUBTFUL if doubtful else UNEXPLAINED) + self.cost(i, j + 1)
            if j + 1 < len(self._steps) and grams < 0 < self._steps[j + 1].grams:
                same = abs(grams + self._steps[j + 1].grams) <= SAME_G
                yield (TAKEN_BACK if same else EXCHANGED) + self.cost(i, j + 2)

    def _explained(self, i: int, j: int) -> Iterator[int]:
        """The change is what one of the next steps shows, or several of them together."""
        change = self._changes[i]
        total_g = 0.0
        for end, step in enumerate(self._steps[j:], start=j + 1):
            if (step.grams > 0) != (change.pieces > 0) or (end > j + 1 and abs(change.pieces) <= HANDFUL):
                return
            total_g += step.grams
            if _explains(change, total_g):
                yield self.cost(i + 1, end)


def pairing_cost(changes: list[Change], steps: list[Step], *, silent: bool = False) -> int:
    """The cost of the cheapest pairing of all changes and steps of one scale; 0 when they explain each other.

    `silent`: the scale cannot have told of every change; what it told still needs an explanation.
    """
    return _Pairing(changes, steps, silent=silent).cost()


def unexplained_steps(
    expected: list[Change], steps: list[Step], spots: frozenset[Spot], silent: frozenset[Spot] = frozenset()
) -> dict[Spot, int]:
    """The cost of pairing changes and steps, by spot; scales on which all is explained are left out."""
    costs = {
        spot: pairing_cost(
            [change for change in expected if change.spot == spot],
            [step for step in steps if step.spot == spot],
            silent=spot in silent,
        )
        for spot in spots
    }
    return {spot: cost for spot, cost in costs.items() if cost}
