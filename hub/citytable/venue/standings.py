"""How players stand: points of the tables' places, and what parts those who have equally many.

A game gives each player the share of their opponents whom they beat, a tied one counting half: 1 to the winner, 0 to
the last, and 1/2 on average, however many sat there. Between two players this is the chess of Swiss tournaments. To sit
out gives 1/2; a round that a player was not there for gives nothing. Equal points are parted by

1. won games,
2. the opposition: the mean, over all meetings, of the points that the opponent has,
3. the mean share of the points that were made at the player's tables.

Players who are still level share the place.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby

import msgspec

from citytable.venue.evening import Evening

BYE = Fraction(1, 2)


class Game(msgspec.Struct, frozen=True):
    """One result: players, and the points of each in the game."""

    players: tuple[str, ...]
    points: tuple[int, ...]


class Standing(msgspec.Struct, frozen=True):
    """One player's line; players who are level have the same `place`."""

    place: int
    player: str
    points: Fraction
    wins: int
    opposition: Fraction
    share: Fraction
    games: int
    byes: int

    def rank(self) -> tuple[Fraction, int, Fraction, Fraction]:
        """Return what places compare, most important first."""
        return self.points, self.wins, self.opposition, self.share


def standings(evening: Evening) -> tuple[Standing, ...]:
    """Return everybody who came, the best first; those who are level stand in the order in which they came."""
    games = played(evening)
    byes = {name: sum(name in each.sitting_out for each in evening.rounds) for name in evening.players}
    return _placed(_lines(evening.players, games, byes))


def played(evening: Evening) -> tuple[Game, ...]:
    """Return the games of an evening's rounds that have a result."""
    found = []
    for drawn in evening.rounds:
        for seating in drawn.seatings:
            points = evening.points(drawn.round_no, seating.table)
            if points is not None:
                found.append(Game(seating.players, points))
    return tuple(found)


def table_points(game: Game) -> dict[str, Fraction]:
    """Return what a game gives each of its players.

    >>> table_points(Game(("Ada", "Ben", "Cleo"), (30, 20, 20)))
    {'Ada': Fraction(1, 1), 'Ben': Fraction(1, 4), 'Cleo': Fraction(1, 4)}
    """
    others = len(game.players) - 1
    beaten = {
        name: Fraction(2 * sum(other < mine for other in game.points) + game.points.count(mine) - 1, 2)
        for name, mine in zip(game.players, game.points, strict=True)
    }
    return {name: count / others for name, count in beaten.items()}


def _lines(players: Sequence[str], games: Sequence[Game], byes: Mapping[str, int]) -> list[Standing]:
    points = {name: byes[name] * BYE for name in players}
    for game in games:
        for name, gained in table_points(game).items():
            points[name] += gained
    return [_line(name, [game for game in games if name in game.players], points, byes[name]) for name in players]


def _line(player: str, games: Sequence[Game], points: Mapping[str, Fraction], byes: int) -> Standing:
    met = [points[other] for game in games for other in game.players if other != player]
    own = [(game.points[game.players.index(player)], game.points) for game in games]
    return Standing(
        place=0,
        player=player,
        points=points[player],
        wins=sum(mine == max(all_of_them) for mine, all_of_them in own),
        opposition=_mean(met),
        share=_mean(
            [Fraction(mine, sum(all_of_them)) if sum(all_of_them) > 0 else Fraction(0) for mine, all_of_them in own]
        ),
        games=len(games),
        byes=byes,
    )


def _mean(values: Sequence[Fraction]) -> Fraction:
    return Fraction(sum(values), len(values)) if values else Fraction(0)


def _placed(lines: Iterable[Standing]) -> tuple[Standing, ...]:
    ordered = sorted(lines, key=Standing.rank, reverse=True)
    placed: list[Standing] = []
    for _, level in groupby(ordered, key=Standing.rank):
        place = len(placed) + 1
        placed += [msgspec.structs.replace(line, place=place) for line in level]
    return tuple(placed)
