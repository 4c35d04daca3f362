"""Dilluvia Project in words, for a terminal: tiles, decisions, the city drawn with letters."""

from collections.abc import Iterator

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
from citytable.games.dilluvia.cells import CENTRE, Cell
from citytable.games.dilluvia.market import LINES, price
from citytable.games.dilluvia.position import TURNS, Cubes, Player, Position
from citytable.games.dilluvia.values import COLOURS, Building, Values
from citytable.games.dilluvia.values import Printed as Space

_SHAPES = {"single": "one space", "row": "two spaces side by side", "column": "two spaces", "square": "four spaces"}
_PLACES = {
    "order": "the order of play",
    "income": "income",
    "territory": "ground",
    "construction": "buildings and propellers",
    "acquire": "a tile of the market",
    "garden": "a garden",
    "switch": "switching a cube",
}
_SPACES: dict[Space, str] = {
    "aeros": "Aeros",
    "cubes": "cubes of your choice",
    "prestige": "prestige",
    "population": "population",
    "aside": "a tile that was put away",
    "terrain": "free ground",
}
_PLAIN: dict[type, str] = {
    SetUp: "lay the market out",
    DrawOrder: "draw the order of play",
    Refill: "fill the market up",
    Done: "do no more of this",
}
_LAND = "abcd"
"""Ground of each seat; its buildings are capital letters."""


def tile_text(number: int, values: Values) -> str:
    """Return a market tile: its number, its kind, when it counts."""
    if number <= 0:
        return "a tile nobody has seen"
    tile = values.tile(number)
    extras = ", and 1 prestige" if tile.prestige else ""
    return f"tile {number} {tile.kind.replace('_', ' ')} ({values.use(tile.kind)}{extras})"


def space_text(position: Position, space: int, values: Values) -> str:
    """Return what a space of the market offers."""
    if position.turn == TURNS:
        return _SPACES[values.last_turn[space - 1]]
    tile = position.market[space - 1]
    return tile_text(tile, values) if tile else "nothing"


def cubes_text(cubes: Cubes) -> str:
    """Return cubes by colour."""
    return ", ".join(f"{cubes.of(colour)} {colour}" for colour in COLOURS if cubes.of(colour)) or "no cubes"


def building_text(building: Building) -> str:
    """Return a building with its cost and what each of its squares brings in a turn."""
    cost = cubes_text(Cubes(*building.cost))
    squares = " or ".join(_brings(square) for square in building.squares)
    return f"{building.number}{building.version}: {building.size} space{'s' * (building.size > 1)}, {cost}; {squares}"


def _brings(square: object) -> str:
    brings = {name: getattr(square, name) for name in ("money", "resources", "prestige", "worker")}
    return " and ".join(f"{count} {name}" for name, count in brings.items() if count) or "nothing"


# one piece: an arm for each kind of action
def decision_text(position: Position, action: Action, values: Values) -> str:  # noqa: C901, PLR0912
    """Return a decision of a position as a person would announce it."""
    match action:
        case Zeppelin(at=berth):
            return f"zeppelin at {berth}: spaces {', '.join(map(str, LINES[berth]))}"
        case Buy(player=seat, space=space):
            line = position.of(seat).zeppelin
            cost = price(position, line, space, values) if line and space in LINES[line] else 0
            return f"buy space {space} for {cost}: {space_text(position, space, values)}"
        case Place(space=space, workers=workers, special=special):
            how = f"{workers} workers{', the special one among them' * special}" if workers > 1 else "1 worker"
            how = "the special worker" if special and workers == 1 else how
            return f"{how} to {_PLACES.get(space, f'{space} cubes')}"
        case Terrain(at=at, shape=shape, free=free):
            return f"{'free ' * free}ground at {at}: {_SHAPES[shape]}"
        case BuyPropeller(at=at):
            return f"propeller at {at} for {values.propeller[at].price}"
        case Build(number=number, version=version, at=at, cube=cube, tile=tile):
            early = f" by tile {tile}" if tile else ""
            spare = f", saving {cubes_text(action.spare)}" if action.spare.total else ""
            return f"build {building_text(values.building[number, version])}; at {at}, cube on the {cube}{spare}{early}"
        case Acquire(space=space):
            return f"take space {space}: {space_text(position, space, values)}"
        case Garden(at=at):
            return f"garden at {at}"
        case Switch(at=at):
            return f"move the cube of the building at {at}"
        case Take(colour=colour, count=count):
            return f"take {count} {colour}"
        case Pick(tile=tile):
            return f"take {tile_text(tile, values)}"
        case UseTile(tile=tile):
            return f"use {tile_text(tile, values)}"
        case Convert(give=give, get=get):
            return f"turn 1 {give} into 1 {get}"
        case _:
            return _PLAIN[type(action)]


def player_text(seat: int, player: Player, values: Values) -> str:
    """Return the line about a player."""
    special = " and the special one" * player.special
    tiles = ", ".join(tile_text(held.tile, values) for held in player.tiles) or "no tiles"
    mat = f"each turn {player.mat_money} Aeros, {player.mat_resources} cubes, {player.mat_prestige} prestige"
    return (
        f"{f'seat {seat}':>8}  {player.aeros} Aeros; {cubes_text(player.cubes)}; {player.prestige} prestige, "
        f"{player.gained.total} population; {player.left} workers{special}; {mat}; {tiles}"
    )


def map_lines(position: Position, values: Values) -> Iterator[str]:
    """Yield the part of the city that this group uses, row by row."""
    low, high = values.grid[str(position.options.players)]
    shown = dict(_marks(position, values))
    span = range(low, high + 1)
    yield f"{'':8}  {' '.join(f'{x:2}' for x in span)}"
    for y in span:
        cells = (shown.get(Cell(x, y), ".") for x in span)
        yield f"{f'row {y}':>8}  {' '.join(f'{cell:>2}' for cell in cells)}"


def _marks(position: Position, values: Values) -> Iterator[tuple[Cell, str]]:
    city = position.city
    yield CENTRE, "*"
    for at in values.propeller:
        yield at, "$"
    for owned in city.propellers:
        yield owned.at, f"*{_LAND[owned.owner - 1]}"
    for letter, cells in zip(_LAND, city.terrain, strict=False):
        yield from ((cell, letter) for cell in cells)
    for building in city.buildings:
        mark = f"{_LAND[building.owner - 1].upper()}{building.number}"
        yield from ((cell, mark) for cell in building.cells)
    for cell in city.gardens:
        yield cell, "g"
