"""The door between people and hub: what they see on the screens and how they answer. Phones use the same one."""

from typing import Protocol

from citytable.table.question import Answer, Question, Statement
from citytable.table.status import Status


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

    def now_us(self) -> int:
        """The hub's clock."""
        ...

    async def answer(self, answer: Answer) -> None:
        """Answer a question; raises `ValueError` with a sentence."""
        ...

    async def state(self, statement: Statement) -> None:
        """Say something unasked; raises `GameError` with a sentence."""
        ...
