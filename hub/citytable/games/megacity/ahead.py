"""MegaCity for a bot at an empty seat, which plays on from the position on the table."""

from citytable.games.megacity.actions import Action
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Position
from citytable.games.megacity.teaching import Teaching
from citytable.rules.budget import Budget
from citytable.table.lesson import Step


class Ahead:
    """Games that begin where the table's game stands, and decisions in words."""

    def __init__(self, deck: Deck, budget: Budget) -> None:
        self._deck = deck
        self._teaching = Teaching(deck)
        self.budget = budget
        """How far the bot looks ahead."""

    def going_on(self, position: Position) -> MegaCity:
        """Return a game in a position that came up at a table; raises `IllegalPosition`."""
        return MegaCity.from_table(position, self._deck)

    def step_of(self, position: Position, decision: Action, *, sensed: bool) -> Step:
        """Return a legal decision in words."""
        return self._teaching.step_of(position, decision, sensed=sensed)
