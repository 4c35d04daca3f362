"""Calibrate the cells under a spot: work out counts per gram and zero from three readings at rest.

The readings are: empty, with a known weight in the middle, and empty again. This module only computes. It refuses
figures that cannot be true, and says what to do next. All cells of a spot get the same counts per gram, because one
weight in the middle shows only what they weigh together; cells of one make differ by a few per cent.
"""

from typing import NamedTuple

from citytable.table.plan import CellPlan

RAIL = (1 << 23) - 1
RAIL_MARGIN = 20_000
FULL_COUNTS = (200_000, 8_000_000)
"""The change of a cell from empty to its capacity, at an HX711's gain of 128.

This is 0.1 to 4 mV/V, which covers every bar cell that is sold.
"""
LIGHTEST_SHARE = 0.05
"""Of what the cells can carry together: a lighter weight measures too little."""
NOISE_SHARE = 0.002
"""Of the weight: with more noise at rest the result is too uncertain."""
DRIFT_SHARE = 0.01
UNEQUAL_SHARE = 0.4
"""The share by which a cell's load may differ from an even split."""
CHANGE_COUNTS = 2_000


class BadCalibration(ValueError):
    """The calibration cannot be true; the text says what was seen and what to do next."""


class Reading(NamedTuple):
    """Hold the mean and standard deviation of one cell at rest, in counts."""

    mean: float
    noise: float


Readings = tuple[Reading, ...]


def check_weight(cells: tuple[CellPlan, ...], mass_g: float) -> None:
    """Refuse a weight that is too light or too heavy for these cells."""
    capacity_g = sum(cell.capacity_g for cell in cells)
    least_g = capacity_g * LIGHTEST_SHARE
    if not cells:
        raise BadCalibration("this spot has no cells in the plan: correct the plan file")
    if not least_g <= mass_g <= capacity_g:
        raise BadCalibration(
            f"a weight of {mass_g:g} g does not suit cells for {capacity_g:g} g: use {least_g:g} to {capacity_g:g} g, "
            f"ideally about {capacity_g / 2:g} g"
        )


def check_empty(empty: Readings) -> None:
    """Refuse an empty reading at the end of a cell's range."""
    for number, reading in enumerate(empty):
        _check_range(number, reading, "nothing")


def calibrated(
    cells: tuple[CellPlan, ...], empty: Readings, loaded: Readings, after: Readings, mass_g: float
) -> tuple[CellPlan, ...]:
    """Return the cells with their new figures; raise `BadCalibration`."""
    check_weight(cells, mass_g)
    check_empty(empty)
    for number, reading in enumerate(loaded):
        _check_range(number, reading, f"{mass_g:g} g")
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


def _check_range(number: int, reading: Reading, what: str) -> None:
    if abs(reading.mean) > RAIL - RAIL_MARGIN:
        raise BadCalibration(
            f"cell {number} is at the end of its range with {what} on it ({reading.mean:.0f} counts): check its four "
            "wires, and that its mounting does not press on it"
        )


def _check_gains(gains: tuple[float, ...]) -> None:
    """Refuse cells that do not all feel the weight in the same direction and about equally."""
    if all(abs(gain) < CHANGE_COUNTS for gain in gains):
        raise BadCalibration(
            "no cell felt the weight: check that it is on this spot, and that the plate touches nothing but its cells"
        )
    for number, gain in enumerate(gains):
        if gain < -CHANGE_COUNTS:
            raise BadCalibration(
                f"cell {number} fell by {-gain:.0f} counts under the weight: swap its two signal wires (A+ and A-, "
                "green and white on most cells), or turn it over, so that its arrow points the way the load presses"
            )
    total = sum(gains)
    for number, gain in enumerate(gains):
        share = gain * len(gains) / total
        if not 1 - UNEQUAL_SHARE <= share <= 1 + UNEQUAL_SHARE:
            raise BadCalibration(
                f"cell {number} carries {share / len(gains):.0%} of the weight instead of {1 / len(gains):.0%}: put "
                f"cell {number} carries {share / len(gains):.0%} of the weight instead of {1 / len(gains):.0%}: put "
                "the weight in the middle; if it is there already, find out what else the plate touches besides its "
                "cells"
            )


def _check_scale(cells: tuple[CellPlan, ...], counts_per_g: float) -> None:
    for cell in cells:
        full = counts_per_g * cell.capacity_g
        if not FULL_COUNTS[0] <= full <= FULL_COUNTS[1]:
            raise BadCalibration(
                f"{counts_per_g:.1f} counts per gram do not fit a cell for {cell.capacity_g} g: check the weight that "
                "you gave, and the cell's capacity in the plan file"
            )


def _check_noise(readings: Readings, counts_per_g: float, mass_g: float) -> None:
    worst_g = max(reading.noise for reading in readings) / abs(counts_per_g)
    if worst_g > NOISE_SHARE * mass_g:
        raise BadCalibration(
            f"the readings are noisy ({worst_g:.2f} g): keep hands off the table; if the noise stays, run `citytable "
            "doctor`"
        )


def _check_drift(empty: Readings, after: Readings, counts_per_g: float, mass_g: float) -> None:
    drift_g = sum(again.mean - bare.mean for again, bare in zip(after, empty, strict=True)) / counts_per_g
    if abs(drift_g) > DRIFT_SHARE * mass_g:
        raise BadCalibration(
            f"the empty spot has changed by {drift_g:+.1f} g: take everything off, let the table warm up for a "
            "quarter of an hour, then start again"
        )
