"""Marks: what a finished game can hold as a record of its table, such as its tallest building."""

import msgspec

POINTS = "points"
"""The mark of every game that counts points."""


class Mark(msgspec.Struct, frozen=True):
    """How far one game got in one respect: the more the better. `seat` None: all players together."""

    key: str  # of the game's own words for records, after "record."
    value: int
    seat: int | None = None
