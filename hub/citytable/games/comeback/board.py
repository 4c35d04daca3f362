"""Comeback City's part of a scene, which only its own screens can draw."""

import msgspec

from citytable.table.spot import Spot


class Cell(msgspec.Struct, frozen=True, omit_defaults=True):
    """One card of the city, or the giant bird, of which only the place is set."""

    spot: Spot
    column: int
    row: int
    card: str = ""
    name: dict[str, str] = {}
    zone: str = ""
    stories: int = 0
    points: int = 0
    counters: int = 0
    powered: bool = False
    rubble: bool = False
    occupied: bool = False
    guarded: bool = False
    restaurant: bool = False


class FlippedCard(msgspec.Struct, frozen=True):
    """The card that was flipped last: `payable` with all reductions, `due` if it must be built or discarded.

    Its zone is "" until somebody enters the card's values.
    """

    card: str
    name: dict[str, str]
    zone: str
    stories: int
    points: int
    cost: dict[str, int]
    opportunity: dict[str, int]
    payable: bool
    due: bool


class BonusInPlay(msgspec.Struct, frozen=True):
    """A zoning bonus: its condition ("" without entered values), and how its reward was used.

    `reached` is the city's progress towards `number`, and `does` the effect of its helper, in each language.
    """

    card: str
    zone: str
    condition: str
    number: int
    helper: str
    completed: bool
    used: str
    reached: int
    does: dict[str, str] = {}


class SeverityEffect(msgspec.Struct, frozen=True):
    """The effect of a severity: cards that leave the city, cards that become rubble, and lines and roads cut."""

    level: int
    lost: int
    rubble: int
    cut: bool


class Goal(msgspec.Struct, frozen=True):
    """The points that the disaster asks for, in a zone or in all of them, and whether everything is met."""

    zone: str
    points: int
    reached: int
    met: bool


class Board(msgspec.Struct, frozen=True, tag_field="game", tag="comeback", omit_defaults=True):
    """The city, its infrastructure, the pool and what is left."""

    cells: tuple[Cell, ...]
    plant_works: bool
    lines: tuple[bool, ...]
    roads: tuple[bool, ...]
    pool: dict[str, int]
    passed: int
    discards_left: int
    deck: int
    points: dict[str, int]  # by zone
    total: int
    flipped: FlippedCard | None = None
    bonuses: tuple[BonusInPlay, ...] = ()
    helpers: tuple[str, ...] = ()
    disaster: str = ""
    happens: dict[str, str] = {}  # the effect of the disaster, in each language
    goal: Goal | None = None
    action_points: int = 0
    bird: Cell | None = None
    hunger: int = 0
    meteors: tuple[Spot, ...] = ()
    rolled: tuple[int, ...] = ()
    severities: tuple[SeverityEffect, ...] = ()  # while one may be chosen
    next_hit: tuple[Spot, ...] = ()  # by the next step of an earthquake
