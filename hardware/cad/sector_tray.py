"""The tray of a sector: it carries six hexes and, below, their carrier. It is lifted out with all of them.

A drop that falls through a seam lands between two hexes, where the tray has neither hole nor part.
"""

from build123d import Cylinder, Part, Pos, RegularPolygon, Sketch, extrude, offset
from cell_base import ears
from dimensions import (
    BOARD_HOLES,
    CABLE,
    PILOT,
    PITCH,
    READER_AT_Y,
    SCREW,
    SECTOR,
    TRAY_GAP,
    TRAY_THICK,
    centre,
    sector_middle,
)

HELD_AT = ((62.0, -4.0), (306.0, -4.0), (154.0, -163.0))  # screws come from below, through the floor; none below a base


def build() -> Part:
    """Return the tray of the first sector in its place, its top at z = 0."""
    tray = tray_of(SECTOR)
    x, y = sector_middle()
    for at_x in (x - BOARD_HOLES[0] / 2, x + BOARD_HOLES[0] / 2):
        for at_y in (y - BOARD_HOLES[1] / 2, y + BOARD_HOLES[1] / 2):
            tray -= Pos(at_x, at_y, 0) * Cylinder(PILOT / 2, 3 * TRAY_THICK)
    for at in HELD_AT:
        tray -= Pos(*at, 0) * Cylinder(PILOT / 2, 3 * TRAY_THICK)
    return tray


def tray_of(hexes: tuple[tuple[int, int], ...]) -> Part:
    """Return a tray with the holes of these hexes' bases and cables."""
    hexagon = RegularPolygon(PITCH / 2 + 0.01, 6, major_radius=False, rotation=30)
    outline = Sketch() + [Pos(*centre(*one)) * hexagon for one in hexes]
    tray = extrude(offset(outline, -TRAY_GAP / 2), -TRAY_THICK)
    for one in hexes:
        x, y = centre(*one)
        tray -= Pos(x, y + CABLE[1], 0) * Cylinder(CABLE[0] / 2, 3 * TRAY_THICK)
        for ear_x, ear_y in ears():
            tray -= Pos(x + ear_x, y + READER_AT_Y + ear_y, 0) * Cylinder(SCREW / 2, 3 * TRAY_THICK)
    return tray
