"""The protocol of every game, in the manner of python-chess, with two differences.

`push` checks, because the input is a sensor and a crowd. And chance is part of the action: an action is a decision
plus its outcome (pieces drawn, tile revealed, height, fell or stood). `legal_actions` yields decisions with the outcome
open, `push` wants it filled in.
"""

from collections.abc import Callable, Iterator
from typing import Any, Generic, Protocol, Self, TypeVar

import msgspec

Action = TypeVar("Action")
Position_co = TypeVar("Position_co", covariant=True)


class Outcome(msgspec.Struct, frozen=True):
    """The end of a game: its reason, the winners, and the points by seat.

    Several `winners` share the victory; none means that everybody lost, as in a solo game that is lost. `scores` is
    None in a game without points.
    """

    termination: str
    winners: tuple[int, ...]
    scores: dict[int, int] | None = None


class LegalActions(Generic[Action]):
    """The legal decisions of the player to act, computed as you ask: iterate, use `in`, count, or test for emptiness.

    `in` also works for filled-in actions and for accidents (a building that falls); iteration does not yield accidents,
    because no player decides them.
    """

    __slots__ = ("_check", "_generate")

    def __init__(self, generate: Callable[[], Iterator[Action]], check: Callable[[Action], bool]) -> None:
        self._generate = generate
        self._check = check

    def __iter__(self) -> Iterator[Action]:
        return self._generate()

    def __contains__(self, action: Action) -> bool:
        return self._check(action)

    def __bool__(self) -> bool:
        return next(self._generate(), None) is not None

    def count(self) -> int:
        """Return the number of decisions."""
        return sum(1 for _ in self._generate())

    def __repr__(self) -> str:
        return f"<LegalActions ({', '.join(str(action) for action in self._generate())})>"


class Game(Protocol[Action, Position_co]):
    """A game being played: a stack of frozen positions."""

    @property
    def position(self) -> Position_co:
        """Return the position now."""
        ...

    @property
    def player(self) -> int:
        """Return the seat whose turn it is; 0 before the game begins and after it has ended."""
        ...

    @property
    def legal_actions(self) -> LegalActions[Action]:
        """Return the legal decisions now, their outcomes open."""
        ...

    def push(self, action: Action) -> None:
        """Play a filled-in action; raises `IllegalAction` (position unchanged) naming the rule."""
        ...

    def accept(self, action: Action) -> None:
        """Play a filled-in action that happened, even if a rule forbids it: the table outranks the rules.

        Raises `IllegalAction` (position unchanged) when it cannot have happened with the things in the box.
        """
        ...

    def pop(self) -> Action:
        """Take the last action back: for search, tests and what-if only; a physical act cannot be popped."""
        ...

    def copy(self) -> Self:
        """Return the same game with its own stack: pushing to one does not change the other."""
        ...

    def outcome(self) -> Outcome | None:
        """Return how the game ended; None until then."""
        ...


def open_fields(action: Any) -> tuple[str, ...]:
    """Return the names of an action's outcome fields that are still open (None)."""
    return tuple([name for name in type(action).OUTCOME if getattr(action, name) is None])
