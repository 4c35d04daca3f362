"""What a player gains: prestige and the population of each ten (DR25), the markers of the mat (DR26), tiles."""

from typing import Literal, TypeAlias

from msgspec.structs import replace

from citytable.games.dilluvia.position import MAT_MAX, Cubes, Gained, Player, Position
from citytable.games.dilluvia.values import Square, Values

Source: TypeAlias = Literal["tens", "timely", "tiles", "gardens", "spaces", "final"]


def with_population(player: Player, source: Source, points: int) -> Player:
    """Return the player with more population."""
    gained: Gained = replace(player.gained, **{source: getattr(player.gained, source) + points})
    return replace(player, gained=gained)


def with_prestige(player: Player, points: int, values: Values) -> Player:
    """Return the player with more prestige: each ten reached or crossed brings the mat's population (DR25)."""
    prestige = player.prestige + points
    tens = prestige // 10 - player.prestige // 10
    player = replace(player, prestige=prestige)
    return with_population(player, "tens", tens * per_ten(player, values)) if tens else player


def per_ten(player: Player, values: Values) -> int:
    """Return the population that a ten brings, by the building marker; the last space of the mat is the last."""
    return values.track[min(player.marker, len(values.track) - 1)]


def with_square(player: Player, square: Square, sign: int) -> Player:
    """Return the player with a building's square on the mat, or with it gone (`sign` -1): never above 36 (DR26)."""

    def moved(marker: int, steps: int) -> int:
        return max(0, min(MAT_MAX, marker + sign * steps))

    return replace(
        player,
        mat_money=moved(player.mat_money, square.money),
        mat_resources=moved(player.mat_resources, square.resources),
        mat_prestige=moved(player.mat_prestige, square.prestige),
    )


def gain_prestige(position: Position, seat: int, points: int, values: Values) -> Position:
    """Return the position after a player gained prestige."""
    return position.with_player(seat, with_prestige(position.of(seat), points, values))


def gain_population(position: Position, seat: int, source: Source, points: int) -> Position:
    """Return the position after a player gained population."""
    return position.with_player(seat, with_population(position.of(seat), source, points))


def gain_aeros(position: Position, seat: int, aeros: int) -> Position:
    """Return the position after a player gained Aeros, or paid some."""
    return position.changed(seat, aeros=position.of(seat).aeros + aeros)


def gain_cubes(position: Position, seat: int, cubes: Cubes) -> Position:
    """Return the position after a player gained cubes."""
    return position.changed(seat, cubes=position.of(seat).cubes.with_more(cubes))
