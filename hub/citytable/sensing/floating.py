"""Floating inputs: detects an open input, even a quiet one that reads near a load, beside a load that shakes or goes.

Nobody drives such an input, so it jumps about at every conversion, with the same strength for as long as it hangs. A
load that shakes does so on every cell under the plate, and passes. So what a spot's cells did in the last moments is
compared: one that alone jolts hard and evenly floats. A cell that is the only one of its spot cannot be compared. It
floats when it jolts harder than a table that is struck, or when it reads less than nothing again and again where a
platform rested just now.

A bridge without its supply is quiet: it reads the converter's own nothing, raw counts around 0, from one conversion to
the next. No load leaps there and stays without ringing, and least of all on one cell alone; where 0 is about what an
empty cell reads, all of them together may be a platform that was lifted.
"""

from collections.abc import Sequence
from enum import Enum
from math import ceil
from typing import NamedTuple

from citytable.sensing.cell import Cell

SPAN_US = 360_000
JOLTS_MIN = 18  # of about 29 samples in that span: what jolts evenly
ALONE_G, ALONE = 350.0, 20.0  # jolts added up over the span; and so many times those of any other cell
QUIET_G = 20.0  # what another cell may jolt unnoticed, sample by sample too little to count
HARDEST_G, HARDEST = 3000.0, 30.0  # what a struck table, a slide, and a fall by its weight stay below
NEGATIVE_G, NEGATIVE = -5.0, 5  # so many reads below this, where something rested
SHORT_US, SHORT_MIN = 100_000, 4  # the same for a suspicion; one bad read makes three jolts
SHORT_G, SHORT, SHORT_QUIET_G, SHORT_NEGATIVE = 60.0, 12.0, 5.0, 2
UNFED_US = 250_000  # so long at raw 0
CALM_US, CALM_G = 50_000, 5.0  # what the others may jolt from so long before on, where one alone leaps to raw 0
RESTED_G = 15.0  # more than an empty plate's zero is ever off


class Doubt(Enum):
    """The verdict on a cell."""

    NONE = "none"
    SUSPECT = "suspect"
    FLOATS = "floats"


class _Unrest(NamedTuple):
    """The jolts of a cell within a span: how many, added up, and how many of them below nothing."""

    n: float
    sum_g: float
    negative: float


def search(cells: Sequence[Cell], t_us: int, rested_g: float | None, worth: float = 1.0) -> tuple[Doubt, int]:
    """Find the cell of a spot that floats, or else the first that may, with the verdict on it: see `doubt`."""
    found = Doubt.NONE, 0
    for index in range(len(cells)):
        one = doubt(cells, index, t_us, rested_g, worth)
        if one is Doubt.FLOATS:
            return one, index
        if found[0] is Doubt.NONE:
            found = one, index
    return found


def doubt(cells: Sequence[Cell], index: int, t_us: int, rested_g: float | None, worth: float = 1.0) -> Doubt:
    """Judge whether cell `index` of a spot floats, by what all its cells showed until `t_us`.

    `rested_g` is what the spot rested at last, all that is on its plate together. One jolt counts for `worth` of them:
    a slow converter makes fewer.
    """
    since_us = cells[index].unfed_us
    if since_us is not None and _is_unfed(cells, index, since_us, t_us):
        return Doubt.FLOATS if t_us - since_us >= UNFED_US else Doubt.SUSPECT
    jolts = cells[index].jolts
    few = ceil(SHORT_MIN / worth)
    if len(jolts) < few or jolts[-few][0] <= t_us - SHORT_US:
        return Doubt.NONE
    if len(cells) == 1:
        return _only(cells[0], t_us, rested_g, worth)
    others = [cell for other, cell in enumerate(cells) if other != index]
    n, sum_g, _ = _unrest(cells[index], t_us, SHORT_US, worth)
    hardest_g = _hardest_g(others, t_us, SHORT_US, worth)
    if n < SHORT_MIN or sum_g < SHORT_G or sum_g < SHORT * (hardest_g + SHORT_QUIET_G):
        return Doubt.NONE
    n, sum_g, _ = _unrest(cells[index], t_us, SPAN_US, worth)
    alone = sum_g > max(ALONE_G, ALONE * (_hardest_g(others, t_us, SPAN_US, worth) + QUIET_G))
    return Doubt.FLOATS if n >= JOLTS_MIN and alone else Doubt.SUSPECT


def _is_unfed(cells: Sequence[Cell], index: int, since_us: int, t_us: int) -> bool:
    """Report whether raw 0, where cell `index` has been since then, is no load."""
    others = [cell for other, cell in enumerate(cells) if other != index and not cell.fault]
    if all(cell.unfed_us is not None for cell in others):
        return any(not NEGATIVE_G <= cell.grams_of(0) <= RESTED_G for cell in cells)
    return _hardest_g(others, t_us, t_us - since_us + CALM_US, 1.0) <= CALM_G


def _only(cell: Cell, t_us: int, rested_g: float | None, worth: float) -> Doubt:
    rested_g = rested_g or 0.0
    short, long = _unrest(cell, t_us, SHORT_US, worth), _unrest(cell, t_us, SPAN_US, worth)
    if long.n >= JOLTS_MIN and long.sum_g > max(HARDEST_G, HARDEST * rested_g):
        return Doubt.FLOATS
    if rested_g < RESTED_G or short.negative < SHORT_NEGATIVE or short.sum_g < SHORT_G:
        return Doubt.NONE
    floats = long.n >= JOLTS_MIN and long.sum_g > ALONE_G and long.negative >= NEGATIVE
    return Doubt.FLOATS if floats else Doubt.SUSPECT


def _hardest_g(cells: Sequence[Cell], t_us: int, span_us: int, worth: float) -> float:
    return max(_unrest(cell, t_us, span_us, worth).sum_g for cell in cells)


def _unrest(cell: Cell, t_us: int, span_us: int, worth: float) -> _Unrest:
    n, sum_g, negative = 0, 0.0, 0
    for at_us, size_g, grams in reversed(cell.jolts):
        if at_us <= t_us - span_us:
            break
        if at_us <= t_us:
            n += 1
            sum_g += size_g
            negative += grams < NEGATIVE_G
    return _Unrest(n * worth, sum_g * worth, negative * worth)
