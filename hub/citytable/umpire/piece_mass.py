"""What pieces weigh: how a scale tells one draw, taken piece by piece, from several draws.

It begins with the pieces of the house set and learns from what players of this table have drawn.
"""

import math
from typing import Self

import msgspec

HOUSE_G = 2.9  # a piece of the house set on average
HOUSE_PIECES = 6  # so many pieces' weight has what is known of the house set beside what was drawn
SPREAD = 0.62  # the standard deviation of a piece's mass in the house set, as a share of the average


class PieceMass(msgspec.Struct, frozen=True):
    """So many pieces were weighed, and what they weighed together.

    `reported`: so often somebody reported to the table what the rules want said aloud. A group that does so is less
    likely to have done it unreported.
    """

    pieces: int = HOUSE_PIECES
    grams: float = HOUSE_PIECES * HOUSE_G
    reported: int = 0

    def seen(self, pieces: int, grams: float) -> Self:
        """With so many more pieces that weigh so much together."""
        return msgspec.structs.replace(self, pieces=self.pieces + pieces, grams=self.grams + grams)

    @property
    def mean_g(self) -> float:
        """Return what a piece weighs on average."""
        return self.grams / self.pieces

    def most_g(self, pieces: int, deviations: float = 0.0) -> float:
        """Return what so many pieces weigh on average, or that are heavier by so many standard deviations."""
        return self.mean_g * (pieces + deviations * SPREAD * math.sqrt(pieces))
