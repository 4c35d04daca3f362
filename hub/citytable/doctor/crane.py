"""A crane's two figures, from lowerings of its paddle: on the bare platform, and on a block of known height.

Pure judgement but for `lowered`, which listens. What cannot be true is refused, with the next thing to do.
"""

from statistics import fmean
from typing import NamedTuple

from citytable.doctor.calibration import Nonsense
from citytable.doctor.line import Line, NoAnswer
from citytable.link.wire_in import Height

LOWERINGS = 3
PATIENCE_S = 120.0
APART_MM = 2.0  # between lowerings on the same thing
LEAST_BLOCK_MM = 60.0
SCALES = (0.93, 1.07)


class CraneFigures(NamedTuple):
    """What goes into the plan; `scale` is None without a block."""

    zero_mm: float
    scale: float | None


async def lowered(line: Line, station: str, spot: str) -> tuple[float, ...]:
    """The ranges of three lowerings, in millimetres; raises `NoAnswer` when they do not come."""
    ranges_mm: list[float] = []
    async for told in line.hear(PATIENCE_S):
        if told.station == station and isinstance(told.message, Height) and told.message.spot == spot:
            ranges_mm.append(told.message.range_mm)
            if len(ranges_mm) == LOWERINGS:
                return tuple(ranges_mm)
    raise NoAnswer(
        f"{spot}: {len(ranges_mm)} of {LOWERINGS} lowerings in {PATIENCE_S:.0f} s: let the paddle rest for a second "
        f"each time and raise it by a hand's breadth between them; if it does, run citytable doctor {station}"
    )


def check_alike(ranges_mm: tuple[float, ...]) -> None:
    """Refuse lowerings that were not on the same thing."""
    apart_mm = max(ranges_mm) - min(ranges_mm)
    if apart_mm > APART_MM:
        raise Nonsense(f"the lowerings lie {apart_mm:.1f} mm apart: put the paddle on the same place each time")


def crane_figures(bare_mm: tuple[float, ...], block_mm: tuple[float, ...], height_mm: float) -> CraneFigures:
    """Zero and scale; `block_mm` are the ranges on the block, empty without one. Raises `Nonsense`."""
    check_alike(bare_mm)
    zero_mm = fmean(bare_mm)
    if not block_mm:
        return CraneFigures(round(zero_mm, 1), None)
    check_alike(block_mm)
    if height_mm < LEAST_BLOCK_MM:
        raise Nonsense(f"a block of {height_mm:g} mm says too little: take one of {LEAST_BLOCK_MM:g} mm or more")
    shorter_mm = zero_mm - fmean(block_mm)
    scale = height_mm / shorter_mm if shorter_mm > 0 else 0.0
    if not SCALES[0] <= scale <= SCALES[1]:
        raise Nonsense(
            f"on a block of {height_mm:g} mm the range was {shorter_mm:.1f} mm shorter: is the block as high as you "
            "said, and was the paddle on it?"
        )
    return CraneFigures(round(zero_mm, 1), round(scale, 4))
