"""The values printed on the components: `house_values.json` has our own; an owner of the game enters theirs.

The rules are code; everything that a board, a tile or a player aid shows is data.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import msgspec

from citytable.games.dilluvia.cells import CENTRE, Cell
from citytable.table.plan import Misconfigured

Colour: TypeAlias = Literal["white", "black", "brown", "purple"]
COLOURS: tuple[Colour, ...] = ("white", "black", "brown", "purple")
Back: TypeAlias = Literal["white", "grey"]
Use: TypeAlias = Literal["now", "once", "turn", "always", "end"]
Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
Group: TypeAlias = Annotated[int, msgspec.Meta(ge=2, le=4)]
"""A number of players."""
Printed: TypeAlias = Literal["aeros", "cubes", "prestige", "population", "aside", "terrain"]
TILES, SPACES, BUILDINGS = 61, 16, 86
KINDS = (
    *(f"{colour}{count}" for count in (2, 3) for colour in COLOURS),
    *("aeros5", "aeros6", "population2", "prestige7", "marker"),
    *("convert", "ground_discount", "future_building", "two_spaces", "medium_terrain", "free_garden"),
    *("compensation", "toll", "discount_23", "discount_45", "timely"),
    *("sets", "small_aeros", "medium_aeros", "large_aeros"),
    *("most_propellers", "most_medium", "most_small", "most_sectors", "most_large", "most_workers"),
    "population_tiles",
)
"""The 35 kinds of market tile (DR29)."""
OTHER = "other"
"""A kind for which there is no word here: it counts at the end, and the players state the population that it brings."""
GRIDS = range(2, 5)
BOARD = range(1, 14)
"""The rows and the columns of the city."""
USED: tuple[Use, ...] = ("now", "once", "turn")
USES: Mapping[str, tuple[Use, ...]] = {
    **dict.fromkeys(KINDS, USED),
    "future_building": ("once", "turn"),
    **dict.fromkeys(("ground_discount", "compensation", "toll", "discount_23", "discount_45", "timely"), ("always",)),
    **dict.fromkeys(("sets", "population_tiles"), ("end",)),
    **dict.fromkeys((kind for kind in KINDS if kind.startswith("most_")), ("end",)),
}
"""When tiles of a kind can be used (DR29): a price that falls, for example, does so always."""


class _Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    pass


class Square(_Value, frozen=True):
    """One of the two squares of a building: the income of a cube on it in each turn (DR17)."""

    money: Count = 0
    resources: Count = 0
    prestige: Count = 0
    worker: Count = 0


class Building(_Value, frozen=True):
    """One version of a building; `cost` by colour in the order of COLOURS."""

    number: Annotated[int, msgspec.Meta(ge=0, le=6)]
    version: Literal["a", "b"]
    size: Literal[1, 2, 4]
    copies: Count
    cost: tuple[Count, Count, Count, Count]
    squares: tuple[Square, Square]


class Propeller(_Value, frozen=True):
    """A propeller that is for sale."""

    at: tuple[int, int]
    price: Count
    prestige: Count

    @property
    def cell(self) -> Cell:
        """Return its space in the city."""
        return Cell(*self.at)


class Spot(_Value, frozen=True):
    """A round spot of an action space (DR9): at most so many workers (0: any), from so many players on."""

    workers: Count = 0
    aero: bool = False
    players: Group = 2


class OwnSpots(_Value, frozen=True):
    """An action space with a spot in each colour, and perhaps a white one for a second visit (DR20)."""

    white: bool


class Tile(_Value, frozen=True):
    """A market tile: `players` is the smallest group it is for, `five` its fixed price, `prestige` the mat's symbol.

    `population`: what one of the kind `OTHER` brings at the end.
    """

    kind: str
    back: Back
    players: Group = 2
    five: bool = False
    prestige: bool = False
    population: int = 0


class Values(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, dict=True):
    """Everything printed. Tiles are numbered from 1 in their order here."""

    name: str
    origin: Literal["house", "owner"]
    buildings: tuple[Building, ...]
    track: tuple[Count, ...]
    grid: dict[str, tuple[int, int]]
    propellers: tuple[Propeller, ...]
    spots: dict[str, tuple[Spot, ...]]
    own_spots: dict[str, OwnSpots]
    last_turn: tuple[Printed, ...]
    uses: dict[str, Use]
    tiles: tuple[Tile, ...]
    unread: tuple[str, ...] = ()  # things without entered values: they have the house's

    def tile(self, number: int) -> Tile:
        """Return a market tile by its number."""
        return self.tiles[number - 1]

    def use(self, kind: str) -> Use:
        """Return when tiles of a kind are used."""
        return self.uses.get(kind, "end")

    @cached_property
    def building(self) -> dict[tuple[int, str], Building]:
        """Return the buildings by number and version."""
        return {(building.number, building.version): building for building in self.buildings}

    @cached_property
    def propeller(self) -> dict[Cell, Propeller]:
        """Return the propellers for sale by their space."""
        return {propeller.cell: propeller for propeller in self.propellers}

    @cached_property
    def playable(self) -> dict[int, frozenset[Cell]]:
        """Return the spaces that may be bought, by number of players: all propellers are apart."""
        apart = {CENTRE, *self.propeller}
        grids = {players: range(low, high + 1) for players, (low, high) in ((n, self.grid[str(n)]) for n in GRIDS)}
        return {n: frozenset(Cell(x, y) for x in grid for y in grid) - apart for n, grid in grids.items()}

    @cached_property
    def spots_for(self) -> dict[int, dict[str, tuple[Spot, ...]]]:
        """Return the spots of each action space, by number of players."""
        return {
            players: {
                space: tuple(one for one in there if one.players <= players) for space, there in self.spots.items()
            }
            for players in GRIDS
        }

    def numbers(self, players: int, back: Back) -> tuple[int, ...]:
        """Return the tiles of a back that so many players use (DR1)."""
        return tuple(n for n, tile in enumerate(self.tiles, 1) if tile.players <= players and tile.back == back)


def _wrong(values: Values) -> Iterator[str]:
    """Yield the errors, each as a sentence with its place and what to do."""
    copies = sum(building.copies for building in values.buildings)
    if copies != BUILDINGS:
        yield f"buildings: {copies} tiles, but the game has {BUILDINGS}: correct the copies"
    if len(values.building) != len(values.buildings):
        yield "buildings: every number and version stands once"
    if len(values.last_turn) != SPACES:
        yield f"last_turn: write {SPACES} spaces, row by row"
    if not values.track:
        yield "track: write the population of each space of the mat"
    yield from _wrong_tiles(values)
    yield from _wrong_spots(values)
    yield from _wrong_board(values)


def _wrong_tiles(values: Values) -> Iterator[str]:
    if len(values.tiles) != TILES:
        yield f"tiles: {len(values.tiles)}, but the game has {TILES}: add or remove some"
    first = len(values.numbers(GRIDS.start, "white"))
    if first < SPACES:
        yield f"tiles: {first} white backs for two players, but the market has {SPACES} spaces: correct the backs"
    unknown = dict.fromkeys(tile.kind for tile in values.tiles if tile.kind not in (*KINDS, OTHER))
    yield from (f"tiles: there is no kind {kind!r}: write one of {', '.join((*KINDS, OTHER))}" for kind in unknown)
    if values.uses.keys() != set(KINDS):
        yield f"uses: write each of {', '.join(KINDS)} once"
    for kind, use in values.uses.items():
        if kind in USES and use not in USES[kind]:
            yield f"uses.{kind}: {use!r}: write {' or '.join(USES[kind])}"


def _wrong_spots(values: Values) -> Iterator[str]:
    spaces = {"order", "income", "territory", "construction", *COLOURS}
    if values.spots.keys() != spaces:
        yield f"spots: write {', '.join(sorted(spaces))}"
    yield from (f"spots.{space}: write at least one spot" for space, there in values.spots.items() if not there)
    if values.own_spots.keys() != {"acquire", "garden", "switch"}:
        yield "own_spots: write acquire, garden, switch"


def _wrong_board(values: Values) -> Iterator[str]:
    if values.grid.keys() != set(map(str, GRIDS)):
        yield "grid: write the first and the last row for 2, 3 and 4 players"
    for players, (low, high) in values.grid.items():
        if not BOARD.start <= low <= CENTRE.x <= high < BOARD.stop:
            yield f"grid.{players}: {low} to {high}: write rows of 1 to {BOARD.stop - 1} around row {CENTRE.x}"
    places = Counter(propeller.cell for propeller in values.propellers)
    for cell, count in places.items():
        if count > 1 or cell == CENTRE or not (cell.x in BOARD and cell.y in BOARD):
            yield f"propellers: one at {cell}: each has a space of its own in the city, other than the centre"


def values_from_text(text: str | bytes, name: str) -> Values:
    """Read the text of a values file; raises `Misconfigured` with all errors."""
    try:
        values = msgspec.json.decode(text, type=Values)
    except msgspec.DecodeError as error:
        raise Misconfigured(f"{name}: {error}") from None
    if wrong := list(_wrong(values)):
        raise Misconfigured("\n".join(f"{name}: {sentence}" for sentence in wrong))
    return values


def load_values(path: Path) -> Values:
    """Read an owner's values; raises `Misconfigured`."""
    try:
        return values_from_text(path.read_bytes(), str(path))
    except OSError as error:
        raise Misconfigured(f"{path}: {error.strerror}: name a file with the values of your copy") from None


def _house_values(file: str) -> Values:
    return values_from_text(files(__package__ or "").joinpath(file).read_bytes(), file)


HOUSE = _house_values("house_values.json")
"""The values this project ships: our own, not the publisher's."""
EARLIER = (_house_values("house_values_1.json"),)
"""The house's values of earlier versions: what was played with them is still replayed."""
