"""The door of the umpire, and nothing else of it: whoever changes that door changes this file."""

from collections.abc import Iterable
from typing import Any

import msgspec

from citytable.table.fact import Fact
from citytable.table.plan import Plan
from citytable.table.question import Question
from citytable.table.word import Answer, Statement
from citytable.umpire.acts import Confirmed
from citytable.umpire.umpire import Umpire
from citytable.umpire.whole_game import whole


class Shown(msgspec.Struct, frozen=True):
    """An act as it is shown while it is provisional."""

    action: str
    confidence: float


class UmpireDoor:
    """One umpire at one table."""

    def __init__(self, game: Any, position: Any, plan: Plan) -> None:
        self._umpire: Umpire[Any, Any] = Umpire(whole(game), position, plan)

    def feed(self, facts: Iterable[Fact]) -> None:
        """Give it facts, in the order of hub time."""
        self._umpire.feed(tuple(facts))

    def judge(self) -> tuple[Confirmed[Any, Any], ...]:
        """Return what has become confirmed."""
        return self._umpire.judge()

    def say(self, word: Answer | Statement) -> None:
        """Tell it what somebody says; raises `ValueError` or `GameError` where it makes no sense."""
        self._umpire.say(word)

    def questions(self) -> tuple[Question, ...]:
        """Return the open questions."""
        return tuple(self._umpire.questions)

    def shown(self) -> tuple[Shown, ...]:
        """Return what is provisional."""
        return tuple(Shown(str(one.action), one.confidence.value) for one in self._umpire.provisional)

    def complaints(self) -> tuple[str, ...]:
        """Return what the screens ask people to put right, in a few words each."""
        return tuple(f"{one.kind} {one.thing} {one.action}".strip() for one in self._umpire.status().disagreements)
