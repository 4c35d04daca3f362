"""The crane's paddle: a white disc that hangs loosely below its carriage, and lands on the highest point of a tower.

Whatever it lands on lifts it into its seat, so its rib breaks the carriage's beam wherever on the pad that is.
"""

from math import cos, pi, sin

from build123d import Align, Box, Cylinder, Part, Pos
from dimensions import PADDLE, PILOT, RIB

UP = (Align.CENTER, Align.CENTER, Align.MIN)
SCREWS_R = PADDLE[0] / 2 - 5  # three screws hold it from above
SCREWS_AT = tuple((SCREWS_R * cos(a), SCREWS_R * sin(a)) for a in (pi / 6, 5 * pi / 6, 3 * pi / 2))
BOSS_HIGH = 3.0


def build() -> Part:
    """Return the paddle, its underside at z = 0, its rib along x."""
    diameter, thick = PADDLE
    disc = Cylinder(diameter / 2, thick, align=UP)
    disc += Box(diameter - 4, RIB[0], thick + RIB[1], align=UP)
    for x, y in SCREWS_AT:
        disc += Pos(x, y, 0) * Cylinder(4.5, thick + BOSS_HIGH, align=UP)
        disc -= Pos(x, y, 1.0) * Cylinder(PILOT / 2, 20, align=UP)
    return disc
