"""The top of a seat, cut from a sheet: three pads with the holes of their cranes' rods, and the bag's opening.

Its far side (+y) is put against the table. Cards lie on it, in front.
"""

from build123d import Align, Axis, Box, Cylinder, Part, Pos, RegularPolygon, chamfer, extrude
from dimensions import (
    BAG,
    BAG_AT,
    BUTTON,
    BUTTON_AT,
    BUTTON_NUT,
    CABLE,
    CARD_CABLE_AT_X,
    CARDS_AT,
    CHAMFER,
    CRANE_CABLES_AT,
    FRAME_THICK,
    GAP,
    INSERT,
    PADS_AT,
    PLATE_FLAT,
    ROD,
    ROD_AT,
    SEAT,
    SEAT_POSTS,
    WALL,
)

UP, DOWN = (Align.CENTER, Align.CENTER, Align.MIN), (Align.CENTER, Align.CENTER, Align.MAX)


def build() -> Part:
    """Return the top, its upper side at z = 0."""
    top = slab()
    top = chamfer(top.faces().sort_by(Axis.Z)[-1].edges(), CHAMFER)
    opening = extrude(RegularPolygon(PLATE_FLAT / 2 + GAP, 6, major_radius=False, rotation=30), -FRAME_THICK)
    for x, y in PADS_AT:
        top -= Pos(x, y, 0) * opening
    for x, y in rods_at():
        top -= Pos(x, y, 0) * Cylinder(ROD[0] / 2 + 0.05, 3 * FRAME_THICK)
    for x, y in cables_at():
        top -= Pos(x, y, 0) * Cylinder(CABLE[0] / 2, 3 * FRAME_THICK)
    top -= Pos(*BAG_AT, 0) * Cylinder(BAG[0] / 2 + WALL + 3, 3 * FRAME_THICK)
    top -= Pos(*BUTTON_AT, 0) * Cylinder(BUTTON / 2, 3 * FRAME_THICK)
    top -= Pos(*BUTTON_AT, -FRAME_THICK) * Cylinder(BUTTON_NUT[0] / 2, BUTTON_NUT[1], align=UP)
    for x, y in SEAT_POSTS:
        top -= Pos(x, y, -FRAME_THICK) * Cylinder(INSERT[0] / 2, INSERT[1], align=UP)
    return top


def slab() -> Part:
    """Return the outline of a seat as a sheet, its upper side at z = 0."""
    left, right, front, back = SEAT
    return Pos((left + right) / 2, (front + back) / 2, 0) * Box(right - left, back - front, FRAME_THICK, align=DOWN)


def rods_at() -> list[tuple[float, float]]:
    """Return where the rods of all cranes stand: each crane at the left of its pad."""
    return [(x - ROD_AT[1], y + side * ROD_AT[0]) for x, y in PADS_AT for side in (-1, 1)]


def cables_at() -> list[tuple[float, float]]:
    """Return where cables go through the top: of the card slots' readers, and of each crane's sensor and beam."""
    cards = [(x + CARD_CABLE_AT_X, y) for x, y in CARDS_AT]
    return cards + [(x + CRANE_CABLES_AT[0], y + CRANE_CABLES_AT[1]) for x, y in PADS_AT]
