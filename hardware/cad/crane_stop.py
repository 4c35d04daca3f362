"""The crane's lower stop, clamped on the left rod: the paddle reaches a bare platform, and never the pad."""

from build123d import Align, Box, Cylinder, Part, Pos
from crane_carriage import HOUSING_Z
from dimensions import PILOT, PLATFORM_THICK, QUARTER, ROD, SCREW

UP = (Align.CENTER, Align.CENTER, Align.MIN)
BELOW_PLATFORM = 1.0
HIGH = PLATFORM_THICK - BELOW_PLATFORM + HOUSING_Z[0]


EAR = (11.0, 12.0, 9.0)  # the clamp: its middle from the rod's, its length and width
SLIT = 1.2
CLAMP_X = 12.5


def build() -> Part:
    """Return the stop, standing on the pod's top at z = 0; its screw comes from -y and bites behind the slit."""
    at, length, width = EAR
    ring = Cylinder(9, HIGH, align=UP) + Pos(at, 0, 0) * Box(length, width, HIGH, align=UP)
    ring -= Cylinder(ROD[0] / 2 + 0.05, 60)
    ring -= Pos(at, 0, 0) * Box(length + 2, SLIT, 60)
    near = Pos(CLAMP_X, -width / 2, HIGH / 2) * Cylinder(SCREW / 2, width, rotation=(QUARTER, 0, 0))
    return ring - near - Pos(CLAMP_X, 0, HIGH / 2) * Cylinder(PILOT / 2, 40, rotation=(QUARTER, 0, 0))
