"""Calibration: counts per gram and the zero of the cells under a spot, from three rests.

Empty, with a known weight in the middle, and empty again. Pure judgement: what cannot be true is refused, with the next
thing to do. The cells of one spot get the same counts per gram, as cells of one make have within a few per cent: one
weight in the middle says what they weigh together, and that is what the table uses.
"""

from typing import NamedTuple

from citytable.table.plan import CellPlan

RAIL = (1 << 23) - 1
RAIL_MARGIN = 20_000
FULL_COUNTS = (200_000, 8_000_000)
"""What a cell at its capacity gives on an HX711's gain of 128: 0.1 to 4 mV/V, all bar cells that can be bought."""
LIGHTEST_SHARE = 0.05
"""Of what the cells can carry together: a lighter weight says too little."""
NOISE_SHARE = 0.002
"""Of the weight: more noise at rest says too little."""
DRIFT_SHARE = 0.01
UNEQUAL_SHARE = 0.4
"""Of its fair share that a cell may carry more or less."""
CHANGE_COUNTS = 2_000


class Nonsense(ValueError):
    """A calibration that cannot be true: what was seen, and the next thing to do."""


class Rest(NamedTuple):
    """One cell at rest: mean and standard deviation in counts."""

    mean: float
    noise: float


Rests = tuple[Rest, ...]


def check_weight(cells: tuple[CellPlan, ...], mass_g: float) -> None:
    """Refuse a weight that is too light or too heavy for these cells."""
    capacity_g = sum(cell.capacity_g for cell in cells)
    least_g = capacity_g * LIGHTEST_SHARE
    if not cells:
        raise Nonsense("this spot has no cells: correct the plan file")
    if not least_g <= mass_g <= capacity_g:
        raise Nonsense(
            f"{mass_g:g} g on cells for {capacity_g:g} g: take a weight of {least_g:g} to {capacity_g:g} g, "
            f"best about {capacity_g / 2:g} g"
        )


def check_empty(empty: Rests) -> None:
    """Refuse a tare that says nothing."""
    for number, rest in enumerate(empty):
        _check_range(number, rest, "nothing")


def calibrated(
    cells: tuple[CellPlan, ...], empty: Rests, loaded: Rests, after: Rests, mass_g: float
) -> tuple[CellPlan, ...]:
    """The cells with their new figures; raises `Nonsense`."""
    check_weight(cells, mass_g)
    check_empty(empty)
    for number, rest in enumerate(loaded):
        _check_range(number, rest, f"{mass_g:g} g")
    gains = tuple(full.mean - bare.mean for full, bare in zip(loaded, empty, strict=True))
    _check_gains(gains)
    counts_per_g = sum(gains) / mass_g
    _check_scale(cells, counts_per_g)
    _check_noise((*empty, *loaded), counts_per_g, mass_g)
    _check_drift(empty, after, counts_per_g, mass_g)
    return tuple(
        CellPlan(round(counts_per_g, 2), round((bare.mean + again.mean) / 2), cell.capacity_g)
        for cell, bare, again in zip(cells, empty, after, strict=True)
    )


def _check_range(number: int, rest: Rest, what: str) -> None:
    if abs(rest.mean) > RAIL - RAIL_MARGIN:
        raise Nonsense(
            f"cell {number} is saturated with {what} on it ({rest.mean:.0f} counts): check its four wires, and that "
            "nothing presses on it from its mounting"
        )


def _check_gains(gains: tuple[float, ...]) -> None:
    """Every cell must feel the weight, in the same direction, and about as much as the others."""
    if all(abs(gain) < CHANGE_COUNTS for gain in gains):
        raise Nonsense("nothing changed: is the weight on this spot, and does the plate rest on its cells only?")
    for number, gain in enumerate(gains):
        if gain < -CHANGE_COUNTS:
            raise Nonsense(
                f"cell {number} fell by {-gain:.0f} counts under the weight: swap its two signal wires (A+ and A-; "
                "on most cells green and white), or turn it round: its arrow points the way the load presses"
            )
    total = sum(gains)
    for number, gain in enumerate(gains):
        share = gain * len(gains) / total
        if not 1 - UNEQUAL_SHARE <= share <= 1 + UNEQUAL_SHARE:
            raise Nonsense(
                f"cell {number} carries {share / len(gains):.0%} of the weight instead of {1 / len(gains):.0%}: put "
                "the weight in the middle; if it is there, look for what the plate touches besides its cells"
            )


def _check_scale(cells: tuple[CellPlan, ...], counts_per_g: float) -> None:
    for cell in cells:
        full = counts_per_g * cell.capacity_g
        if not FULL_COUNTS[0] <= full <= FULL_COUNTS[1]:
            raise Nonsense(
                f"{counts_per_g:.1f} counts for a gram is not a cell of {cell.capacity_g} g: is the weight what you "
                "said, and is the cell's capacity right in the plan file?"
            )


def _check_noise(rests: Rests, counts_per_g: float, mass_g: float) -> None:
    worst_g = max(rest.noise for rest in rests) / abs(counts_per_g)
    if worst_g > NOISE_SHARE * mass_g:
        raise Nonsense(
            f"the cells are restless ({worst_g:.2f} g): keep hands off the table; if it stays, run citytable doctor"
        )


def _check_drift(empty: Rests, after: Rests, counts_per_g: float, mass_g: float) -> None:
    drift_g = sum(again.mean - bare.mean for again, bare in zip(after, empty, strict=True)) / counts_per_g
    if abs(drift_g) > DRIFT_SHARE * mass_g:
        raise Nonsense(
            f"the empty spot differs by {drift_g:+.1f} g from before: take everything off, let the table warm up for a "
            "quarter of an hour, and begin again"
        )
