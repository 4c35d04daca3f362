"""What is printed on the components: `house_values.json` has our own values; an owner of the game enters theirs.

The rules are code, everything that a board, a tile or a player aid shows is data.
"""

from collections import Counter
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from citytable.games.dilluvia.cells import CENTRE, Cell
from citytable.table.plan import Misconfigured

Colour: TypeAlias = Literal["white", "black", "brown", "purple"]
COLOURS: tuple[Colour, ...] = ("white", "black", "brown", "purple")
Back: TypeAlias = Literal["white", "grey"]
Use: TypeAlias = Literal["now", "once", "turn", "always", "end"]
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


class _Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    pass


class Square(_Value, frozen=True):
    """One of the two squares of a building: what the cube on it brings in each turn (DR17)."""

    money: int = 0
    resources: int = 0
    prestige: int = 0
    worker: int = 0


class Building(_Value, frozen=True):
    """One version of a building; `cost` by colour in the order of COLOURS."""

    number: int
    version: Literal["a", "b"]
    size: Literal[1, 2, 4]
    copies: int
    cost: tuple[int, int, int, int]
    squares: tuple[Square, Square]


class Propeller(_Value, frozen=True):
    """A propeller that is for sale."""

    at: tuple[int, int]
    price: int
    prestige: int

    @property
    def cell(self) -> Cell:
        """Return its space in the city."""
        return Cell(*self.at)


class Spot(_Value, frozen=True):
    """A round spot of an action space (DR9): at most so many workers (0: any), from so many players on."""

    workers: int = 0
    aero: bool = False
    players: int = 2


class OwnSpots(_Value, frozen=True):
    """An action space with a spot in each colour, and perhaps a white one for a second visit (DR20)."""

    white: bool


class Tile(_Value, frozen=True):
    """A market tile: `players` is the smallest group it is for, `five` its fixed price, `prestige` the mat's symbol.

    `population`: what one of the kind `OTHER` brings at the end.
    """

    kind: str
    back: Back
    players: int = 2
    five: bool = False
    prestige: bool = False
    population: int = 0


class Values(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, dict=True):
    """Everything printed. Tiles are numbered from 1 in their order here."""

    name: str
    origin: Literal["house", "owner"]
    buildings: tuple[Building, ...]
    track: tuple[int, ...]
    grid: dict[str, tuple[int, int]]
    propellers: tuple[Propeller, ...]
    spots: dict[str, tuple[Spot, ...]]
    own_spots: dict[str, OwnSpots]
    last_turn: tuple[Printed, ...]
    uses: dict[str, Use]
    tiles: tuple[Tile, ...]
    unread: tuple[str, ...] = ()  # things whose printed values nobody has entered: they have the house's

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


def _wrong(values: Values) -> list[str]:
    """Return what cannot be, each as a sentence that says where and what to do."""
    copies = sum(building.copies for building in values.buildings)
    spaces = {"order", "income", "territory", "construction", *COLOURS}
    wrong = {
        f"buildings: {copies} tiles, but the game has {BUILDINGS}: correct the copies": copies != BUILDINGS,
        "buildings: every number and version stands once": len(values.building) != len(values.buildings),
        f"tiles: {len(values.tiles)}, but the game has {TILES}: add or remove some": len(values.tiles) != TILES,
        f"last_turn: write {SPACES} spaces, row by row": len(values.last_turn) != SPACES,
        "track: write the population of each space of the mat": not values.track,
        f"spots: write {', '.join(sorted(spaces))}": values.spots.keys() != spaces,
        "own_spots: write acquire, garden, switch": values.own_spots.keys() != {"acquire", "garden", "switch"},
        f"uses: write each of {', '.join(KINDS)} once": values.uses.keys() != set(KINDS),
        "grid: write the first and the last row for 2, 3 and 4 players": values.grid.keys() != set(map(str, GRIDS)),
    }
    found = [sentence for sentence, holds in wrong.items() if holds]
    unknown = Counter(tile.kind for tile in values.tiles if tile.kind not in (*KINDS, OTHER))
    return found + [f"tiles: there is no kind {kind!r}: write one of {', '.join((*KINDS, OTHER))}" for kind in unknown]


def values_from_text(text: str | bytes, name: str) -> Values:
    """Read what a values file says; raises `Misconfigured` with all that is wrong."""
    try:
        values = msgspec.json.decode(text, type=Values)
    except msgspec.DecodeError as error:
        raise Misconfigured(f"{name}: {error}") from None
    if wrong := _wrong(values):
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
