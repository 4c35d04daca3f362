"""Tiles that come up: what readers show of them, and how people name what nobody reads."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from citytable.games.dilluvia.actions import Action, DrawOrder, Refill, SetUp
from citytable.games.dilluvia.layout import space_of, tile_of
from citytable.games.dilluvia.market import refill_count
from citytable.games.dilluvia.position import Position
from citytable.games.dilluvia.values import SPACES


def with_unknowns(position: Position, action: Action) -> Action:
    """Return the action with a tile that nobody has seen yet for each that it leaves open."""
    match action:
        case SetUp(market=None):
            return SetUp(market=(None,) * SPACES)
        case Refill(tiles=None):
            return Refill(tiles=(None,) * refill_count(position))
        case _:
            return action


def is_whole(action: Action) -> bool:
    """Return whether nothing of the action is open."""
    match action:
        case SetUp(market=tiles) | Refill(tiles=tiles):
            return tiles is not None and None not in tiles
        case DrawOrder(order=order):
            return order is not None
        case _:
            return True


def still_open(action: Action) -> tuple[str, ...]:
    """Return the outcome fields that are not whole yet."""
    return () if is_whole(action) else action.OUTCOME


def spaces_of(position: Position, action: SetUp | Refill) -> tuple[int, ...]:
    """Return the spaces into which the tiles of an action come, in their order."""
    empty = tuple(space for space, tile in enumerate(position.market, start=1) if not tile)
    return empty if isinstance(action, SetUp) else empty[: refill_count(position)]


def named(position: Position, action: Action, things: Mapping[str, object]) -> Action:
    """Return the action with the tiles that readers or people name, by the names of their spaces."""
    if not isinstance(action, SetUp | Refill):
        return action
    known = {space_of(name): tile_of(str(thing)) for name, thing in things.items() if name.startswith("space_")}
    tiles = (action.market if isinstance(action, SetUp) else action.tiles) or ()
    filled = tuple(_filled(tiles, known, spaces_of(position, action)))
    return replace(action, market=filled) if isinstance(action, SetUp) else replace(action, tiles=filled)


def _filled(
    tiles: tuple[int | None, ...], known: Mapping[int, int | None], spaces: tuple[int, ...]
) -> Iterator[int | None]:
    for tile, space in zip(tiles, spaces, strict=True):
        yield known.get(space) if tile is None else tile
