"""Spots: the places of the table where a thing can be, as words and numbers with `/` between them.

    city/<q>/<r>      one hex of the middle of the table; city/0/0 is its centre
    seat/<n>/pad/<k>  a build pad of seat n (n from 1, k from 0)
    seat/<n>/card/<k> a card slot of seat n
    seat/<n>/bag      the bag's cradle at seat n

Which hexes there are, and which spots lie beside them, the plan of a table and the games played on it say:
supply/platform/2, market/row/0. A spot is a plain string, so that it can stand in a message, a file and a log as it is.
"""

import re
from typing import TypeAlias

from citytable.table.hexes import Hex

Spot: TypeAlias = str

PADS_PER_SEAT = 3
CARD_SLOTS_PER_SEAT = 3
_WORD = "[a-z][a-z0-9-]*"
_HEX = re.compile(r"city/(0|-?[1-9]\d?)/(0|-?[1-9]\d?)")
_SEAT = re.compile(rf"seat/[1-9]/{_WORD}(/\d{{1,2}})?")
_OTHER = re.compile(rf"(?!city/|seat/){_WORD}(/({_WORD}|\d{{1,2}})){{1,3}}")
_LONGEST = 32


def city(cell: Hex) -> Spot:
    """Return the spot of a hex."""
    return f"city/{cell.q}/{cell.r}"


def pad(seat: int, k: int) -> Spot:
    """Return build pad `k` (0-2) of seat `seat` (1-4)."""
    return f"seat/{seat}/pad/{k}"


def card(seat: int, k: int) -> Spot:
    """Return card slot `k` (0-2) of seat `seat` (1-4)."""
    return f"seat/{seat}/card/{k}"


def bag(seat: int) -> Spot:
    """Return the bag's cradle at seat `seat` (1-4)."""
    return f"seat/{seat}/bag"


def is_spot(text: str) -> bool:
    """Return whether the text names a spot that some table can have."""
    return len(text) <= _LONGEST and any(shape.fullmatch(text) for shape in (_HEX, _SEAT, _OTHER))


def seat_of(spot: Spot) -> int | None:
    """Return the seat a spot belongs to, or None for a spot between the players."""
    return int(spot.split("/")[1]) if spot.startswith("seat/") else None


def hex_of(spot: Spot) -> Hex | None:
    """Return the hex of a spot, or None for any other spot."""
    if not spot.startswith("city/"):
        return None
    _, q, r = spot.split("/")
    return Hex(int(q), int(r))


def place(spot: Spot) -> str:
    """Return the group of a spot: a seat's pads, the city. A thing that moves within it has not left its place."""
    return "city" if spot.startswith("city/") else spot.rstrip("0123456789")
