"""The plate of a seat's pad: the top of a hex plate on three cells, which share what stands on it."""

from build123d import Align, Box, Cone, Cylinder, Part, Pos, Rot
from dimensions import CELL, CELL_BELOW, CELL_HELD, CELL_HOLE, CELL_HOLES, PAD_CELLS, PLATE_THICK
from hex_plate import top

DOWN = (Align.CENTER, Align.CENTER, Align.MAX)
HEAD = (3.4, 1.9)  # of a countersunk M3 screw: radius, height


def build() -> Part:
    """Return the plate, its top at z = 0."""
    plate = top()
    for x, y, turned in PAD_CELLS:
        at = Pos(x, y, 0) * Rot(0, 0, turned)
        middle = (CELL[0] - CELL_HELD) / 2
        plate += at * Pos(middle, 0, -PLATE_THICK + 1) * Box(CELL_HELD, CELL[1], CELL_BELOW + 1, align=DOWN)
        for end, across in CELL_HOLES:
            hole = at * Pos(CELL[0] / 2 - end, across, 0)
            plate -= hole * Cylinder(CELL_HOLE / 2, 60)
            plate -= hole * Cone(CELL_HOLE / 2, HEAD[0], HEAD[1], align=DOWN)
    return plate
