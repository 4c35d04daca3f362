"""The city's hexes: axial coordinates `[q, r]`, Central Park at `[0, 0]`.

37 cells lie within distance 3 of Central Park (1 + 6 + 12 + 18), R25.
"""

from typing import NamedTuple


class Hex(NamedTuple):
    """An axial hex coordinate."""

    q: int
    r: int

    def __str__(self) -> str:
        return f"{self.q}/{self.r}"


CENTRE = Hex(0, 0)
RADIUS = 3
DIRECTIONS = (Hex(1, 0), Hex(1, -1), Hex(0, -1), Hex(-1, 0), Hex(-1, 1), Hex(0, 1))


def distance(a: Hex, b: Hex) -> int:
    """Steps between two hexes.

    >>> distance(Hex(0, 0), Hex(2, -3))
    3
    """
    dq, dr = a.q - b.q, a.r - b.r
    return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


def hex_from_text(text: str) -> Hex:
    """Read `"1/-1"`; raises `ValueError` quoting what was read.

    >>> hex_from_text("1/-1")
    Hex(q=1, r=-1)
    """
    try:
        q, r = (int(part) for part in text.split("/"))
    except ValueError:
        raise ValueError(f"{text!r} is no hex: write q/r, for example 1/-1") from None
    return Hex(q, r)


CITY: tuple[Hex, ...] = tuple(
    Hex(q, r)
    for q in range(-RADIUS, RADIUS + 1)
    for r in range(-RADIUS, RADIUS + 1)
    if distance(Hex(q, r), CENTRE) <= RADIUS
)

NEIGHBOURS: dict[Hex, tuple[Hex, ...]] = {
    cell: tuple(
        near
        for near in (Hex(cell.q + step.q, cell.r + step.r) for step in DIRECTIONS)
        if distance(near, CENTRE) <= RADIUS
    )
    for cell in CITY
}
"""The neighbours of each hex of the city that are in the city themselves."""
