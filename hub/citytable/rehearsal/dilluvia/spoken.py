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
from citytable.rehearsal.words import Words

PLAIN = Words()
"""English."""
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
MINE = (
    "{aeros} Aeros; {cubes}; {prestige} prestige, {population} population; {workers} workers{special}; "
    "each turn {money} Aeros, {resources} cubes, {more} prestige; {tiles}"
)
_LAND = "abcd"
"""Ground of each seat; its buildings are capital letters."""


def tile_text(number: int, values: Values, words: Words = PLAIN) -> str:
    """Return a market tile: its number, its kind, when it counts."""
    if number <= 0:
        return words("a tile nobody has seen")
    tile = values.tile(number)
    extras = words(", and 1 prestige") if tile.prestige else ""
    kind, use = words(tile.kind.replace("_", " ")), words(values.use(tile.kind))
    return words("tile {number} {kind} ({use}{extras})", number=number, kind=kind, use=use, extras=extras)


def space_text(position: Position, space: int, values: Values, words: Words = PLAIN) -> str:
    """Return what a space of the market offers."""
    if position.turn == TURNS:
        return words(_SPACES[values.last_turn[space - 1]])
    tile = position.market[space - 1]
    return tile_text(tile, values, words) if tile else words("nothing")


def cubes_text(cubes: Cubes, words: Words = PLAIN) -> str:
    """Return cubes by colour."""
    held = [colour for colour in COLOURS if cubes.of(colour)]
    return ", ".join(f"{cubes.of(colour)} {words(colour)}" for colour in held) or words("no cubes")


def building_text(building: Building, words: Words = PLAIN) -> str:
    """Return a building with its cost and what each of its squares brings in a turn."""
    cost = cubes_text(Cubes(*building.cost), words)
    squares = words(" or ").join(_brings(square, words) for square in building.squares)
    spaces = words("{n} {n:space|spaces}", n=building.size)
    return f"{building.number}{building.version}: {spaces}, {cost}; {squares}"


def _brings(square: object, words: Words) -> str:
    brings = {name: getattr(square, name) for name in ("money", "resources", "prestige", "worker")}
    return words(" and ").join(f"{count} {words(name)}" for name, count in brings.items() if count) or words("nothing")


# one piece: an arm for each kind of action
def decision_text(position: Position, action: Action, values: Values, words: Words = PLAIN) -> str:  # noqa: C901, PLR0912
    """Return a decision of a position as a person would announce it."""
    match action:
        case Zeppelin(at=berth):
            spaces = ", ".join(map(str, LINES[berth]))
            return words("zeppelin at {berth}: spaces {spaces}", berth=berth, spaces=spaces)
        case Buy(player=seat, space=space):
            line = position.of(seat).zeppelin
            cost = price(position, line, space, values) if line and space in LINES[line] else 0
            there = space_text(position, space, values, words)
            return words("buy space {space} for {cost}: {there}", space=space, cost=cost, there=there)
        case Place(space=space, workers=workers, special=special):
            return words("{how} to {where}", how=_workers(workers, words, special=special), where=_place(space, words))
        case Terrain(at=at, shape=shape, free=free):
            said = "free ground at {at}: {shape}" if free else "ground at {at}: {shape}"
            return words(said, at=at, shape=words(_SHAPES[shape]))
        case BuyPropeller(at=at):
            return words("propeller at {at} for {price}", at=at, price=values.propeller[at].price)
        case Build(number=number, version=version, at=at, cube=cube, tile=tile):
            early = words(" by tile {tile}", tile=tile) if tile else ""
            spare = words(", saving {cubes}", cubes=cubes_text(action.spare, words)) if action.spare.total else ""
            what = building_text(values.building[number, version], words)
            said = words("build {what}; at {at}, cube on the {cube}", what=what, at=at, cube=words(cube))
            return f"{said}{spare}{early}"
        case Acquire(space=space):
            return words("take space {space}: {there}", space=space, there=space_text(position, space, values, words))
        case Garden(at=at):
            return words("garden at {at}", at=at)
        case Switch(at=at):
            return words("move the cube of the building at {at}", at=at)
        case Take(colour=colour, count=count):
            return words("take {what}", what=f"{count} {words(colour)}")
        case Pick(tile=tile):
            return words("take {what}", what=tile_text(tile, values, words))
        case UseTile(tile=tile):
            return words("use {what}", what=tile_text(tile, values, words))
        case Convert(give=give, get=get):
            return words("turn 1 {give} into 1 {get}", give=words(give), get=words(get))
        case _:
            return words(_PLAIN[type(action)])


def _workers(workers: int, words: Words, *, special: bool) -> str:
    if workers == 1:
        return words("the special worker" if special else "1 worker")
    said = "{n} workers, including the special one" if special else "{n} workers"
    return words(said, n=workers)


def _place(space: str, words: Words) -> str:
    return words(_PLACES[space]) if space in _PLACES else words("{colour} cubes", colour=words(space))


def player_text(seat: int, player: Player, values: Values, words: Words = PLAIN) -> str:
    """Return the line about a player."""
    said = words(
        MINE,
        aeros=player.aeros,
        cubes=cubes_text(player.cubes, words),
        prestige=player.prestige,
        population=player.gained.total,
        workers=player.left,
        special=words(" and the special one") if player.special else "",
        money=player.mat_money,
        resources=player.mat_resources,
        more=player.mat_prestige,
        tiles=", ".join(tile_text(held.tile, values, words) for held in player.tiles) or words("no tiles"),
    )
    return f"{words('seat {seat}', seat=seat):>8}  {said}"


def map_lines(position: Position, values: Values, words: Words = PLAIN) -> Iterator[str]:
    """Yield the part of the city that this group uses, row by row."""
    low, high = values.grid[str(position.options.players)]
    shown = dict(_marks(position, values))
    span = range(low, high + 1)
    yield f"{'':8}  {' '.join(f'{x:2}' for x in span)}"
    for y in span:
        cells = (shown.get(Cell(x, y), ".") for x in span)
        yield f"{words('row {row}', row=y):>8}  {' '.join(f'{cell:>2}' for cell in cells)}"


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
