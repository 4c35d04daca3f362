"""What players say of an undo that takes back what others did."""

import msgspec


class UndoWish(msgspec.Struct, frozen=True):
    """A seat wants the game to be again as it was after entry `to`."""

    seat: int
    to: int
    why: str = ""


class UndoWord(msgspec.Struct, frozen=True):
    """A seat agrees or refuses; the host (seat 0) may refuse, too."""

    seat: int
    agrees: bool
