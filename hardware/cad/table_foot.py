"""A foot of the table: it takes a rubber disc below and a screw from above."""

from build123d import Align, Cone, Cylinder, Part, Pos
from dimensions import FOOT

UP = (Align.CENTER, Align.CENTER, Align.MIN)


def build() -> Part:
    """Return the foot, lying on z = 0."""
    foot = Cone(FOOT[0] / 2, FOOT[0] / 2 - 6, FOOT[1], align=UP)
    return foot - Cylinder(2.7, 80) - Pos(0, 0, 6) * Cylinder(5, FOOT[1], align=UP)
