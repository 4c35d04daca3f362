"""A season: several evenings count together."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

import msgspec

from citytable.venue.evening import Evening
from citytable.venue.standings import Standing, standings


class SeasonLine(msgspec.Struct, frozen=True):
    """One player's line; `evenings` are all that they came to, `points` those of their best ones."""

    place: int
    player: str
    points: Fraction
    wins: int
    evenings: int


def season(evenings: Sequence[Evening], counting: int | None = None) -> tuple[SeasonLine, ...]:
    """Return the season's table: the points of each player's `counting` best evenings (None: of all), then their wins.

    A name is one person throughout. Level players share the place, in the order of their names.
    """
    lines: dict[str, list[Standing]] = {}
    for evening in evenings:
        for line in standings(evening):
            lines.setdefault(line.player, []).append(line)
    ordered = sorted((_line(player, own, counting) for player, own in lines.items()), key=_order)
    placed: list[SeasonLine] = []
    for _, level in groupby(ordered, key=lambda line: (line.points, line.wins)):
        place = len(placed) + 1
        placed += [msgspec.structs.replace(line, place=place) for line in level]
    return tuple(placed)


def _line(player: str, own: Sequence[Standing], counting: int | None) -> SeasonLine:
    best = sorted(own, key=lambda line: (line.points, line.wins), reverse=True)[:counting]
    return SeasonLine(
        0, player, sum((line.points for line in best), Fraction(0)), sum(line.wins for line in best), len(own)
    )


def _order(line: SeasonLine) -> tuple[Fraction, int, str]:
    return -line.points, -line.wins, line.player
