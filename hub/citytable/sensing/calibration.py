"""Calibration of one spot, as in traces and the stream: how counts become grams, and where the sensors are."""

from collections.abc import Mapping
from typing import Any

import msgspec

from citytable.table.plan import CellPlan

CAPACITY_G = 2000  # of a cell, if nobody gives it: a value far beyond it is not a load
LEAST_HZ = 8  # an HX711 whose pin RATE is low, 10 a second, with a slow clock
HALF = 2**23  # of what 24 bits hold
POSSIBLE: dict[str, tuple[float, float]] = {
    "zero_counts": (-HALF, HALF),
    "tile_g": (0, 5_000),
    "tile_mm": (0, 1_000),
    "rate_hz": (LEAST_HZ, 5_000),
    "tof_height_mm": (0, 5_000),
    "tof_fov_deg": (0, 180),
    "tof_rate_hz": (0, 1_000),
    "heaviest_g": (0, 5_000),
}
"""The least and the most of each number that a table can have; beyond it something else was meant."""
SCALES = (0.01, 1e6)  # counts per gram of either sign that a bridge can give
START_POSSIBLE: dict[str, tuple[float, float]] = {
    "pieces_on": (0, 1_000),
    "mass_g": (-5_000, 20_000),
    "height_mm": (0, 5_000),
}


class Start(msgspec.Struct, frozen=True):
    """The tower on the platform at the beginning: `height_mm` from the base of the building."""

    pieces_on: int = 0
    mass_g: float = 0.0
    height_mm: float = 0.0


class Cal(msgspec.Struct, frozen=True):
    """The calibration of one spot.

    Grams of a cell are `(counts - zero_counts) / counts_per_g` (negative: the bridge is wired the other way round), the
    building's are their sum less `tile_g`. `heaviest_g` is the heaviest piece of the set in play, 0 where nobody
    weighed it: then it is learned. One entry of `counts_per_g`, `zero_counts` and `cell_xy_mm` per cell, one to
    three cells. `kept`: nobody takes pieces from this spot, platforms come and go whole. `tof_height_mm` is where the
    overhead range sensor hangs above the platform's surface.
    """

    counts_per_g: tuple[float, ...]
    zero_counts: tuple[float, ...]
    tile_g: float = 0.0
    tile_mm: float = 0.0
    cell_xy_mm: tuple[tuple[float, float], ...] = ()
    rate_hz: float = 80.0
    tof_height_mm: float = 0.0
    tof_fov_deg: float = 0.0
    tof_rate_hz: float = 0.0
    heaviest_g: float = 0.0
    kept: bool = False
    start: Start = Start()

    def __post_init__(self) -> None:
        cells = len(self.counts_per_g)
        if not 1 <= cells <= 3 or len(self.zero_counts) != cells:
            raise ValueError(
                f"cal has {cells} of counts_per_g and {len(self.zero_counts)} of zero_counts: "
                "give one of each for every cell, one to three cells"
            )
        if not self.rate_hz >= LEAST_HZ:
            raise ValueError(
                f"cal: rate_hz is {self.rate_hz:g}: pieces take {LEAST_HZ} samples a second, falls 80 (an HX711 gives "
                "them with its pin RATE high)"
            )
        if 0 in self.counts_per_g:
            raise ValueError(f"cal: counts_per_g is {list(self.counts_per_g)}: no cell has a scale of 0, calibrate it")
        _check(self, POSSIBLE)
        _check(self.start, START_POSSIBLE)
        low, high = SCALES
        if not all(low <= abs(scale) <= high for scale in self.counts_per_g):
            raise ValueError(
                f"cal: counts_per_g is {list(self.counts_per_g)}: give {low:g} to {high:g} of either sign, or calibrate"
            )

    def cells(self) -> tuple[CellPlan, ...]:
        """Return the cells in the form of a plan."""
        return tuple(
            CellPlan(counts_per_g=scale, zero_counts=round(zero), capacity_g=CAPACITY_G)
            for scale, zero in zip(self.counts_per_g, self.zero_counts, strict=True)
        )


def _check(values: Start | Cal, possible: Mapping[str, tuple[float, float]]) -> None:
    """Raise ValueError for a number that no table has."""
    where = "cal" if isinstance(values, Cal) else "start"
    for field, (low, high) in possible.items():
        value = getattr(values, field)
        if not all(low <= one <= high for one in (value if isinstance(value, tuple) else (value,))):
            raise ValueError(f"{where}: {field} is {value}: give {low:g} to {high:g}")


def cal_of(fields: Mapping[str, Any]) -> Cal:
    """Return a calibration made from decoded JSON, or from a mapping that holds numpy's arrays and numbers.

    A field that is null (None) counts as left out. Raises `ValueError` (msgspec's `ValidationError` is one) for an
    impossible calibration.
    """
    return msgspec.convert(_plain(fields), Cal, strict=False)


def _plain(value: Any) -> Any:
    """Return the same in Python's own numbers and lists, without entries that are None."""
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items() if one is not None}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value.tolist() if hasattr(value, "tolist") else value
