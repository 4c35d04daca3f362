"""Dilluvia Project as numbers, for programs that learn: a fixed list of words, and a fixed row for what a seat sees.

All but the order of the stacks is public, and of a stack the row says only which tiles are left in it: so it hides what
the rules hide. Seats count from the one that looks, round the table. `VERSION` changes with the meaning of any number.
"""

from collections.abc import Iterator
from itertools import product
from typing import get_args

from citytable.games.dilluvia.building import LARGEST, left
from citytable.games.dilluvia.cells import CENTRE, SIZES, Cell
from citytable.games.dilluvia.game import Dilluvia
from citytable.games.dilluvia.leaves import cubes_to_text
from citytable.games.dilluvia.position import (
    ACTION_SPACES,
    BERTHS,
    DARK,
    MAT_MAX,
    POOL,
    Built,
    Cubes,
    DueKind,
    Phase,
    Player,
    Position,
    Space,
)
from citytable.games.dilluvia.values import COLOURS, SPACES, Values

VERSION = 1
SEATS = 4
MOST = 1000
CELLS = tuple(Cell(x, y) for y in range(1, 2 * CENTRE.y) for x in range(1, 2 * CENTRE.x))
PHASES: tuple[Phase, ...] = get_args(Phase)
DUE_KINDS: tuple[DueKind, ...] = get_args(DueKind)
DUES = 3
"""How many of the things to do next are in the row, the next one first."""
WORKERS_MAX = DARK + POOL + 1
KINDS = (
    *("zeppelin", "buy", "place", "terrain", "propeller", "build", "acquire", "garden", "switch", "take", "pick"),
    *("use", "convert", "done"),
)


def words(game: Dilluvia) -> tuple[str, ...]:
    """Return every word that the notation of a decision may have after the player."""
    values = game.values
    return (
        *KINDS,
        *(f"at={at}" for at in (*BERTHS, *CELLS)),
        *(f"space={space}" for space in (*range(1, SPACES + 1), *ACTION_SPACES)),
        *(f"workers={count}" for count in range(2, WORKERS_MAX + 1)),
        *(f"shape={shape}" for shape in SIZES if shape != "single"),
        *(f"number={number}" for number in range(LARGEST + 1)),
        *(f"spare={spare}" for spare in _spares(values)),
        *(f"tile={tile}" for tile in range(1, len(values.tiles) + 1)),
        *(f"{field}={colour}" for field in ("colour", "give", "get") for colour in COLOURS),
        *(f"count={count}" for count in range(2, MAT_MAX + 1)),
        *("special=yes", "free=yes", "version=b", "cube=second"),
    )


def _spares(values: Values) -> list[str]:
    """Return every choice of cubes that discounts may save, as they are written."""
    costs = [building.cost for building in values.buildings if building.number < LARGEST]
    saved = {Cubes(*counts) for cost in costs for counts in product(*(range(count + 1) for count in cost))}
    return sorted(cubes_to_text(cubes) for cubes in saved if cubes.total)


def numbers(game: Dilluvia, seat: int) -> list[int]:
    """Return a seat's view as whole numbers from 0 to 1000, as many for every position of the same values."""
    position, values = game.position, game.values
    row = [*_state(position, seat), *_dues(position), *_market(position, seat), *_tiles(position, seat, values)]
    row += [number for space in ACTION_SPACES for number in _spots(position, seat, space, values)]
    row += [*_city(position, seat), *_on_sale(position, seat, values)]
    row += [number for after in range(SEATS) for number in _player(position, seat, after)]
    return [min(max(number, 0), MOST) for number in row]


def _one_of(count: int, which: int) -> list[int]:
    """Return that many numbers, of which one is 1; none for -1."""
    return [int(k == which) for k in range(count)]


def _after(position: Position, seat: int, other: int) -> int:
    """Return how many seats further another one sits; -1 for nobody."""
    return (other - seat) % position.options.players if other else -1


def _whose(position: Position, seat: int, other: int) -> list[int]:
    return _one_of(SEATS, _after(position, seat, other))


def _state(position: Position, seat: int) -> Iterator[int]:
    yield from _one_of(len(PHASES), PHASES.index(position.phase))
    yield from (position.turn, int(position.acted), position.empties)
    yield from _whose(position, seat, position.player)
    for place in range(SEATS):
        yield from _whose(position, seat, position.order[place] if place < len(position.order) else 0)


def _dues(position: Position) -> Iterator[int]:
    """Yield what is to be done, the next first: its kind, and how many of it."""
    for k in range(1, DUES + 1):
        due = position.dues[-k] if k <= len(position.dues) else None
        kind = -1 if due is None else DUE_KINDS.index(due.kind)
        yield from (*_one_of(len(DUE_KINDS), kind), *((0, 0) if due is None else (due.count, due.more)))


def _market(position: Position, seat: int) -> Iterator[int]:
    """Yield, for each space, whether a tile lies there, and whose cube; which tile, the tiles say."""
    for tile, owner in zip(position.market, position.taken, strict=True):
        yield from (int(tile != 0), *_whose(position, seat, owner))


def _tiles(position: Position, seat: int, values: Values) -> Iterator[int]:
    """Yield, for each tile, its space of the market, whether it is in a stack or put away, who has it, and if used."""
    spaces = {tile: space for space, tile in enumerate(position.market, start=1)}
    owned = {held.tile: (owner, held.used) for owner, one in enumerate(position.players, start=1) for held in one.tiles}
    for number in range(1, len(values.tiles) + 1):
        owner, used = owned.get(number, (0, False))
        yield spaces.get(number, 0)
        yield from (int(number in tiles) for tiles in (position.white, position.grey, position.aside))
        yield from (int(number in position.discarded), *_whose(position, seat, owner), int(used))


def _spots(position: Position, seat: int, space: Space, values: Values) -> Iterator[int]:
    """Yield, for each spot of an action space in its order, whose workers stand there and how many."""
    placed = [one for one in position.placed if one.space == space]
    most = SEATS + 1 if space in values.own_spots else len(values.spots[space])
    for spot in range(most):
        one = placed[spot] if spot < len(placed) else None
        yield from _whose(position, seat, one.player if one else 0)
        yield from (one.workers, int(one.special)) if one else (0, 0)


def _city(position: Position, seat: int) -> Iterator[int]:
    """Yield, for each space, whose ground and whose building covers it, and whether something due is about it."""
    city = position.city
    ground = {cell: owner for owner, cells in enumerate(city.terrain, start=1) for cell in cells}
    built = {cell: building for building in city.buildings for cell in building.cells}
    due = frozenset(cell for one in position.dues for cell in one.cells)
    for cell in CELLS:
        yield from _whose(position, seat, ground.get(cell, 0))
        yield from (int(cell in city.gardens), int(cell in due))
        yield from _building(position, seat, cell, built.get(cell))


def _building(position: Position, seat: int, cell: Cell, building: Built | None) -> list[int]:
    """Return whose it is, its number from 1 on, whether it is b, begins here, has its cube second, and its worker."""
    if building is None:
        return [0] * (SEATS + 5)
    flags = (building.version == "b", building.at == cell, building.cube == "second", building.worker)
    return [*_whose(position, seat, building.owner), building.number + 1, *map(int, flags)]


def _on_sale(position: Position, seat: int, values: Values) -> Iterator[int]:
    """Yield whose each propeller is, and how many of each building are left."""
    owners = {propeller.at: propeller.owner for propeller in position.city.propellers}
    for cell in values.propeller:
        yield from _whose(position, seat, owners.get(cell, 0))
    yield from (left(position, number, version, values) for number, version in values.building)


def _player(position: Position, seat: int, after: int) -> list[int]:
    """Return the play area of the seat that many seats further; zeros if there is none."""
    there = after < position.options.players
    player = position.of((seat - 1 + after) % position.options.players + 1) if there else Player()
    gained, berth = player.gained, player.zeppelin
    row = [
        *(player.aeros, *map(player.cubes.of, COLOURS), player.uncoloured, player.prestige),
        *(gained.tens, gained.timely, gained.tiles, gained.gardens, gained.spaces, gained.final),
        *(gained.total, -gained.total),  # it may be below 0 (DA17), and no number of a row is
        *(player.mat_money, player.mat_resources, player.mat_prestige, player.marker),
        *(player.extra, player.left, int(player.special), int(player.passed)),
        0 if berth is None else BERTHS.index(berth) + 1,
    ]
    return [1, *row] if there else [0] * (len(row) + 1)
