"""The crane's paddle: lowered onto a tower by hand. Its white top is what the sensor above it sees."""

from build123d import Align, Cylinder, Part, Pos
from dimensions import PADDLE

UP = (Align.CENTER, Align.CENTER, Align.MIN)


def build() -> Part:
    """Return the paddle, lying on z = 0: a light disc with a hole for its guide at the edge."""
    disc = Cylinder(PADDLE / 2, 1.6, align=UP)
    disc += Pos(PADDLE / 2 - 9, 0, 0) * Cylinder(7, 12, align=UP)
    return disc - Pos(PADDLE / 2 - 9, 0, 0) * Cylinder(4.15, 30)
