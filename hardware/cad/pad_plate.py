"""The plate of a seat's pad: the top of a hex plate on three cells, which share what stands on it."""

from build123d import Align, Box, Cone, Cylinder, Part, Pos, Rot
from dimensions import CELL, CELL_BELOW, CELL_HOLE, CELL_HOLES_X, PAD_CELLS, PLATE_THICK
from hex_plate import top

DOWN = (Align.CENTER, Align.CENTER, Align.MAX)
HEAD = (3.4, 1.9)  # of a countersunk M3 screw: radius, height


def build() -> Part:
    """Return the plate, its top at z = 0."""
    plate = top()
    for x, y, turned in PAD_CELLS:
        at = Pos(x, y, 0) * Rot(0, 0, turned)
        ends = [CELL[0] / 2 - hole for hole in CELL_HOLES_X]
        plate += at * Pos(sum(ends) / 2, 0, -PLATE_THICK + 1) * Box(15, CELL[1], CELL_BELOW + 1, align=DOWN)
        for end in ends:
            plate -= at * Pos(end, 0, 0) * Cylinder(CELL_HOLE / 2, 60)
            plate -= at * Pos(end, 0, 0) * Cone(CELL_HOLE / 2, HEAD[0], HEAD[1], align=DOWN)
    return plate
