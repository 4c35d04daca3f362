"""A position of Dilluvia Project: everything the rules know, frozen. Nothing is hidden but the order of the stacks."""

from typing import Literal, TypeAlias, get_args

import msgspec
from msgspec.structs import replace

from citytable.games.dilluvia.cells import Cell, Shape, covered
from citytable.games.dilluvia.values import SPACES, Colour

Phase: TypeAlias = Literal[
    "setup",  # before the market is laid out
    "drawing",  # before the order of play is drawn
    "refill",  # the market has empty spaces and the stacks have tiles (DR3)
    "zeppelins",  # each places a zeppelin (DR4)
    "shopping",  # each buys in the line of the zeppelin (DR5)
    "workers",  # the action phase (DR8)
    "income",  # resources of choice (DR23)
    "end",  # the game is over
]
Space: TypeAlias = Literal[
    "order",
    "income",
    "white",
    "black",
    "brown",
    "purple",
    "territory",
    "construction",
    "acquire",
    "garden",
    "switch",
]
ACTION_SPACES: tuple[Space, ...] = get_args(Space)
# where the zeppelin stands: the end of a row (left, right) or of a column (top, bottom)
Berth: TypeAlias = Literal[
    "left1",
    "left2",
    "left3",
    "left4",
    "right1",
    "right2",
    "right3",
    "right4",
    "top1",
    "top2",
    "top3",
    "top4",
    "bottom1",
    "bottom2",
    "bottom3",
    "bottom4",
]
BERTHS: tuple[Berth, ...] = get_args(Berth)
DueKind: TypeAlias = Literal[
    "take",  # cubes of any colour
    "aside",  # a tile put away at the start of turn 7
    "medium",  # two spaces in a row or column, free
    "spaces",  # single spaces, free
    "convert",  # one cube into another
    "free_garden",
    "territory",
    "construction",
    "acquire",
    "garden",
    "switch",
]
DARK, POOL, TURNS, GARDENS, MAT_MAX = 5, 3, 7, 16, 36


class Cubes(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Resource cubes by colour."""

    white: int = 0
    black: int = 0
    brown: int = 0
    purple: int = 0

    @property
    def total(self) -> int:
        """Return how many there are."""
        return self.white + self.black + self.brown + self.purple

    def of(self, colour: Colour) -> int:
        """Return how many of a colour there are."""
        count: int = getattr(self, colour)
        return count

    def plus(self, colour: Colour, count: int) -> "Cubes":
        """Return the cubes with so many more of a colour, or fewer."""
        return replace(self, **{colour: self.of(colour) + count})

    def with_more(self, other: "Cubes") -> "Cubes":
        """Return the cubes with others added."""
        return Cubes(
            self.white + other.white, self.black + other.black, self.brown + other.brown, self.purple + other.purple
        )

    def minus(self, other: "Cubes") -> "Cubes":
        """Return what is left; counts below 0 are kept for the checks."""
        return Cubes(
            self.white - other.white, self.black - other.black, self.brown - other.brown, self.purple - other.purple
        )

    def covers(self, other: "Cubes") -> bool:
        """Return whether these pay for the others."""
        return (
            self.white >= other.white
            and self.black >= other.black
            and self.brown >= other.brown
            and self.purple >= other.purple
        )


class Gained(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A player's population by where it came from."""

    tens: int = 0  # DR25
    timely: int = 0  # buildings of the turn, DR18
    tiles: int = 0  # market tiles used at once
    gardens: int = 0  # the special worker's benefit, DR21
    spaces: int = 0  # printed spaces of turn 7
    final: int = 0  # majorities at the end, DR29

    @property
    def total(self) -> int:
        """Return the population."""
        return self.tens + self.timely + self.tiles + self.gardens + self.spaces + self.final


class Held(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A market tile in front of a player; `used`: turned over until the next turn."""

    tile: int
    used: bool = False


class Player(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """One player. `mat_` are the markers of the player mat, `marker` counts the building marker's steps from 0."""

    aeros: int = 0
    cubes: Cubes = Cubes()
    uncoloured: int = 0  # cubes of the last income, whose colours no longer matter
    prestige: int = 0
    gained: Gained = Gained()
    mat_money: int = 0
    mat_resources: int = 0
    mat_prestige: int = 0
    marker: int = 0
    extra: int = 0  # workers from the pool (DR19)
    left: int = DARK  # dark workers not placed yet this turn
    special: bool = True  # the special worker is not placed yet
    passed: bool = False  # would rather be skipped than use a tile to pay for a spot (DA19)
    tiles: tuple[Held, ...] = ()
    shown: int = 0  # the tile that came by the last act: it is laid on the seat's reader
    zeppelin: Berth | None = None

    @property
    def workers(self) -> int:
        """Return how many workers are left to place, the special one too."""
        return self.left + self.special


class Built(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """A building in the city. `cube`: which square the cube is on; `worker`: it has brought its worker (DR19)."""

    number: int
    version: Literal["a", "b"]
    at: Cell
    shape: Shape
    owner: int
    cube: Literal["first", "second"]
    worker: bool = False

    @property
    def cells(self) -> frozenset[Cell]:
        """Return the spaces it covers."""
        return covered(self.at, self.shape)


class Owned(msgspec.Struct, frozen=True, gc=False):
    """A propeller that somebody bought."""

    at: Cell
    owner: int


class City(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """The city: `terrain` has each seat's spaces with a cube and nothing else."""

    terrain: tuple[tuple[Cell, ...], ...]
    buildings: tuple[Built, ...] = ()
    gardens: tuple[Cell, ...] = ()
    propellers: tuple[Owned, ...] = ()

    def occupied(self) -> frozenset[Cell]:
        """Return every space that terrain, a building or a garden covers."""
        return frozenset(self.gardens).union(*self.terrain, *(building.cells for building in self.buildings))

    def with_terrain(self, seat: int, cells: frozenset[Cell]) -> "City":
        """Return the city with these cubes of a player, in order, so that equal cities are equal."""
        return replace(self, terrain=(*self.terrain[: seat - 1], tuple(sorted(cells)), *self.terrain[seat:]))


class Placed(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Workers on one spot of an action space."""

    space: Space
    player: int
    workers: int
    special: bool = False


class Due(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What the player may or must do next: so many of it.

    `more`: free spaces of the territory action, buildings of the construction action, whose `count` is propellers.
    `cells`: spaces bought in this action, buildings switched in it.
    """

    kind: DueKind
    count: int = 1
    more: int = 0
    cells: tuple[Cell, ...] = ()


class Rulings(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """Questions that groups may answer otherwise; the defaults are the rulings."""

    own_spaces_count: bool = False  # DA3: compensation also for spaces that the player has just emptied
    discount_per_space: bool = False  # DA4: the ground discount is per space, not per terrain
    terrains_go_on: bool = True  # DA6: a terrain may touch those bought in the same action
    empty_pool: bool = True  # DA8: the worker's square may be chosen when the pool is empty
    early_population: bool = False  # DA9: a building built early brings 2 population
    below_zero: bool = True  # DA17: population may end below 0
    gardens_diagonally: bool = True  # DA18: the garden tile's space may touch a building diagonally


class Options(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """What a group agrees on before the game."""

    players: int = 2
    rulings: Rulings = Rulings()


class Position(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """The whole game. `market` has a tile's number or 0 by space, `taken` the seat of a cube on it in turn 7.

    A tile that nobody has seen yet is the number of its space, negative; it is still counted in its stack.
    `white` and `grey` are the tiles of the two stacks, whose order nobody knows. `empties`: how many spaces of the
    shopper's line were empty before. `acted`: the player has placed workers in this turn of theirs. `dues`: the last
    comes first.
    """

    options: Options
    phase: Phase = "setup"
    turn: int = 1
    player: int = 0
    order: tuple[int, ...] = ()
    players: tuple[Player, ...] = ()
    market: tuple[int, ...] = (0,) * SPACES
    taken: tuple[int, ...] = (0,) * SPACES
    white: tuple[int, ...] = ()
    grey: tuple[int, ...] = ()
    aside: tuple[int, ...] = ()
    discarded: tuple[int, ...] = ()
    city: City
    placed: tuple[Placed, ...] = ()
    dues: tuple[Due, ...] = ()
    acted: bool = False
    empties: int = 0

    @property
    def due(self) -> Due | None:
        """Return what comes next."""
        return self.dues[-1] if self.dues else None

    def of(self, seat: int) -> Player:
        """Return the player at a seat."""
        return self.players[seat - 1]

    def with_player(self, seat: int, player: Player) -> "Position":
        """Return the position with another state of a player."""
        return replace(self, players=(*self.players[: seat - 1], player, *self.players[seat:]))

    def changed(self, seat: int, **fields: object) -> "Position":
        """Return the position with these fields of a player changed."""
        return self.with_player(seat, replace(self.of(seat), **fields))

    def with_due(self, *dues: Due) -> "Position":
        """Return the position with more to do, the last first."""
        return replace(self, dues=(*self.dues, *dues))

    def with_top(self, due: Due | None) -> "Position":
        """Return the position with something else in place of what comes next; None: with nothing in its place."""
        return replace(self, dues=(*self.dues[:-1], *(() if due is None else (due,))))
