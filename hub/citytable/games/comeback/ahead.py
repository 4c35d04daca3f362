"""Comeback City for a bot at an empty seat, which plays on from the position on the table."""

from citytable.games.comeback.actions import Action
from citytable.games.comeback.deck import Deck
from citytable.games.comeback.game import ComebackCity
from citytable.games.comeback.position import Position
from citytable.games.comeback.teaching import Teaching
from citytable.rules.budget import Budget
from citytable.table.lesson import Step


class Ahead:
    """Games that begin where the table's game stands, and decisions in words."""

    def __init__(self, deck: Deck, budget: Budget) -> None:
        self._deck = deck
        self._teaching = Teaching(deck)
        self.budget = budget
        """How far the bot looks ahead."""

    def going_on(self, position: Position) -> ComebackCity:
        """Return a game in a position that came up at a table."""
        return ComebackCity.from_position(position, self._deck)

    def step_of(self, _position: Position, decision: Action, *, sensed: bool) -> Step:
        """Return a legal decision in words."""
        return self._teaching.step_of(decision, sensed=sensed)
