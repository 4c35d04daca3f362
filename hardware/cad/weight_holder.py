"""The holder of the calibration weights: its funnel puts 500 g or 200 g into the middle of a plate every time."""

from build123d import Align, Cone, Cylinder, Part, Pos
from dimensions import WALL
from weights import funnel

UP = (Align.CENTER, Align.CENTER, Align.MIN)
FLOOR = 2.0


def build() -> Part:
    """Return the holder, lying on z = 0."""
    narrow, wide, deep = funnel()
    cup = Cylinder(wide / 2 + WALL, FLOOR + deep, align=UP)
    return cup - Pos(0, 0, FLOOR) * Cone(narrow / 2, wide / 2, deep, align=UP)
