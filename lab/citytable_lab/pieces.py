"""Define the pieces of our own invention that towers are drawn from: boxes glued together, 6 to 17 g each.

Lengths are millimetres. Sizes and masses are assumptions, not measured from any game.
"""

from typing import Literal

import msgspec

MATERIALS = ("glass", "concrete", "steel")
DENSITY_G_PER_CM3 = {
    "glass": 1.04,
    "concrete": 1.05,
    "steel": 1.06,
}  # all are plastic: their weights do not distinguish them

Vector = tuple[float, float, float]
Axis = Literal[0, 1, 2]


class Box(msgspec.Struct, frozen=True):
    """Hold one box of a piece, axis-parallel: its corner with the least coordinates, and the one opposite."""

    low: Vector
    high: Vector

    @property
    def centre(self) -> Vector:
        """Return its middle."""
        (x0, y0, z0), (x1, y1, z1) = self.low, self.high
        return ((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2)

    @property
    def half(self) -> Vector:
        """Return half its edges."""
        (x0, y0, z0), (x1, y1, z1) = self.low, self.high
        return ((x1 - x0) / 2, (y1 - y0) / 2, (z1 - z0) / 2)

    @property
    def volume_cm3(self) -> float:
        """Return its volume."""
        x, y, z = self.half
        return 8.0 * x * y * z / 1000.0

    def moved(self, by: Vector) -> "Box":
        """Return the same box elsewhere."""
        return Box(_added(self.low, by), _added(self.high, by))


class Shape(msgspec.Struct, frozen=True):
    """Hold a kind of piece: its boxes do not overlap, and their lowest corner is the origin."""

    name: str
    boxes: tuple[Box, ...]

    @property
    def size(self) -> Vector:
        """Return the edges of the box around all boxes."""
        highs = [box.high for box in self.boxes]
        return (max(high[0] for high in highs), max(high[1] for high in highs), max(high[2] for high in highs))

    @property
    def volume_cm3(self) -> float:
        """Return its volume."""
        return sum(box.volume_cm3 for box in self.boxes)

    @property
    def centre_of_mass(self) -> Vector:
        """Return the centre of mass of a solid of one density."""
        whole = self.volume_cm3
        x, y, z = (sum(box.centre[axis] * box.volume_cm3 for box in self.boxes) / whole for axis in range(3))
        return (x, y, z)

    def scaled(self, factor: float) -> "Shape":
        """Return the same shape with all lengths times `factor`."""
        return Shape(self.name, tuple(Box(_times(box.low, factor), _times(box.high, factor)) for box in self.boxes))

    def laid(self, order: tuple[Axis, Axis, Axis]) -> "Shape":
        """Return the shape turned so that its axis `order[i]` lies along axis i.

        Mirror images count as the same piece.
        """
        return Shape(self.name, tuple(Box(_picked(box.low, order), _picked(box.high, order)) for box in self.boxes))

    def flipped(self, axis: Axis) -> "Shape":
        """Return the shape turned end for end along `axis`."""
        size = self.size[axis]
        boxes = []
        for box in self.boxes:
            low, high = list(box.low), list(box.high)
            low[axis], high[axis] = size - box.high[axis], size - box.low[axis]
            boxes.append(Box((low[0], low[1], low[2]), (high[0], high[1], high[2])))
        return Shape(self.name, tuple(boxes))


def _shape(name: str, *corners: tuple[float, float, float, float, float, float]) -> Shape:
    """Return a shape of boxes given by two corners each: x0, y0, z0, x1, y1, z1."""
    return Shape(name, tuple(Box((x0, y0, z0), (x1, y1, z1)) for x0, y0, z0, x1, y1, z1 in corners))


SHAPES = (
    _shape("cube", (0, 0, 0, 21, 21, 21)),
    _shape("brick", (0, 0, 0, 38, 20, 14)),
    _shape("post", (0, 0, 0, 14, 14, 50)),
    _shape("pillar", (0, 0, 0, 12, 12, 72)),
    _shape("drum", (0, 0, 0, 26, 26, 15)),
    _shape("slab", (0, 0, 0, 62, 20, 9)),
    _shape("plank", (0, 0, 0, 80, 15, 8)),
    _shape("plate", (0, 0, 0, 44, 32, 7)),
    _shape("ell", (0, 0, 0, 38, 14, 13), (0, 0, 13, 13, 14, 38)),
    _shape("cup", (0, 0, 0, 40, 14, 10), (0, 0, 10, 10, 14, 32), (30, 0, 10, 40, 14, 32)),
    _shape("gate", (0, 0, 0, 10, 15, 28), (34, 0, 0, 44, 15, 28), (0, 0, 28, 44, 15, 37)),
    _shape("frame", (0, 0, 0, 42, 12, 8), (0, 0, 34, 42, 12, 42), (0, 0, 8, 8, 12, 34), (34, 0, 8, 42, 12, 34)),
    _shape("tube", (0, 0, 0, 26, 5, 34), (0, 21, 0, 26, 26, 34), (0, 5, 0, 5, 21, 34), (21, 5, 0, 26, 21, 34)),
    _shape("bridge", (0, 0, 8, 66, 16, 17), (4, 0, 0, 14, 16, 8), (52, 0, 0, 62, 16, 8)),
    _shape("tee", (0, 0, 28, 42, 13, 40), (14.5, 0, 0, 27.5, 13, 28)),
    _shape("step", (0, 0, 0, 30, 16, 14), (15, 0, 14, 45, 16, 28)),
)


def _added(a: Vector, b: Vector) -> Vector:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def _times(a: Vector, factor: float) -> Vector:
    return (a[0] * factor, a[1] * factor, a[2] * factor)


def _picked(a: Vector, order: tuple[Axis, Axis, Axis]) -> Vector:
    return (a[order[0]], a[order[1]], a[order[2]])
