"""The owner's box on the host's page: what of it is entered, what is printed on a thing, which box lies there. Pure."""

from typing import Annotated, Protocol

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


class OtherBox(msgspec.Struct, frozen=True):
    """A box of this computer with which nobody plays here, and how many of its things lie on readers."""

    name: str
    game: str
    things: int


class BoxShown(msgspec.Struct, frozen=True):
    """`GET /api/box`, for the host. `checks` is what is missing or does not fit, by language; no name: no box.

    `others` are the boxes that the tags on readers name. `readers`: the table has some. `choosable`: the host may
    begin with another box; otherwise the one that plays is that of the command line.
    """

    name: str
    game: str
    rows: tuple[BoxRow, ...]
    checks: tuple[dict[str, str], ...]
    others: tuple[OtherBox, ...] = ()
    readers: bool = False
    choosable: bool = False


class BoxWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /api/box`: the table begins a new game with the box of this name; with an empty one, with none."""

    name: Annotated[str, msgspec.Meta(max_length=32)]


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

    def choose(self, wish: BoxWish) -> None:
        """Let the table start again with another box; raises `ValueError` with a sentence."""
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

    def choose(self, wish: BoxWish) -> None:
        """Raise `ValueError`: there is nothing to choose."""
        raise ValueError(f"this table cannot begin with the box {wish.name!r}")


NO_BOX = NoBox()
