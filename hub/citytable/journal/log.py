"""The log beside a database (SQLite's WAL), as it is before SQLite opens it and tidies up.

SQLite uses a log up to the last intact commit and does not mention the rest. Each commit waits for the disk before the
next one begins; so of several commits behind that point all but the last were reported as written and are lost, and a
single one may also have been under way when the power failed. Layout: sqlite.org/fileformat2.html, section 4.
"""

import sqlite3
import struct
from contextlib import closing
from pathlib import Path
from typing import Self

import msgspec

HEADER_BYTES, SUMMED_BYTES, FRAME_HEADER_BYTES = 32, 24, 24
SALTS = slice(16, 24)
FRAME_COMMITS, FRAME_SALTS = slice(4, 8), slice(8, 16)
ORDERS = {0x377F0682: "<", 0x377F0683: ">"}
"""By the header's first number, which end comes first in the words that a checksum adds up."""
WORD_MASK = 0xFFFFFFFF
ONE_PAGE_OF_ALL = 1 << 16
"""What a database means by a page of one byte."""


class Log(msgspec.Struct, frozen=True):
    """A log that holds at least one whole frame: its bytes, and by frame whether a commit of its last round ends there.

    A frame of an earlier round, which comes after those of the last one, is None.
    """

    content: bytes
    commits: tuple[bool | None, ...]

    @classmethod
    def beside(cls, database: Path) -> Self | None:
        """Return the log of a database that nobody has open; None if there is no log, or it is empty."""
        path = database.with_name(database.name + "-wal")
        if not path.is_file():
            return None
        content = path.read_bytes()
        is_sound = _is_sound(content[:HEADER_BYTES])
        frame_bytes = FRAME_HEADER_BYTES + (_number(content[8:12]) if is_sound else _page_bytes(database))
        starts = range(HEADER_BYTES, len(content) - frame_bytes + 1, frame_bytes)
        headers = [content[at : at + FRAME_HEADER_BYTES] for at in starts]
        if not headers:
            return None
        salts = content[SALTS] if is_sound else headers[0][FRAME_SALTS]
        return cls(content, tuple(_ends_commit(header) if header[FRAME_SALTS] == salts else None for header in headers))

    def taken_and_left(self, database: Path) -> tuple[int, int]:
        """Return how many commits SQLite takes from this log and how many it leaves behind. Opens the database.

        Raises `sqlite3.DatabaseError` for a database that cannot be opened.
        """
        with closing(sqlite3.connect(database, isolation_level=None)) as db:
            _, taken, _ = db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        taken = max(0, taken)
        return sum(map(bool, self.commits[:taken])), sum(map(bool, self.commits[taken:]))


def _number(octets: bytes) -> int:
    return int.from_bytes(octets, "big")


def _ends_commit(frame_header: bytes) -> bool:
    """Return whether a frame ends a commit: only such a frame states how large the database is then."""
    return _number(frame_header[FRAME_COMMITS]) > 0


def _page_bytes(database: Path) -> int:
    with database.open("rb") as file:
        stated = _number(file.read(18)[16:])
    return ONE_PAGE_OF_ALL if stated == 1 else max(stated, 512)


def _is_sound(header: bytes) -> bool:
    """Return whether a log's header matches its checksum: two sums over pairs of words, each added to the other."""
    order = ORDERS.get(_number(header[:4]))
    if order is None or len(header) < HEADER_BYTES:
        return False
    one = other = 0
    for first, second in struct.iter_unpack(f"{order}2I", header[:SUMMED_BYTES]):
        one = (one + first + other) & WORD_MASK
        other = (other + second + one) & WORD_MASK
    return (one, other) == struct.unpack(">2I", header[SUMMED_BYTES:])
