"""The market: laying out, refilling, zeppelins, buying, compensation (DR1, DR3-DR7)."""

from collections.abc import Mapping
from typing import NoReturn

from msgspec.structs import replace

from citytable.games.dilluvia.actions import Action, Buy, DrawOrder, Refill, SetUp, Zeppelin
from citytable.games.dilluvia.gaining import gain_aeros
from citytable.games.dilluvia.holding import held, obtain, print_effect
from citytable.games.dilluvia.position import BERTHS, TURNS, Berth, Position
from citytable.games.dilluvia.refusals import refuse
from citytable.games.dilluvia.values import SPACES, Values

FIXED, ACQUIRED, FIRST_AEROS = 5, 3, 3
_SIDE = 4


def _spaces(berth: Berth) -> tuple[int, ...]:
    side, k = berth[:-1], int(berth[-1]) - 1
    row = tuple(_SIDE * k + n + 1 for n in range(_SIDE))
    column = tuple(_SIDE * n + k + 1 for n in range(_SIDE))
    return {"left": row, "right": row[::-1], "top": column, "bottom": column[::-1]}[side]


LINES: Mapping[Berth, tuple[int, ...]] = {berth: _spaces(berth) for berth in BERTHS}
"""The spaces in front of a zeppelin, the nearest first (DR5)."""


def check_set_up(position: Position, action: SetUp, values: Values) -> None:
    """Raise `IllegalAction` if the market cannot be so."""
    if position.phase != "setup":
        refuse("already_set_up", action)
    if action.market is not None:
        if len(action.market) != SPACES:
            refuse("market_count", action, count=SPACES, seen=len(action.market))
        _check_revealed(action.market, position, action, values, "DR1")


def _check_revealed(
    tiles: tuple[int | None, ...], position: Position, action: Action, values: Values, rule: str
) -> None:
    """Raise `IllegalAction` by a rule unless these tiles can come off the stacks: the white ones first."""
    known = [tile for tile in tiles if tile is not None]
    if len(set(known)) != len(known):
        refuse("tile_twice", action, rule=rule)
    for tile in known:
        if tile not in position.white and tile not in position.grey:
            _refuse_tile(tile, position, action, values, rule)
    first = min(len(position.white), len(tiles))
    for k, one in enumerate(tiles):
        if one is not None and one not in (position.white if k < first else position.grey):
            refuse("white_first", action, rule=rule)


def _refuse_tile(tile: int, position: Position, action: Action, values: Values, rule: str) -> NoReturn:
    """Refuse a tile that is in no stack: it may be one for larger groups (DR1)."""
    if 1 <= tile <= len(values.tiles) and values.tile(tile).players > position.options.players:
        refuse("larger_group", action, tile=tile, count=values.tile(tile).players)
    refuse("tile_elsewhere", action, rule=rule, tile=tile)


def set_up(position: Position, action: SetUp, _values: Values) -> Position:
    """Return the position after the market was laid out."""
    return replace(_laid(position, action.market or ()), phase="drawing")


def _laid(position: Position, tiles: tuple[int | None, ...]) -> Position:
    """Return the position with these tiles in the empty spaces, row by row."""
    market, empty = list(position.market), (k for k, tile in enumerate(position.market) if not tile)
    for k, tile in zip(empty, tiles, strict=False):  # the stacks may have fewer
        market[k] = -(k + 1) if tile is None else tile
    return _without(replace(position, market=tuple(market)), tiles)


def check_order(position: Position, action: DrawOrder, _values: Values) -> None:
    """Raise `IllegalAction` unless the order has every seat once, and the market lies."""
    if position.phase != "drawing":
        refuse("order_drawn", action)
    if action.order is not None and sorted(action.order) != list(range(1, position.options.players + 1)):
        refuse("order", action, count=position.options.players)
    check_seen(position, action)


def check_seen(position: Position, action: Action) -> None:
    """Raise `IllegalAction` if a tile of the market is not known yet."""
    for space, tile in enumerate(position.market, start=1):
        if tile < 0:
            refuse("tile_unseen", action, space=space)


def draw_order(position: Position, action: DrawOrder, _values: Values) -> Position:
    """Return the position after the order was drawn: it brings 3, 4, 5 and 6 Aeros."""
    order = action.order or ()
    position = replace(position, order=order, phase="zeppelins", player=order[0])
    for k, seat in enumerate(order):
        position = position.changed(seat, aeros=FIRST_AEROS + k)
    return position


def _without(position: Position, tiles: tuple[int | None, ...]) -> Position:
    """Return the position with these tiles off the stacks."""
    white = tuple(tile for tile in position.white if tile not in tiles)
    return replace(position, white=white, grey=tuple(tile for tile in position.grey if tile not in tiles))


def refill_count(position: Position) -> int:
    """Return how many tiles come into the market."""
    return min(position.market.count(0), len(position.white) + len(position.grey))


def check_refill(position: Position, action: Refill, values: Values) -> None:
    """Raise `IllegalAction` if the tiles cannot come into the market now."""
    if position.phase != "refill":
        refuse("no_refill", action)
    if action.tiles is not None:
        if len(action.tiles) != refill_count(position):
            refuse("refill_count", action, count=refill_count(position), seen=len(action.tiles))
        _check_revealed(action.tiles, position, action, values, "DR3")


def refill(position: Position, action: Refill, _values: Values) -> Position:
    """Return the position after the empty spaces were filled row by row (DR3): nobody's turn until all is seen."""
    position = _laid(position, action.tiles or ())
    return replace(position, phase="zeppelins", player=position.order[0] if min(position.market) >= 0 else 0)


def check_zeppelin(position: Position, action: Zeppelin, _values: Values) -> None:
    """Raise `IllegalAction` if the zeppelin may not stand there (DR4)."""
    if position.phase != "zeppelins":
        refuse("no_zeppelin_now", action)
    check_seen(position, action)
    if position.dues:  # of a tile that was used too early
        refuse("finish_first", action)
    line = set(LINES[action.at])
    for player in position.players:
        if player.zeppelin is not None and set(LINES[player.zeppelin]) == line:
            refuse("line_taken", action)


def zeppelin(position: Position, action: Zeppelin, _values: Values) -> Position:
    """Return the position with the zeppelin in its place."""
    position = position.changed(action.player, zeppelin=action.at)
    return replace(position, player=next_zeppelin(position))


def next_zeppelin(position: Position) -> int:
    """Return the seat that places the next zeppelin; 0 if all stand."""
    return next((seat for seat in position.order if position.of(seat).zeppelin is None), 0)


def is_empty(position: Position, space: int) -> bool:
    """Return whether there is nothing to buy on a space: no tile, or in turn 7 a cube."""
    if position.turn == TURNS:
        return position.taken[space - 1] != 0
    return position.market[space - 1] == 0


def empty_in_line(position: Position, seat: int) -> int:
    """Return how many spaces of a player's line are empty."""
    berth = position.of(seat).zeppelin
    return sum(is_empty(position, space) for space in LINES[berth]) if berth else 0


def price(position: Position, berth: Berth, space: int, values: Values) -> int:
    """Return what a space of the line costs: by its distance, or 5 for a tile that is marked so (DR5)."""
    tile = position.market[space - 1]
    if position.turn != TURNS and tile > 0 and values.tile(tile).five:
        return FIXED
    return LINES[berth].index(space) + 1


def check_buy(position: Position, action: Buy, values: Values) -> None:
    """Raise `IllegalAction` if the player may not buy this space (DR5, DR7)."""
    if position.phase != "shopping":
        refuse("no_shopping", action)
    if position.dues:
        refuse("finish_first", action)
    check_there(position, action, action.space, "DR5")
    berth = position.of(action.player).zeppelin
    if berth is None or action.space not in LINES[berth]:
        refuse("not_in_line", action, space=action.space)
    cost = price(position, berth, action.space, values)
    if position.of(action.player).aeros < cost:
        refuse("aeros", action, count=cost, seen=position.of(action.player).aeros)


def check_there(position: Position, action: Action, space: int, rule: str) -> None:
    """Raise `IllegalAction` if a space of the market has nothing to buy by a rule."""
    if not 1 <= space <= SPACES:
        refuse("no_space", action, rule=rule, space=space, count=SPACES)
    if is_empty(position, space):
        if position.turn == TURNS:
            refuse("space_taken", action, space=space)
        refuse("space_empty", action, rule=rule, space=space)


def buy(position: Position, action: Buy, values: Values) -> Position:
    """Return the position after a player paid for a space and got what is there."""
    berth = position.of(action.player).zeppelin
    cost = price(position, berth, action.space, values) if berth and action.space in LINES[berth] else 0
    return got(gain_aeros(position, action.player, -cost), action.player, action.space, values)


def got(position: Position, seat: int, space: int, values: Values) -> Position:
    """Return the position after a player got a tile or a printed space of the market."""
    k = space - 1
    if position.turn == TURNS:
        position = replace(position, taken=(*position.taken[:k], seat, *position.taken[space:]))
        return print_effect(position, seat, values.last_turn[k], values)
    tile = position.market[k]
    position = replace(position, market=(*position.market[:k], 0, *position.market[space:]))
    return obtain(position.changed(seat, shown=tile), seat, tile, values)


def compensated(position: Position, seat: int, values: Values) -> Position:
    """Return the position after the compensation for the line's empty spaces (DR6, DA3)."""
    own = position.options.rulings.own_spaces_count
    empties = empty_in_line(position, seat) if own else position.empties
    each = 2 if held(position.of(seat), "compensation", values) else 1
    return gain_aeros(position, seat, each * empties)
