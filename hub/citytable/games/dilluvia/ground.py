"""The ground of the city: where terrain may lie, what it costs, whose building stands where (DR14, DR15)."""

from collections.abc import Iterable, Iterator

from citytable.games.dilluvia.cells import CENTRE, SIZES, Cell, Shape, all_around, around, covered, covering
from citytable.games.dilluvia.holding import held
from citytable.games.dilluvia.position import City, Due, Position
from citytable.games.dilluvia.values import Values

WORKERS: dict[Shape, int] = {"single": 1, "row": 2, "column": 2, "square": 3}
"""How many workers a terrain takes."""


def free_cells(position: Position, values: Values) -> frozenset[Cell]:
    """Return the spaces of the city on which nothing lies, as far as this group uses it."""
    return values.playable[position.options.players] - position.city.occupied()


def built_cells(city: City, seat: int) -> frozenset[Cell]:
    """Return the spaces under a player's buildings."""
    return frozenset[Cell]().union(*(building.cells for building in city.buildings if building.owner == seat))


def near(position: Position, seat: int, due: Due, values: Values) -> frozenset[Cell]:
    """Return the spaces one of which the next terrain must cover.

    DR15 for ground that workers bring; what a tile or a printed space brings lies beside own terrain or buildings.
    """
    city = position.city
    terrain = frozenset(city.terrain[seat - 1])
    if due.kind == "territory" and not position.options.rulings.terrains_go_on:
        terrain -= frozenset(due.cells)
    ground = terrain | built_cells(city, seat)
    if due.kind != "territory":
        return all_around(ground)
    propellers = (owned.at for owned in city.propellers if owned.owner == seat)
    found = all_around((*ground, *propellers))
    if ground or city.terrain[seat - 1]:
        return found
    found |= around(CENTRE)
    if found & free_cells(position, values):
        return found
    return all_around(cell for building in city.buildings if building.owner != seat for cell in building.cells)


def fits(
    position: Position, seat: int, due: Due, values: Values, shapes: Iterable[Shape] = tuple(SIZES)
) -> Iterator[tuple[Cell, Shape]]:
    """Yield every terrain of these shapes that may lie somewhere, whatever it costs."""
    free = free_cells(position, values)
    touching = free & near(position, seat, due, values)
    for shape in shapes:
        found = {at for cell in touching for at in covering(cell, shape)} if shape != "single" else touching
        yield from ((at, shape) for at in sorted(found) if covered(at, shape) <= free)


def price(position: Position, seat: int, shape: Shape, values: Values) -> int:
    """Return what workers' ground costs: 1 Aero a space, less for medium and large with the discount tile (DA4)."""
    size = SIZES[shape]
    if size == 1:
        return 1
    saved = size if position.options.rulings.discount_per_space else 1
    return max(0, size - saved * held(position.of(seat), "ground_discount", values))
