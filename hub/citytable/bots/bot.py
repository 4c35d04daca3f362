"""What a bot is: somebody who chooses among legal decisions. Chance, hands and rulers fill in what comes of them."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from citytable.rules.game import Game

Action = TypeVar("Action")


class Bot(Protocol):
    """A player. It never touches the table or the game, it only chooses."""

    def choose(self, game: "Advised[Action]", decisions: Sequence[Action]) -> Action:
        """Return one of the decisions, which are legal now; there is at least one."""
        ...


class Advised(Game[Action, Any], Protocol[Action]):
    """A game that can say how good a decision looks; higher is better. Only the order counts."""

    def advice(self, decision: Action) -> float:
        """Return how good a legal decision looks to the player to act."""
        ...
