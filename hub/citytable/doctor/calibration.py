"""Calibrate the cells under a spot: work out counts per gram and zero from three readings at rest.

The readings are: empty, with a known weight in the middle, and empty again. This module only computes. It refuses
figures that cannot be true, and says what to do next. All cells of a spot get the same counts per gram, because one
weight in the middle shows only what they weigh together; cells of one make differ by a few per cent.
"""

from typing import NamedTuple

from citytable.doctor.told import SENTENCES, Told
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


class BadCalibration(Told):
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
        raise BadCalibration.of("no_cells")
    if not least_g <= mass_g <= capacity_g:
        raise BadCalibration.of(
            "weight_unsuited", mass_g=mass_g, capacity_g=capacity_g, least_g=least_g, best_g=capacity_g / 2
        )


def check_empty(empty: Readings) -> None:
    """Refuse an empty reading at the end of a cell's range."""
    for number, reading in enumerate(empty):
        _check_range(number, reading, 0)


def calibrated(
    cells: tuple[CellPlan, ...], empty: Readings, loaded: Readings, after: Readings, mass_g: float
) -> tuple[CellPlan, ...]:
    """Return the cells with their new figures; raise `BadCalibration`."""
    check_weight(cells, mass_g)
    check_empty(empty)
    for number, reading in enumerate(loaded):
        _check_range(number, reading, mass_g)
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


def _check_range(number: int, reading: Reading, mass_g: float) -> None:
    if abs(reading.mean) > RAIL - RAIL_MARGIN:
        load = f"{mass_g:g} g" if mass_g else SENTENCES.text("nothing")
        raise BadCalibration.of("cell_at_end", cell=number, load=load, counts=reading.mean)


def _check_gains(gains: tuple[float, ...]) -> None:
    """Refuse cells that do not all feel the weight in the same direction and about equally."""
    if all(abs(gain) < CHANGE_COUNTS for gain in gains):
        raise BadCalibration.of("nothing_felt")
    for number, gain in enumerate(gains):
        if gain < -CHANGE_COUNTS:
            raise BadCalibration.of("cell_fell", cell=number, counts=-gain)
    total = sum(gains)
    for number, gain in enumerate(gains):
        share = gain * len(gains) / total
        if not 1 - UNEQUAL_SHARE <= share <= 1 + UNEQUAL_SHARE:
            carries, even = share / len(gains), 1 / len(gains)
            raise BadCalibration.of("cell_uneven", cell=number, carries=carries, even=even)


def _check_scale(cells: tuple[CellPlan, ...], counts_per_g: float) -> None:
    for cell in cells:
        full = counts_per_g * cell.capacity_g
        if not FULL_COUNTS[0] <= full <= FULL_COUNTS[1]:
            raise BadCalibration.of("scale_unfit", counts=counts_per_g, capacity_g=cell.capacity_g)


def _check_noise(readings: Readings, counts_per_g: float, mass_g: float) -> None:
    worst_g = max(reading.noise for reading in readings) / abs(counts_per_g)
    if worst_g > NOISE_SHARE * mass_g:
        raise BadCalibration.of("noisy", noise_g=worst_g)


def _check_drift(empty: Readings, after: Readings, counts_per_g: float, mass_g: float) -> None:
    drift_g = sum(again.mean - bare.mean for again, bare in zip(after, empty, strict=True)) / counts_per_g
    if abs(drift_g) > DRIFT_SHARE * mass_g:
        raise BadCalibration.of("empty_changed", drift_g=drift_g)
