"""The view: everything the screens and the LED rings are drawn from, gathered in one frozen value.

The app makes a new `View` whenever something it holds has changed. Lines carry keys of the language files and
their arguments; the browser puts them into words.
"""

from typing import Literal, TypeAlias

import msgspec

from citytable.table.checklist import Checklist
from citytable.table.health import Health
from citytable.table.lesson import Lesson
from citytable.table.mode import Mode
from citytable.table.question import Question
from citytable.table.scene import Scene
from citytable.table.spot import Spot
from citytable.table.status import Status
from citytable.views.collapse import Collapse
from citytable.views.overlay import Overlay

Stage: TypeAlias = Literal[
    "seen",  # one act explains the table, but hands may still be on it
    "sure",  # the table is quiet; only the commit point is missing
    "asked",  # two explanations remain, or an outcome: a question is open
]


class Live(msgspec.Struct, frozen=True):
    """The readings of a spot at this moment: never a fact of the game, always drawn as provisional."""

    spot: Spot
    thing: str | None = None  # the thing of the tag read here; None if no tag is read or it is unknown
    mass_g: float | None = None  # None while it is unknown
    moving: bool = False  # the load is not stable
    low_mm: float | None = None  # the unconfirmed height interval
    high_mm: float | None = None
    pieces: int | None = None  # counted as they were placed on the thing
    pieces_unsure: bool = False  # the count may be wrong


class Held(msgspec.Struct, frozen=True):
    """A thing that somebody carries from their own place, with the last sensed building on it."""

    thing: str
    seat: int
    low_mm: float | None = None
    high_mm: float | None = None
    pieces: int | None = None
    pieces_unsure: bool = False


class Provisional(msgspec.Struct, frozen=True):
    """An action the umpire proposes and has not confirmed."""

    action: str  # in notation, for example `p1 take_contract contract=CO5`
    stage: Stage
    spots: tuple[Spot, ...] = ()  # the spots where it happens
    confidence: float = 1.0  # 0 to 1
    grounds: tuple[str, ...] = ()  # the evidence for it: said, fell, tags, weight
    doubts: tuple[str, ...] = ()  # the reasons for doubt: differs, new, others, hand, moving, unread
    breaks: str = ""  # the rule that forbids it, if it counts as it happened


class Happened(msgspec.Struct, frozen=True):
    """One line of the ticker. `no` distinguishes lines for screens."""

    no: int
    t_us: int
    key: str  # of the language files
    words: dict[str, str] = {}
    seat: int | None = None
    provisional: bool = False


class UndoAsked(msgspec.Struct, frozen=True, kw_only=True):
    """A player wants actions of others taken back: `actions` in notation, oldest first. It lapses at `until_us`."""

    seat: int
    to: int
    why: str
    actions: tuple[str, ...]
    waiting: tuple[int, ...]  # seats that have not agreed yet
    agreed: tuple[int, ...] = ()
    until_us: int


Trouble: TypeAlias = Literal[
    "broker",  # no broker answers: no station can be heard
    "journal",  # the journal cannot be written, so the game stops
]


class View(msgspec.Struct, frozen=True, kw_only=True):
    """The whole table as the hub knows it. Secrets are still inside: only `viewer.seen_by` may let it out."""

    t_us: int  # hub time at which this was true
    table: str  # the plan's name of the table
    scene: Scene | None = None  # the confirmed position; None before a game is chosen
    provisional: tuple[Provisional, ...] = ()  # in the order in which they would be confirmed
    status: Status = Status()  # every disagreement between table and game
    restoring: bool = False  # after an undo the table is still to be put back
    clearing: Checklist | None = None  # the progress of clearing up; None at other times
    mode: Mode = "enforce"  # how acts that a rule forbids are treated
    undo: UndoAsked | None = None
    questions: tuple[Question, ...] = ()  # open ones, oldest first
    troubles: tuple[Trouble, ...] = ()  # what stops the hub itself
    health: tuple[Health, ...] = ()  # one per station of the plan
    live: tuple[Live, ...] = ()  # spots that sense something, in any order
    held: tuple[Held, ...] = ()  # a building carried from a player's place
    happened: tuple[Happened, ...] = ()  # the latest lines, oldest first
    collapse: Collapse | None = None  # a fall that was the last thing confirmed or corrected
    lesson: Lesson | None = None  # of a guided game; None in other games
    overlay: Overlay = Overlay()  # what a producer has taken off air; the server fills it in
