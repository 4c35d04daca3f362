"""The calibration of a whole station: its tasks, the verdict on each result, and the finished tasks.

This module neither asks nor listens; `citytable calibrate` does.
"""

from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import NamedTuple, TypeAlias

import msgspec

from citytable.doctor.calibration import BadCalibration, Readings, check_weight
from citytable.doctor.crane import SCALES, CraneFigures, check_alike
from citytable.doctor.told import SENTENCES
from citytable.table.plan import CellPlan, StationPlan

Text: TypeAlias = dict[str, str]
"""A sentence in every language."""

SCALE, CRANE = "scale", "crane"
BLOCKS_MM = (20.0, 50.0, 100.0)
HIGHEST_MM = 60.0
"""The highest block must be at least this high, or scatter would hide the scale of the crane."""
BLOCK_LIMIT_MM = 3.0
SECOND_SHARE = 0.001
"""Of what the cells can carry together: the second weight may weigh wrongly by so much."""
SECOND_APART = 0.2
"""The second weight must differ from the first by so much of it."""


class Task(NamedTuple):
    """One thing to calibrate: the scale or the crane of a spot."""

    what: str
    spot: str

    def __str__(self) -> str:
        return f"{self.what} of {self.spot}"


def tasks_of(station: StationPlan) -> tuple[Task, ...]:
    """Return everything to calibrate at a station, scales first."""
    scales = tuple(Task(SCALE, spot.spot) for spot in station.spots if spot.cells)
    return scales + tuple(Task(CRANE, spot.spot) for spot in station.spots if spot.crane_zero_mm is not None)


def check_weights(station: StationPlan, first_g: float, second_g: float) -> None:
    """Refuse weights that do not suit every scale of the station."""
    if second_g <= 0:
        raise BadCalibration.of("no_second")
    if abs(second_g - first_g) < SECOND_APART * first_g:
        raise BadCalibration.of("second_near", first_g=first_g, second_g=second_g)
    for spot in station.spots:
        if spot.cells:
            try:
                check_weight(spot.cells, first_g)
            except BadCalibration as unsuited:
                raise BadCalibration.of("at_spot", spot=spot.spot, why=unsuited.text) from None
            if second_g > sum(cell.capacity_g for cell in spot.cells):
                raise BadCalibration.of("second_heavy", spot=spot.spot, second_g=second_g)


def check_blocks(blocks_mm: tuple[float, ...]) -> None:
    """Refuse gauge blocks that are too low to measure the scale of a crane."""
    if max(blocks_mm, default=0.0) < HIGHEST_MM or min(blocks_mm) <= 0:
        raise BadCalibration.of("blocks_low", least_mm=HIGHEST_MM)


def weighed_g(cells: tuple[CellPlan, ...], rests: Readings) -> float:
    """Return the load on these cells; raises `BadCalibration` if a cell was never calibrated."""
    if any(not cell.counts_per_g for cell in cells):
        raise BadCalibration.of("no_scale")
    return sum((rest.mean - cell.zero_counts) / cell.counts_per_g for rest, cell in zip(rests, cells, strict=True))


def weight_line(spot: str, mass_g: float) -> str:
    """Return a line with the load on a spot."""
    return f"{spot:16} {mass_g:z8.1f} g"  # z: a value that rounds to 0 has no minus


def second_weight(cells: tuple[CellPlan, ...], rests: Readings, mass_g: float) -> Text:
    """Return the mass of the second weight with the new figures; raises `BadCalibration` beyond the limit."""
    seen_g = weighed_g(cells, rests)
    limit_g = SECOND_SHARE * sum(cell.capacity_g for cell in cells)
    if abs(seen_g - mass_g) > limit_g:
        raise BadCalibration.of("second_wrong", mass_g=mass_g, seen_g=seen_g, limit_g=limit_g)
    return SENTENCES.text("second_good", mass_g=mass_g, seen_g=seen_g, limit_g=limit_g)


def crane_on_blocks(
    bare_mm: tuple[float, ...], on_blocks: Mapping[float, tuple[float, ...]]
) -> tuple[CraneFigures, Text]:
    """Return zero, scale and a verdict, from lowerings on the bare platform and on blocks; raises `BadCalibration`.

    The highest block alone first shows whether all heights are right; then all of them make the scale.
    """
    check_alike(bare_mm)
    zero_mm, highest = fmean(bare_mm), max(on_blocks)
    shorter_mm = {block: zero_mm - fmean(ranges_mm) for block, ranges_mm in on_blocks.items()}
    scale = highest / shorter_mm[highest] if shorter_mm[highest] > 0 else 0.0
    if not SCALES[0] <= scale <= SCALES[1]:
        raise BadCalibration.of("block_wrong", block_mm=highest, shorter_mm=shorter_mm[highest])
    off_mm, said = _worst(shorter_mm, scale)
    if abs(off_mm) > BLOCK_LIMIT_MM:
        raise BadCalibration.of("block_off", said=said)
    squares = sum(shorter * shorter for shorter in shorter_mm.values())
    scale = sum(block * shorter for block, shorter in shorter_mm.items()) / squares
    verdict = SENTENCES.text("crane_good", said=_worst(shorter_mm, scale)[1])
    return CraneFigures(round(zero_mm, 1), round(scale, 4)), verdict


def _worst(shorter_mm: Mapping[float, float], scale: float) -> tuple[float, Text]:
    """Return the error of the block with the worst measurement, and a sentence about it."""
    off_mm = {block: scale * shorter - block for block, shorter in shorter_mm.items()}
    block = max(off_mm, key=lambda one: abs(off_mm[one]))
    words = {"block_mm": block, "seen_mm": block + off_mm[block], "limit_mm": BLOCK_LIMIT_MM}
    return off_mm[block], SENTENCES.text("block_measured", **words)


class Progress:
    """Remember the finished tasks of a station beside the plan file, until all are finished."""

    def __init__(self, plan_file: Path, station: str) -> None:
        self.path = plan_file.with_name(f"{plan_file.name}.{station}.calibrating")

    def done(self) -> frozenset[Task]:
        """Return the finished tasks; none if there is no valid file."""
        try:
            return frozenset(msgspec.json.decode(self.path.read_bytes(), type=list[Task]))
        except (FileNotFoundError, msgspec.DecodeError):
            return frozenset()

    def add(self, task: Task) -> None:
        """Note that this is done and written to the plan."""
        self.path.write_bytes(msgspec.json.encode(sorted({*self.done(), task})))

    def forget(self) -> None:
        """Start again."""
        self.path.unlink(missing_ok=True)
