"""Scenes: the part of a game that a viewer sees. A game makes them, views send them, screens draw them.

A scene has two layers. The fields here are the same for every game: whose turn it is, who plays, where things are, how
it ended. The fields of one game alone are its `board`, a struct from the game's own folder, tagged with the game's
name.
"""

from typing import Any

import msgspec

from citytable.table.layout import Light
from citytable.table.spot import Spot


class Line(msgspec.Struct, frozen=True):
    """One line of a score: the points, their reason (a key of the language files), and the number of the action."""

    points: int
    reason: str
    words: dict[str, str] = {}
    action_no: int | None = None


class PlayerScene(msgspec.Struct, frozen=True):
    """One player as the public sees them. `score` is None in a game without points; `name` is empty until entered."""

    seat: int
    score: int | None = None
    lines: tuple[Line, ...] = ()  # the sources of the score, in the order in which the points came
    name: str = ""


class Pile(msgspec.Struct, frozen=True):
    """The things at a spot that everybody may see, the top one first, and how many more lie below, out of sight."""

    spot: Spot
    things: tuple[str, ...]
    hidden: int = 0


class Scene(msgspec.Struct, frozen=True):
    """A whole game as one viewer sees it."""

    game: str
    turn: int
    seat: int | None  # whose turn it is; None before and after the game
    phase: str  # a key of the language files
    players: tuple[PlayerScene, ...]
    lights: tuple[Light, ...] = ()
    heights_mm: dict[Spot, int] = {}  # measured and confirmed
    piles: tuple[Pile, ...] = ()  # for screens that have no board of this game; empty if the board contains them
    ended: str = ""  # why the game ended, in a word of the game; empty until then
    winners: tuple[int, ...] = ()  # seats; none until the end, and in a game that everybody lost
    reasons: tuple[str, ...] = ()  # for points, in the order of the rulebook; empty until the end
    origin: str = "house"  # of the cards: a house deck never passes for the publisher's
    board: Any = None  # what the game adds: a frozen struct of its own, tagged with its name
