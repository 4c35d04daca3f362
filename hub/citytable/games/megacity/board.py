"""MegaCity's part of a scene, which only MegaCity's own screens can draw."""

import msgspec

from citytable.games.megacity.guesses import Guess
from citytable.table.spot import Spot


class Tile(msgspec.Struct, frozen=True):
    """One occupied hex. `kind`: platform, park, central_park; `colour` a building type; `owner` a seat.

    `contract` is the one that a building was delivered for.
    """

    spot: Spot
    kind: str
    name: str = ""
    colour: str = ""
    owner: int | None = None
    height_mm: int | None = None
    standing: bool = True
    tallest: bool = False
    monument: bool = False
    steel: int = 0  # pieces of the building, as far as known
    concrete: int = 0
    glass: int = 0
    contract: str = ""


class Card(msgspec.Struct, frozen=True):
    """One contract a viewer may see."""

    name: str
    colour: str
    pieces: int
    plus: bool
    height_mm: int
    requirements: tuple[str, ...]
    prestige: int
    landmark: bool = False


class Area(msgspec.Struct, frozen=True, omit_defaults=True):
    """The play area of one player: `pieces` pieces, and `maybe` more that may be there or not.

    `delivering` has the contracts of a delivery that is not confirmed; they are not open any more.
    """

    seat: int
    tokens: int
    pieces: int
    open_contracts: tuple[Card, ...]
    platforms: tuple[str, ...]  # things
    completed: int
    park_in_hand: bool
    maybe: int = 0
    delivering: tuple[Card, ...] = ()


class Board(msgspec.Struct, frozen=True, tag_field="game", tag="megacity", omit_defaults=True):
    """The city, the supply and the play areas; there may be `bag_maybe` more pieces in the bag.

    `guesses` are, after the game, the parts of the score that depend on a guess.
    """

    actions_left: int
    areas: tuple[Area, ...]  # by seat
    tiles: tuple[Tile, ...]
    supply: tuple[str, ...]  # things
    stack: int  # platforms
    columns: dict[str, tuple[Card, ...]]  # building type -> cards, the top one first
    landmarks: tuple[Card, ...]  # laid out and not taken
    bag: int  # pieces
    bag_maybe: int = 0
    guesses: tuple[Guess, ...] = ()
