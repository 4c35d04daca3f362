"""Erecting a building (DR17-DR19)."""

from collections.abc import Iterator
from itertools import combinations_with_replacement

from msgspec.structs import replace

from citytable.games.dilluvia.actions import Build
from citytable.games.dilluvia.cells import SIZES, covered
from citytable.games.dilluvia.doing import due_of, with_cube, with_worker
from citytable.games.dilluvia.gaining import gain_population, gain_prestige
from citytable.games.dilluvia.holding import held, next_step, turned_over
from citytable.games.dilluvia.position import POOL, Built, Cubes, Player, Position
from citytable.games.dilluvia.refusals import refuse
from citytable.games.dilluvia.values import COLOURS, Building, Values

TIMELY_POPULATION, TIMELY_PRESTIGE = 2, 3
LARGEST = 6
_SAVED = 2
_DISCOUNTS = {2: "discount_23", 3: "discount_23", 4: "discount_45", 5: "discount_45"}


def saved(player: Player, building: Building, values: Values) -> int:
    """Return how many cubes of a building's cost the player's discount tiles save: any, and never more than all."""
    kind = _DISCOUNTS.get(building.number)
    return min(sum(building.cost), _SAVED * held(player, kind, values)) if kind else 0


def spares(player: Player, building: Building, values: Values) -> Iterator[Cubes]:
    """Yield the choices of cubes that are not paid and leave a cost that the player can pay."""
    cost, less = Cubes(*building.cost), saved(player, building, values)
    if not less:
        yield from (Cubes(),) if player.cubes.covers(cost) else ()
        return
    for colours in combinations_with_replacement(COLOURS, less):
        spare = Cubes(*(colours.count(colour) for colour in COLOURS))
        if cost.covers(spare) and player.cubes.covers(cost.minus(spare)):
            yield spare


def early_tiles(position: Position, seat: int, number: int, values: Values) -> tuple[int, ...]:
    """Return a player's tiles that allow a building of a future turn, which a 6 never is."""
    if number <= position.turn or number >= LARGEST:
        return ()
    tiles = (one.tile for one in position.of(seat).tiles if not one.used)
    return tuple(tile for tile in tiles if values.tile(tile).kind == "future_building")


def left(position: Position, number: int, version: str, values: Values) -> int:
    """Return how many tiles of a building are left."""
    built = sum(one.number == number and one.version == version for one in position.city.buildings)
    return values.building[number, version].copies - built


def check_build(position: Position, action: Build, values: Values) -> None:
    """Raise `IllegalAction` if the player may not erect this building there."""
    due = due_of(position, action, "construction")
    building = values.building.get((action.number, action.version))
    if building is None:
        refuse("no_building", action, number=action.number, version=action.version.upper())
    if not left(position, action.number, action.version, values):
        refuse("building_gone", action, number=action.number, version=action.version.upper())
    if not due.more:
        refuse("buildings_done", action)
    _check_turn(position, action, values)
    if SIZES[action.shape] != building.size:
        refuse("building_shape", action, count=building.size)
    if not covered(action.at, action.shape) <= frozenset(position.city.terrain[action.player - 1]):
        refuse("no_ground", action)
    _check_paid(position.of(action.player), action, building, values)
    square = building.squares[action.cube == "second"]
    if square.worker and position.of(action.player).extra == POOL and not position.options.rulings.empty_pool:
        refuse("pool_empty", action)


def _check_turn(position: Position, action: Build, values: Values) -> None:
    if action.number <= position.turn:
        if action.tile:
            refuse("not_early", action)
    elif action.tile not in early_tiles(position, action.player, action.number, values):
        refuse("largest_early" if action.number >= LARGEST else "future", action, number=action.number)


def _check_paid(player: Player, action: Build, building: Building, values: Values) -> None:
    cost = Cubes(*building.cost)
    if action.spare.total != saved(player, building, values) or not cost.covers(action.spare):
        refuse("spare", action, count=saved(player, building, values))
    if not player.cubes.covers(cost.minus(action.spare)):
        refuse("cubes", action)


def build(position: Position, action: Build, values: Values) -> Position:
    """Return the position with the building, its income on the mat and the building marker one further."""
    seat, city = action.player, position.city
    cost = Cubes(*values.building[action.number, action.version].cost).minus(action.spare)
    player = position.of(seat)
    position = position.changed(seat, cubes=player.cubes.minus(cost))
    if action.tile:
        position = turned_over(position, seat, action.tile, values)
    building = Built(
        number=action.number,
        version=action.version,
        at=action.at,
        shape=action.shape,
        owner=seat,
        cube=action.cube,
    )
    position, building = with_worker(with_cube(position, building, 1, values), building, values)
    ground = city.with_terrain(seat, frozenset(city.terrain[seat - 1]) - building.cells)
    buildings = tuple(sorted((*city.buildings, building), key=lambda one: one.at))
    position = replace(position, city=replace(ground, buildings=buildings))
    position = _celebrated(position, action, values)
    position = position.changed(seat, marker=next_step(position.of(seat), values))
    due = position.due
    if due is None or due.kind != "construction":
        return position
    due = replace(due, more=due.more - 1)
    return position.with_top(due if due.count > 0 or due.more > 0 else None)


def _celebrated(position: Position, action: Build, values: Values) -> Position:
    """Return the position with the bonus for a building of the turn (DR18, DA9)."""
    early = bool(action.tile) and position.options.rulings.early_population
    if action.number == position.turn or early:
        position = gain_population(position, action.player, "timely", TIMELY_POPULATION)
    if action.number == position.turn:
        tiles = held(position.of(action.player), "timely", values)
        position = gain_prestige(position, action.player, TIMELY_PRESTIGE * tiles, values)
    return position
