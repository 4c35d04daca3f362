"""Dilluvia Project for a bot at an empty seat, which plays on from the position on the table."""

from citytable.games.dilluvia.actions import Action
from citytable.games.dilluvia.game import Dilluvia
from citytable.games.dilluvia.position import Position
from citytable.games.dilluvia.teaching import Teaching
from citytable.games.dilluvia.values import Values
from citytable.rules.budget import Budget
from citytable.table.lesson import Step


class Ahead:
    """Games that begin where the table's game stands, and decisions in words."""

    def __init__(self, values: Values, budget: Budget) -> None:
        self._values = values
        self._teaching = Teaching(values)
        self.budget = budget
        """How far the bot looks ahead."""

    def going_on(self, position: Position) -> Dilluvia:
        """Return a game in a position that came up at a table; raises `IllegalPosition`."""
        return Dilluvia(position, self._values)

    def step_of(self, position: Position, decision: Action, *, sensed: bool) -> Step:
        """Return a legal decision in words."""
        return self._teaching.step_of(position, decision, sensed=sensed)
