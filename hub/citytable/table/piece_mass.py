"""The mass of pieces: distinguishes one draw, taken piece by piece, from several draws, and one piece from three.

It begins with the game's values for its pieces and learns from the draws of players at this table.
"""

import math
from typing import Self

import msgspec

KNOWN_AS = 6  # this many drawn pieces count as much as the game's values for its pieces


class PieceKind(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True):
    """A game's values for its pieces. `spread`: the standard deviation of a mass, as a share of the usual one.

    `odd_share`: the share of pieces that weigh anything up to `heaviest_g`: printed solid, or of another game.
    """

    handful: int  # so many are drawn at once
    turn_most: int  # that one turn takes
    lightest_g: float
    heaviest_g: float  # that anybody reported, with room
    usual_g: float
    spread: float
    odd_share: float = 0.0


NO_PIECES = PieceKind(handful=0, turn_most=0, lightest_g=0.0, heaviest_g=0.0, usual_g=1.0, spread=1.0)


class PieceMass(msgspec.Struct, frozen=True, cache_hash=True):
    """The number of pieces of a kind that were weighed, and their total mass.

    `reported`: how often each seat, from the first on, reported an act that the rules want announced. A player who
    reports them is less likely to have done one unreported; this says nothing about the others.
    """

    kind: PieceKind
    pieces: int
    grams: float
    reported: tuple[int, ...] = ()

    @classmethod
    def of(cls, kind: PieceKind) -> Self:
        """Return a game's values for its pieces, before any draw."""
        return cls(kind, KNOWN_AS, KNOWN_AS * kind.usual_g)

    def seen(self, pieces: int, grams: float) -> Self:
        """Return it with so many more pieces that weigh so much together."""
        return msgspec.structs.replace(self, pieces=self.pieces + pieces, grams=self.grams + grams)

    def reported_by(self, seat: int) -> int:
        """Return how often a seat, counted from 1, reported an act that the rules want announced."""
        return self.reported[seat - 1] if seat <= len(self.reported) else 0

    def with_report(self, seat: int) -> Self:
        """Return it with one more report of a seat, counted from 1."""
        counts = [*self.reported, *[0] * (seat - len(self.reported))]
        counts[seat - 1] += 1
        return msgspec.structs.replace(self, reported=tuple(counts))

    @property
    def mean_g(self) -> float:
        """Return the average mass of a piece."""
        return self.grams / self.pieces

    def density(self, pieces: int, grams: float) -> float:
        """Return the density of the mass of so many pieces together: a gamma distribution, or one of them is odd.

        Its unit is the same for any number of pieces.
        """
        of_one = 1 / self.kind.spread**2
        unit_g = self.mean_g / of_one
        shape, x = of_one * pieces, grams / unit_g
        alike = math.exp((shape - 1) * math.log(x) - x - math.lgamma(shape))
        odd, others_g = pieces * self.kind.odd_share, self.mean_g * (pieces - 1)
        if not odd:
            return alike
        heaviest_g = self.mean_g * self.kind.heaviest_g / self.kind.usual_g
        one_odd = unit_g / heaviest_g if others_g <= grams <= others_g + heaviest_g else 0.0
        return (1 - odd) * alike + odd * one_odd

    def density_g(self, pieces: int, grams: float) -> float:
        """Return the same for each gram."""
        return self.density(pieces, grams) / (self.mean_g * self.kind.spread**2)

    def difference_g(self, out: int, into: int, grams: float) -> float:
        """Return how likely a scale gets so much heavier, a density, if pieces go out of it and others into it."""
        deviation_g = self.mean_g * self.kind.spread * math.sqrt(out + into)
        off = (grams - (into - out) * self.mean_g) / deviation_g
        return math.exp(-off * off / 2) / (deviation_g * math.sqrt(2 * math.pi))

    def most_g(self, pieces: int, deviations: float = 0.0) -> float:
        """Return the average mass of a number of pieces, or one that is heavier by a number of standard deviations."""
        return self.mean_g * (pieces + deviations * self.kind.spread * math.sqrt(pieces))
