"""Lessons: the instructions of a guided first game. A game makes steps, the session makes a lesson of them."""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import msgspec

from citytable.table.spot import Spot


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """A suggestion for the player to act: one good legal action, in words.

    `topic` is the game's word for the rule behind it. `action` is the report that the player can make afterwards, in
    notation; empty if that takes more than a tap. `spots` are the places where people do it, `things` what they take
    there.
    """

    topic: str
    rule: dict[str, str]  # language -> the rule, in a few sentences
    do: dict[str, str]  # language -> what to do now
    action: str = ""
    spots: tuple[Spot, ...] = ()
    things: tuple[str, ...] = ()


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """The present instruction of a guided game, or of a bot at an empty seat. Without `do` there is none.

    `new`: the player has not met this rule yet. `report` is the action that a tap reports once it is done, if no sensor
    would see it. `guided`: it is for everybody; otherwise only a bot at one of the `empty` seats gives it.
    """

    seat: int | None = None  # who does it; None: the whole table
    topic: str = ""
    new: bool = False
    rule: dict[str, str] = {}
    do: dict[str, str] = {}
    report: str = ""
    spots: tuple[Spot, ...] = ()
    guided: bool = True
    empty: tuple[int, ...] = ()


class InWords(Protocol):
    """Puts a decision into words: from the position, a legal decision in it, and whether sensors would see it done."""

    def __call__(self, position: Any, decision: Any, /, *, sensed: bool) -> Step:
        """Return the decision in words."""
        ...


class Ahead(NamedTuple):
    """What a bot at an empty seat needs of a game.

    `going_on` returns a game in a position from a table, or raises `GameError`.
    """

    going_on: Callable[[Any], Any]
    step_of: InWords
