"""The plate of one hex: a platform slides over it. It hangs on its load cell and touches nothing else."""

from build123d import Align, Axis, Box, Cylinder, Part, Pos, RegularPolygon, chamfer, extrude
from dimensions import (
    CELL,
    CELL_BELOW,
    CELL_HOLE,
    CELL_HOLES_X,
    CHAMFER,
    PLATE_FLAT,
    PLATE_THICK,
    READER,
    READER_AT_Y,
    RING_AT_Y,
    RING_DEEP,
    RING_INNER,
    RING_OUTER,
    SKIN,
)

UP = (Align.CENTER, Align.CENTER, Align.MIN)
DOWN = (Align.CENTER, Align.CENTER, Align.MAX)


def build() -> Part:
    """Return the plate, its top at z = 0."""
    outline = RegularPolygon(PLATE_FLAT / 2, 6, major_radius=False, rotation=30)
    plate = extrude(outline, -PLATE_THICK)
    plate = chamfer(plate.faces().sort_by(Axis.Z)[-1].edges(), CHAMFER)
    plate -= Pos(0, READER_AT_Y, -SKIN) * Box(READER[0], READER[1], PLATE_THICK, align=DOWN)
    groove = Cylinder(RING_OUTER / 2, RING_DEEP, align=DOWN) - Cylinder(RING_INNER / 2, RING_DEEP, align=DOWN)
    plate -= Pos(0, RING_AT_Y, -PLATE_THICK + RING_DEEP) * groove
    legs = CELL_BELOW + PLATE_THICK - SKIN
    middle = CELL[0] / 2 - sum(CELL_HOLES_X) / 2
    for side in (-1, 1):  # beside the reader
        plate += Pos(side * (READER[0] / 2 + 3), READER_AT_Y, -SKIN) * Box(5, CELL[1] + 8, legs, align=DOWN)
    bridge = Pos(0, READER_AT_Y, -SKIN - legs) * Box(READER[0] + 11, CELL[1] + 8, 4, align=UP)
    for x in (middle - 3.5, middle + 3.5):
        bridge -= Pos(x, READER_AT_Y, -SKIN - legs) * Cylinder(CELL_HOLE / 2, 20)
    return plate + bridge
