"""The floor of the table: trays lie on it, and their carriers hang through its windows."""

from build123d import Align, Box, Cylinder, Part, Pos, Rot
from dimensions import (
    BOARD_HOLES,
    BOLT,
    FLOOR_THICK,
    PILOT,
    POST,
    SCREW,
    SIXTH,
    WINDOW,
    sector_middle,
    turned,
)
from sector_tray import HELD_AT
from table_frame import POST_R, POSTS

DOWN = (Align.CENTER, Align.CENTER, Align.MAX)
OUTER = POST_R + POST / 2 + 4
INNER_FEET = tuple(turned(132.0, 137.0, k) for k in range(6))  # between two windows
PARK_HOLE = 50.0


def build() -> Part:
    """Return the floor, its top at z = 0."""
    floor = Cylinder(OUTER, FLOOR_THICK, align=DOWN) - Cylinder(PARK_HOLE / 2, 3 * FLOOR_THICK)
    for k in range(6):
        floor -= Rot(0, 0, k * SIXTH) * Pos(*sector_middle(), 0) * Box(*WINDOW, 3 * FLOOR_THICK)
        for at in HELD_AT:
            floor -= Pos(*turned(*at, k), 0) * Cylinder(SCREW / 2, 3 * FLOOR_THICK)
    for x, y in POSTS:
        floor -= Pos(x, y, 0) * Cylinder(BOLT / 2, 3 * FLOOR_THICK)
    for x in (-BOARD_HOLES[0] / 2, BOARD_HOLES[0] / 2):  # the park's carrier hangs below the middle
        for y in (-BOARD_HOLES[1] / 2, BOARD_HOLES[1] / 2):
            floor -= Pos(x, y, 0) * Cylinder(PILOT / 2, 3 * FLOOR_THICK)
    return floor
