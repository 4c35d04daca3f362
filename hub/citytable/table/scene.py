"""Scenes: what a viewer sees of a game. A game writes them, views send them, screens draw them."""

import msgspec

from citytable.table.layout import Light
from citytable.table.spot import Spot


class Tile(msgspec.Struct, frozen=True):
    """One occupied hex. `kind`: platform, park, central_park; `colour` a building type; `owner` a seat."""

    spot: Spot
    kind: str
    name: str = ""
    colour: str = ""
    owner: int | None = None
    height_mm: int | None = None
    standing: bool = True
    tallest: bool = False
    monument: bool = False


class Line(msgspec.Struct, frozen=True):
    """One line of a score: how many points, for what (a key of the language files), by which action number."""

    points: int
    reason: str
    words: dict[str, str] = {}
    action_no: int | None = None


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


class PlayerScene(msgspec.Struct, frozen=True):
    """One player as the public sees him. `name`: as people call him; empty: they have not said."""

    seat: int
    prestige: int
    lines: tuple[Line, ...]
    tokens: int
    pieces: int
    open_contracts: tuple[Card, ...]
    platforms: tuple[str, ...]  # things
    completed: int
    park_in_hand: bool
    name: str = ""


class Scene(msgspec.Struct, frozen=True):
    """A whole game as one viewer sees it."""

    game: str
    turn: int
    seat: int | None  # whose turn it is; None before and after the game
    phase: str  # a key of the language files
    actions_left: int
    players: tuple[PlayerScene, ...]
    tiles: tuple[Tile, ...]
    supply: tuple[str, ...]
    stack: int
    columns: dict[str, tuple[Card, ...]]
    landmarks: tuple[Card, ...]
    bag: int
    lights: tuple[Light, ...]
    winners: tuple[int, ...] = ()
    origin: str = "house"  # of the deck: a house deck never passes for the publisher's
