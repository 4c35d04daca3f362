"""Scenes: what a viewer sees of a game. A game makes them, views send them, screens draw them.

A scene has two layers. What surrounds every game stands here: whose turn it is, who plays, what lies where, how it
ended. What only one game knows is its `board`, a struct of the game's own folder, tagged with the game's name.
"""

from typing import Any

import msgspec

from citytable.table.layout import Light
from citytable.table.spot import Spot


class Line(msgspec.Struct, frozen=True):
    """One line of a score: how many points, for what (a key of the language files), by which action number."""

    points: int
    reason: str
    words: dict[str, str] = {}
    action_no: int | None = None


class PlayerScene(msgspec.Struct, frozen=True):
    """One player as the public sees them. `score` is None in a game without points; `name` is empty until said."""

    seat: int
    score: int | None = None
    lines: tuple[Line, ...] = ()  # where the score comes from, in the order in which the points came
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
    heights_mm: dict[Spot, int] = {}  # of what stands there, measured and confirmed
    piles: tuple[Pile, ...] = ()  # for screens that have no board of this game; empty where the board says it
    ended: str = ""  # by what the game ended, in a word of its own; empty while it goes on
    winners: tuple[int, ...] = ()  # seats; none while the game goes on, and in a game that everybody lost
    reasons: tuple[str, ...] = ()  # for points, as the rulebook counts them; empty while the game goes on
    origin: str = "house"  # of the cards: a house deck never passes for the publisher's
    board: Any = None  # what the game adds: a frozen struct of its own, tagged with its name
