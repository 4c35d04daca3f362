"""The holder of the calibration weight: it puts 500 g into the middle of a plate every time."""

from build123d import Align, Cylinder, Part, Pos
from dimensions import WALL, WEIGHT

UP = (Align.CENTER, Align.CENTER, Align.MIN)


def build() -> Part:
    """Return the holder, lying on z = 0."""
    cup = Cylinder(WEIGHT[0] / 2 + WALL + 0.3, 14, align=UP)
    return cup - Pos(0, 0, 2) * Cylinder(WEIGHT[0] / 2 + 0.3, 14, align=UP)
