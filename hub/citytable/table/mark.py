"""Marks: results of a finished game that can be records of its table, such as its tallest building."""

import msgspec

POINTS = "points"
"""The mark of every game that counts points."""


class Mark(msgspec.Struct, frozen=True):
    """The result of one game in one respect: the more the better. `seat` None: all players together."""

    key: str  # of the game's own words for records, after "record."
    value: int
    seat: int | None = None
