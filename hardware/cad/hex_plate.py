"""The plate of one hex: a platform slides over it. Its legs stand on the bridge of its cell, and it touches no more."""

from build123d import Align, Axis, Box, Cylinder, Part, Pos, RegularPolygon, chamfer, extrude
from dimensions import (
    BOSS,
    BRIDGE_THICK,
    CELL_TOP,
    CHAMFER,
    PILOT,
    PLATE_FLAT,
    PLATE_THICK,
    READER,
    READER_AT_Y,
    RING_AT_Y,
    RING_DEEP,
    RING_INNER,
    RING_OUTER,
    SKIN,
    SPILL,
)

DOWN = (Align.CENTER, Align.CENTER, Align.MAX)
LEG = (8.0, 24.0)  # in x and y
LEG_AT_X = READER[0] / 2 + 1 + LEG[0] / 2
LEG_SCREW_AT_Y = 8.0  # to either side of the cell's middle
LIP = 1.6


def build() -> Part:
    """Return the plate, its top at z = 0."""
    plate = top()
    height = -(CELL_TOP + BOSS + BRIDGE_THICK) - SKIN
    for side in (-1, 1):  # beside the reader
        plate += Pos(side * LEG_AT_X, READER_AT_Y, -SKIN) * Box(LEG[0], LEG[1], height, align=DOWN)
        for along in (-1, 1):
            at = Pos(side * LEG_AT_X, READER_AT_Y + along * LEG_SCREW_AT_Y, -SKIN - height)
            plate -= at * Cylinder(PILOT / 2, 2 * (height - 3))
    return plate


def top() -> Part:
    """Return what all plates share: the hexagon with a lip below its edge, the reader's pocket, the ring's groove."""
    outline = RegularPolygon(PLATE_FLAT / 2, 6, major_radius=False, rotation=30)
    inner = RegularPolygon(PLATE_FLAT / 2 - LIP, 6, major_radius=False, rotation=30)
    plate = extrude(outline, -PLATE_THICK)
    plate = chamfer(plate.faces().sort_by(Axis.Z)[-1].edges(), CHAMFER)
    plate += Pos(0, 0, -PLATE_THICK) * extrude(outline - inner, -SPILL)
    plate -= Pos(0, READER_AT_Y, -SKIN) * Box(READER[0], READER[1], PLATE_THICK, align=DOWN)
    groove = Cylinder(RING_OUTER / 2, RING_DEEP, align=DOWN) - Cylinder(RING_INNER / 2, RING_DEEP, align=DOWN)
    return plate - Pos(0, RING_AT_Y, -PLATE_THICK + RING_DEEP) * groove
