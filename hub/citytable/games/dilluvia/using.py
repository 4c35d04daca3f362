"""Market tiles that a player uses in a turn of theirs in the action phase (DR29)."""

from collections.abc import Iterator

from citytable.games.dilluvia.actions import UseTile
from citytable.games.dilluvia.cells import shapes_of
from citytable.games.dilluvia.doing import garden_cells
from citytable.games.dilluvia.ground import fits
from citytable.games.dilluvia.holding import USABLE, buildings_of, turned_over, with_effect
from citytable.games.dilluvia.position import Due, DueKind, Position
from citytable.games.dilluvia.refusals import refuse
from citytable.games.dilluvia.values import Values

FIRST: tuple[DueKind, ...] = ("take", "aside", "medium", "spaces", "convert", "free_garden")
"""What is done before another tile is used."""
_SIZES = {"small_aeros": 1, "medium_aeros": 2, "large_aeros": 4}


def usable(position: Position, seat: int, values: Values) -> Iterator[int]:
    """Yield the tiles that a player can use now for something, one of each kind."""
    due = position.due
    if position.phase != "workers" or (due is not None and due.kind in FIRST):
        return
    kinds = set()
    for one in position.of(seat).tiles:
        kind = values.tile(one.tile).kind
        if kind not in kinds and not one.used and is_used(kind, values) and _serves(position, seat, kind, values):
            kinds.add(kind)
            yield one.tile


def is_used(kind: str, values: Values) -> bool:
    """Return whether a tile of this kind is used by its player, and does not count by itself."""
    return kind in USABLE and values.use(kind) in {"once", "turn"}


def _serves(position: Position, seat: int, kind: str, values: Values) -> bool:
    """Return whether the effect of a tile finds something to do."""
    match kind:
        case "convert":
            return position.of(seat).cubes.total > 0
        case "two_spaces":
            return next(fits(position, seat, Due("spaces"), values), None) is not None
        case "medium_terrain":
            return next(fits(position, seat, Due("medium"), values, shapes_of(2)), None) is not None
        case "free_garden":
            return bool(garden_cells(position, seat, "free_garden", values))
        case "small_aeros" | "medium_aeros" | "large_aeros":
            return bool(buildings_of(position, seat, _SIZES[kind]))
        case _:
            return True


def aeros_by_tiles(position: Position, seat: int, values: Values) -> bool:
    """Return whether a player has a tile that brings Aeros now, with which they might pay for a spot (DA19)."""
    aeros = position.of(seat).aeros
    kinds = (values.tile(tile).kind for tile in usable(position, seat, values))
    return any(with_effect(position, seat, kind, values).of(seat).aeros > aeros for kind in kinds)


def check_use(position: Position, action: UseTile, values: Values) -> None:
    """Raise `IllegalAction` if the player cannot use this tile now."""
    due = position.due
    if due is not None and due.kind in FIRST:
        refuse("finish_first", action)
    mine = next((one for one in position.of(action.player).tiles if one.tile == action.tile), None)
    if mine is None:
        refuse("not_your_tile", action, tile=action.tile)
    kind = values.tile(action.tile).kind
    if not is_used(kind, values):
        refuse("not_for_use", action, tile=action.tile)
    if not _serves(position, action.player, kind, values):
        refuse("nothing_to_use", action, tile=action.tile)
    # these two come last: a table may break them, and nothing behind them would be asked then
    if position.phase != "workers":
        refuse("no_tile_now", action)
    if mine.used:
        refuse("used", action, tile=action.tile)


def use(position: Position, action: UseTile, values: Values) -> Position:
    """Return the position after the tile was used; what it lets the player choose becomes due."""
    position = turned_over(position, action.player, action.tile, values)
    return with_effect(position, action.player, values.tile(action.tile).kind, values)
