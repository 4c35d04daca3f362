"""Where a cable runs on a tray or a floor: the shortest way from ring to ring that crosses no base and no module.

Bases, modules and posts are boxes of `hardware/cad/dimensions.py`; all is in millimetres, seen from above.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import dist, inf
from typing import Any, NamedTuple

Flat = tuple[float, float]

BESIDE_MM = 4.0  # from the middle of a cable to what it runs beside
TOUCH_MM = 0.01  # along a block's edge a cable does not cross it


class Block(NamedTuple):
    """Something that a cable cannot cross: its middle and its size."""

    middle: Flat
    size: Flat

    def holds(self, at: Flat) -> bool:
        """Report whether a point is in it, or nearer to it than a cable runs."""
        return self.bars(at, at)

    def bars(self, one: Flat, two: Flat) -> bool:
        """Report whether the straight line between two points crosses it, or comes nearer to it than a cable runs."""
        first, last = 0.0, 1.0  # of the line, the part that is within its width and its depth
        for a, b, m, s in zip(one, two, self.middle, self.size, strict=True):
            half = s / 2 + BESIDE_MM - TOUCH_MM
            if abs(b - a) < TOUCH_MM / 10:
                if abs(a - m) >= half:
                    return False
                continue
            enters, leaves = sorted(((m - half - a) / (b - a), (m + half - a) / (b - a)))
            first, last = max(first, enters), min(last, leaves)
        return first < last or one == two

    def corners(self) -> Iterator[Flat]:
        """Yield the corners of the way round it."""
        (x, y), (wide, deep) = self.middle, self.size
        for a in (-1, 1):
            for b in (-1, 1):
                yield x + a * (wide / 2 + BESIDE_MM), y + b * (deep / 2 + BESIDE_MM)


def route(start: Flat, end: Flat, blocks: Sequence[Block]) -> list[Flat]:
    """Return the shortest way; blocks below its two ends do not count there, since a cable comes down beside them."""
    points = [start, end, *(corner for block in blocks for corner in block.corners())]
    shortest, before, open_ones = {start: 0.0}, {start: start}, set(points)
    while open_ones:
        here = min(open_ones, key=lambda point: shortest.get(point, inf))
        open_ones.remove(here)
        if here == end or here not in shortest:
            break
        for there in open_ones:
            long = shortest[here] + dist(here, there)
            if long < shortest.get(there, inf) and _is_free(here, there, blocks, (start, end)):
                shortest[there], before[there] = long, here
    found = [end]
    while found[-1] != start:
        found.append(before[found[-1]])
    return found[::-1]


def length_mm(way: Sequence[Flat]) -> float:
    """Return how long a way is."""
    return sum(dist(one, two) for one, two in pairwise(way))


def on_tray(d: Any, hexes: Sequence[Flat]) -> list[Block]:
    """Return what stands on a tray: the base of each hex, and the HX711 beside it."""
    size = d.CELL[0] + d.BASE_BEYOND[0], d.CELL[1] + d.BASE_BEYOND[1]
    found = [Block((x, y + d.READER_AT_Y), size) for x, y in hexes]
    in_front = d.READER_AT_Y - size[1] / 2 - d.HX711[2] / 2
    found += [Block((x, y + in_front), (d.HX711[0], d.HX711[2])) for x, y in hexes]
    return [
        *found,
        *(accelerometer(d, (x, y)) for x, y in hexes if len(hexes) == 1 or (x, y) == d.centre(*d.LIS3DH_HEX)),
    ]


def on_floor(d: Any) -> list[Block]:
    """Return what stands on a seat's floor."""
    size, module = (d.CELL[0] + d.BASE_BEYOND[0], d.CELL[1] + d.BASE_BEYOND[1]), d.HX711[:2]
    found = [Block(at, (d.POST, d.POST)) for at in d.SEAT_POSTS]
    for x, y in d.PADS_AT:
        for several, lies in ((d.PAD_CELLS, size), (d.PAD_HX711_AT, module)):
            found += [Block((x + at_x, y + at_y), turned(lies, turn)) for at_x, at_y, turn in several]
    x, y = d.BAG_AT
    bag = d.BAG_CELL[0] + d.BASE_BEYOND[0], d.BAG_CELL[1] + d.BASE_BEYOND[1]
    found.append(Block((x + d.BAG_CELL_AT_X, y), bag))
    found.append(Block((x + d.BAG_HX711_AT[0], y + d.BAG_HX711_AT[1]), module))
    return [*found, accelerometer(d)]


def accelerometer(d: Any, hexagon: Flat | None = None) -> Block:
    """Return the accelerometer on a tray, by the middle of its hex, or on a seat's floor."""
    x, y, turn = d.SEAT_LIS3DH_AT if hexagon is None else d.HEX_LIS3DH_AT
    from_x, from_y = hexagon or (0.0, 0.0)
    return Block((from_x + x, from_y + y), turned(d.LIS3DH[:2], turn))


def turned(size: Flat, turn: float) -> Flat:
    """Return the size of a box that is turned by so many degrees, which are quarters."""
    return size if turn % 180 == 0 else (size[1], size[0])


def _is_free(one: Flat, two: Flat, blocks: Sequence[Block], ends: Sequence[Flat]) -> bool:
    """Report whether no block is between two points; one that an end of the cable lies over is none for that end."""
    here = [end for end in ends if end in (one, two)]
    return not any(block.bars(one, two) and not any(block.holds(end) for end in here) for block in blocks)
