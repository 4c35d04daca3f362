"""The actions of Dilluvia Project. Each is one line of text: `p1 place space=territory workers=3 special=yes`.

An action is a decision plus its outcome: `OUTCOME` names the fields that a shuffled stack or a draw fills in. A worker
is placed by one action; the terrains, buildings and tiles that it brings follow, one action each.
"""

from typing import Any, ClassVar, Literal, TypeAlias, get_args

import msgspec

from citytable.games.dilluvia.cells import Cell, Shape
from citytable.games.dilluvia.leaves import LEAVES
from citytable.games.dilluvia.position import Berth, Cubes, Space
from citytable.games.dilluvia.values import Colour
from citytable.rules.notation import ActionNotation


class _Action(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, tag_field="do"):
    OUTCOME: ClassVar[tuple[str, ...]] = ()

    def __str__(self) -> str:
        return NOTATION.to_text(self)


class SetUp(_Action, frozen=True, gc=False, tag="set_up"):
    """DR1: the tiles of the market, row by row; None for one that nobody has seen yet."""

    OUTCOME: ClassVar[tuple[str, ...]] = ("market",)
    market: tuple[int | None, ...] | None = None


class DrawOrder(_Action, frozen=True, gc=False, tag="draw_order"):
    """DR1: the order of play, as it was drawn."""

    OUTCOME: ClassVar[tuple[str, ...]] = ("order",)
    order: tuple[int, ...] | None = None


class Refill(_Action, frozen=True, gc=False, tag="refill"):
    """DR3: the tiles that come into the empty spaces, in their order; None for one that nobody has seen yet."""

    OUTCOME: ClassVar[tuple[str, ...]] = ("tiles",)
    tiles: tuple[int | None, ...] | None = None


class Zeppelin(_Action, frozen=True, gc=False, tag="zeppelin"):
    """DR4."""

    player: int
    at: Berth


class Buy(_Action, frozen=True, gc=False, tag="buy"):
    """DR5, DR7: the tile or the printed space, 1 to 16, in the line of the zeppelin."""

    player: int
    space: int


class Place(_Action, frozen=True, gc=False, tag="place"):
    """DR8: so many workers, one of them the special one or not, on the leftmost empty spot of a space."""

    player: int
    space: Space
    workers: int = 1
    special: bool = False


class Terrain(_Action, frozen=True, gc=False, tag="terrain"):
    """DR14: ground whose upper left space is `at`; `free`: the special worker's extra space."""

    player: int
    at: Cell
    shape: Shape = "single"
    free: bool = False


class BuyPropeller(_Action, frozen=True, gc=False, tag="propeller"):
    """DR16."""

    player: int
    at: Cell


class Build(_Action, frozen=True, gc=False, kw_only=True, tag="build"):
    """DR17: `cube` is the square; `spare` the cubes that discount tiles save; `tile` builds it early."""

    player: int
    number: int
    version: Literal["a", "b"] = "a"
    at: Cell
    shape: Shape = "single"
    cube: Literal["first", "second"] = "first"
    spare: Cubes = Cubes()
    tile: int = 0


class Acquire(_Action, frozen=True, gc=False, tag="acquire"):
    """DR20: any tile or printed space of the market."""

    player: int
    space: int


class Garden(_Action, frozen=True, gc=False, tag="garden"):
    """DR21."""

    player: int
    at: Cell


class Switch(_Action, frozen=True, gc=False, tag="switch"):
    """DR22: the cube of the building whose upper left space is `at`."""

    player: int
    at: Cell


class Take(_Action, frozen=True, gc=False, tag="take"):
    """Cubes of any colour: income (DR23), the special worker (DR20), a printed space (DR29)."""

    player: int
    colour: Colour
    count: int = 1


class Pick(_Action, frozen=True, gc=False, tag="pick"):
    """DR29: a tile that was put away at the start of turn 7."""

    player: int
    tile: int


class UseTile(_Action, frozen=True, gc=False, tag="use"):
    """DR29: a tile that is used once, or once in each turn."""

    player: int
    tile: int


class Convert(_Action, frozen=True, gc=False, tag="convert"):
    """DR29: one cube into one of another colour."""

    player: int
    give: Colour
    get: Colour


class Done(_Action, frozen=True, gc=False, tag="done"):
    """The player stops: no more purchases, terrains or tiles."""

    player: int


Action: TypeAlias = (
    SetUp
    | DrawOrder
    | Refill
    | Zeppelin
    | Buy
    | Place
    | Terrain
    | BuyPropeller
    | Build
    | Acquire
    | Garden
    | Switch
    | Take
    | Pick
    | UseTile
    | Convert
    | Done
)
ACTIONS: tuple[type[Action], ...] = get_args(Action)
NOTATION: ActionNotation[Any] = ActionNotation(ACTIONS, LEAVES)
