"""Enrolling tags from the stations page: the unknown tags on readers, and the things without a tag. Pure."""

from typing import Annotated, Protocol

import msgspec

from citytable.table.spot import Spot
from citytable.table.word import Text


class UnknownTag(msgspec.Struct, frozen=True):
    """A tag that is read at a spot and not enrolled."""

    spot: Spot
    uid: str


class TagHere(msgspec.Struct, frozen=True):
    """A tag on a reader, and its thing; None if it is not enrolled."""

    spot: Spot
    uid: str
    thing: str | None


class Enrolment(msgspec.Struct, frozen=True):
    """`GET /api/tags`, for the host: unknown tags on readers, and the things without a tag.

    `fresh`: so many were enrolled since the start. `tagged`: the things whose tag may be replaced. `box`: the name of
    the box that they are of; empty for those of the plan file. `game` is the one that has them.
    """

    unknown: tuple[UnknownTag, ...] = ()
    things: tuple[str, ...] = ()
    fresh: int = 0
    tagged: tuple[str, ...] = ()
    box: str = ""
    game: str = ""


class TagWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /api/tags`: this tag is on this thing. `replaces`: the one that was on it is dead."""

    uid: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{8,20}$")]
    thing: Text
    replaces: bool = False


class TagsDoor(Protocol):
    """The tags of the table, as far as pages reach them."""

    def tags(self) -> Enrolment:
        """Return the tags and things that may be enrolled; it may take a while."""
        ...

    async def enrol(self, wish: TagWish) -> None:
        """Save a tag, which counts at once; raises `ValueError` with a sentence."""
        ...


class NoTags:
    """For a table without a plan file, such as a virtual one."""

    def tags(self) -> Enrolment:
        """Return nothing."""
        return Enrolment()

    async def enrol(self, wish: TagWish) -> None:
        """Raise `ValueError`: there is no file to write to."""
        raise ValueError(f"this table has no plan file into which the tag {wish.uid} could go")


NO_TAGS = NoTags()
