"""The base of a load cell: it holds the fixed end, and stops the free end before an elbow bends the cell for good."""

from build123d import Align, Box, Cylinder, Part, Pos
from dimensions import CELL, CELL_HOLE, CELL_HOLES_X, STOP_GAP

UP = (Align.CENTER, Align.CENTER, Align.MIN)
FLOOR = 4.0
BLOCK = 6.0
FIXED = 16.0  # of the cell's length


def build() -> Part:
    """Return the base, lying on z = 0; the cell's underside is at FLOOR + BLOCK."""
    length, width, _ = CELL
    base = Box(length + 8, width + 10, FLOOR, align=UP)
    base += Pos(-length / 2 + FIXED / 2, 0, FLOOR) * Box(FIXED, width, BLOCK, align=UP)
    base += Pos(length / 2 - 4, 0, FLOOR) * Box(8, width, BLOCK - STOP_GAP, align=UP)
    for x in CELL_HOLES_X:
        base -= Pos(-length / 2 + x, 0, 0) * Cylinder(CELL_HOLE / 2, 40)
    return base
