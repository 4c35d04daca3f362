"""The door between people and hub: what they see on the screens and how they answer. Phones use the same one."""

from dataclasses import dataclass
from typing import Any, Protocol

from citytable.journal.entry import Entry
from citytable.session.session import Session
from citytable.table.question import Question
from citytable.table.status import Status
from citytable.table.word import Receipt, Word


class Door(Protocol):
    """The view and the voice of a person at the table."""

    def questions(self) -> tuple[Question, ...]:
        """Return the open questions."""
        ...

    def status(self) -> Status:
        """Return what the screens ask people to put right."""
        ...

    def seat(self) -> int:
        """Return whose turn the display shows; 0 before and after the game."""
        ...

    def actions(self) -> tuple[Any, ...]:
        """Return the confirmed actions of the game."""
        ...

    async def entries(self) -> tuple[Entry, ...]:
        """Return the actions that stand in the record, each under its number."""
        ...

    async def say(self, word: Word) -> object:
        """Say something; raises `GameError` or `ValueError` with a sentence."""
        ...


@dataclass(frozen=True)
class SessionDoor:
    """The door of a session in this process."""

    session: Session[Any, Any]

    def questions(self) -> tuple[Question, ...]:
        """Return the open questions."""
        return self.session.play.questions

    def status(self) -> Status:
        """Return what the screens ask people to put right."""
        return self.session.play.umpire.status()

    def seat(self) -> int:
        """Return whose turn is confirmed; 0 before and after the game."""
        return self.session.play.seat

    def actions(self) -> tuple[Any, ...]:
        """Return the confirmed actions of the game; with them `seat` changes, and the journal a moment later."""
        return tuple(self.session.play.actions)

    async def entries(self) -> tuple[Entry, ...]:
        """Return the actions that stand in the record, each under its number."""
        return await self.session.entries()

    async def say(self, word: Word) -> Receipt:
        """Say something; raises `GameError` or `ValueError` with a sentence."""
        return await self.session.say(word)
