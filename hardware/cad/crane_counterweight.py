"""The crane's counterweight: a cup on a cord, filled with nuts until the carriage just sinks by itself."""

from build123d import Align, Cylinder, Part, Pos
from dimensions import COUNTERWEIGHT, QUARTER

UP = (Align.CENTER, Align.CENTER, Align.MIN)
WALL = 1.2


def build() -> Part:
    """Return the cup, standing on z = 0; the cord goes through two holes below its edge."""
    diameter, high = COUNTERWEIGHT
    cup = Cylinder(diameter / 2, high, align=UP) - Pos(0, 0, WALL) * Cylinder(diameter / 2 - WALL, high, align=UP)
    return cup - Pos(0, 0, high - 5) * Cylinder(1.0, 2 * diameter, rotation=(0, QUARTER, 0))
