"""What pieces weigh: how a scale tells one draw, taken piece by piece, from several draws, and one piece from three.

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
        """Return it with so many more pieces that weigh so much together."""
        return msgspec.structs.replace(self, pieces=self.pieces + pieces, grams=self.grams + grams)

    @property
    def mean_g(self) -> float:
        """Return what a piece weighs on average."""
        return self.grams / self.pieces

    def density(self, pieces: int, grams: float) -> float:
        """Return the density of the mass of so many pieces together: a gamma distribution.

        Its unit is the same for any number of pieces.
        """
        of_one = 1 / SPREAD**2
        shape, x = of_one * pieces, grams / (self.mean_g / of_one)
        return math.exp((shape - 1) * math.log(x) - x - math.lgamma(shape))

    def density_g(self, pieces: int, grams: float) -> float:
        """Return the same for each gram."""
        return self.density(pieces, grams) / (self.mean_g * SPREAD**2)

    def difference_g(self, out: int, into: int, grams: float) -> float:
        """Return how likely a scale gets so much heavier, a density, if pieces go out of it and others into it."""
        deviation_g = self.mean_g * SPREAD * math.sqrt(out + into)
        off = (grams - (into - out) * self.mean_g) / deviation_g
        return math.exp(-off * off / 2) / (deviation_g * math.sqrt(2 * math.pi))

    def most_g(self, pieces: int, deviations: float = 0.0) -> float:
        """Return what so many pieces weigh on average, or that are heavier by so many standard deviations."""
        return self.mean_g * (pieces + deviations * SPREAD * math.sqrt(pieces))
