"""The building pieces of the house set: ten flat shapes, five of each per material, 5 mm thick."""

from random import Random
from typing import NamedTuple

MATERIALS = ("steel", "concrete", "glass")
EACH = 5
THICK_MM = 5
GRAMS_PER_MM3 = 1.05e-3
MASS_SPREAD = (0.85, 1.15)
CUBE_MM = 8
CUBE_G = 1.0


class Shape(NamedTuple):
    """A flat shape: its sides and its area without holes."""

    name: str
    a_mm: int
    b_mm: int
    area_mm2: int


SHAPES = (
    Shape("nub", 10, 10, 100),
    Shape("brick", 10, 20, 200),
    Shape("square", 20, 20, 400),
    Shape("bar", 10, 40, 400),
    Shape("long bar", 10, 60, 600),
    Shape("slab", 20, 40, 800),
    Shape("wide slab", 30, 40, 1200),
    Shape("angle", 30, 30, 500),
    Shape("arch", 30, 40, 1000),
    Shape("triangle", 30, 26, 390),
)


class Piece(NamedTuple):
    """One piece; `number` tells equal ones apart."""

    number: int
    material: str
    shape: Shape
    mass_g: float

    @property
    def rises_mm(self) -> tuple[int, int, int]:
        """Return the height that it adds to a tower: laid flat, or stood up on one side or the other."""
        return (THICK_MM, self.shape.a_mm, self.shape.b_mm)


def whole_set(rng: Random) -> list[Piece]:
    """Return all 150 pieces, each with its own mass."""
    kinds = [(material, shape) for material in MATERIALS for shape in SHAPES for _ in range(EACH)]
    return [
        Piece(number, material, shape, shape.area_mm2 * THICK_MM * GRAMS_PER_MM3 * rng.uniform(*MASS_SPREAD))
        for number, (material, shape) in enumerate(kinds)
    ]


def counted(pieces: list[Piece]) -> dict[str, int]:
    """Count the pieces of each material; leave out materials without any."""
    return {
        material: count for material in MATERIALS if (count := sum(1 for piece in pieces if piece.material == material))
    }
