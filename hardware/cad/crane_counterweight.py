"""The crane's counterweight: a cup on a cord, filled with two stacks of washers until the carriage just sinks."""

from build123d import Align, Box, Cylinder, Part, Pos
from dimensions import COUNTERWEIGHT, QUARTER

UP = (Align.CENTER, Align.CENTER, Align.MIN)
WALL = 1.2
CORD_BELOW = 5.0  # from the edge to the holes of the cord


def build() -> Part:
    """Return the cup, standing on z = 0, long in x; the cord goes through two holes below its edge."""
    long, _, high = COUNTERWEIGHT
    cup = _stadium(0.0) - Pos(0, 0, WALL) * _stadium(WALL)
    return cup - Pos(0, 0, high - CORD_BELOW) * Cylinder(1.0, 2 * long, rotation=(0, QUARTER, 0))


def _stadium(within: float) -> Part:
    """What two washers side by side fill, so far within the outside."""
    long, wide, high = COUNTERWEIGHT
    part = Box(long - wide, wide - 2 * within, high, align=UP)
    for side in (-1, 1):
        part += Pos(side * (long - wide) / 2, 0, 0) * Cylinder(wide / 2 - within, high, align=UP)
    return part
