"""A slot for a landmark: a round recess over a reader."""

from build123d import Align, Box, Cylinder, Part, Pos
from dimensions import LANDMARK, READER, SKIN, WALL

UP = (Align.CENTER, Align.CENTER, Align.MIN)
DEEP = 2.0


def build() -> Part:
    """Return the slot, lying on z = 0."""
    floor = READER[2] + SKIN
    slot = Cylinder(max(LANDMARK, READER[0] * 2**0.5) / 2 + WALL, floor + DEEP, align=UP)
    slot -= Pos(0, 0, floor) * Cylinder(LANDMARK / 2 + 0.5, DEEP, align=UP)
    return slot - Box(READER[0], READER[1], READER[2], align=UP)
