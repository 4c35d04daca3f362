"""A tower as the table senses it: its weight, its height, its pieces."""

from random import Random
from typing import NamedTuple

from tabletwin.pieces import CUBE_G, CUBE_MM, Piece


class Placed(NamedTuple):
    """A piece in a tower and by how much it raises the tower; 0 for one that leans or lies beside."""

    piece: Piece
    rise_mm: float


class Tower:
    """The building on one platform, in the order it was built."""

    def __init__(self) -> None:
        self.placed: list[Placed] = []
        self.cube_of: int | None = None

    @property
    def pieces(self) -> list[Piece]:
        """Return its pieces."""
        return [placed.piece for placed in self.placed]

    @property
    def mass_g(self) -> float:
        """Return the weight of pieces and cube."""
        return sum(placed.piece.mass_g for placed in self.placed) + (CUBE_G if self.cube_of is not None else 0.0)

    @property
    def height_mm(self) -> float:
        """Return the height from the platform to the highest point."""
        return sum(placed.rise_mm for placed in self.placed) + (CUBE_MM if self.cube_of is not None else 0)

    @property
    def empty(self) -> bool:
        """Report whether nothing stands there."""
        return not self.placed and self.cube_of is None


def design(pieces: list[Piece], at_least_mm: float, rng: Random) -> list[Placed]:
    """Choose which piece to stand up, lay flat or put beside, so that the tower reaches a height if these pieces can.

    A piece is a little longer or shorter than its nominal size, so a tower is no whole number of millimetres.
    """
    order = list(pieces)
    rng.shuffle(order)
    order.sort(key=lambda piece: max(piece.rises_mm) < 20)  # builders keep the nubs for the end
    wanted_mm = at_least_mm + rng.uniform(0.5, 4.0)
    tower: list[Placed] = []
    height_mm = 0.0
    for piece in order:
        missing_mm = wanted_mm - height_mm
        enough = [rise for rise in piece.rises_mm if rise >= missing_mm]
        rise = 0.0 if missing_mm <= 0 else float(min(enough) if enough else max(piece.rises_mm))
        if rise:
            rise += rng.uniform(-0.05, 0.15)
        height_mm += rise
        tower.append(Placed(piece, rise))
    return tower
