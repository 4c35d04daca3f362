"""Cards and tiles as they are printed on paper: a game makes these values, and the printing room draws them.

Lengths are millimetres, measured from a face's upper left corner, to the right and down.
"""

from typing import Literal, TypeAlias

import msgspec

Shape: TypeAlias = Literal["card", "hexagon"]

STICKER_MM = 25.0
"""The diameter of the tags that the table is made for."""


class Mark(msgspec.Struct, frozen=True):
    """A drawing in a square of 24 units: paths in the notation of SVG, filled and stroked.

    `colour` fills it, as `#rrggbb`, with black lines; if empty, everything has the ink of its place.
    """

    fill: str
    stroke: str = ""
    colour: str = ""


class Cell(msgspec.Struct, frozen=True):
    """Marks and a text. With parts it is a frame around them, in which people put a counter."""

    marks: tuple[Mark, ...] = ()
    text: str = ""
    parts: "tuple[Cell, ...]" = ()


class Row(msgspec.Struct, frozen=True):
    """Cells side by side. `share`: of the face's height, relative to the other rows; `label` is above them, small.

    `stacked`: each text is below its marks, which have one size; otherwise it is beside its mark. `prose`: running
    text, not bold.
    """

    cells: tuple[Cell, ...]
    share: float = 1.0
    label: str = ""
    stacked: bool = False
    shaded: bool = False
    prose: bool = False


class Seat(msgspec.Struct, frozen=True):
    """The place of a tag's middle, as this face shows it; `label` says which tag."""

    at: tuple[float, float]
    label: str = ""


class Patch(msgspec.Struct, frozen=True):
    """A patch of the ground of a tile: a circle, or a hexagon with a corner at its top. `size_mm`: across."""

    shape: Literal["circle", "hexagon"]
    at: tuple[float, float]
    size_mm: float
    colour: str
    text: str = ""


class Face(msgspec.Struct, frozen=True):
    """One side of a card or tile. Without rows and ground it is a back, with its mark in the middle."""

    title: str
    colour: str
    mark: Mark
    value: Cell = Cell()
    rows: tuple[Row, ...] = ()
    ground: tuple[Patch, ...] = ()
    foot: str = ""
    seats: tuple[Seat, ...] = ()


class Printed(msgspec.Struct, frozen=True):
    """A card or tile, to be printed `copies` times; `thing` names it and appears on nothing else of its game."""

    thing: str
    size_mm: tuple[float, float]
    front: Face
    back: Face
    copies: int = 1
    shape: Shape = "card"
