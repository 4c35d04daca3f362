"""A post between a seat's floor and its top."""

from build123d import Part
from dimensions import FRAME_THICK, TRAY_TOP
from frame_post import post


def build() -> Part:
    """Return the post, standing on z = 0."""
    return post(-FRAME_THICK - TRAY_TOP)
