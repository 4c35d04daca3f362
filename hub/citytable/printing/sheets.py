"""Places cards and tiles on sheets of paper: pure arithmetic in millimetres, from the upper left corner.

A sheet is filled shelf by shelf. All things on a shelf have the same size and orientation, upright or turned by a
quarter, whichever fits more of them on an empty sheet.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Literal, NamedTuple, TypeAlias

from citytable.table.printed import Printed

PaperName: TypeAlias = Literal["a4", "letter"]


class Paper(NamedTuple):
    """A sheet's size."""

    width: float
    height: float


PAPERS: dict[PaperName, Paper] = {"a4": Paper(210.0, 297.0), "letter": Paper(215.9, 279.4)}
SIDE, TOP, BOTTOM = 9.0, 7.0, 17.0
"""Margins; sheet numbers, the sentence and the scale stand in the lower one."""
UNPRINTABLE = 5.0
"""No printer has to reach farther out than this."""
_SLACK = 1e-6  # what adding up millimetres in binary may cost


class TooLarge(ValueError):
    """Something does not fit on the paper; the text names it."""


class Place(NamedTuple):
    """The upper left corner of a thing on the sheet, and its size as it lies there."""

    printed: Printed
    x: float
    y: float
    width: float
    height: float
    turned: bool


def mirrored(place: Place, paper: Paper) -> Place:
    """Return the place of its back on the back of the sheet, which is turned over along its long edge."""
    return place._replace(x=paper.width - place.x - place.width)


class _Shelf(NamedTuple):
    width: float
    height: float
    number: int
    turned: bool


def _shelf(size: tuple[float, float], paper: Paper) -> _Shelf:
    """Return the better of the two directions; the number is 0 if the thing fits in neither."""
    room = paper.width - 2 * SIDE + _SLACK, paper.height - TOP - BOTTOM + _SLACK
    shelves = [
        _Shelf(width, height, int(room[0] // width) if height <= room[1] else 0, turned)
        for width, height, turned in ((size[0], size[1], False), (size[1], size[0], True))
    ]
    return max(shelves, key=lambda shelf: (shelf.number * int(room[1] // shelf.height), not shelf.turned))


def sheets(things: Iterable[Printed], paper: Paper) -> list[list[Place]]:
    """Return the places on each sheet, with every thing as often as it has copies; raises `TooLarge`."""
    pages: list[list[Place]] = []
    y = bottom = paper.height - BOTTOM
    for size, group in groupby(things, key=lambda thing: thing.size_mm):
        copies = [thing for thing in group for _ in range(thing.copies)]
        shelf = _shelf(size, paper)
        if not shelf.number:
            raise TooLarge(_does_not_fit(copies[0], paper))
        for row in _chunks(copies, shelf.number):
            if y + shelf.height > bottom + _SLACK:
                pages.append([])
                y = TOP
            pages[-1] += _placed(row, shelf, y, paper)
            y += shelf.height
    return pages


def _placed(row: list[Printed], shelf: _Shelf, y: float, paper: Paper) -> list[Place]:
    left = (paper.width - shelf.number * shelf.width) / 2  # a shelf that is not full begins below the one above it
    return [
        Place(thing, left + k * shelf.width, y, shelf.width, shelf.height, shelf.turned) for k, thing in enumerate(row)
    ]


def _chunks(things: list[Printed], number: int) -> Iterator[list[Printed]]:
    for first in range(0, len(things), number):
        yield things[first : first + number]


def _does_not_fit(thing: Printed, paper: Paper) -> str:
    room = f"{paper.width - 2 * SIDE:g} x {paper.height - TOP - BOTTOM:g} mm"
    width, height = thing.size_mm
    return f"{thing.thing} is {width:g} x {height:g} mm, and the paper has room for {room}: choose larger paper"
