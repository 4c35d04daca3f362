"""Dilluvia Project's part of a scene, which only its own screens can draw. Only the stacks are hidden in this game."""

import msgspec


class Ground(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something on spaces of the city. `kind`: terrain, building, garden, propeller, centre; `cells` as "5/6"."""

    kind: str
    cells: tuple[str, ...]
    owner: int | None = None
    building: str = ""  # such as 3A
    cube: str = ""  # first, second
    price: int = 0  # of a propeller for sale


class TileOf(msgspec.Struct, frozen=True, omit_defaults=True):
    """A market tile. `space` from 1 on the market, 0 elsewhere; `price` for the shopper, 0 if it is not for sale."""

    tile: int
    kind: str
    space: int = 0
    price: int = 0
    five: bool = False
    used: bool = False


class SpotOf(msgspec.Struct, frozen=True, omit_defaults=True):
    """A round spot of an action space: the owner and the number of the workers there."""

    player: int | None = None
    workers: int = 0
    special: bool = False
    aero: bool = False
    limit: int = 0


class PlayerOf(msgspec.Struct, frozen=True, omit_defaults=True):
    """One player's mat and supplies; `cubes` in the order white, black, brown, purple."""

    seat: int
    aeros: int
    cubes: tuple[int, ...]
    prestige: int
    per_ten: int
    money: int
    resources: int
    renown: int
    workers: int
    special: bool
    tiles: tuple[TileOf, ...] = ()
    zeppelin: str = ""


class BuildingOf(msgspec.Struct, frozen=True):
    """A building that may be erected now: its cost by colour; each square brings Aeros, cubes, prestige, workers."""

    name: str
    cost: tuple[int, ...]
    squares: tuple[tuple[int, int, int, int], ...]


class Board(msgspec.Struct, frozen=True, tag_field="game", tag="dilluvia", omit_defaults=True):
    """The whole board. `grid`: the first and last row of the city; `due`: what the player to act does next, or may.

    `kinds`: what each market tile is, from number 1, also of those that nobody has seen yet: it is printed on them.
    """

    order: tuple[int, ...]
    grid: tuple[int, int]
    ground: tuple[Ground, ...]
    market: tuple[TileOf, ...]
    spaces: dict[str, tuple[SpotOf, ...]]
    mats: tuple[PlayerOf, ...]
    printed: tuple[str, ...] = ()  # of turn 7
    taken: tuple[int, ...] = ()
    aside: tuple[TileOf, ...] = ()
    stack: int = 0
    due: str = ""
    due_count: int = 0
    due_more: int = 0
    buildings: tuple[BuildingOf, ...] = ()  # while somebody constructs
    kinds: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()  # action spaces where workers of the player to act could do nothing now
