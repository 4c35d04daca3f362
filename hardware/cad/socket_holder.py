"""The holder of a supply's socket: an angle below the edge of a floor, so that nobody pulls at the carrier."""

from build123d import Align, Box, Cylinder, Part, Pos
from dimensions import QUARTER, SCREW, SOCKET, SOCKET_DEEP

DOWN = (Align.CENTER, Align.CENTER, Align.MAX)
HOLE, WIDE, HIGH, THICK = SOCKET
HOLE_BELOW = THICK + HIGH / 2  # its middle, below the floor
SCREWS_AT = (-8.0, 8.0), SOCKET_DEEP / 2 - 4


def build() -> Part:
    """Return the holder as it hangs below z = 0, its face with the socket at -y."""
    part = Box(WIDE, SOCKET_DEEP, THICK, align=DOWN)
    part += Pos(0, -SOCKET_DEEP / 2 + THICK / 2, 0) * Box(WIDE, THICK, HIGH + THICK, align=DOWN)
    part -= Pos(0, 0, -HOLE_BELOW) * Cylinder(HOLE / 2, 3 * SOCKET_DEEP, rotation=(QUARTER, 0, 0))
    for x in SCREWS_AT[0]:
        part -= Pos(x, SCREWS_AT[1], 0) * Cylinder(SCREW / 2, 3 * THICK)
    return part
