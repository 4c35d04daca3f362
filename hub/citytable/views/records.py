"""The records of a table, as pages show them. Pure."""

from typing import Protocol

import msgspec

from citytable.table.word import Name


class RecordLine(msgspec.Struct, frozen=True):
    """A record: `value` of `key` (a game's own word, or `points`), by whom and when.

    `name` is empty unless its owner agreed, `day` a date. `fresh`: by the game on the table.
    """

    key: str
    value: int
    seat: int | None
    name: str
    day: str
    fresh: bool


class Playable(msgspec.Struct, frozen=True):
    """A game that this table can play: its name in the hub, its title, and how many may play."""

    game: str
    title: str
    players_min: int
    players_max: int


class Records(msgspec.Struct, frozen=True):
    """`GET /api/records`: the records of the game on the table, out of `games` finished ones; playable games."""

    game: str
    title: str
    games: int
    records: tuple[RecordLine, ...]
    playable: tuple[Playable, ...]


class RecordNames(msgspec.Struct, frozen=True):
    """`GET /api/records/names`, for the host: the names that may be kept with records, and those that are."""

    offered: tuple[str, ...]
    kept: tuple[str, ...]


class NameWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /api/records/names`: from now on a name is kept with the records of its owner, or erased everywhere."""

    name: Name
    keep: bool


class RecordsDoor(Protocol):
    """The records, as far as pages reach them."""

    def shown(self, *, over: bool) -> Records:
        """Return the records; those of the game on the table only if the public has seen that it is `over`."""
        ...

    def names(self) -> RecordNames:
        """Return the names."""
        ...

    def wish(self, wish: NameWish) -> None:
        """Keep a name or erase it, which takes a while; raises `ValueError` for an unknown name."""
        ...


class NoRecords:
    """For a hub that keeps no book."""

    def shown(self, *, over: bool) -> Records:
        """Return no records."""
        del over
        return Records("", "", 0, (), ())

    def names(self) -> RecordNames:
        """Return no name."""
        return RecordNames((), ())

    def wish(self, _wish: NameWish) -> None:
        """Keep nothing."""


NO_RECORDS = NoRecords()
