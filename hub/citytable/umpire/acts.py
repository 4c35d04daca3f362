"""Acts: the umpire's account of an action, before it is confirmed and when it is."""

from typing import Generic, TypeAlias, TypeVar

import msgspec

from citytable.table.spot import Spot
from citytable.table.word import Answer, Approval, Denial, ModeChoice, Ruling, Statement, TableStays
from citytable.umpire.confidence import Confidence

A = TypeVar("A")
P = TypeVar("P")

Said: TypeAlias = Answer | Statement | Approval | Denial | Ruling | ModeChoice | TableStays
"""The words that the umpire takes; corrections reach it as the position they lead to."""


class Provisional(msgspec.Struct, frozen=True):
    """An action that explains the table now, and the spots that it changes.

    `certain`: nothing contradicts it. `breaks`: the number of the rule that forbids it; empty if it is legal or the
    mode names no rules.
    """

    action: str
    certain: bool
    stated: bool
    spots: tuple[Spot, ...]
    confidence: Confidence
    breaks: str = ""


class Confirmed(msgspec.Struct, Generic[A, P], frozen=True):
    """An action that happened, with what people filled in. `stated`: a person said it, else it was inferred.

    `breaks` is the number of the rule that forbids it, where the host or the mode let it stand.
    """

    action: A
    text: str
    position: P
    stated: bool
    breaks: str = ""
