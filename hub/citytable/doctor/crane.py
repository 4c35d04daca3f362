"""Calibrate a crane: work out its zero and scale from lowerings of its paddle.

The paddle is lowered on the bare platform, and on a block of known height. Figures that cannot be true are refused,
with what to do next. `lowered_ranges` listens to the station; everything else only computes.
"""

from statistics import fmean
from typing import NamedTuple

from citytable.doctor.calibration import BadCalibration
from citytable.doctor.line import Line, NoAnswer
from citytable.link.wire_in import Height

LOWERINGS = 3
PATIENCE_S = 120.0
APART_MM = 2.0  # between lowerings on one surface
LEAST_BLOCK_MM = 60.0
SCALES = (0.93, 1.07)


class CraneFigures(NamedTuple):
    """Hold the figures for the plan; `scale` is None without a block."""

    zero_mm: float
    scale: float | None


async def lowered_ranges(line: Line, station: str, spot: str, *, beam: bool = False) -> tuple[float, ...]:
    """Wait for three lowerings and return their ranges in millimetres; raise `NoAnswer` when they do not come.

    With a beam a lowering at which the paddle rested on nothing is refused: raise `BadCalibration`.
    """
    ranges_mm: list[float] = []
    async for heard in line.hear(PATIENCE_S):
        if heard.station == station and isinstance(heard.message, Height) and heard.message.spot == spot:
            if beam and heard.message.contact is False:
                raise BadCalibration.of("paddle_held")
            ranges_mm.append(heard.message.range_mm)
            if len(ranges_mm) == LOWERINGS:
                return tuple(ranges_mm)
    raise NoAnswer.of(
        "few_lowerings", spot=spot, heard=len(ranges_mm), wanted=LOWERINGS, seconds=PATIENCE_S, station=station
    )


def check_alike(ranges_mm: tuple[float, ...]) -> None:
    """Refuse lowerings that were not all on the same surface."""
    apart_mm = max(ranges_mm) - min(ranges_mm)
    if apart_mm > APART_MM:
        raise BadCalibration.of("lowerings_apart", apart_mm=apart_mm)


def crane_figures(bare_mm: tuple[float, ...], block_mm: tuple[float, ...], height_mm: float) -> CraneFigures:
    """Return zero and scale; `block_mm` holds the ranges on the block, none without one. Raise `BadCalibration`."""
    check_alike(bare_mm)
    zero_mm = fmean(bare_mm)
    if not block_mm:
        return CraneFigures(round(zero_mm, 1), None)
    check_alike(block_mm)
    if height_mm < LEAST_BLOCK_MM:
        raise BadCalibration.of("block_low", block_mm=height_mm, least_mm=LEAST_BLOCK_MM)
    shorter_mm = zero_mm - fmean(block_mm)
    scale = height_mm / shorter_mm if shorter_mm > 0 else 0.0
    if not SCALES[0] <= scale <= SCALES[1]:
        raise BadCalibration.of("block_wrong", block_mm=height_mm, shorter_mm=shorter_mm)
    return CraneFigures(round(zero_mm, 1), round(scale, 4))
