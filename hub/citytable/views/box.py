"""The owner's box on the host's page: what of it is entered, and what is printed on a thing. Pure."""

from typing import Protocol

import msgspec

from citytable.table.question import Question
from citytable.table.word import Word


class BoxRow(msgspec.Struct, frozen=True):
    """One component. `entered` None: nothing is printed on it that counts. `places`: where tags belong on it.

    `label` tells it from others by what is printed, by language; empty where its name does.
    """

    thing: str
    entered: bool | None
    places: tuple[str, ...]
    without_tag: tuple[str, ...]
    label: dict[str, str]


class BoxShown(msgspec.Struct, frozen=True):
    """`GET /api/box`, for the host. `checks` is what is missing or does not fit, by language; no name: no box."""

    name: str
    game: str
    rows: tuple[BoxRow, ...]
    checks: tuple[dict[str, str], ...]


NO_SHOWN = BoxShown("", "", (), ())


class BoxDoor(Protocol):
    """The box, as far as pages reach it."""

    def shown(self) -> BoxShown:
        """Return what is in the box, which takes its time."""
        ...

    def question(self, thing: str) -> Question:
        """Return the question what is printed on a thing; raises `ValueError`."""
        ...

    def asked(self, word: Word) -> tuple[Question, ...]:
        """Return the question that a word answers although nobody asked."""
        ...


class NoBox:
    """For a table that plays with the house deck."""

    def shown(self) -> BoxShown:
        """Return nothing."""
        return NO_SHOWN

    def question(self, thing: str) -> Question:
        """Raise `ValueError`: there is no box."""
        raise ValueError(f"this table has no box in which {thing!r} could be entered")

    def asked(self, _word: Word) -> tuple[Question, ...]:
        """Return nothing."""
        return ()


NO_BOX = NoBox()
