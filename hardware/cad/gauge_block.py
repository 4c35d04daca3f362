"""The gauge block of the cranes: one cuboid, whose three edges are three heights. No printer is exact: measure it."""

from build123d import Align, Box, Part
from dimensions import GAUGE


def build() -> Part:
    """Return the block, lying on z = 0."""
    return Box(*GAUGE, align=(Align.CENTER, Align.CENTER, Align.MIN))
