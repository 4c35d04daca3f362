"""Build on all utility ports for a requirement, and tell which ones a tower meets by its shape (R19, R20, R23).

Shapes are looked at on a grid of cells 2 mm wide.
"""

import math
from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.ndimage import label

from citytable_lab.pieces import DENSITY_G_PER_CM3, MATERIALS, SHAPES, Axis, Box
from citytable_lab.tower import Placed, Port, Tower, random_tower

Shaped = Literal["courtyard", "no_overhang", "build_on_vent", "upper_archway", "lower_archway"]
SHAPED: tuple[Shaped, ...] = get_args(Shaped)
RINGS: tuple[tuple[str, tuple[Axis, Axis, Axis]], ...] = (("tube", (0, 1, 2)), ("frame", (0, 2, 1)))
"""Pieces that enclose an area when they are laid like that."""
CELL_MM = 2.0
REACH_MM = 80.0  # of what is looked at, to every side of the tile's centre
VENT_MM = 15.0  # across, in the middle of a platform (house value)
PORT_MM = 15.0  # across (house value)
PORTS_REACH = 0.31  # of the tile's width, from its centre towards three of its corners (house value)
OPENING_CELLS = 9  # the least of an arch or a courtyard that somebody sees
SLIP = 0.05  # of what a piece covers: a corner of it that lies off an edge by no more is no overhang

Grid = NDArray[np.bool_]


def built_for(rng: Generator, tile_mm: float, count: int, wanted: Shaped | None) -> Tower | None:
    """Draw a tower on all ports, built for a requirement or for none; None if the tower did not meet it."""

    def allows(pieces: Sequence[Placed], piece: Placed) -> bool:
        if wanted != "build_on_vent" and _touches_vent(piece):
            return False
        return wanted != "no_overhang" or _within(pieces, piece)

    ring = [_ring(rng)] if wanted == "courtyard" else []
    tower = random_tower(rng, tile_mm, count, allows=allows, first=[*ring, *ports(tile_mm)])
    if len(tower.pieces) > count or not touches_all_ports(tower):
        return None
    found = met(tower)
    return tower if wanted in found or (wanted is None and "build_on_vent" not in found) else None


def ports(tile_mm: float) -> list[Port]:
    """Return the three utility ports of a platform (R4)."""
    reach = PORTS_REACH * tile_mm
    angles = (math.radians(degrees) for degrees in (90, 210, 330))
    return [Port((reach * math.cos(angle), reach * math.sin(angle)), PORT_MM / 2) for angle in angles]


def touches_all_ports(tower: Tower) -> bool:
    """Return whether each utility port is touched by a piece (R19)."""
    return all(any(port.touched_by(one, tower.turn_rad) for one in tower.pieces) for port in ports(tower.tile_mm))


def _ring(rng: Generator) -> Placed:
    """Return a piece that lies around the vent."""
    name, order = RINGS[rng.integers(len(RINGS))]
    shape = next(one for one in SHAPES if one.name == name).laid(order)
    x, y, _ = shape.size
    material = MATERIALS[rng.integers(len(MATERIALS))]
    boxes = tuple(box.moved((-x / 2, -y / 2, 0.0)) for box in shape.boxes)
    return Placed(name, material, shape.volume_cm3 * DENSITY_G_PER_CM3[material], boxes)


def _touches_vent(piece: Placed) -> bool:
    for box in piece.boxes:
        x, y = (max(box.low[k], -box.high[k], 0.0) for k in (0, 1))
        if box.low[2] < CELL_MM / 2 and math.hypot(x, y) < VENT_MM / 2:
            return True
    return False


def _within(pieces: Sequence[Placed], piece: Placed) -> bool:
    """Return whether every corner of a piece has another piece below it, or the piece stands on the platform."""
    if not piece.bearers:
        return True
    (x0, y0, z), (x1, y1, _) = piece.low, piece.high
    inset = CELL_MM / 2
    corners = [(x, y) for x in (x0 + inset, x1 - inset) for y in (y0 + inset, y1 - inset)]
    below = [box for one in pieces for box in one.boxes if box.high[2] <= z + CELL_MM / 2]
    return all(any(_under(box, corner) for box in below) for corner in corners)


def _under(box: Box, point: tuple[float, float]) -> bool:
    return all(box.low[k] <= point[k] <= box.high[k] for k in (0, 1))


def met(tower: Tower) -> frozenset[Shaped]:
    """Return the requirements that a tower meets; only `build_on_vent` allows a piece on the vent (R20)."""
    each = [_cells(piece, tower.height_mm) for piece in tower.pieces]
    whole = np.logical_or.reduce(each)
    found: list[Shaped] = []
    if _on_vent(whole):
        found.append("build_on_vent")
    if _has_courtyard(whole):
        found.append("courtyard")
    if not any(_sticks_out(k, each, tower.pieces[k]) for k in range(len(each))):
        found.append("no_overhang")
    low, high = _arches(whole)
    if low:
        found.append("lower_archway")
    if high:
        found.append("upper_archway")
    return frozenset(found)


def _cells(piece: Placed, height_mm: float) -> Grid:
    """Return the cells of x, y, z that a piece fills, without its slight turn when it was set down askew."""
    wide, high = round(2 * REACH_MM / CELL_MM), round(height_mm / CELL_MM) + 1
    grid = np.zeros((wide, wide, high), dtype=np.bool_)
    for box in piece.boxes:
        x, y = (
            slice(max(0, round((box.low[k] + REACH_MM) / CELL_MM)), round((box.high[k] + REACH_MM) / CELL_MM))
            for k in (0, 1)
        )
        grid[x, y, round(box.low[2] / CELL_MM) : max(1, round(box.high[2] / CELL_MM))] = True
    return grid


def _on_vent(whole: Grid) -> bool:
    middle = (np.arange(whole.shape[0]) + 0.5) * CELL_MM - REACH_MM
    disc = np.hypot(middle[:, None], middle[None, :]) <= VENT_MM / 2
    return bool((whole[:, :, 0] & disc).any())


def _enclosed(filled: Grid) -> list[Grid]:
    """Return the openings of a flat picture that do not reach its edge and are large enough to be seen."""
    numbers, count = label(~np.pad(filled, 1))
    openings = [numbers == k for k in range(1, count + 1) if k != numbers[0, 0]]
    return [one[1:-1, 1:-1] for one in openings if one.sum() >= OPENING_CELLS]


def _has_courtyard(whole: Grid) -> bool:
    covered = whole.any(axis=2)
    return any((yard & ~covered).any() for yard in _enclosed(whole[:, :, 0]))


def _sticks_out(number: int, each: list[Grid], piece: Placed) -> bool:
    """Return whether a piece that stands on others reaches over where nothing is below it."""
    if not piece.bearers:
        return False
    mine = each[number]
    bottom = np.where(mine.any(axis=2), mine.argmax(axis=2), 0)
    below = np.arange(mine.shape[2]) < bottom[:, :, None]
    others = np.logical_or.reduce([one for k, one in enumerate(each) if k != number])
    covers = mine.any(axis=2)
    free = covers & ~(others & below).any(axis=2)
    return bool(free.sum() > SLIP * covers.sum())


def _arches(whole: Grid) -> tuple[bool, bool]:
    """Return whether somebody who looks along x or y sees through the tower at its foot, and whether higher up."""
    low = high = False
    for side in (whole.any(axis=0), whole.any(axis=1)):
        ground = np.pad(side, ((0, 0), (1, 0)))
        ground[:, 0] = True  # the platform closes an arch below
        for opening in _enclosed(ground):
            at_foot = opening[:, 1].any()
            low, high = low or bool(at_foot), high or not at_foot
    return low, high
