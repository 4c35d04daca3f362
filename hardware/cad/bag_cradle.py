"""The cradle of the bag: a dish on the free end of a 3 kg cell, with the reader's recess below its floor."""

from build123d import Align, Box, Cylinder, Part, Pos
from dimensions import BAG, READER, SKIN, WALL

UP = (Align.CENTER, Align.CENTER, Align.MIN)


def build() -> Part:
    """Return the cradle, its floor's underside at z = 0."""
    floor = READER[2] + SKIN
    dish = Cylinder(BAG[0] / 2 + WALL, floor + BAG[1], align=UP)
    dish -= Pos(0, 0, floor) * Cylinder(BAG[0] / 2, BAG[1], align=UP)
    return dish - Box(READER[0], READER[1], READER[2], align=UP)
