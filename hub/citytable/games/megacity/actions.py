"""The actions of MegaCity: values that can be written, stored and read back.

An action is a decision plus its outcome. `OUTCOME` names the fields that chance, hands or rulers fill in: None while
open. Each is one line of text, `str(action)` and `action_from_text`: `p1 take_contract contract=CO5`.
"""

from typing import Any, ClassVar, TypeAlias, get_args

import msgspec

from citytable.games.megacity.leaves import LEAVES
from citytable.games.megacity.position import BuildingType, Face, Material, Pieces
from citytable.rules.notation import ActionNotation
from citytable.table.hexes import Hex


class _Action(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, tag_field="do"):
    OUTCOME: ClassVar[tuple[str, ...]] = ()

    def __str__(self) -> str:
        return NOTATION.to_text(self)


class SetUp(_Action, frozen=True, gc=False, tag="set_up"):
    """The deal (R2, R4, R5): columns top card first in the order of TYPES, the supply, who starts, pieces by seat."""

    OUTCOME: ClassVar[tuple[str, ...]] = ("columns", "supply", "start", "drawn")
    columns: tuple[tuple[str, ...], ...] | None = None
    supply: tuple[Face, ...] | None = None
    start: int | None = None
    drawn: tuple[Pieces, ...] | None = None


class TakeContract(_Action, frozen=True, gc=False, tag="take_contract"):
    """R8, R39: the top card of a column, or a landmark."""

    player: int
    contract: str


class TakePlatform(_Action, frozen=True, gc=False, tag="take_platform"):
    """R9. `revealed` is the refill: one tile, or () when the stack is empty (A4)."""

    OUTCOME: ClassVar[tuple[str, ...]] = ("revealed",)
    player: int
    platform: int
    revealed: tuple[Face | None, ...] | None = None


class TakePieces(_Action, frozen=True, gc=False, tag="take_pieces"):
    """R10. `announced` None: 3 at random. Else 1 of that material, or 3 at random if none of it is left."""

    OUTCOME: ClassVar[tuple[str, ...]] = ("drawn",)
    player: int
    announced: Material | None = None
    drawn: Pieces | None = None


class Rezone(_Action, frozen=True, gc=False, tag="rezone"):
    """R12."""

    player: int
    platform: int


class Refresh(_Action, frozen=True, gc=False, tag="refresh"):
    """R13, A4."""

    OUTCOME: ClassVar[tuple[str, ...]] = ("revealed",)
    player: int
    revealed: tuple[Face | None, ...] | None = None


class Reorganise(_Action, frozen=True, gc=False, tag="reorganise"):
    """R14, A5."""

    player: int
    column: BuildingType


class ReturnPieces(_Action, frozen=True, gc=False, tag="return_pieces"):
    """R11: the excess over 15 goes back to the bag; the player chooses which."""

    OUTCOME: ClassVar[tuple[str, ...]] = ("returned",)
    player: int
    returned: Pieces | None = None


class BuildingFell(_Action, frozen=True, gc=False, tag="building_fell"):
    """R35: a building of the city falls; `to_box` pieces touched the table, `left` are too dangerous to remove."""

    OUTCOME: ClassVar[tuple[str, ...]] = ("to_box", "left")
    at: Hex
    to_box: int | None = None
    left: int | None = None


class PiecesLost(_Action, frozen=True, gc=False, tag="pieces_lost"):
    """A26: a few pieces fall, the rest stands and is measured again."""

    OUTCOME: ClassVar[tuple[str, ...]] = ("to_box", "to_bag", "height_mm")
    at: Hex
    to_box: Pieces | None = None
    to_bag: Pieces | None = None
    height_mm: int | None = None


class MonumentFell(_Action, frozen=True, gc=False, tag="monument_fell"):
    """A28: a monument touched the table: its piece goes to the box."""

    at: Hex


class CountPieces(_Action, frozen=True, gc=False, tag="count_pieces"):
    """The counted number of pieces that a player holds: `count`, and up to `maybe` more if that is not certain yet."""

    OUTCOME: ClassVar[tuple[str, ...]] = ("count",)
    seat: int
    count: int | None = None
    maybe: int = 0


class TurnUp(_Action, frozen=True, gc=False, tag="turn_up"):
    """The tile that came up in the supply unseen, or comes up late: `revealed` is one tile."""

    OUTCOME: ClassVar[tuple[str, ...]] = ("revealed",)
    revealed: tuple[Face | None, ...] | None = None


Accident: TypeAlias = BuildingFell | PiecesLost | MonumentFell
TurnsUp: TypeAlias = TakePlatform | Refresh | TurnUp


class Deliver(_Action, frozen=True, gc=False, tag="deliver"):
    """R24-R30, R43. `judged`: the table confirmed what no rule can compute (R19-R21, R23, A47).

    `stood` False needs nothing more. `pieces` is the building's whole content by material, without unknown pieces (R23,
    R29). `knocked`: the buildings and monuments that it knocked over (A25).
    """

    OUTCOME: ClassVar[tuple[str, ...]] = ("stood", "height_mm", "pieces", "judged")
    player: int
    contract: str
    platform: int
    at: Hex
    stood: bool | None = None
    height_mm: int | None = None
    pieces: Pieces | None = None
    judged: bool | None = None
    knocked: tuple[Accident, ...] = ()


class PlacePark(_Action, frozen=True, gc=False, tag="place_park"):
    """R32."""

    player: int
    at: Hex


class PlaceMonument(_Action, frozen=True, gc=False, tag="place_monument"):
    """R33: a spare piece onto an empty park beside the building just delivered."""

    OUTCOME: ClassVar[tuple[str, ...]] = ("piece",)
    player: int
    park: Hex
    piece: Pieces | None = None


class PlaceCentralParkMonument(_Action, frozen=True, gc=False, tag="place_central_park_monument"):
    """R34: after delivering a public building; an older monument goes to the bag."""

    OUTCOME: ClassVar[tuple[str, ...]] = ("piece",)
    player: int
    piece: Pieces | None = None


class EndTurn(_Action, frozen=True, gc=False, tag="end_turn"):
    """The bag is passed clockwise (R7)."""

    player: int


class Recycle(_Action, frozen=True, gc=False, tag="recycle"):
    """R42."""

    player: int


Action: TypeAlias = (
    SetUp
    | TakeContract
    | TakePlatform
    | TakePieces
    | Rezone
    | Refresh
    | Reorganise
    | ReturnPieces
    | BuildingFell
    | PiecesLost
    | MonumentFell
    | CountPieces
    | TurnUp
    | Deliver
    | PlacePark
    | PlaceMonument
    | PlaceCentralParkMonument
    | EndTurn
    | Recycle
)

NOTATION: ActionNotation[Any] = ActionNotation(get_args(Action), LEAVES)
"""One line of text per action, and back."""
