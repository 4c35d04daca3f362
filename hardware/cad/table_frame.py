"""The frame of the table, cut from a sheet: its opening takes all plates, its rim keeps spills off."""

from build123d import Align, Cylinder, Part, Pos, RegularPolygon, extrude
from dimensions import FRAME_RIM, FRAME_THICK, GAP, PITCH, PLATE_FLAT, RADIUS, centre, hexes

OUTER = PITCH * (RADIUS + 0.5) * 2 / 3**0.5 + FRAME_RIM


def build() -> Part:
    """Return the frame, its top at z = 0."""
    frame = Cylinder(OUTER, FRAME_THICK, align=(Align.CENTER, Align.CENTER, Align.MAX))
    opening = RegularPolygon(PLATE_FLAT / 2 + GAP, 6, major_radius=False, rotation=30)
    for q, r in hexes():
        frame -= Pos(*centre(q, r), 0) * extrude(opening, -FRAME_THICK)
    return frame
