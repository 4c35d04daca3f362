"""The market tiles in front of the players, and the moment in which one comes there (DR29)."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from citytable.games.dilluvia.gaining import gain_aeros, gain_cubes, gain_population, gain_prestige, with_square
from citytable.games.dilluvia.position import Built, Cubes, Due, Held, Player, Position
from citytable.games.dilluvia.values import COLOURS, Square, Values

_SMALL, _MEDIUM, _LARGE = 1, 2, 4


def held(player: Player, kind: str, values: Values) -> int:
    """Return how many tiles of a kind a player has."""
    return sum(values.tile(one.tile).kind == kind for one in player.tiles)


def without(player: Player, tile: int) -> Player:
    """Return the player without a tile."""
    return replace(player, tiles=tuple(one for one in player.tiles if one.tile != tile))


def obtain(position: Position, seat: int, tile: int, values: Values) -> Position:
    """Return the position after a tile came to a player: its symbol of the mat, and its effect if that is at once."""
    printed = values.tile(tile)
    if printed.prestige:
        position = position.with_player(seat, with_square(position.of(seat), Square(prestige=1), 1))
    if values.use(printed.kind) == "now":
        return with_effect(replace(position, discarded=(*position.discarded, tile)), seat, printed.kind, values)
    return position.changed(seat, tiles=(*position.of(seat).tiles, Held(tile)))


def turned_over(position: Position, seat: int, tile: int, values: Values) -> Position:
    """Return the position after a player used a tile: it is gone, or turned over for the rest of the turn."""
    player = position.of(seat)
    if values.use(values.tile(tile).kind) == "turn":
        tiles = tuple(Held(one.tile, used=one.used or one.tile == tile) for one in player.tiles)
        return position.changed(seat, tiles=tiles)
    return replace(position.with_player(seat, without(player, tile)), discarded=(*position.discarded, tile))


def with_effect(position: Position, seat: int, kind: str, values: Values) -> Position:
    """Return the position after the effect of a tile; an effect that needs a choice becomes due."""
    return _EFFECTS[kind](position, seat, values)


_Effect = Callable[[Position, int, Values], Position]


def _cubes(colour: str, count: int) -> _Effect:
    return lambda position, seat, _values: gain_cubes(position, seat, Cubes(**{colour: count}))


def _aeros(count: int) -> _Effect:
    return lambda position, seat, _values: gain_aeros(position, seat, count)


def _due(due: Due) -> _Effect:
    return lambda position, _seat, _values: position.with_due(due)


def buildings_of(position: Position, seat: int, size: int) -> tuple[Built, ...]:
    """Return a player's buildings of a size."""
    return tuple(b for b in position.city.buildings if b.owner == seat and len(b.cells) == size)


def _aeros_per(size: int, aeros: int) -> _Effect:
    return lambda position, seat, _values: gain_aeros(position, seat, aeros * len(buildings_of(position, seat, size)))


def _marker(position: Position, seat: int, values: Values) -> Position:
    return position.changed(seat, marker=next_step(position.of(seat), values))


def next_step(player: Player, values: Values) -> int:
    """Return where the building marker goes next: it stays on the last space of the mat."""
    return min(player.marker + 1, len(values.track) - 1)


_EFFECTS: Mapping[str, _Effect] = {
    **{f"{colour}{count}": _cubes(colour, count) for colour in COLOURS for count in (2, 3)},
    "aeros5": _aeros(5),
    "aeros6": _aeros(6),
    "population2": lambda position, seat, _values: gain_population(position, seat, "tiles", 2),
    "prestige7": lambda position, seat, values: gain_prestige(position, seat, 7, values),
    "marker": _marker,
    "convert": _due(Due("convert")),
    "two_spaces": _due(Due("spaces", count=2)),
    "medium_terrain": _due(Due("medium")),
    "free_garden": _due(Due("free_garden")),
    "small_aeros": _aeros_per(_SMALL, 2),
    "medium_aeros": _aeros_per(_MEDIUM, 3),
    "large_aeros": _aeros_per(_LARGE, 5),
}
"""What the tiles do that are used; the others count where their rule says it."""
USABLE = frozenset(_EFFECTS)


def print_effect(position: Position, seat: int, printed: str, values: Values) -> Position:
    """Return the position after the effect of a printed space of turn 7 (DR7, DR29)."""
    match printed:
        case "aeros":
            return gain_aeros(position, seat, 8)
        case "prestige":
            return gain_prestige(position, seat, 4, values)
        case "population":
            return gain_population(position, seat, "spaces", 2)
        case "cubes":
            return position.with_due(Due("take", count=4))
        case "aside":
            return position.with_due(Due("aside"))
        case _:
            return position.with_due(Due("medium"))
