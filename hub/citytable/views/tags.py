"""Enrolling tags from the stations page: what lies on a reader unknown, and the things without a tag. Pure."""

from typing import Annotated, Protocol

import msgspec

from citytable.table.spot import Spot
from citytable.table.word import Text


class UnknownTag(msgspec.Struct, frozen=True):
    """A tag that is read at a spot and that nobody has enrolled."""

    spot: Spot
    uid: str


class Enrolment(msgspec.Struct, frozen=True):
    """`GET /api/tags`, for the host. `fresh`: so many were enrolled since the start."""

    unknown: tuple[UnknownTag, ...] = ()
    things: tuple[str, ...] = ()
    fresh: int = 0


class TagWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /api/tags`: this tag is on this thing."""

    uid: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{8,20}$")]
    thing: Text


class TagsDoor(Protocol):
    """The tags of the table, as far as pages reach them."""

    def tags(self) -> Enrolment:
        """Return what may be enrolled; it may take its time."""
        ...

    async def enrol(self, wish: TagWish) -> None:
        """Write a tag into the plan file, and let it count; raises `ValueError` with a sentence."""
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
