"""Spots: the places of the table where a thing can be, as `/`-separated words.

    city/<q>/<r>            one hex of the city; city/0/0 is Central Park's
    seat/<n>/pad/<k>        a build pad of seat n (n from 1, k from 0)
    seat/<n>/card/<k>       a card slot of seat n
    seat/<n>/bag            the bag's cradle at seat n
    supply/platform/<k>     a platform slot of the supply
    supply/contract/<type>  a contract column, of which the reader sees the top card only
    supply/landmark/<k>     a landmark slot

A spot is a plain string, so that it can stand in a message, a file and a log as it is.
"""

import re
from typing import TypeAlias

from citytable.table.hexes import CITY, Hex

Spot: TypeAlias = str

PADS_PER_SEAT = 3
CARD_SLOTS_PER_SEAT = 3
SUPPLY_PLATFORM_SLOTS = 3
LANDMARK_SLOTS = 4

_SHAPES = (
    re.compile(r"city/(-?\d)/(-?\d)"),
    re.compile(r"seat/[1-4]/(pad|card)/[0-2]"),
    re.compile(r"seat/[1-4]/bag"),
    re.compile(r"supply/(platform|landmark)/[0-3]"),
    re.compile(r"supply/contract/[a-z]+"),
)


def city(cell: Hex) -> Spot:
    """The spot of a hex of the city."""
    return f"city/{cell.q}/{cell.r}"


def pad(seat: int, k: int) -> Spot:
    """Build pad `k` (0-2) of seat `seat` (1-4)."""
    return f"seat/{seat}/pad/{k}"


def card(seat: int, k: int) -> Spot:
    """Card slot `k` (0-2) of seat `seat` (1-4)."""
    return f"seat/{seat}/card/{k}"


def bag(seat: int) -> Spot:
    """The bag's cradle at seat `seat` (1-4)."""
    return f"seat/{seat}/bag"


def supply_platform(k: int) -> Spot:
    """Platform slot `k` (0-2) of the supply."""
    return f"supply/platform/{k}"


def column(kind: str) -> Spot:
    """The contract column of one building type."""
    return f"supply/contract/{kind}"


def landmark(k: int) -> Spot:
    """Landmark slot `k` (0-3)."""
    return f"supply/landmark/{k}"


def is_spot(text: str) -> bool:
    """Whether the text names a spot that a table can have."""
    match = next((m for m in (shape.fullmatch(text) for shape in _SHAPES) if m), None)
    if match is None:
        return False
    if text.startswith("city/"):
        return Hex(int(match[1]), int(match[2])) in CITY
    return True


def seat_of(spot: Spot) -> int | None:
    """The seat a spot belongs to, or None for the city and the supply."""
    return int(spot.split("/")[1]) if spot.startswith("seat/") else None


def hex_of(spot: Spot) -> Hex | None:
    """The hex of a city spot, or None."""
    if not spot.startswith("city/"):
        return None
    _, q, r = spot.split("/")
    return Hex(int(q), int(r))
