"""Hexes: axial coordinates `[q, r]`, the centre at `[0, 0]`. The plan and the game define which hexes a table has."""

from typing import NamedTuple


class Hex(NamedTuple):
    """An axial hex coordinate."""

    q: int
    r: int

    def __str__(self) -> str:
        return f"{self.q}/{self.r}"


CENTRE = Hex(0, 0)
DIRECTIONS = (Hex(1, 0), Hex(1, -1), Hex(0, -1), Hex(-1, 0), Hex(-1, 1), Hex(0, 1))


def distance(a: Hex, b: Hex) -> int:
    """Return the steps between two hexes.

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
        raise ValueError(f"{text!r} is not a hex: write q/r, for example 1/-1") from None
    return Hex(q, r)


def within(radius: int) -> tuple[Hex, ...]:
    """Return the hexes within this distance of the centre.

    >>> len(within(3))  # 1 + 6 + 12 + 18
    37
    """
    around = range(-radius, radius + 1)
    return tuple(Hex(q, r) for q in around for r in around if distance(Hex(q, r), CENTRE) <= radius)
