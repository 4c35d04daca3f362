"""The crane's head: it joins its two rods, holds the sensor over the middle of the pad, and stops the carriage.

z = 0 is its underside, where the carriage's bearings stop. The cord's rollers turn on screws in a tower on top of it,
where a screwdriver reaches them from the left.
"""

from build123d import Align, Box, Cylinder, Part, Pos
from crane_carriage import CORD_Y, HOUSING_Z, LUG
from dimensions import (
    FLOAT,
    PADDLE,
    PADDLE_RANGE,
    PARK_RANGE,
    PILOT,
    PLATFORM_THICK,
    QUARTER,
    RANGER,
    RANGER_HIGH,
    ROD,
    ROD_AT,
    ROLLER,
    ROLLER_FLANGE,
    SCALE_BAR,
    SCREW,
    SEAT_BELOW,
    SMALL_PILOT,
)

UP = (Align.CENTER, Align.CENTER, Align.MIN)
DOWN = (Align.CENTER, Align.CENTER, Align.MAX)
SENSOR_Z = PADDLE[1] - FLOAT + PARK_RANGE - HOUSING_Z[1]
UNDERSIDE_Z = PLATFORM_THICK + PADDLE[1] + PADDLE_RANGE - SENSOR_Z  # above the pad's top
ROD_DEEP = ROD[1] - SEAT_BELOW - UNDERSIDE_Z
BLOCK = (66.0, 98.0)  # from y to y
ARM = (-14.0, 68.0)
HIGH = 36.0
ROLLER_Z = HIGH + 8.0
COUNTERWEIGHT_Y = CORD_Y + 23.0
ROLLERS_Y = (CORD_Y + ROLLER[0] / 2, COUNTERWEIGHT_Y - ROLLER[0] / 2)
SHOULDER = (2.3, 0.8)  # radius and height: a cheek touches the inner ring of a roller alone
CHEEKS = (4.0, 7.0)  # how thick: a screw goes through the left one, and bites in the right one
SLOT = ROLLER[1] + 2 * SHOULDER[1] + 0.4
CORD_R = 2.5  # of the holes for the cord
TOWER = (CORD_Y - 3.0, COUNTERWEIGHT_Y + 4.0)  # from y to y
PARK_GAP = 4.0  # below the head when the paddle is on the bare platform
SCALE_AT = (LUG[0], ROD_AT[1] + 14)
MAGNET_AT = (15.0, CORD_Y + 1)  # above the carriage's steel screw
MAGNET = (3.05, 3.0, 6.0)  # radius and depth of its hole; how far its face is below the head


def build() -> Part:
    """Return the head; it is printed as it stands, with supports below its block."""
    left, right = -ROD_AT[0] - 10, LUG[0] + SCALE_BAR[0] / 2 + 4
    middle_y, deep = sum(BLOCK) / 2, BLOCK[1] - BLOCK[0]
    part = Pos((left + right) / 2, middle_y, 0) * Box(right - left, deep, HIGH, align=UP)
    under = SENSOR_Z + RANGER_HIGH
    part += Pos(0, (ARM[0] + ARM[1]) / 2, under) * Box(28, ARM[1] - ARM[0], 6 - under, align=UP)
    radius, hole, below = MAGNET
    part += Pos(MAGNET_AT[0] + 1, MAGNET_AT[1], -below) * Box(11, 10, 2 * below, align=UP)
    part -= Pos(*MAGNET_AT, -below) * Cylinder(radius, hole, align=UP)
    part = part + _tower() - _cord()
    for side in (-1, 1):
        at = Pos(side * ROD_AT[0], ROD_AT[1], 0)
        part -= at * Cylinder(ROD[0] / 2 + 0.1, ROD_DEEP, align=UP)
        part -= Pos(side * ROD_AT[0], BLOCK[0] - 1, ROD_DEEP / 2) * Cylinder(PILOT / 2, 20, rotation=(QUARTER, 0, 0))
        for k in (-1, 1):
            part -= Pos(side * RANGER[2] / 2, k * RANGER[3] / 2, under) * Cylinder(SMALL_PILOT / 2, 16)
    return part - Pos(*SCALE_AT, -1) * Box(SCALE_BAR[0] + 0.4, SCALE_BAR[1] + 0.4, 60, align=UP)


def _tower() -> Part:
    """What the rollers turn in: two cheeks on top of the block, with shoulders for the rollers and holes for screws."""
    low, high = TOWER
    top = ROLLER_Z + ROLLER_FLANGE[0] / 2 + 1
    left, right = -SLOT / 2 - CHEEKS[0], SLOT / 2 + CHEEKS[1]
    part = Pos((left + right) / 2, (low + high) / 2, 0) * Box(right - left, high - low, top, align=UP)
    floor = ROLLER_Z - ROLLER_FLANGE[0] / 2 - 1
    part -= Pos(0, (low + high) / 2, floor) * Box(SLOT, high - low + 2, top, align=UP)
    for y in ROLLERS_Y:
        axis = Pos(0, y, ROLLER_Z)
        for side in (-1, 1):
            shoulder = Cylinder(*SHOULDER, rotation=(0, QUARTER, 0))
            part += axis * Pos(side * (SLOT - SHOULDER[1]) / 2, 0, 0) * shoulder
        part -= axis * Cylinder(PILOT / 2, 60, rotation=(0, QUARTER, 0))
        part -= axis * Pos(left, 0, 0) * Cylinder(SCREW / 2, 2 * (SLOT + CHEEKS[0]), rotation=(0, QUARTER, 0))
    return part


def _cord() -> Part:
    """The two holes through which the cord goes down: in front to the carriage, behind to the counterweight."""
    found = Pos(0, CORD_Y, -30) * Cylinder(CORD_R, 100, align=UP)
    return found + Pos(0, COUNTERWEIGHT_Y, -30) * Cylinder(CORD_R, 100, align=UP)
