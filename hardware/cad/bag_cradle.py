"""The cradle of the bag: a dish on the free end of a 3 kg cell, with the reader's recess below its floor."""

from build123d import Align, Box, Cylinder, Part, Pos
from dimensions import BAG, BAG_BOSS, BAG_CELL, BAG_CELL_AT_X, BAG_CELL_HOLES_X, BAG_CELL_SCREWS, READER, SKIN, WALL

UP = (Align.CENTER, Align.CENTER, Align.MIN)
DOWN = (Align.CENTER, Align.CENTER, Align.MAX)
HEAD = (4.6, 5.0)  # of the screws: radius and how deep it sinks, all of it
FLOOR = READER[2] + SKIN


def build() -> Part:
    """Return the cradle, its floor's underside at z = 0, the free end of its cell at +x."""
    dish = Cylinder(BAG[0] / 2 + WALL, FLOOR + BAG[1], align=UP)
    dish -= Pos(0, 0, FLOOR) * Cylinder(BAG[0] / 2, BAG[1], align=UP)
    dish -= Box(READER[0], READER[1], 2 * READER[2])
    ends = [BAG_CELL_AT_X + BAG_CELL[0] / 2 - x for x in BAG_CELL_HOLES_X]
    dish += Pos(sum(ends) / 2, 0, 0) * Box(25, BAG_CELL[1], BAG_BOSS, align=DOWN)
    for x in ends:
        dish -= Pos(x, 0, 0) * Cylinder(BAG_CELL_SCREWS[1] / 2 + 0.15, 40)
        dish -= Pos(x, 0, FLOOR) * Cylinder(HEAD[0], HEAD[1], align=DOWN)
    return dish
