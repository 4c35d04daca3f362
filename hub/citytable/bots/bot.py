"""Bots: players that choose among legal decisions. Chance fills in the outcome."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from citytable.rules.game import Game

Action = TypeVar("Action")


class Bot(Protocol):
    """A player. It only chooses, and touches neither the table nor the game."""

    def choose(self, game: "Advised[Action]", decisions: Sequence[Action]) -> Action:
        """Return one of the decisions, which are legal now; there is at least one."""
        ...


class Sum(Protocol):
    """Points of one seat."""

    @property
    def total(self) -> int:
        """Return the sum."""
        ...


class Advised(Game[Action, Any], Protocol[Action]):
    """A game as bots see it: it rates decisions, counts points at any time, and remembers its actions."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """Return the actions pushed, in order."""
        ...

    def advice(self, decision: Action) -> float:
        """Return how good a legal decision looks to the player to act; higher is better, and only the order counts."""
        ...

    def scores(self) -> Mapping[int, Sum]:
        """Return the points by seat, as if the game ended here; nothing in a game without points."""
        ...
