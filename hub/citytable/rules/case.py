"""Cases: the ways a decision can come out, as far as the table can tell them apart."""

from typing import Generic, TypeVar

import msgspec

Action = TypeVar("Action")
Position = TypeVar("Position")


class Case(msgspec.Struct, Generic[Action, Position], frozen=True):
    """One way: the action with what is known of its outcome, and the position after it."""

    action: Action
    after: Position
