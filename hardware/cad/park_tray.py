"""The tray of the park: one hex. Its carrier hangs below the floor."""

from build123d import Part
from sector_tray import tray_of


def build() -> Part:
    """Return the tray, its top at z = 0."""
    return tray_of(((0, 0),))
