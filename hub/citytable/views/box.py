"""The owner's box on the host's page: its values, the form of a thing, and the boxes on the readers. Pure."""

from typing import Annotated, Protocol

import msgspec

from citytable.table.question import Question
from citytable.table.word import Word


class BoxRow(msgspec.Struct, frozen=True):
    """One component. `entered` None: it has no printed values that count. `places`: where its tags belong.

    `label` distinguishes it from others by its values, by language; empty if its name is enough.
    """

    thing: str
    entered: bool | None
    places: tuple[str, ...]
    without_tag: tuple[str, ...]
    label: dict[str, str]


class OtherBox(msgspec.Struct, frozen=True):
    """A box of this computer that is not in play, and how many of its things are on readers."""

    name: str
    game: str
    things: int


class BoxShown(msgspec.Struct, frozen=True):
    """`GET /api/box`, for the host. `checks` lists what is missing or contradictory, by language; no name: no box.

    `others` are the boxes whose tags are on readers. `readers`: the table has some. `choosable`: the host may begin
    with another box; otherwise the command line has chosen the one in play.
    """

    name: str
    game: str
    rows: tuple[BoxRow, ...]
    checks: tuple[dict[str, str], ...]
    others: tuple[OtherBox, ...] = ()
    readers: bool = False
    choosable: bool = False


class BoxWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /api/box`: the table begins a new game with the box of this name; with an empty name, without a box."""

    name: Annotated[str, msgspec.Meta(max_length=32)]


NO_SHOWN = BoxShown("", "", (), ())


class BoxDoor(Protocol):
    """The box, as far as pages reach it."""

    def shown(self) -> BoxShown:
        """Return the contents of the box, which takes a while."""
        ...

    def question(self, thing: str) -> Question:
        """Return the question about the values of a thing; raises `ValueError`."""
        ...

    def asked(self, word: Word) -> tuple[Question, ...]:
        """Return the question of an answer that nobody asked for."""
        ...

    def choose(self, wish: BoxWish) -> None:
        """Let the table restart with another box; raises `ValueError` with a sentence."""
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
