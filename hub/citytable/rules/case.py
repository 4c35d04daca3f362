"""Cases: the possible outcomes of a decision, as far as the table can distinguish them."""

from typing import Generic, TypeVar

import msgspec

Action = TypeVar("Action")
Position = TypeVar("Position")


class Case(msgspec.Struct, Generic[Action, Position], frozen=True):
    """One outcome: the action with everything known about it, and the position after it."""

    action: Action
    after: Position
