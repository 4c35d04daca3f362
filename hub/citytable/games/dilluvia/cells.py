"""The grid of the city: spaces, the shapes that lie on them, and what is adjacent to what."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from citytable.languages.sentences import Sentences
from citytable.rules.errors import Misspelt

Shape: TypeAlias = Literal["single", "row", "column", "square"]
SIZES: dict[Shape, int] = {"single": 1, "row": 2, "column": 2, "square": 4}
_SENTENCES = Sentences(__package__, "leaves.json")


class Cell(NamedTuple):
    """One space of the city, counted from 1: `x` to the right, `y` downwards."""

    x: int
    y: int

    def __str__(self) -> str:
        return f"{self.x}/{self.y}"


CENTRE = Cell(7, 7)
"""The propeller in the middle, which nobody buys."""

_WITH: dict[Shape, tuple[tuple[int, int], ...]] = {
    "single": ((0, 0),),
    "row": ((0, 0), (1, 0)),
    "column": ((0, 0), (0, 1)),
    "square": ((0, 0), (1, 0), (0, 1), (1, 1)),
}


def cell_from_text(text: str) -> Cell:
    """Read `5/11`; raises `Misspelt`."""
    match = re.fullmatch(r"([1-9]\d?)/([1-9]\d?)", text)
    if match is None:
        raise Misspelt(_SENTENCES.text("cell", seen=repr(text)))
    return Cell(int(match[1]), int(match[2]))


@lru_cache(maxsize=1024)
def covered(at: Cell, shape: Shape) -> frozenset[Cell]:
    """Return the spaces of a shape whose upper left space is `at`."""
    return frozenset(Cell(at.x + dx, at.y + dy) for dx, dy in _WITH[shape])


@lru_cache(maxsize=1024)
def covering(cell: Cell, shape: Shape) -> frozenset[Cell]:
    """Return the upper left spaces with which a shape covers this space."""
    return frozenset(Cell(cell.x - dx, cell.y - dy) for dx, dy in _WITH[shape])


@lru_cache(maxsize=256)
def around(cell: Cell) -> frozenset[Cell]:
    """Return the eight spaces around a space, also those outside the city."""
    ring = (Cell(cell.x + dx, cell.y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
    return frozenset(ring) - {cell}


@lru_cache(maxsize=256)
def beside(cell: Cell) -> frozenset[Cell]:
    """Return the four spaces that share an edge with a space."""
    return frozenset(Cell(cell.x + dx, cell.y + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)))


def all_around(cells: Iterable[Cell]) -> frozenset[Cell]:
    """Return every space that is adjacent to one of these, diagonally too (DR15)."""
    return frozenset[Cell]().union(*map(around, cells))


def shapes_of(size: int) -> tuple[Shape, ...]:
    """Return the ways in which so many spaces can lie."""
    return tuple(shape for shape, covers in SIZES.items() if covers == size)
