"""Glimpses: what an umpire came to by facts whose turn had not come, remembered until their turn comes.

A search for stories is not cheap, and mostly the facts come to their turn as they were glimpsed.
"""

from collections import deque
from copy import copy
from typing import Any, TypeAlias, TypeVar

KEPT = 4

U = TypeVar("U")
State: TypeAlias = dict[str, Any]


class Glimpses:
    """Of one umpire and its copies, which share them; a state is an umpire's attributes without these."""

    def __init__(self) -> None:
        self._kept: deque[tuple[State, State]] = deque(maxlen=KEPT)

    def keep(self, asked: State, umpire: object) -> None:
        """An umpire in the state `asked` has come to the one it is in now, in which it stays."""
        self._kept.append((asked, self._attributes(umpire)))

    def remember(self, umpire: object) -> bool:
        """Bring an umpire to what one in the same state has come to; False when none has."""
        now = self._attributes(umpire)
        for asked, came in self._kept:
            if asked == now:
                vars(umpire).update(_apart(came))
                return True
        return False

    def state(self, umpire: object) -> State:
        """An umpire's state, as a copy that goes its own way."""
        return _apart(self._attributes(umpire))

    def _attributes(self, umpire: object) -> State:
        return {name: value for name, value in vars(umpire).items() if value is not self}

    def copied(self, umpire: U) -> U:
        """A copy of an umpire that goes its own way."""
        other = copy(umpire)
        vars(other).update(self.state(umpire))
        return other


def _apart(state: State) -> State:
    return {name: _part(value) for name, value in state.items()}


def _part(value: Any) -> Any:
    return value.copy() if isinstance(value, dict | list) else value
