"""The bridge below a hex's reader: it joins the plate's legs to the free end of the cell, and clears the rest of it."""

from build123d import Align, Box, Cylinder, Part, Pos
from dimensions import BOSS, BRIDGE_THICK, CELL, CELL_HELD, CELL_HOLE, CELL_HOLES
from hex_plate import LEG, LEG_AT_X, LEG_SCREW_AT_Y

UP = (Align.CENTER, Align.CENTER, Align.MIN)


def build() -> Part:
    """Return the bridge, its boss at z = 0, the middle of the cell at x = y = 0."""
    bridge = Pos(0, 0, BOSS) * Box(2 * LEG_AT_X + LEG[0], LEG[1], BRIDGE_THICK, align=UP)
    bridge += Pos((CELL[0] - CELL_HELD) / 2, 0, 0) * Box(CELL_HELD, CELL[1], BOSS, align=UP)
    for x, y in CELL_HOLES:
        bridge -= Pos(CELL[0] / 2 - x, y, 0) * Cylinder(CELL_HOLE / 2, 40)
    for side in (-1, 1):
        for along in (-1, 1):
            bridge -= Pos(side * LEG_AT_X, along * LEG_SCREW_AT_Y, 0) * Cylinder(CELL_HOLE / 2, 40)
    return bridge
