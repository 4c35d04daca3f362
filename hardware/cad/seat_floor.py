"""The floor of a seat, cut from a sheet: it carries the bases of all cells, the cranes' rods and the carrier."""

from build123d import Cylinder, Part, Pos, Rot
from cell_base import ears
from dimensions import (
    BAG_AT,
    BAG_CELL,
    BAG_CELL_AT_X,
    BOARD_HOLES,
    BOLT,
    CABLE,
    FRAME_THICK,
    PAD_CELLS,
    PADS_AT,
    PILOT,
    ROD,
    SCREW,
    SEAT_BOARD_AT,
    SEAT_CABLES_AT,
    SEAT_POSTS,
)
from seat_top import rods_at, slab


def build() -> Part:
    """Return the floor, its upper side at z = 0."""
    floor = slab()
    screws = [Pos(*BAG_AT) * Pos(BAG_CELL_AT_X + x, y) for x, y in ears(BAG_CELL)]
    for pad in PADS_AT:
        for x, y, turn in PAD_CELLS:
            screws += [Pos(*pad) * Pos(x, y) * Rot(0, 0, turn) * Pos(*ear) for ear in ears()]
    for x in (-BOARD_HOLES[0] / 2, BOARD_HOLES[0] / 2):
        for y in (-BOARD_HOLES[1] / 2, BOARD_HOLES[1] / 2):
            floor -= Pos(SEAT_BOARD_AT[0] + x, SEAT_BOARD_AT[1] + y) * Cylinder(PILOT / 2, 3 * FRAME_THICK)
    for at in screws:
        floor -= at * Cylinder(SCREW / 2, 3 * FRAME_THICK)
    for x, y in rods_at():
        floor -= Pos(x, y, 0) * Cylinder(ROD[0] / 2 + 0.05, 3 * FRAME_THICK)
    for x, y in SEAT_POSTS:
        floor -= Pos(x, y, 0) * Cylinder(BOLT / 2, 3 * FRAME_THICK)
    for x, y in SEAT_CABLES_AT:
        floor -= Pos(x, y, 0) * Cylinder(CABLE[0], 3 * FRAME_THICK)
    return floor
