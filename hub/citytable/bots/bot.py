"""Bots: players that choose among legal decisions. Chance fills in the outcome."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from citytable.rules.game import Game

Action = TypeVar("Action")


class Bot(Protocol):
    """A player. It only chooses, and touches neither the table nor the game."""

    def choose(self, game: "Advised[Action]", decisions: Sequence[Action]) -> Action:
        """Return one of the decisions, which are legal now; there is at least one."""
        ...


class Advised(Game[Action, Any], Protocol[Action]):
    """A game that rates decisions; higher is better, and only the order counts."""

    def advice(self, decision: Action) -> float:
        """Return how good a legal decision looks to the player to act."""
        ...
