"""Draw random towers: pieces put where a person might put them. They look stable; physics decides whether they stand.

Lengths in millimetres, in the tower's own axes: the tile's top is z = 0, its centre the origin.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import msgspec
from numpy.random import Generator

from citytable_lab.pieces import DENSITY_G_PER_CM3, MATERIALS, SHAPES, Axis, Box, Shape, Vector

ORDERS: tuple[tuple[Axis, Axis, Axis], ...] = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
GAP_MM = 1.2  # kept between neighbours, because a piece is set down a little turned
TURN_MM = 0.9  # how far a corner may be turned out
FLUSH_MM = 0.05  # two tops this close carry a piece together
HOLD_MM = 2.0  # a strip narrower than this carries nothing
TRIES = 60
LOOSE_MM = (0.2, 2.0)  # how near to falling a piece is that was left badly
ENOUGH = 12  # places found among which to choose
CEILING_MM = (50.0, 130.0, 265.0)  # least, likeliest and greatest height anybody builds to
LIGHTEST_G, HEAVIEST_G = 6.0, 17.0

Point = tuple[float, float]


class Placed(msgspec.Struct, frozen=True):
    """Hold a piece in a tower: its boxes where they stand, turned by `turn_rad` about its vertical middle axis."""

    shape: str
    material: str
    mass_g: float
    boxes: tuple[Box, ...]
    turn_rad: float = 0.0
    bearers: tuple[int, ...] = ()  # numbers of the pieces it stands on

    @property
    def low(self) -> Vector:
        """Return the least corner of the box around it."""
        lows = [box.low for box in self.boxes]
        return (min(low[0] for low in lows), min(low[1] for low in lows), min(low[2] for low in lows))

    @property
    def high(self) -> Vector:
        """Return the corner opposite."""
        highs = [box.high for box in self.boxes]
        return (max(high[0] for high in highs), max(high[1] for high in highs), max(high[2] for high in highs))

    @property
    def middle(self) -> Vector:
        """Return the point between the two."""
        low, high = self.low, self.high
        return ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2)


class Tower(msgspec.Struct, frozen=True):
    """Hold pieces on a hexagonal tile, in the order of building; the whole is turned by `turn_rad` on its tile.

    `loose` is the number of a piece that somebody left at an edge, bearing nothing.
    """

    tile_mm: float
    turn_rad: float
    pieces: tuple[Placed, ...]
    loose: int | None = None

    @property
    def height_mm(self) -> float:
        """Return the height of the highest piece above the tile."""
        return max((piece.high[2] for piece in self.pieces), default=0.0)

    def loaded(self) -> set[int]:
        """Return the numbers of the pieces on which others stand."""
        return {bearer for piece in self.pieces for bearer in piece.bearers}


class Port(msgspec.Struct, frozen=True):
    """Hold a disc that a piece on the ground must touch, in the axes of the tile; two of its sides run along y."""

    middle: Point
    radius_mm: float

    def touched_by(self, piece: Placed, turn_rad: float) -> bool:
        """Return whether a piece of a tower that is turned by so much on its tile stands on any of it."""
        x, y = _turned(*self.middle, -turn_rad)
        grounded = [box for box in piece.boxes if box.low[2] < FLUSH_MM]
        away = [
            (max(box.low[0] - x, x - box.high[0], 0.0), max(box.low[1] - y, y - box.high[1], 0.0)) for box in grounded
        ]
        return any(math.hypot(*one) < self.radius_mm for one in away)


Allows: TypeAlias = Callable[[Sequence[Placed], Placed], bool]
"""Says whether somebody who builds for a contract puts a piece there, beside those that stand already."""


class BuildingStyle(msgspec.Struct, frozen=True):
    """Describe how somebody builds.

    How much height counts, how daring overhangs are, how often bridges and twins are tried, how much of the tile is
    used.
    """

    size: float
    ceiling_mm: float
    ambition: float
    daring: float
    spread: float
    ground: float
    reach: float
    twins: float
    spans: float


def random_tower(
    rng: Generator,
    tile_mm: float,
    count: int,
    loose: bool = False,
    allows: Allows | None = None,
    first: Sequence[Placed | Port] = (),
) -> Tower:
    """Draw a tower of `count` pieces, or fewer when no more found a place; the last may be left `loose`.

    The pieces of `first` stand there already, then each of its ports that nothing touches gets a piece, as long as one
    finds a place; `allows` is asked about each further piece. Without either there is never no piece.
    """
    building = _Building(tile_mm, _random_style(rng), rng, allows)
    building.pieces += [one for one in first if isinstance(one, Placed)]
    for port in first:
        if isinstance(port, Port) and not building.touch(port):
            break
    for _ in range(count - loose - len(building.pieces)):
        if not building.add_piece():
            break
    left = len(building.pieces) - 1 if loose and building.leave_piece() else None
    return Tower(tile_mm, building.turn_rad, tuple(building.pieces), left)


def random_piece(rng: Generator, size: float) -> tuple[Shape, str, float]:
    """Draw a piece that has no place yet: its shape as it is held, material, and mass."""
    shape = SHAPES[rng.integers(len(SHAPES))].scaled(size).laid(ORDERS[rng.integers(len(ORDERS))])
    for axis in (0, 1, 2):
        if rng.random() < 0.5:
            shape = shape.flipped(axis)
    material = MATERIALS[rng.integers(len(MATERIALS))]
    mass_g = shape.volume_cm3 * DENSITY_G_PER_CM3[material] * rng.normal(1.0, 0.05)
    return shape, material, min(max(mass_g, LIGHTEST_G), HEAVIEST_G)


def inside_hexagon(x_mm: float, y_mm: float, tile_mm: float) -> bool:
    """Return whether a point lies on a hexagon of that width, two sides of which are parallel to y."""
    half = tile_mm / 2
    return all(abs(x_mm * math.cos(a) + y_mm * math.sin(a)) <= half for a in (0.0, math.pi / 3, 2 * math.pi / 3))


def _random_style(rng: Generator) -> BuildingStyle:
    return BuildingStyle(
        size=rng.uniform(0.88, 1.08),
        ceiling_mm=rng.triangular(*CEILING_MM),
        ambition=rng.uniform(-0.1, 0.8),
        daring=rng.uniform(0.0, 0.35),
        spread=rng.uniform(0.05, 0.35),
        ground=rng.uniform(0.1, 1.0),
        reach=rng.uniform(0.3, 1.0),
        twins=rng.uniform(0.0, 1.0),
        spans=rng.uniform(0.2, 1.5),
    )


class _Building:
    """Build a tower piece by piece."""

    def __init__(self, tile_mm: float, style: BuildingStyle, rng: Generator, allows: Allows | None) -> None:
        self.tile_mm = tile_mm
        self._allows = allows
        self.style = style
        self.rng = rng
        self.turn_rad = rng.uniform(0, math.tau)
        self.pieces: list[Placed] = []
        self.margins_mm: tuple[float, float] | None = None

    def add_piece(self) -> bool:
        """Try places for a few pieces and take the best; return False when none will do."""
        best, liked, found = None, -math.inf, 0
        for _ in range(TRIES):
            piece = self._try() if found < ENOUGH else None
            if piece is None:
                continue
            found += 1
            liking = self.style.ambition * piece.high[2] + self.rng.normal(0, 15)
            if liking > liked:
                best, liked = piece, liking
        if best is None:
            return False
        self.pieces.append(best)
        return True

    def touch(self, port: Port) -> bool:
        """Put a piece on a port, unless one touches it; return False when none will do."""
        if any(port.touched_by(piece, self.turn_rad) for piece in self.pieces):
            return True
        x, y = _turned(*port.middle, -self.turn_rad)
        for _ in range(10 * TRIES):
            shape, material, mass_g = random_piece(self.rng, self.style.size)
            at = x + self.rng.normal(0, shape.size[0] / 3), y + self.rng.normal(0, shape.size[1] / 3)
            piece = self._set_down(shape, material, mass_g, at)
            if piece is not None and port.touched_by(piece, self.turn_rad):
                self.pieces.append(piece)
                return True
        return False

    def leave_piece(self) -> bool:
        """Put one more piece on another and almost over its edge; return False when none will do."""
        self.margins_mm = LOOSE_MM
        for _ in range(10 * TRIES):
            piece = self._try()
            if piece is not None and piece.bearers:
                self.pieces.append(piece)
                return True
        return False

    def _try(self) -> Placed | None:
        shape, material, mass_g = random_piece(self.rng, self.style.size)
        if self.pieces and self.rng.random() < self.style.twins * 0.5:
            return self._beside(self.pieces[self.rng.integers(len(self.pieces))])
        x, y = self._somewhere(shape)
        return self._set_down(shape, material, mass_g, (x, y))

    def _beside(self, twin: Placed) -> Placed | None:
        """Propose a place for a second such piece, a gap away along one axis, as for the posts of a bridge."""
        low, high = twin.low, twin.high
        boxes = tuple(box.moved((-low[0], -low[1], -low[2])) for box in twin.boxes)
        axis = int(self.rng.integers(2))
        step = (high[axis] - low[axis] + self.rng.uniform(GAP_MM + 0.3, 34)) * self.rng.choice((-1, 1))
        corner = (low[0] + (step if axis == 0 else 0), low[1] + (step if axis == 1 else 0))
        return self._at_corner(Shape(twin.shape, boxes), twin.material, twin.mass_g, corner)

    def _somewhere(self, shape: Shape) -> Point:
        """Propose a place for the shape's middle: on the tile, over a piece, or across two."""
        tops = [(piece, box) for piece in self.pieces for box in piece.boxes if box.high[2] > piece.high[2] - FLUSH_MM]
        roll = self.rng.random() * (self.style.ground + 1.0 + self.style.spans)
        if not tops or roll < self.style.ground / (1 + len(self.pieces) / 4):
            reach = (self.tile_mm / 2 - min(shape.size[:2]) / 2) * self.style.reach
            return self.rng.uniform(-reach, reach), self.rng.uniform(-reach, reach)
        box = tops[self.rng.integers(len(tops))][1]
        wobble = self.style.spread * 20
        if roll < self.style.ground + self.style.spans and len(tops) > 1:
            other = tops[self.rng.integers(len(tops))][1]
            if abs(other.high[2] - box.high[2]) < FLUSH_MM:
                x, y = (box.centre[0] + other.centre[0]) / 2, (box.centre[1] + other.centre[1]) / 2
                return x + self.rng.normal(0, wobble / 2), y + self.rng.normal(0, wobble / 2)
        return box.centre[0] + self.rng.normal(0, wobble), box.centre[1] + self.rng.normal(0, wobble)

    def _set_down(self, shape: Shape, material: str, mass_g: float, middle: Point) -> Placed | None:
        return self._at_corner(shape, material, mass_g, (middle[0] - shape.size[0] / 2, middle[1] - shape.size[1] / 2))

    def _at_corner(self, shape: Shape, material: str, mass_g: float, corner: Point) -> Placed | None:
        flat = [box.moved((corner[0], corner[1], 0.0)) for box in shape.boxes]
        rest_z = max((self._floor_under(box) - box.low[2] for box in flat), default=0.0)
        boxes = tuple(box.moved((0.0, 0.0, rest_z)) for box in flat)
        x, y, _ = shape.centre_of_mass
        margin, bearers = self._hold(boxes, (corner[0] + x, corner[1] + y))
        bold = self.rng.random() < self.style.daring
        needed = self.rng.uniform(0.3, 2.5) if bold else self.rng.uniform(2.5, 5.0)
        if (
            margin < needed
            or rest_z + shape.size[2] > self.style.ceiling_mm
            or self._crowded(boxes)
            or self._beyond(boxes)
        ):
            return None
        turn = self.rng.uniform(-1, 1) * TURN_MM / (math.hypot(*shape.size[:2]) / 2)
        placed = Placed(shape.name, material, mass_g, boxes, turn, bearers)
        return placed if self._allows is None or self._allows(self.pieces, placed) else None

    def _safety(self) -> tuple[float, float]:
        """Return the margins between which this builder feels safe."""
        bold = self.rng.random() < self.style.daring
        return (self.rng.uniform(0.3, 2.5) if bold else self.rng.uniform(2.5, 5.0)), math.inf

    def _floor_under(self, box: Box) -> float:
        """Return the height of what a box coming down would meet: the tile, or the highest piece below."""
        tops = [other.high[2] for piece in self.pieces for other in piece.boxes if _shared(box, other) is not None]
        return max(tops, default=0.0)

    def _hold(self, boxes: Sequence[Box], mass_at: Point) -> tuple[float, tuple[int, ...]]:
        """Return how far inside its support a piece balances (negative: it does not), and what it stands on."""
        corners: list[Point] = []
        bearers = []
        for box in boxes:
            if box.low[2] < FLUSH_MM:
                corners += _corners(box.low[0], box.low[1], box.high[0], box.high[1])
            for number, shared in self._flush_below(box):
                corners += _corners(*shared)
                bearers.append(number)
        return _margin(corners, mass_at), tuple(sorted(set(bearers)))

    def _flush_below(self, box: Box) -> Iterator[tuple[int, tuple[float, float, float, float]]]:
        for number, piece in enumerate(self.pieces):
            for other in piece.boxes:
                shared = _shared(box, other)
                if shared is not None and abs(other.high[2] - box.low[2]) < FLUSH_MM:
                    x0, y0, x1, y1 = shared
                    if min(x1 - x0, y1 - y0) > HOLD_MM:
                        yield number, shared

    def _crowded(self, boxes: Sequence[Box]) -> bool:
        """Return whether a piece would touch a neighbour from the side, were it turned a little."""
        for box in boxes:
            for piece in self.pieces:
                for other in piece.boxes:
                    beside = other.high[2] > box.low[2] + FLUSH_MM and other.low[2] < box.high[2] - FLUSH_MM
                    if beside and _shared(box, other, GAP_MM) is not None:
                        return True
        return False

    def _beyond(self, boxes: Sequence[Box]) -> bool:
        """Return whether what stands on the tile sticks out over its edge, or anything far beyond."""
        for box in boxes:
            slack = -4.0 if box.low[2] < FLUSH_MM else 24.0
            for x, y in _corners(box.low[0], box.low[1], box.high[0], box.high[1]):
                if not inside_hexagon(*_turned(x, y, self.turn_rad), self.tile_mm + slack):
                    return True
        return False


def _turned(x: float, y: float, angle_rad: float) -> Point:
    c, s = math.cos(angle_rad), math.sin(angle_rad)
    return (c * x - s * y, s * x + c * y)


def _shared(a: Box, b: Box, gap_mm: float = 0.0) -> tuple[float, float, float, float] | None:
    """Return what two boxes share as seen from above: x0, y0, x1, y1; `gap_mm` apart counts as touching."""
    (ax0, ay0, _), (ax1, ay1, _), (bx0, by0, _), (bx1, by1, _) = a.low, a.high, b.low, b.high
    if ax0 - gap_mm >= bx1 or bx0 - gap_mm >= ax1 or ay0 - gap_mm >= by1 or by0 - gap_mm >= ay1:
        return None
    return (max(ax0, bx0), max(ay0, by0), min(ax1, bx1), min(ay1, by1))


def _corners(x0: float, y0: float, x1: float, y1: float) -> list[Point]:
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def _margin(corners: list[Point], inside: Point) -> float:
    """Return the distance of a point from the edge of the hull of `corners`; negative outside."""
    hull = _hull(corners)
    if len(hull) < 3:
        return -math.inf
    margin = math.inf
    for (ax, ay), (bx, by) in zip(hull, [*hull[1:], hull[0]], strict=True):
        cross = (bx - ax) * (inside[1] - ay) - (by - ay) * (inside[0] - ax)
        margin = min(margin, cross / math.hypot(bx - ax, by - ay))
    return margin


def _hull(points: list[Point]) -> list[Point]:
    """Return the convex hull, counter-clockwise (Andrew's monotone chain)."""
    ordered = sorted(set(points))
    return _chain(ordered)[:-1] + _chain(ordered[::-1])[:-1]


def _chain(ordered: list[Point]) -> list[Point]:
    chain: list[Point] = []
    for point in ordered:
        while len(chain) > 1 and not _turns_left(chain[-2], chain[-1], point):
            chain.pop()
        chain.append(point)
    return chain


def _turns_left(a: Point, b: Point, c: Point) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0
