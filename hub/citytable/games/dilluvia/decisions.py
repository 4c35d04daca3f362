"""The legal decisions of a position, made as they are asked for."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Literal, TypeGuard

from citytable.games.dilluvia.actions import (
    Acquire,
    Action,
    Build,
    Buy,
    BuyPropeller,
    Convert,
    Done,
    DrawOrder,
    Garden,
    Pick,
    Place,
    Refill,
    SetUp,
    Switch,
    Take,
    Terrain,
    UseTile,
    Zeppelin,
)
from citytable.games.dilluvia.building import early_tiles, left, spares
from citytable.games.dilluvia.cells import SIZES, Cell, Shape, covered, shapes_of
from citytable.games.dilluvia.doing import GARDEN_AERO, garden_cells, turned, without_worker
from citytable.games.dilluvia.ground import WORKERS, fits, price
from citytable.games.dilluvia.market import ACQUIRED, LINES, is_empty
from citytable.games.dilluvia.market import price as market_price
from citytable.games.dilluvia.placing import TOLL, next_spot, next_spots, place
from citytable.games.dilluvia.position import ACTION_SPACES, BERTHS, POOL, Due, DueKind, Position, Space
from citytable.games.dilluvia.using import aeros_by_tiles, usable
from citytable.games.dilluvia.values import COLOURS, SPACES, Building, Values

_SQUARES: tuple[Literal["first", "second"], ...] = ("first", "second")


_LINE_OF = {berth: frozenset(LINES[berth]) for berth in BERTHS}


def decisions(position: Position, values: Values) -> Iterator[Action]:
    """Return every legal decision of the player to act, outcomes open."""
    match position.phase:
        case "setup":
            return iter((SetUp(),))
        case "drawing":
            return iter((DrawOrder(),))
        case "refill":
            return iter((Refill(),))
        case "zeppelins":
            first = due_decisions(position, values) if position.dues else _zeppelins(position)
            return chain(first, _done(position, values))
        case "shopping":
            first = due_decisions(position, values) if position.dues else purchases(position, values)
            return chain(first, _done(position, values))
        case "workers":
            first = due_decisions(position, values) if position.dues else _placements(position, values)
            return chain(first, _uses(position, values), _done(position, values))
        case "income":
            return due_decisions(position, values)
        case "end":
            return iter(())


def _uses(position: Position, values: Values) -> Iterator[Action]:
    for tile in usable(position, position.player, values):
        yield UseTile(player=position.player, tile=tile)


def _done(position: Position, values: Values) -> Iterator[Action]:
    if may_stop(position, values):
        yield Done(player=position.player)


def may_stop(position: Position, values: Values) -> bool:
    """Return whether the player may do no more of what comes next: workers must be placed if possible, cubes taken.

    Nobody has to use a tile to pay for a spot (DR8, DA19).
    """
    if position.due is not None:
        return position.due.kind != "take"
    if position.phase == "workers":
        return position.acted or not _has_spot(position, position.player, values)
    return position.phase == "shopping"


def _zeppelins(position: Position) -> Iterator[Action]:
    taken = [_LINE_OF[player.zeppelin] for player in position.players if player.zeppelin is not None]
    return (Zeppelin(player=position.player, at=berth) for berth, line in _LINE_OF.items() if line not in taken)


def purchases(position: Position, values: Values) -> Iterator[Action]:
    """Yield what the shopper can pay in the line of the zeppelin (DR5)."""
    seat = position.player
    berth, aeros = position.of(seat).zeppelin, position.of(seat).aeros
    if berth is None:
        return
    for space in LINES[berth]:
        if not is_empty(position, space) and market_price(position, berth, space, values) <= aeros:
            yield Buy(player=seat, space=space)


def _placements(position: Position, values: Values) -> Iterator[Action]:
    if position.acted:
        return iter(())
    found: list[Action] = []
    seat, player = position.player, position.of(position.player)
    workers = player.workers
    for space, spot in next_spots(position, seat, values):
        if spot.aero and player.aeros < TOLL:
            continue
        most = workers if spot.workers == 0 or spot.workers > workers else spot.workers
        found += _sendings(seat, space, most, player.left, special=player.special)
    return iter(found)


@lru_cache(maxsize=4096)
def _sendings(seat: int, space: Space, most: int, left: int, *, special: bool) -> tuple[Place, ...]:
    """Return the ways of sending up to so many workers to a space, with so many dark ones left."""
    found = []
    for workers in range(1, most + 1):
        if workers <= left:
            found.append(Place(player=seat, space=space, workers=workers))
        if special and workers - 1 <= left:
            found.append(Place(player=seat, space=space, workers=workers, special=True))
    return tuple(found)


def idle_spaces(position: Position, values: Values) -> list[Space]:
    """Return the action spaces that have a spot where the player's workers, all of them, could do nothing at once.

    A special worker's benefit and a tile that is used first are not looked at.
    """
    if position.phase != "workers" or position.acted or position.dues:
        return []
    most: dict[Space, Place] = {one.space: one for one in _placements(position, values) if _is_plain(one)}
    return [space for space, sent in most.items() if _does_nothing(place(position, sent, values), values)]


def _is_plain(action: Action) -> TypeGuard[Place]:
    return isinstance(action, Place) and not action.special


def _does_nothing(after: Position, values: Values) -> bool:
    """Return whether what comes next can only be left."""
    return after.due is not None and next(due_decisions(after, values), None) is None


def can_place(position: Position, seat: int, values: Values) -> bool:
    """Return whether a player has a worker, and a spot for it that they can pay, if need be by a tile (DR8, DA19)."""
    player = position.of(seat)
    if not player.workers:
        return False
    if _has_spot(position, seat, values):
        return True
    left = next_spots(position, seat, values)
    return bool(left) and not player.passed and aeros_by_tiles(position, seat, values)


def _has_spot(position: Position, seat: int, values: Values) -> bool:
    """Return whether there is a spot that the player can pay with the Aeros they have."""
    aeros = position.of(seat).aeros
    for space in ACTION_SPACES:
        spot = next_spot(position, seat, space, values)
        if spot is not None and (not spot.aero or aeros >= TOLL):
            return True
    return False


def due_decisions(position: Position, values: Values) -> Iterator[Action]:
    """Yield the ways of doing what comes next, except stopping."""
    due = position.due
    return iter(()) if due is None else _DUE[due.kind](position, due, values)


def _terrains(position: Position, due: Due, values: Values) -> Iterator[Action]:
    seat, aeros = position.player, position.of(position.player).aeros
    few = (shape for shape, workers in WORKERS.items() if workers <= due.count)
    paid = [shape for shape in few if price(position, seat, shape, values) <= aeros]
    wanted = [shape for shape in SIZES if shape in paid or (shape == "single" and due.more)]
    for at, shape in fits(position, seat, due, values, wanted):
        if shape in paid:
            yield Terrain(player=seat, at=at, shape=shape)
        if shape == "single" and due.more:
            yield Terrain(player=seat, at=at, free=True)


def _free_ground(position: Position, due: Due, values: Values) -> Iterator[Action]:
    shapes = shapes_of(1 if due.kind == "spaces" else 2)
    for at, shape in fits(position, position.player, due, values, shapes):
        yield Terrain(player=position.player, at=at, shape=shape)


def _constructions(position: Position, due: Due, values: Values) -> Iterator[Action]:
    seat, aeros = position.player, position.of(position.player).aeros
    owned = {propeller.at for propeller in position.city.propellers}
    for at, propeller in values.propeller.items() if due.count else ():
        if at not in owned and propeller.price <= aeros:
            yield BuyPropeller(player=seat, at=at)
    if due.more:
        places = _places(position, seat)
        for building in values.buildings:
            if places[building.size]:
                yield from _buildings(position, building, places[building.size], values)


def _places(position: Position, seat: int) -> dict[int, list[tuple[Cell, Shape]]]:
    """Return the player's ground by the size of building that fits on it."""
    mine = frozenset(position.city.terrain[seat - 1])
    return {
        size: [(at, shape) for shape in shapes_of(size) for at in sorted(mine) if covered(at, shape) <= mine]
        for size in (1, 2, 4)
    }


def _buildings(
    position: Position, building: Building, places: list[tuple[Cell, Shape]], values: Values
) -> Iterator[Action]:
    seat, player = position.player, position.of(position.player)
    tiles = (0,) if building.number <= position.turn else early_tiles(position, seat, building.number, values)[:1]
    if not tiles or not left(position, building.number, building.version, values):
        return
    for spare in spares(player, building, values):
        for at, shape in places:
            for cube, square in zip(_SQUARES, building.squares, strict=True):
                if square.worker and player.extra == POOL and not position.options.rulings.empty_pool:
                    continue
                yield Build(
                    player=seat,
                    number=building.number,
                    version=building.version,
                    at=at,
                    shape=shape,
                    cube=cube,
                    spare=spare,
                    tile=tiles[0],
                )


def _acquisitions(position: Position, _due: Due, _values: Values) -> Iterator[Action]:
    if position.of(position.player).aeros < ACQUIRED:
        return
    for space in range(1, SPACES + 1):
        if not is_empty(position, space):
            yield Acquire(player=position.player, space=space)


def _gardens(position: Position, due: Due, values: Values) -> Iterator[Action]:
    seat = position.player
    if due.kind == "free_garden" or position.of(seat).aeros >= GARDEN_AERO:
        yield from (Garden(player=seat, at=at) for at in sorted(garden_cells(position, seat, due.kind, values)))


def _switches(position: Position, due: Due, values: Values) -> Iterator[Action]:
    for building in position.city.buildings:
        mine = building.owner == position.player and building.at not in due.cells
        if mine and not without_worker(position, turned(building), values):
            yield Switch(player=position.player, at=building.at)


def _takes(position: Position, due: Due, _values: Values) -> Iterator[Action]:
    for colour in COLOURS:
        for count in range(1, due.count + 1):
            yield Take(player=position.player, colour=colour, count=count)


def _picks(position: Position, _due: Due, _values: Values) -> Iterator[Action]:
    yield from (Pick(player=position.player, tile=tile) for tile in position.aside)


def _conversions(position: Position, _due: Due, _values: Values) -> Iterator[Action]:
    cubes = position.of(position.player).cubes
    for give in COLOURS:
        for get in COLOURS if cubes.of(give) else ():
            if get != give:
                yield Convert(player=position.player, give=give, get=get)


_DUE: Mapping[DueKind, Callable[[Position, Due, Values], Iterator[Action]]] = {
    "take": _takes,
    "aside": _picks,
    "medium": _free_ground,
    "spaces": _free_ground,
    "convert": _conversions,
    "free_garden": _gardens,
    "territory": _terrains,
    "construction": _constructions,
    "acquire": _acquisitions,
    "garden": _gardens,
    "switch": _switches,
}
