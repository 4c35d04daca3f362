"""The top of the table around the hexes, cut from a sheet: one opening takes all plates, posts stand below its rim."""

from build123d import Align, Axis, Cylinder, Part, Pos, RegularPolygon, chamfer, extrude
from dimensions import CHAMFER, FRAME_RIM, FRAME_THICK, GAP, INSERT, PITCH, PLATE_FLAT, RADIUS, centre, hexes, turned

OUTER = PITCH * (RADIUS + 0.5) * 2 / 3**0.5 + FRAME_RIM
POST_R = OUTER - FRAME_RIM
POSTS = tuple(turned(POST_R * 3**0.5 / 2, POST_R / 2, k) for k in range(6))  # between two corners of the city


def build() -> Part:
    """Return the frame, its top at z = 0."""
    frame = Cylinder(OUTER, FRAME_THICK, align=(Align.CENTER, Align.CENTER, Align.MAX))
    frame = chamfer(frame.faces().sort_by(Axis.Z)[-1].edges(), CHAMFER)
    opening = RegularPolygon(PLATE_FLAT / 2 + GAP, 6, major_radius=False, rotation=30)
    for q, r in hexes():
        frame -= Pos(*centre(q, r), 0) * extrude(opening, -FRAME_THICK)
    for x, y in POSTS:
        frame -= Pos(x, y, -FRAME_THICK) * Cylinder(
            INSERT[0] / 2, INSERT[1], align=(Align.CENTER, Align.CENTER, Align.MIN)
        )
    return frame
