"""The crane's lower stop, clamped on the left rod: the paddle reaches a bare platform, and never the pad."""

from build123d import Align, Box, Cylinder, Part, Pos
from crane_carriage import HOUSING_Z
from dimensions import PILOT, PLATFORM_THICK, QUARTER, ROD

UP = (Align.CENTER, Align.CENTER, Align.MIN)
BELOW_PLATFORM = 1.0
HIGH = PLATFORM_THICK - BELOW_PLATFORM + HOUSING_Z[0]


def build() -> Part:
    """Return the stop, standing on the pod's top at z = 0."""
    ring = Cylinder(9, HIGH, align=UP) + Pos(11, 0, 0) * Box(12, 9, HIGH, align=UP)
    ring -= Cylinder(ROD[0] / 2 + 0.05, 60)
    return (
        ring
        - Pos(11, 0, 0) * Box(14, 1.2, 60)
        - Pos(12.5, 0, HIGH / 2) * Cylinder(PILOT / 2, 40, rotation=(QUARTER, 0, 0))
    )
