"""The crane's carriage: a ring over the paddle, on three bearings of two rods, with a beam across the whole paddle.

z = 0 is the underside of the paddle in its seat.
"""

from math import radians, tan

from build123d import Align, Box, Cylinder, Part, Pos
from crane_paddle import BOSS_HIGH, SCREWS_AT
from dimensions import BEAM_BODY, BEARING, FLOAT, PADDLE, PADDLE_RANGE, PILOT, QUARTER, RIB, ROD_AT, SLIT, VIEW_DEG

UP = (Align.CENTER, Align.CENTER, Align.MIN)
SEAT_Z = PADDLE[1] + BOSS_HIGH  # the bosses of the paddle's screws touch here
RING_THICK = 5.0
VIEW_R = PADDLE_RANGE * tan(radians(VIEW_DEG / 2))
RING_IN, RING_OUT = VIEW_R + 1.0, PADDLE[0] / 2 + 6
HOUSING_R = BEARING[0] / 2 + 3
HOUSING_Z = (8.0, 58.0)
PLATE_TOP = 46.0
BEAM_Z = PADDLE[1] + RIB[1] - FLOAT + 0.2 + SLIT / 2  # just above the rib while the paddle hangs
BEAM_X = PADDLE[0] / 2 + 1.0
CORD_Y = 63.0
LUG = (66.0, 20.0)  # for the head of a digital scale: its x, and between its two screws


def build() -> Part:
    """Return the carriage; it is printed with its ring on the bed."""
    part = Pos(0, 0, SEAT_Z) * Cylinder(RING_OUT, RING_THICK, align=UP)
    part += Pos(0, CORD_Y, SEAT_Z) * Box(2 * ROD_AT[0], 8, PLATE_TOP - SEAT_Z, align=UP)
    for side in (-1, 1):
        part += _housing(side) + _pod(side)
    part -= Cylinder(RING_IN, 100)
    for side in (-1, 1):
        part -= _bore(side) + _light(side)
    for x, y in SCREWS_AT:
        part -= Pos(x, y, 0) * Cylinder(1.8, 100)
    part -= Pos(0, CORD_Y, PLATE_TOP - 5) * Cylinder(1.5, 40, rotation=(QUARTER, 0, 0))
    part -= Pos(15, CORD_Y + 1, PLATE_TOP) * Cylinder(PILOT / 2, 24)  # a steel screw that the head's magnet holds
    return part - _paddle_room()


def _housing(side: int) -> Part:
    """One bearing on the right, two on the left: three hold it straight, and a fourth would jam."""
    bottom, top = HOUSING_Z
    low = bottom if side < 0 else bottom + (top - bottom - BEARING[1]) / 2 - 1
    high = top if side < 0 else low + BEARING[1] + 2
    tube = Pos(side * ROD_AT[0], ROD_AT[1], low) * Cylinder(HOUSING_R, high - low, align=UP)
    web = Pos(side * ROD_AT[0], (CORD_Y + ROD_AT[1]) / 2, low) * Box(12, ROD_AT[1] - CORD_Y, high - low, align=UP)
    lug = Pos(LUG[0] - 10, ROD_AT[1], low) * Box(24, 6, high - low, align=UP)
    found = tube + web
    if side < 0:
        return found
    found += lug
    for k in (-1, 1):
        at = Pos(LUG[0], ROD_AT[1], (low + high) / 2 + k * LUG[1] / 2)
        found -= at * Cylinder(PILOT / 2, 20, rotation=(QUARTER, 0, 0))
    return found


def _bore(side: int) -> Part:
    at = Pos(side * ROD_AT[0], ROD_AT[1], 0)
    return at * Cylinder(BEARING[0] / 2 + 0.05, 300)


def _pod(side: int) -> Part:
    """What holds one half of the beam, outside of the paddle."""
    length, width, height = BEAM_BODY
    low = BEAM_Z - width / 2 - 1.1
    at = Pos(side * (BEAM_X + height / 2 + 1.2), 0, low)
    return at * Box(height + 4.4, length + 4.8, SEAT_Z + RING_THICK - low, align=UP)


def _light(side: int) -> Part:
    """The slit towards the paddle, and the pocket that takes one half of the beam from above."""
    length, width, height = BEAM_BODY
    slit = Pos(side * BEAM_X, 0, BEAM_Z) * Box(12, 2.0, SLIT)
    at = Pos(side * (BEAM_X + height / 2 + 1.2), 0, BEAM_Z - width / 2)
    return slit + at * Box(height, length, 40, align=UP)


def _paddle_room() -> Part:
    """The air in which the paddle hangs and rises."""
    return Cylinder(PADDLE[0] / 2 + 0.6, 2 * SEAT_Z)
