"""The base of the bag's cell: like that of a hex's cell, for a bar of 3 kg."""

from build123d import Part
from cell_base import base
from dimensions import BAG_CELL, BAG_CELL_HOLES_X, BAG_CELL_SCREWS

HOLE = BAG_CELL_SCREWS[0] + 0.3


def build() -> Part:
    """Return the base, lying on z = 0."""
    return base(BAG_CELL, tuple((x, 0.0) for x in BAG_CELL_HOLES_X), sum(BAG_CELL_HOLES_X) + 1, HOLE)
