"""A stack of frozen positions and the actions between them, which every game keeps, whatever its rules are."""

from typing import Generic, Self, TypeVar

Action = TypeVar("Action")
Position = TypeVar("Position")


class Stack(Generic[Action, Position]):
    """The part of the `Game` protocol that needs no rules. A game calls `_append` for each action."""

    def __init__(self, start: Position) -> None:
        self._positions = [start]
        self._actions: list[Action] = []

    def copy(self) -> Self:
        """Return the same game with its own stack. Cheap: positions are frozen, so both share them."""
        game = type(self).__new__(type(self))
        game.__dict__.update(self.__dict__)
        game._positions = self._positions.copy()
        game._actions = self._actions.copy()
        return game

    @property
    def position(self) -> Position:
        """Return the position now."""
        return self._positions[-1]

    @property
    def start(self) -> Position:
        """Return the position this game began with."""
        return self._positions[0]

    @property
    def actions(self) -> tuple[Action, ...]:
        """Return the actions pushed, in order."""
        return tuple(self._actions)

    def _append(self, action: Action, after: Position) -> None:
        self._positions.append(after)
        self._actions.append(action)

    def pop(self) -> Action:
        """Take the last action back; raises `IndexError` when nothing was pushed."""
        action = self._actions.pop()
        self._positions.pop()
        return action
