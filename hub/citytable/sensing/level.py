"""Level: whether every scale of a table stands still and even, before a game, from a few seconds of its cells.

One answer for each spot, the first of these that is true:

    silent, stuck, saturated   a cell tells nothing, always the same, or the end of its range
    trembles                   all cells of the spot are restless, or it is restless as a third of the table is
    noisy                      one cell is restless and the others are not
    wobbles                    load goes to and fro between cells while their sum stands still
    drifts                     the load goes one way
    carries nothing            something lies on the plate, and one of its three cells does not feel it
    off level                  the bare plate lies on its cells otherwise than when they were calibrated
    rests                      none of these

Pure judgement. A restless cell scatters by more than 0.1 g for every kilogram of its capacity.
"""

from math import sqrt
from statistics import fmean, pstdev
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from citytable.sensing.cell import RAIL_HIGH, RAIL_LOW, STUCK_SAMPLES
from citytable.table.plan import CellPlan
from citytable.table.spot import Spot

NOISE_SHARE = 1e-4  # of a cell's capacity
TREMBLING_SHARE = 1 / 3  # of all spots that are judged
TREMBLING_SPOTS = 3
WOBBLE_G = 0.4  # between stretches of one cell
WOBBLE_SHARE = 1 / 3  # the sum moves by less than this share of what its cells move by
DRIFT_G_PER_MIN = 3.0
LADEN_G = 15.0
NOTHING_SHARE = 0.03
OFF_LEVEL_G = 2.0

Answer: TypeAlias = Literal[
    "silent", "stuck", "saturated", "trembles", "noisy", "wobbles", "drifts", "carries_nothing", "off_level", "rests"
]


class Stretch(NamedTuple):
    """A short stretch of one cell, up to a second, in counts; `t_us` by its station's own clock."""

    t_us: int
    n: int
    mean: float
    spread: float
    low: int
    high: int


class Listened(NamedTuple):
    """The measurements of a spot: for each of its cells the stretches, oldest first."""

    spot: Spot
    plans: tuple[CellPlan, ...]
    cells: tuple[tuple[Stretch, ...], ...]


class Level(msgspec.Struct, frozen=True):
    """The verdict on a spot. `cell` is the one that is meant; `grams` how much (a minute, for a drift)."""

    spot: Spot
    answer: Answer
    cell: int | None = None
    grams: float | None = None


def judged(table: tuple[Listened, ...]) -> tuple[Level, ...]:
    """Return an answer for every spot, in their order."""
    restless = [spot for spot in table if _is_heard(spot) and any(_restless(spot))]
    shaken = len(restless) >= max(TREMBLING_SPOTS, TREMBLING_SHARE * len(table))
    return tuple(_judge(spot, shaken=shaken) for spot in table)


def _judge(spot: Listened, *, shaken: bool) -> Level:
    for number, stretches in enumerate(spot.cells):
        if wrong := _fault(stretches):
            return Level(spot.spot, wrong, number)
    restless = _restless(spot)
    if any(restless):
        noises_g = [_noise_g(spot, number) for number in range(len(spot.plans))]
        worst = max(range(len(noises_g)), key=lambda number: noises_g[number])
        if shaken or (all(restless) and len(restless) > 1):
            return Level(spot.spot, "trembles", None, noises_g[worst])
        return Level(spot.spot, "noisy", worst, noises_g[worst])
    return _moves(spot) or _lies(spot) or Level(spot.spot, "rests")


def _is_heard(spot: Listened) -> bool:
    return not any(_fault(stretches) for stretches in spot.cells)


def _fault(stretches: tuple[Stretch, ...]) -> Answer | None:
    if not stretches:
        return "silent"
    low, high = min(one.low for one in stretches), max(one.high for one in stretches)
    if low <= RAIL_LOW or high >= RAIL_HIGH:
        return "saturated"
    return "stuck" if low == high and sum(one.n for one in stretches) >= STUCK_SAMPLES else None


def _noise_g(spot: Listened, number: int) -> float:
    """Return the scatter within stretches of a cell."""
    stretches = spot.cells[number]
    variance = sum(one.n * one.spread**2 for one in stretches) / sum(one.n for one in stretches)
    return sqrt(variance) / abs(spot.plans[number].counts_per_g)


def _restless(spot: Listened) -> list[bool]:
    return [_noise_g(spot, number) > NOISE_SHARE * plan.capacity_g for number, plan in enumerate(spot.plans)]


def _grams(plan: CellPlan, stretches: tuple[Stretch, ...]) -> list[float]:
    return [(one.mean - plan.zero_counts) / plan.counts_per_g for one in stretches]


def _moves(spot: Listened) -> Level | None:
    """Detect wobbling or drifting by the means of stretches."""
    cells_g = [_grams(plan, stretches) for plan, stretches in zip(spot.plans, spot.cells, strict=True)]
    sums_g = [sum(together) for together in zip(*cells_g, strict=False)]
    if len(sums_g) < 3:
        return None
    moves_g = [pstdev(grams) for grams in cells_g]
    worst = max(range(len(moves_g)), key=lambda number: moves_g[number])
    if len(cells_g) > 1 and moves_g[worst] > WOBBLE_G and pstdev(sums_g) < WOBBLE_SHARE * moves_g[worst]:
        return Level(spot.spot, "wobbles", worst, moves_g[worst])
    half = len(sums_g) // 2
    times_us = [one.t_us for one in spot.cells[0][: len(sums_g)]]
    minutes = (fmean(times_us[-half:]) - fmean(times_us[:half])) / 60e6
    a_minute_g = (fmean(sums_g[-half:]) - fmean(sums_g[:half])) / minutes if minutes > 0 else 0.0
    return Level(spot.spot, "drifts", None, a_minute_g) if abs(a_minute_g) > DRIFT_G_PER_MIN else None


def _lies(spot: Listened) -> Level | None:
    """Detect a load that three cells share wrongly."""
    if len(spot.plans) < 3:
        return None
    shares_g = [fmean(_grams(plan, stretches)) for plan, stretches in zip(spot.plans, spot.cells, strict=True)]
    total_g = sum(shares_g)
    least = min(range(len(shares_g)), key=lambda number: shares_g[number])
    if total_g > LADEN_G:
        nothing = shares_g[least] < NOTHING_SHARE * total_g
        return Level(spot.spot, "carries_nothing", least, shares_g[least]) if nothing else None
    off_g = max(abs(share_g - total_g / len(shares_g)) for share_g in shares_g)
    return Level(spot.spot, "off_level", least, off_g) if off_g > OFF_LEVEL_G else None
