"""The floor of the table: trays lie on it, and their carriers hang through its windows.

From below each hole of a tray a slot leads to the window. So a tray is lifted out with its cables, which go round the
edge of the carrier to its plugs.
"""

from build123d import Align, Box, Cylinder, Part, Pos, Rot
from dimensions import (
    BOARD_HOLES,
    BOLT,
    CABLE,
    FLOOR_THICK,
    FOOT_PILOT,
    PILOT,
    POST,
    SCREW,
    SECTOR,
    SIXTH,
    WINDOW,
    centre,
    sector_middle,
    turned,
)
from sector_tray import HELD_AT
from table_frame import POST_R, POSTS

DOWN = (Align.CENTER, Align.CENTER, Align.MAX)
OUTER = POST_R + POST / 2 + 4
INNER_FEET = tuple(turned(132.0, -137.0, k) for k in range(6))  # between two windows
PARK_HOLE = 80.0


def build() -> Part:
    """Return the floor, its top at z = 0."""
    floor = Cylinder(OUTER, FLOOR_THICK, align=DOWN) - Cylinder(PARK_HOLE / 2, 3 * FLOOR_THICK)
    for k in range(6):
        floor -= Rot(0, 0, k * SIXTH) * window()
        for at in HELD_AT:
            floor -= Pos(*turned(*at, k), 0) * Cylinder(SCREW / 2, 3 * FLOOR_THICK)
    for x, y in POSTS:
        floor -= Pos(x, y, 0) * Cylinder(BOLT / 2, 3 * FLOOR_THICK)
    for x, y in INNER_FEET:
        floor -= Pos(x, y, 0) * Cylinder(FOOT_PILOT / 2, 3 * FLOOR_THICK)
    for x in (-BOARD_HOLES[0] / 2, BOARD_HOLES[0] / 2):  # the park's carrier hangs below the middle
        for y in (-BOARD_HOLES[1] / 2, BOARD_HOLES[1] / 2):
            floor -= Pos(x, y, 0) * Cylinder(PILOT / 2, 3 * FLOOR_THICK)
    return floor


def window() -> Part:
    """Return what is cut away below the first sector: its carrier's window, and a slot from each hole to it."""
    x, y = sector_middle()
    cut = Pos(x, y, 0) * Box(*WINDOW, 3 * FLOOR_THICK)
    for one in SECTOR:
        from_x, from_y = (a + b for a, b in zip(centre(*one), (0.0, CABLE[1]), strict=True))
        to_x = min(max(from_x, x - WINDOW[0] / 2 + CABLE[0]), x + WINDOW[0] / 2 - CABLE[0])
        to_y = min(max(from_y, y - WINDOW[1] / 2 + CABLE[0]), y + WINDOW[1] / 2 - CABLE[0])
        cut += Pos(from_x, from_y, 0) * Cylinder(CABLE[0] / 2, 3 * FLOOR_THICK)
        size = max(CABLE[0], abs(to_x - from_x)), max(CABLE[0], abs(to_y - from_y))
        cut += Pos((from_x + to_x) / 2, (from_y + to_y) / 2, 0) * Box(*size, 3 * FLOOR_THICK)
    return cut
