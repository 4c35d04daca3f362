"""What is wished of an undo, by players and by the host."""

import msgspec


class TakingBack(msgspec.Struct, frozen=True):
    """The host takes back an entry and all that was done after it; what he corrected before it holds."""

    entry: int
    by: str
    why: str = ""


class UndoWish(msgspec.Struct, frozen=True):
    """A seat wants the game to be again as it was after entry `to`."""

    seat: int
    to: int
    why: str = ""


class UndoWord(msgspec.Struct, frozen=True):
    """A seat agrees or refuses; the host (seat 0) may refuse, too."""

    seat: int
    agrees: bool


class Corrected(msgspec.Struct, frozen=True):
    """A correction was written: `was` is the entry before it, `now` the last that came with it.

    As long as `now` is the latest, an undo to `was` brings back what was so and takes back nothing else.
    """

    was: int
    now: int
