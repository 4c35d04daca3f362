"""A season: several evenings count together."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

import msgspec

from citytable.venue.evening import Evening
from citytable.venue.standings import Standing, standings


class SeasonLine(msgspec.Struct, frozen=True):
    """One player's line; `evenings` are all that they came to, `points` those of their best ones.

    `number` is what stands for the name where it may not be shown (`by_name`): players are counted as they first came.
    """

    place: int
    player: str
    points: Fraction
    wins: int
    evenings: int
    number: int
    by_name: bool


def season(evenings: Sequence[Evening], counting: int | None = None) -> tuple[SeasonLine, ...]:
    """Return the season's table: the points of each player's `counting` best evenings (None: of all), then their wins.

    A name is one person throughout. Level players share the place, in the order of their names.
    """
    lines: dict[str, list[Standing]] = {}
    by_name: dict[str, bool] = {}
    for evening in evenings:
        by_name |= evening.by_name
        for line in standings(evening):
            lines.setdefault(line.player, []).append(line)
    came = dict.fromkeys(player for evening in evenings for player in evening.players)
    numbers = {player: number for number, player in enumerate(came, 1)}
    found = (
        _line(player, own, counting, numbers[player], by_name=by_name.get(player, False))
        for player, own in lines.items()
    )
    ordered = sorted(found, key=_order)
    placed: list[SeasonLine] = []
    for _, level in groupby(ordered, key=lambda line: (line.points, line.wins)):
        place = len(placed) + 1
        placed += [msgspec.structs.replace(line, place=place) for line in level]
    return tuple(placed)


def _line(player: str, own: Sequence[Standing], counting: int | None, number: int, *, by_name: bool) -> SeasonLine:
    best = sorted(own, key=lambda line: (line.points, line.wins), reverse=True)[:counting]
    points = sum((line.points for line in best), Fraction(0))
    return SeasonLine(0, player, points, sum(line.wins for line in best), len(own), number, by_name)


def _order(line: SeasonLine) -> tuple[Fraction, int, str]:
    return -line.points, -line.wins, line.player
