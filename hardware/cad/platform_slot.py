"""A slot for a platform of the supply: a hexagonal recess over a reader."""

from build123d import Align, Axis, Box, Cylinder, Part, Pos, RegularPolygon, chamfer, extrude
from dimensions import CHAMFER, PLATFORM_THICK, READER, SKIN, TILE_FLAT, WALL

UP = (Align.CENTER, Align.CENTER, Align.MIN)
PLAY = 1.5


def build() -> Part:
    """Return the slot, lying on z = 0."""
    inside = TILE_FLAT / 2 + PLAY / 2
    floor = READER[2] + SKIN
    slot = extrude(RegularPolygon(inside + WALL, 6, major_radius=False, rotation=30), floor + PLATFORM_THICK / 2)
    slot = chamfer(slot.faces().sort_by(Axis.Z)[-1].edges(), CHAMFER)
    slot -= Pos(0, 0, floor) * extrude(RegularPolygon(inside, 6, major_radius=False, rotation=30), PLATFORM_THICK)
    for side in (-1, 1):  # for two fingers
        slot -= Pos(side * (inside + WALL), 0, floor) * Cylinder(12, PLATFORM_THICK, align=UP)
    return slot - Box(READER[0], READER[1], READER[2], align=UP)
