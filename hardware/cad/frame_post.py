"""A post between the table's floor and its frame: a bolt goes from the foot through it into the frame's nut."""

from build123d import Align, Cylinder, Part
from dimensions import BOLT, FLOOR_TOP, FRAME_THICK, POST

HIGH = -FRAME_THICK - FLOOR_TOP


def build() -> Part:
    """Return the post, standing on z = 0."""
    return post(HIGH)


def post(high: float) -> Part:
    """Return a post of a height."""
    return Cylinder(POST / 2, high, align=(Align.CENTER, Align.CENTER, Align.MIN)) - Cylinder(BOLT / 2, 3 * high)
