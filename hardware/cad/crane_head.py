"""The crane's head: it joins its two rods, holds the sensor over the middle of the pad, and stops the carriage.

z = 0 is its underside, where the carriage's bearings stop.
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
    SCALE_BAR,
    SEAT_BELOW,
)

UP = (Align.CENTER, Align.CENTER, Align.MIN)
DOWN = (Align.CENTER, Align.CENTER, Align.MAX)
SENSOR_Z = PADDLE[1] - FLOAT + PARK_RANGE - HOUSING_Z[1]
UNDERSIDE_Z = PLATFORM_THICK + PADDLE[1] + PADDLE_RANGE - SENSOR_Z  # above the pad's top
ROD_DEEP = ROD[1] - SEAT_BELOW - UNDERSIDE_Z
BLOCK = (66.0, 98.0)  # from y to y
ARM = (-14.0, 68.0)
HIGH = 36.0
ROLLER_Z = 24.0
ROLLERS_Y = (CORD_Y + ROLLER[0] / 2, CORD_Y + 21.0 - ROLLER[0] / 2)
PARK_GAP = 4.0  # below the head when the paddle is on the bare platform
COUNTERWEIGHT_Y = CORD_Y + 21.0
SCALE_AT = (LUG[0], ROD_AT[1] + 14)
MAGNET_AT = (15.0, CORD_Y + 1)  # above the carriage's steel screw


def build() -> Part:
    """Return the head; it is printed lying on its top."""
    left, right = -ROD_AT[0] - 10, LUG[0] + SCALE_BAR[0] / 2 + 4
    middle_y, deep = sum(BLOCK) / 2, BLOCK[1] - BLOCK[0]
    part = Pos((left + right) / 2, middle_y, 0) * Box(right - left, deep, HIGH, align=UP)
    under = SENSOR_Z + RANGER_HIGH
    part += Pos(0, (ARM[0] + ARM[1]) / 2, under) * Box(28, ARM[1] - ARM[0], 6 - under, align=UP)
    part += Pos(MAGNET_AT[0] + 1, MAGNET_AT[1], -6) * Box(11, 10, 12, align=UP)
    part -= Pos(*MAGNET_AT, -6) * Cylinder(3.05, 3, align=UP)
    for side in (-1, 1):
        at = Pos(side * ROD_AT[0], ROD_AT[1], 0)
        part -= at * Cylinder(ROD[0] / 2 + 0.1, ROD_DEEP, align=UP)
        part -= Pos(side * ROD_AT[0], BLOCK[0] - 1, ROD_DEEP / 2) * Cylinder(PILOT / 2, 40, rotation=(QUARTER, 0, 0))
        for k in (-1, 1):
            part -= Pos(side * RANGER[2] / 2, k * RANGER[3] / 2, under) * Cylinder(1.0, 16)
    return part - _cord() - Pos(*SCALE_AT, -1) * Box(SCALE_BAR[0] + 0.4, SCALE_BAR[1] + 0.4, 60, align=UP)


def _cord() -> Part:
    """The slot of the cord, and the holes of its rollers' screws."""
    low, high = CORD_Y - 2, COUNTERWEIGHT_Y + 2
    slot = Pos(0, (low + high) / 2, -30) * Box(ROLLER[1] + 2, high - low, HIGH + 26, align=UP)
    for y in ROLLERS_Y:
        slot += Pos(0, y, ROLLER_Z) * Cylinder(PILOT / 2, 40, rotation=(0, QUARTER, 0))
    return slot
