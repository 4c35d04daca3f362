"""The parts of a final score that depend on a guess, because nobody counted somebody's remaining pieces (R49, R50)."""

from collections.abc import Iterator
from itertools import product

import msgspec

from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Position
from citytable.games.megacity.scoring import leftover_points, score, winners


class Guess(msgspec.Struct, frozen=True):
    """One part of it. `reason` is that of a line of the score, worth `least` to `most` points to the one seat.

    Or it is `winners`, and `seats` are those that may have won, alone or with others.
    """

    reason: str
    seats: tuple[int, ...]
    least: int = 0
    most: int = 0


def guesses(position: Position, deck: Deck) -> tuple[Guess, ...]:
    """Return the parts that other possible numbers of pieces would change, if the game ended now."""
    leftover = tuple(_leftover(position))
    return (*leftover, *_winners(position, deck)) if leftover else ()


def _leftover(position: Position) -> Iterator[Guess]:
    for seat, player in enumerate(position.players, start=1):
        least, most = leftover_points(player.pieces.most), leftover_points(player.pieces.total)
        if least != most:
            yield Guess("leftover", (seat,), least, most)


def _winners(position: Position, deck: Deck) -> Iterator[Guess]:
    scores = score(position, deck)
    may_have = []
    for seat, player in enumerate(position.players, start=1):
        others = scores[seat].total - leftover_points(player.pieces.guess)
        pieces = range(player.pieces.total, player.pieces.most + 1)
        may_have.append(sorted({others + leftover_points(count) for count in pieces}))
    seats = range(1, len(position.players) + 1)
    outcomes = {winners(position, dict(zip(seats, totals, strict=True))) for totals in product(*may_have)}
    if len(outcomes) > 1:
        yield Guess("winners", tuple(sorted({seat for won in outcomes for seat in won})))
