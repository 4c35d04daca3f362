"""The tray of the supply, cut from a sheet: places for slots of cards and platforms, and their cables."""

from build123d import Align, Axis, Box, Cylinder, Part, Pos, chamfer
from dimensions import (
    BOARD_HOLES,
    CABLE,
    CARD_CABLE_AT_X,
    CHAMFER,
    FOOT_PILOT,
    FRAME_THICK,
    PILOT,
    SUPPLY,
    SUPPLY_BOARD_AT,
    SUPPLY_CARDS_AT,
    SUPPLY_FEET,
    SUPPLY_LANDMARKS_AT,
    SUPPLY_PLATFORMS_AT,
)

DOWN = (Align.CENTER, Align.CENTER, Align.MAX)


def build() -> Part:
    """Return the tray, its upper side at z = 0."""
    left, right, front, back = SUPPLY
    tray = Box(right - left, back - front, FRAME_THICK, align=DOWN)
    tray = chamfer(tray.faces().sort_by(Axis.Z)[-1].edges(), CHAMFER)
    for x, y in SUPPLY_PLATFORMS_AT:
        tray -= Pos(x, y, 0) * Cylinder(CABLE[0] / 2, 3 * FRAME_THICK)
    for x, y in (*SUPPLY_CARDS_AT, *SUPPLY_LANDMARKS_AT):
        tray -= Pos(x + CARD_CABLE_AT_X, y, 0) * Cylinder(CABLE[0] / 2, 3 * FRAME_THICK)
    for x, y in SUPPLY_FEET:
        tray -= Pos(x, y, -FRAME_THICK) * Cylinder(FOOT_PILOT / 2, 12, align=(Align.CENTER, Align.CENTER, Align.MIN))
    for x in (-BOARD_HOLES[0] / 2, BOARD_HOLES[0] / 2):  # its carrier hangs below
        for y in (-BOARD_HOLES[1] / 2, BOARD_HOLES[1] / 2):
            at = Pos(SUPPLY_BOARD_AT[0] + x, SUPPLY_BOARD_AT[1] + y, -FRAME_THICK)
            tray -= at * Cylinder(PILOT / 2, 12, align=(Align.CENTER, Align.CENTER, Align.MIN))
    return tray
