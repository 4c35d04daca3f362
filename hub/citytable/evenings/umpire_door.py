"""The door of the umpire, and its only caller here: if the umpire's interface changes, only this file changes."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from citytable.rules.errors import IllegalAction
from citytable.table.fact import Fact
from citytable.table.plan import Plan
from citytable.table.question import Question
from citytable.table.word import Answer, Statement, TableStays
from citytable.umpire.acts import Confirmed
from citytable.umpire.confidence import Confidence
from citytable.umpire.otherwise import Otherwise, otherwise
from citytable.umpire.umpire import Umpire
from citytable.umpire.whole_game import whole

BEGAN_US = 1_000_000
"""When the evening began by the hub's clock: that does not begin with it, and a time of 0 is one that nobody knows."""


class Shown(msgspec.Struct, frozen=True):
    """An act as it is shown while it is provisional.

    `by`: its evidence and its doubts.
    """

    action: str
    confidence: float
    by: str


def _shown(action: str, sure: Confidence) -> Shown:
    by = " and ".join(sure.grounds) or "nothing"
    return Shown(action, sure.value, f"{by}; {', '.join(sure.doubts)}" if sure.doubts else by)


def at_the_hub(fact: Fact) -> Fact:
    """Return a fact of an evening at its time by the hub's clock."""
    return msgspec.structs.replace(fact, t_us=fact.t_us + BEGAN_US)


class UmpireDoor:
    """One umpire at one table."""

    def __init__(self, game: Any, position: Any, plan: Plan) -> None:
        self._game = whole(game)
        self._umpire: Umpire[Any, Any] = Umpire(self._game, position, plan)
        self._start = position
        self.confirmed: list[Any] = []
        """All that has become confirmed."""

    def feed(self, facts: Iterable[Fact], until_us: int) -> None:
        """Give the umpire facts, in the order of hub time. `until_us`: nothing else was sensed until then."""
        self._umpire.feed(tuple(map(at_the_hub, facts)), until_us + BEGAN_US)

    @property
    def looks_again_us(self) -> int:
        """The time at which the umpire wants to be fed although nothing was sensed; 0 for never."""
        return max(0, self._umpire.looks_again_us - BEGAN_US)

    def judge(self) -> tuple[Confirmed[Any, Any], ...]:
        """Return what the umpire has confirmed since the last call."""
        acts = self._umpire.judge()
        self.confirmed += [one.action for one in acts]
        return acts

    def otherwise(self, before: Iterable[Any], act: Any, since: Sequence[Any]) -> tuple[Otherwise[Any], ...]:
        """Return what the pages offer to correct an act, in a record that begins where the evening did."""
        return otherwise(self._game, self._after(before), act, since, self._umpire.observed)

    def possible(self, before: Iterable[Any]) -> tuple[Any, ...]:
        """Return complete actions that the rules allow after those of a record."""
        position = self._after(before)
        cases = (case for one in self._game.decisions(position) for case in self._game.cases(position, one))
        return tuple(case.action for case in cases if self._is_complete(position, case.action))

    def allows(self, acts: Iterable[Any]) -> bool:
        """Return whether the rules allow these actions, one after the other, from where the evening began."""
        try:
            self._after(acts)
        except IllegalAction:
            return False
        return True

    def set_as_it_stands(self, done: Iterable[Any]) -> None:
        """Set the position to what is on the table after everything that was done, and let it stand."""
        self._umpire.put_right(self._after(done), restoring=True)
        self.judge()
        if self._umpire.restoring:
            self._umpire.say(TableStays(by="host"))

    def _is_complete(self, position: Any, action: Any) -> bool:
        try:
            self._game.accepting().applied(position, action)
        except IllegalAction:
            return False
        return True

    def _after(self, acts: Iterable[Any]) -> Any:
        return self._position(self._start, acts)

    def _position(self, position: Any, acts: Iterable[Any]) -> Any:
        """Return the position after the acts of a record; legal ones may contain tiles that nobody saw."""
        accepting = self._game.accepting()
        for one in acts:
            try:
                position = self._game.applied(position, one)
            except IllegalAction:
                position = accepting.applied(position, one)
        return position

    def say(self, word: Answer | Statement, at_us: int) -> None:
        """Tell it what somebody says at that time; raises `ValueError` or `GameError` where it makes no sense."""
        self._umpire.say(word, at_us)

    def questions(self) -> tuple[Question, ...]:
        """Return the open questions."""
        return tuple(self._umpire.questions)

    def shown(self) -> tuple[Shown, ...]:
        """Return what is provisional."""
        return tuple(_shown(str(one.action), one.confidence) for one in self._umpire.provisional)

    def complaints(self) -> tuple[str, ...]:
        """Return what the screens ask people to put right, in a few words each."""
        return tuple(f"{one.kind} {one.thing} {one.action}".strip() for one in self._umpire.status().disagreements)
