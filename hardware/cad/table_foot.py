"""A foot: a bolt or a screw goes through it from below, with its head sunk into the foot."""

from build123d import Align, Cone, Cylinder, Part
from dimensions import BOLT, FOOT

UP = (Align.CENTER, Align.CENTER, Align.MIN)
HEAD = (14.0, 12.0)  # diameter and depth of the recess for a bolt's head


def build() -> Part:
    """Return the foot, standing on z = 0."""
    foot = Cone(FOOT[0] / 2 - 5, FOOT[0] / 2, FOOT[1], align=UP)
    return foot - Cylinder(BOLT / 2, 3 * FOOT[1]) - Cylinder(HEAD[0] / 2, HEAD[1], align=UP)
