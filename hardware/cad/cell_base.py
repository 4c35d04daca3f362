"""The base of a load cell: it holds the fixed end, and stops the free end before an elbow bends the cell for good."""

from build123d import Align, Box, Cylinder, Part, Pos
from dimensions import BASE_BEYOND, BASE_BLOCK, BASE_FLOOR, CELL, CELL_HELD, CELL_HOLE, CELL_HOLES, PILOT, STOP_GAP

UP = (Align.CENTER, Align.CENTER, Align.MIN)
Holes = tuple[tuple[float, float], ...]
"""How far each is from the end of a cell, and from its middle line."""
SIDE = (CELL[1] + BASE_BEYOND[1]) / 2  # from the middle of a base to its long side
EAR = 3.2  # radius of the four ears, whose screws come from below through what the base stands on


def build() -> Part:
    """Return the base, lying on z = 0; the cell's underside is at BASE_FLOOR + BASE_BLOCK."""
    return base(CELL, CELL_HOLES, CELL_HELD, CELL_HOLE)


def base(cell: tuple[float, float, float], holes: Holes, held: float, hole: float) -> Part:
    """Return the base of a cell that is held so far from its end; its screws' heads sink into the floor."""
    length, width, _ = cell
    part = Box(length + BASE_BEYOND[0], width + BASE_BEYOND[1], BASE_FLOOR, align=UP)
    part += Pos(-length / 2 + held / 2, 0, BASE_FLOOR) * Box(held, width, BASE_BLOCK, align=UP)
    part += Pos(length / 2 - 4, 0, BASE_FLOOR) * Box(8, width, BASE_BLOCK - STOP_GAP, align=UP)
    for x, y in ears(cell):
        part += Pos(x, y, BASE_FLOOR) * Cylinder(EAR, BASE_BLOCK - 2, align=UP)
        part -= Pos(x, y, 0) * Cylinder(PILOT / 2, 40)
    for x, y in holes:
        part -= Pos(-length / 2 + x, y, 0) * Cylinder(hole / 2, 40)
        part -= Pos(-length / 2 + x, y, 0) * Cylinder(hole, hole + 0.3, align=UP)
    return part


def ears(cell: tuple[float, float, float] = CELL) -> list[tuple[float, float]]:
    """Return where the screws of a base are."""
    x, y = cell[0] / 2 - 6.5, cell[1] / 2 + 4
    return [(sign_x * x, sign_y * y) for sign_x in (-1, 1) for sign_y in (-1, 1)]
