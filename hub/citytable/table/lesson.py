"""Lessons: what a guided first game tells people. A game makes steps, the session makes a lesson of them."""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import msgspec

from citytable.table.spot import Spot


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """What the player to act could do next: one good legal action, in words.

    `topic` is the game's word for the rule behind it. `action` is what the player can state afterwards, in notation;
    empty where that takes more than a tap. `spots` are the places that hands go to, `things` what they take up there.
    """

    topic: str
    rule: dict[str, str]  # language -> the rule, in a few sentences
    do: dict[str, str]  # language -> what to do now
    action: str = ""
    spots: tuple[Spot, ...] = ()
    things: tuple[str, ...] = ()


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """What a guided game tells people at this moment, or a bot at an empty seat. Without `do` there is nothing to tell.

    `new`: the player has not met this rule yet. `report` is the action that a tap states once it is done, where no
    sensor would see it. `guided`: it speaks to everybody; otherwise only a bot speaks, at one of the `empty` seats.
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
    """Tells people about a decision: their position, a legal decision in it, and whether sensors would see it done."""

    def __call__(self, position: Any, decision: Any, /, *, sensed: bool) -> Step:
        """Return the decision in words."""
        ...


class Ahead(NamedTuple):
    """What a bot at an empty seat needs of a game.

    `going_on` returns a game in a position that came up at a table, or raises `GameError`.
    """

    going_on: Callable[[Any], Any]
    step_of: InWords
