"""Entries: everything that happened, was sensed or was reported. Entries never change: a correction is one more entry.

Each game's entries are numbered from 1 without holes; the first is `GameStarted`. A body is one JSON object with its
`type`; the version of its body is written with each entry. `upcasting.py` reads older versions.
docs/reference/journal.md lists the fields.
"""

import zlib
from typing import Any, Literal, TypeAlias

import msgspec

from citytable.journal.upcasting import VERSION, NewerVersion, brought_up
from citytable.table.fact import Fact
from citytable.table.plan import Plan
from citytable.table.question import Question
from citytable.table.word import Amendment, Insertion, Recorded, Strike, Undo

Cause: TypeAlias = Literal["sensor", "player", "referee", "system"]
CAUSES: tuple[Cause, ...] = ("sensor", "player", "referee", "system")


ABANDONED = "abandoned"
"""The termination of a game that people gave up."""
DAMAGED = "damaged"
"""The termination of a salvaged game that was not over: undo that entry to go on with the rest of the game."""


class _Body(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    pass


class GameStarted(_Body, frozen=True, tag="game_started"):
    """Begin a game: hold everything that a replay needs, the game, all its options, its deck and the table.

    `by` is the person who chose it at the table; empty: the hub's command line. `people` is the game whose players keep
    the keys of their phones; empty: they are new. `names` are the players' names by seat, as far as known. `agreed`:
    its rulings were chosen at the table. `instead_of` is the game of the command line, if people chose this one at the
    table instead; otherwise empty.
    """

    game: str
    options: dict[str, Any] = {}
    deck: str = ""
    deck_sha256: str = ""
    plan: Plan | None = None
    by: str = ""
    people: str = ""
    names: tuple[str, ...] = ()
    agreed: bool = False
    instead_of: str = ""


class ActionConfirmed(_Body, frozen=True, tag="action"):
    """Record a confirmed action in the game's notation, with its outcome. `by` is a seat, a name or ''.

    `breaks` is the number of a rule that forbids the action, if the host or the mode accepted it. The facts since the
    previous action are its evidence.
    """

    action: str
    by: str = ""
    breaks: str = ""


class FactNoted(_Body, frozen=True, tag="fact"):
    """Record a report of the sensors: evidence of the next action. After a restart the umpire hears it again."""

    fact: Fact


class PiecesWeighed(_Body, frozen=True, tag="pieces_weighed"):
    """Record the total mass of a number of pieces drawn so far, which a restart would forget.

    `reported`: how often each seat, from the first on, reported an act that the rules want announced. Older entries
    have one number for all of them, which says nothing about a seat.
    """

    pieces: int
    grams: float
    reported: int | tuple[int, ...] = ()


class Asked(_Body, frozen=True, tag="question"):
    """Record a question to the people."""

    question: Question


class ValuesEntered(_Body, frozen=True, tag="values"):
    """Record that somebody entered the values of a thing of the owner's copy: the game has these cards now.

    The values themselves are in the kept deck of this hash, which stays with its owner. Without a thing they were
    entered elsewhere, between two evenings. If this game cannot have been played with all values in the box's file,
    `later_sha256` is the hash of the file's cards, which count from the next game on.
    """

    deck: str
    deck_sha256: str
    thing: str = ""
    by: str = ""
    later_sha256: str = ""


class Counted(_Body, frozen=True, tag="counted"):
    """Record the components that were read for the first time since clearing up began."""

    components: tuple[str, ...]


class GameEnded(_Body, frozen=True, tag="game_ended"):
    """End the game. `termination` says how: a game's own word, `ABANDONED` or `DAMAGED`."""

    termination: str


CORRECTIONS: tuple[type, ...] = (Undo, Amendment, Insertion, Strike)

Body: TypeAlias = (
    GameStarted | ActionConfirmed | FactNoted | PiecesWeighed | Asked | ValuesEntered | Counted | GameEnded | Recorded
)


class Draft(msgspec.Struct, frozen=True):
    """Hold an entry that is still to be written: it gets its number when it is committed."""

    at_us: int
    cause: Cause
    body: Body


class Entry(msgspec.Struct, frozen=True):
    """Hold one entry of a game. `at_us` is hub time.

    `ver` is the version in which it was written, but `body` always has today's version. `original` is the body as it
    was written, if that was an older version, so that copies of the entry keep it.
    """

    seq: int
    at_us: int
    cause: Cause
    body: Body
    ver: int = VERSION
    original: str = ""

    @property
    def type(self) -> str:
        """Return the body's type as it was written."""
        return _tag(self.original) if self.original else str(self.body.__struct_config__.tag)


class BadEntry(ValueError):
    """An entry is damaged on disk, or of a newer program. The text names it and the error."""


_body_decoder = msgspec.json.Decoder(Body)


def body_text(body: Body) -> str:
    """Return a body as one line of JSON."""
    return msgspec.json.encode(body).decode()


class _Tagged(msgspec.Struct, frozen=True):
    type: str


def _tag(body: str) -> str:
    return msgspec.json.decode(body, type=_Tagged).type


class StoredRow(msgspec.Struct, frozen=True):
    """Hold an entry as it is stored."""

    seq: int
    at_us: int
    cause: str
    ver: int
    body: str
    crc: int


def checksum(game_id: str, row: StoredRow) -> int:
    """Return the CRC-32 over all fields of a row, so that a flipped bit is noticed."""
    return zlib.crc32(f"{game_id}\n{row.seq}\n{row.at_us}\n{row.cause}\n{row.ver}\n{row.body}".encode())


def stored_row(game_id: str, entry: Entry) -> StoredRow:
    """Return the row to write for an entry."""
    row = StoredRow(entry.seq, entry.at_us, entry.cause, entry.ver, entry.original or body_text(entry.body), 0)
    return msgspec.structs.replace(row, crc=checksum(game_id, row))


def checked_entry(game_id: str, row: StoredRow, expected_seq: int) -> Entry:
    """Return the entry of a stored row; raises `BadEntry` if it is damaged, misplaced or from a newer program.

    The row is checked as it was written. Only then is its body read as one of today's version.
    """
    if row.seq != expected_seq:
        raise BadEntry(f"entry {expected_seq} is missing (the next one found is {row.seq})")
    if checksum(game_id, row) != row.crc:
        raise BadEntry(f"entry {row.seq} was damaged on disk (its checksum does not match): {row.body[:60]!r}")
    if row.cause not in CAUSES:
        raise BadEntry(f"entry {row.seq} has the cause {row.cause!r}, which is not one of {', '.join(CAUSES)}")
    try:
        body = _body_decoder.decode(row.body if row.ver == VERSION else _brought_up(row))
    except NewerVersion as error:
        raise BadEntry(f"entry {row.seq} {error}") from error
    except msgspec.DecodeError as error:
        raise BadEntry(f"entry {row.seq} cannot be read ({error}): {row.body[:60]!r}") from error
    return Entry(row.seq, row.at_us, row.cause, body, row.ver, "" if row.ver == VERSION else row.body)


def _brought_up(row: StoredRow) -> bytes | str:
    """Return the body of an older row as JSON of today's version; raises `NewerVersion`, `msgspec.DecodeError`."""
    old = msgspec.json.decode(row.body)
    if not isinstance(old, dict):
        raise msgspec.DecodeError("the body is no JSON object")
    new = brought_up(old, row.ver)
    return row.body if new is old else msgspec.json.encode(new)
