"""Places of the city: a column from 1 to 6 and a row, counted upward; and what lies around a place (CR2, CR3, CR18)."""

import re
from collections.abc import Iterator

import msgspec

from citytable.languages.sentences import Sentences
from citytable.rules.errors import Misspelt

COLUMNS = range(1, 7)
GAPS = range(1, 6)
"""Line k and road k lie between columns k and k + 1."""
PLANT_ROW, LINE_ROW, ROAD_ROW, FIRST_ROW = 1, 2, 3, 4
_PLACE = re.compile(r"([1-6])/([1-9][0-9]?)")
_SENTENCES = Sentences(__package__, "leaves.json")


class Place(msgspec.Struct, frozen=True, order=True, gc=False):
    """A column and a row of the grid. Buildings stand in row 4 and above."""

    column: int
    row: int

    def __str__(self) -> str:
        return f"{self.column}/{self.row}"


def place_from_text(text: str) -> Place:
    """Read `3/5`: column 3, row 5; raises `Misspelt`."""
    if (match := _PLACE.fullmatch(text)) is None:
        raise Misspelt(_SENTENCES.text("place", seen=repr(text)))
    return Place(int(match[1]), int(match[2]))


def between(column: int) -> tuple[int, ...]:
    """Return the lines, and so the roads, at the foot of a column: one at the edge, two inside (CR3)."""
    return tuple(gap for gap in (column - 1, column) if gap in GAPS)


def around(place: Place) -> Iterator[Place]:
    """Yield the places within one space of this one in eight directions, as far as the grid goes (CR18)."""
    for column in range(place.column - 1, place.column + 2):
        for row in range(place.row - 1, place.row + 2):
            there = Place(column, row)
            if there != place and column in COLUMNS and row >= PLANT_ROW:
                yield there


def up_and_down(place: Place, steps: int = 1) -> tuple[Place, ...]:
    """Return the places so many rows above and below."""
    rows = (place.row + steps, place.row - steps)
    return tuple(Place(place.column, row) for row in rows if row >= PLANT_ROW)


def left_and_right(place: Place, steps: int = 1) -> tuple[Place, ...]:
    """Return the places so many columns to the left and to the right."""
    columns = (place.column - steps, place.column + steps)
    return tuple(Place(column, place.row) for column in columns if column in COLUMNS)
