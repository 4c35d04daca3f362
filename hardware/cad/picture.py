"""What a drawing shows: pieces from back to front, where they are when the part is taken apart for the eye."""

from typing import NamedTuple

from build123d import Part

Point = tuple[float, float, float]


class Piece(NamedTuple):
    """A piece of a drawing. What is new in this step is tinted; a label is the part's name in the parts list."""

    shape: Part
    label: str = ""
    is_new: bool = False


class Picture(NamedTuple):
    """A drawing: its pieces, dashed lines from where to where, and where it is seen from."""

    pieces: tuple[Piece, ...]
    lines: tuple[tuple[Point, Point], ...] = ()
    look_from: Point = (0.45, -1.0, 0.75)
