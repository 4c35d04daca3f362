"""What placed workers and used tiles do in the city and on the market (DR14-DR16, DR20-DR22, DR29)."""

from msgspec.structs import replace

from citytable.games.dilluvia.actions import Acquire, Action, BuyPropeller, Convert, Garden, Pick, Switch, Take, Terrain
from citytable.games.dilluvia.cells import SIZES, Cell, all_around, beside, covered
from citytable.games.dilluvia.gaining import gain_aeros, gain_prestige, with_square
from citytable.games.dilluvia.ground import WORKERS, built_cells, free_cells, near, price
from citytable.games.dilluvia.holding import next_step, obtain
from citytable.games.dilluvia.market import ACQUIRED, check_there, got
from citytable.games.dilluvia.position import GARDENS, POOL, Built, Due, DueKind, Owned, Position
from citytable.games.dilluvia.refusals import refuse
from citytable.games.dilluvia.values import Square, Values

GARDEN_AERO = 1
_GROUND: tuple[DueKind, ...] = ("territory", "spaces", "medium")


def due_of(position: Position, action: Action, *kinds: DueKind) -> Due:
    """Return what comes next; raises `IllegalAction` if it is none of these kinds."""
    due = position.due
    if due is None or due.kind not in kinds:
        refuse("not_due", action)
    return due


def _less(position: Position, count: int = 1, **fields: object) -> Position:
    """Return the position with so many fewer of what comes next."""
    due = position.due
    if due is None:
        return position
    due = replace(due, count=due.count - count, **fields)
    return position.with_top(due if due.count > 0 or due.more > 0 else None)


def check_aeros(position: Position, action: Action, seat: int, cost: int, rule: str) -> None:
    """Raise `IllegalAction` with the number of the rule that names the price if a player has fewer Aeros."""
    if position.of(seat).aeros < cost:
        refuse("aeros", action, rule=rule, count=cost, seen=position.of(seat).aeros)


def check_terrain(position: Position, action: Terrain, values: Values) -> None:
    """Raise `IllegalAction` if this ground may not be taken (DR14, DR15)."""
    due = due_of(position, action, *_GROUND)
    if action.free and (due.kind != "territory" or not due.more or action.shape != "single"):
        refuse("no_free_space", action)
    _check_size(due, action)
    cells = covered(action.at, action.shape)
    if not cells <= free_cells(position, values):
        refuse("ground_taken", action)
    if not cells & near(position, action.player, due, values):
        refuse("not_adjacent", action)
    if due.kind == "territory" and not action.free:
        check_aeros(position, action, action.player, price(position, action.player, action.shape, values), "DR14")


def _check_size(due: Due, action: Terrain) -> None:
    size = SIZES[action.shape]
    if due.kind == "spaces" and size != 1:
        refuse("single_only", action)
    if due.kind == "medium" and size != SIZES["row"]:
        refuse("medium_only", action)
    if due.kind == "territory" and not action.free and WORKERS[action.shape] > due.count:
        refuse("terrain_workers", action, count=WORKERS[action.shape], seen=due.count)


def terrain(position: Position, action: Terrain, values: Values) -> Position:
    """Return the position with the player's cubes on the ground."""
    due, cells = position.due, covered(action.at, action.shape)
    if due is not None and due.kind == "territory":
        bought = (*due.cells, *sorted(cells))
        if action.free:
            position = _less(position, 0, more=due.more - 1, cells=bought)
        else:
            position = gain_aeros(position, action.player, -price(position, action.player, action.shape, values))
            position = _less(position, WORKERS[action.shape], cells=bought)
    else:
        position = _less(position)
    mine = frozenset(position.city.terrain[action.player - 1])
    return replace(position, city=position.city.with_terrain(action.player, mine | cells))


def check_propeller(position: Position, action: BuyPropeller, values: Values) -> None:
    """Raise `IllegalAction` if this propeller cannot be bought (DR16)."""
    due = due_of(position, action, "construction")
    if action.at not in values.propeller:
        refuse("no_propeller", action)
    if any(owned.at == action.at for owned in position.city.propellers):
        refuse("propeller_owned", action)
    if not due.count:
        refuse("propellers_done", action)
    check_aeros(position, action, action.player, values.propeller[action.at].price, "DR16")


def propeller(position: Position, action: BuyPropeller, values: Values) -> Position:
    """Return the position after the purchase: price, cube, prestige, and then the building marker."""
    printed, seat, city = values.propeller[action.at], action.player, position.city
    position = _less(gain_aeros(position, seat, -printed.price))
    owned = tuple(sorted((*city.propellers, Owned(action.at, seat)), key=lambda one: one.at))
    position = replace(position, city=replace(city, propellers=owned))
    position = gain_prestige(position, seat, printed.prestige, values)
    return position.changed(seat, marker=next_step(position.of(seat), values))


def check_acquire(position: Position, action: Acquire, _values: Values) -> None:
    """Raise `IllegalAction` if there is nothing to take there, or no 3 Aeros (DR20)."""
    due_of(position, action, "acquire")
    check_there(position, action, action.space, "DR20")
    check_aeros(position, action, action.player, ACQUIRED, "DR20")


def acquire(position: Position, action: Acquire, values: Values) -> Position:
    """Return the position after the tile or the space was taken for 3 Aeros."""
    return got(_less(gain_aeros(position, action.player, -ACQUIRED)), action.player, action.space, values)


def garden_cells(position: Position, seat: int, kind: str, values: Values) -> frozenset[Cell]:
    """Return where a player may place a garden: on own terrain (DR21), with the tile also beside a building (DA18)."""
    mine = frozenset(position.city.terrain[seat - 1])
    if len(position.city.gardens) == GARDENS or kind == "garden":
        return mine if len(position.city.gardens) < GARDENS else frozenset()
    built = built_cells(position.city, seat)
    diagonally = position.options.rulings.gardens_diagonally
    touching = all_around(built) if diagonally else frozenset[Cell]().union(*map(beside, built))
    return mine | touching & free_cells(position, values)


def check_garden(position: Position, action: Garden, values: Values) -> None:
    """Raise `IllegalAction` if no garden may be placed there."""
    due = due_of(position, action, "garden", "free_garden")
    if len(position.city.gardens) == GARDENS:
        refuse("gardens_gone", action)
    if action.at not in garden_cells(position, action.player, due.kind, values):
        refuse("garden_place" if due.kind == "garden" else "garden_tile_place", action)
    if due.kind == "garden":
        check_aeros(position, action, action.player, GARDEN_AERO, "DR21")


def garden(position: Position, action: Garden, _values: Values) -> Position:
    """Return the position with a garden in place of a cube, or on an empty space."""
    if position.due is not None and position.due.kind == "garden":
        position = gain_aeros(position, action.player, -GARDEN_AERO)
    position, city = _less(position), position.city
    city = city.with_terrain(action.player, frozenset(city.terrain[action.player - 1]) - {action.at})
    return replace(position, city=replace(city, gardens=tuple(sorted((*city.gardens, action.at)))))


def building_at(position: Position, at: Cell) -> Built | None:
    """Return the building whose upper left space this is."""
    return next((building for building in position.city.buildings if building.at == at), None)


def turned(building: Built) -> Built:
    """Return the building with its cube on the other square."""
    return replace(building, cube="second" if building.cube == "first" else "first")


def square_of(building: Built, values: Values) -> Square:
    """Return the square on which a building's cube lies."""
    return values.building[building.number, building.version].squares[building.cube == "second"]


def without_worker(position: Position, building: Built, values: Values) -> bool:
    """Return whether the cube may not lie so: the square is the worker's, and the pool is empty (DA8)."""
    empty = position.of(building.owner).extra == POOL and not position.options.rulings.empty_pool
    return empty and square_of(building, values).worker > 0


def check_switch(position: Position, action: Switch, values: Values) -> None:
    """Raise `IllegalAction` if there is no cube of the player's to switch there, or it was switched just now (DR22)."""
    due = due_of(position, action, "switch")
    building = building_at(position, action.at)
    if building is None or building.owner != action.player:
        refuse("not_your_building", action)
    if without_worker(position, turned(building), values):
        refuse("pool_empty", action)
    if action.at in due.cells:
        refuse("switched", action)


def switch(position: Position, action: Switch, values: Values) -> Position:
    """Return the position with the cube on the other square and the mat adjusted; a worker is never lost (DR19)."""
    before = building_at(position, action.at)
    if before is None or position.due is None:
        return position
    position = _less(position, cells=(*position.due.cells, action.at))
    after = turned(before)
    position = with_cube(position, before, -1, values)
    position, after = with_worker(with_cube(position, after, 1, values), after, values)
    buildings = tuple(after if one == before else one for one in position.city.buildings)
    return replace(position, city=replace(position.city, buildings=buildings))


def with_cube(position: Position, building: Built, sign: int, values: Values) -> Position:
    """Return the position with a building's square added to its owner's mat, or taken off it."""
    square = square_of(building, values)
    return position.with_player(building.owner, with_square(position.of(building.owner), square, sign))


def with_worker(position: Position, building: Built, values: Values) -> tuple[Position, Built]:
    """Return the position and the building after its square brought a worker, if the pool has one (DR19)."""
    extra = position.of(building.owner).extra
    if not square_of(building, values).worker or building.worker or extra == POOL:
        return position, building
    return position.changed(building.owner, extra=extra + 1), replace(building, worker=True)


def rule_of_taking(position: Position) -> str:
    """Return the number of the rule by which cubes of choice are due: income, a special worker, or a printed space."""
    if position.phase == "income":
        return "DR23"
    return "DR20" if any(due.kind == "acquire" for due in position.dues) else "DR29"


def check_take(position: Position, action: Take, _values: Values) -> None:
    """Raise `IllegalAction` if the player has not so many cubes to choose."""
    due = due_of(position, action, "take")
    if not 1 <= action.count <= due.count:
        refuse("take_count", action, rule=rule_of_taking(position), count=due.count)


def take(position: Position, action: Take, _values: Values) -> Position:
    """Return the position after the player took cubes."""
    cubes = position.of(action.player).cubes.plus(action.colour, action.count)
    return _less(position.changed(action.player, cubes=cubes), action.count)


def check_pick(position: Position, action: Pick, _values: Values) -> None:
    """Raise `IllegalAction` unless the tile was put away at the start of turn 7."""
    due_of(position, action, "aside")
    if action.tile not in position.aside:
        refuse("not_aside", action, tile=action.tile)


def pick(position: Position, action: Pick, values: Values) -> Position:
    """Return the position after the player got a tile that was put away, for nothing more (DA16)."""
    aside = tuple(tile for tile in position.aside if tile != action.tile)
    return obtain(replace(_less(position), aside=aside), action.player, action.tile, values)


def check_convert(position: Position, action: Convert, _values: Values) -> None:
    """Raise `IllegalAction` if the player has no such cube, or the colour stays the same."""
    due_of(position, action, "convert")
    if action.give == action.get:
        refuse("same_colour", action)
    if not position.of(action.player).cubes.of(action.give):
        refuse("no_cube", action, colour=action.give)


def convert(position: Position, action: Convert, _values: Values) -> Position:
    """Return the position after a cube became one of another colour."""
    cubes = position.of(action.player).cubes.plus(action.give, -1).plus(action.get, 1)
    return _less(position.changed(action.player, cubes=cubes))
