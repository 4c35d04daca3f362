"""The door between people and hub: what they see on the screens and how they answer. Phones use the same one."""

from typing import Protocol

from citytable.journal.entry import Entry
from citytable.table.question import Answer, Question, Statement
from citytable.table.status import Status
from citytable.views.undo import TakingBack, UndoWish, UndoWord


class Door(Protocol):
    """What a person at the table can see and say."""

    def questions(self) -> tuple[Question, ...]:
        """The open questions."""
        ...

    def status(self) -> Status:
        """What the screens ask people to put right."""
        ...

    def seat(self) -> int:
        """Whose turn the display shows; 0 before and after the game."""
        ...

    async def entries(self) -> tuple[Entry, ...]:
        """The actions that stand in the record, each under its number."""
        ...

    async def correct(self, wish: TakingBack) -> object:
        """Take back as the host; raises `ValueError` with a sentence."""
        ...

    async def undo(self, said: UndoWish | UndoWord) -> None:
        """Wish that something be taken back, or agree; raises `ValueError` with a sentence."""
        ...

    def now_us(self) -> int:
        """The hub's clock."""
        ...

    async def answer(self, answer: Answer) -> None:
        """Answer a question; raises `ValueError` with a sentence."""
        ...

    async def state(self, statement: Statement) -> None:
        """Say something unasked; raises `GameError` with a sentence."""
        ...
