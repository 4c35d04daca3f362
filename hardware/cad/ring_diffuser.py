"""The diffuser of a ring: pressed into the plate's groove below the ring of LEDs' light."""

from build123d import Align, Cylinder, Part
from dimensions import RING_INNER, RING_OUTER

THICK = 0.8


def build() -> Part:
    """Return the diffuser, lying on z = 0."""
    up = (Align.CENTER, Align.CENTER, Align.MIN)
    return Cylinder(RING_OUTER / 2 - 0.2, THICK, align=up) - Cylinder(RING_INNER / 2 + 0.2, THICK, align=up)
