"""People of a game in which one does something after the other: a decision, the hands, then what came of it."""

from abc import abstractmethod
from typing import TypeVar

from citytable.rehearsal.company import LOOK_MS, Company
from citytable.rehearsal.twin import Act, Result

A = TypeVar("A")
P = TypeVar("P")


class TurnByTurn(Company[A, P]):
    """Plays a game one decision at a time."""

    @abstractmethod
    def _acts(self, decision: A) -> tuple[Act, ...]:
        """Return what the hands do for a decision, all at the same time."""

    @abstractmethod
    def _is_said(self, action: A) -> bool:
        """Return whether people say it, because the table cannot see it."""

    def _came_out(self, decision: A, results: list[Result]) -> A:  # noqa: ARG002  a game without chance needs none
        """Return the decision with what the hands found."""
        return decision

    async def _play(self) -> None:
        while self._exact.outcome() is None:
            seat = self._seat()
            if seat:
                await self._let_sit()
            if seat in self._people:
                self._before = self.intentions  # whoever sat down in the middle of a turn goes on from here
                await self._persons_turn(seat)
                continue
            await self._do(self._choose(seat))
            if self._seat() != seat:
                await self._until_shown()
            else:
                await self._attend()  # whoever plays on, as in a game for one, is asked all the same

    def _choose(self, seat: int) -> A:
        """Return what the bot of a seat chooses; what is nobody's decision is taken as it comes."""
        decisions: list[A] = list(self._exact.legal_actions)
        return self._bots[seat - 1].choose(self._exact, decisions) if seat else decisions[0]

    async def _do(self, decision: A) -> None:
        acts = self._acts(decision)
        action = self._came_out(decision, await self._twin.act(*acts) if acts else [])
        said = self._is_said(action)
        self._push(action)
        await self._twin.wait(LOOK_MS)
        if said:
            await self._say(self._public_of(action))
