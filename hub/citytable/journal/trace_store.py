"""The database of traces: excerpts of raw readings, and links from entries to the excerpts they rest on.

It stays within `Limits` at every commit: excerpts that no entry rests on go first, then the oldest. Links to deleted
excerpts go with the first commit after a start. A link names a window of time at a spot and not the excerpts in it,
so it can be written before they are over. `synchronous` is NORMAL, and excerpts of a minute are written together:
after a power cut the last traces are missing.
"""

import sqlite3
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

import msgspec

from citytable.journal.excerpt import FORMAT, BadExcerpt, Excerpt, Link, packed, unpacked

USER_VERSION = 1

_SCHEMA = """
CREATE TABLE stretch (
  n INTEGER PRIMARY KEY,
  game_id TEXT NOT NULL,
  spot TEXT NOT NULL,
  from_us INTEGER NOT NULL,
  until_us INTEGER NOT NULL,
  samples INTEGER NOT NULL,
  format INTEGER NOT NULL,
  data BLOB NOT NULL,
  crc INTEGER NOT NULL
) STRICT;
CREATE INDEX stretch_where ON stretch (game_id, spot, from_us);
CREATE INDEX stretch_when ON stretch (until_us);
CREATE TABLE link (
  game_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  spot TEXT NOT NULL,
  from_us INTEGER NOT NULL,
  until_us INTEGER NOT NULL,
  PRIMARY KEY (game_id, seq, spot)
) WITHOUT ROWID, STRICT;
CREATE INDEX link_where ON link (game_id, spot);
"""
_MEET = """link.game_id = stretch.game_id AND link.spot = stretch.spot
  AND link.from_us <= stretch.until_us AND link.until_us >= stretch.from_us"""
_LOOSE_LINKS = """DELETE FROM link WHERE until_us < (SELECT min(until_us) FROM stretch) - 60000000"""
"""Deletes links to excerpts older than any that is kept; an excerpt is a minute long at most."""
_LINKED = f"EXISTS (SELECT 1 FROM link WHERE {_MEET})"


class Limits(msgspec.Struct, frozen=True):
    """Limit how much is kept. Ages are in hub time, counted back from the newest excerpt."""

    data_bytes: int = 256_000_000
    age_us: int = 90 * 86_400_000_000
    unlinked_us: int = 600_000_000
    """An excerpt that no entry rests on by then is not needed."""


class Kept(msgspec.Struct, frozen=True):
    """Count the kept data of a game: conversions (`samples`), excerpts and bytes."""

    excerpts: int
    samples: int
    data_bytes: int


class TraceStore:
    """Read and write an open database of traces, from one thread at a time. Every method may raise `sqlite3.Error`."""

    def __init__(self, path: Path, connection: sqlite3.Connection, limits: Limits) -> None:
        self.path = path
        self._db = connection
        self._limits = limits
        (self._data_bytes,) = self._db.execute("SELECT coalesce(sum(length(data)), 0) FROM stretch").fetchone()
        self._swept_us = 0  # excerpts that ended before were already checked for links

    @classmethod
    def open(cls, path: Path, limits: Limits) -> Self:
        """Open for writing, and create if missing."""
        db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version == 0:
                db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {USER_VERSION}; COMMIT;")
            return cls(path, _of_this_version(db), limits)
        except sqlite3.Error:
            db.close()
            raise

    @classmethod
    def read(cls, path: Path) -> Self:
        """Open for reading while another process writes."""
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
        try:
            return cls(path, _of_this_version(db), Limits())
        except sqlite3.Error:
            db.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, work: Iterable[tuple[str, Excerpt | Link]]) -> None:
        """Write excerpts and links of games, all or none, and delete excerpts beyond the limits."""
        before = self._data_bytes
        self._db.execute("BEGIN IMMEDIATE")
        try:
            for game_id, one in work:
                if isinstance(one, Excerpt):
                    self._write_excerpt(game_id, one)
                else:
                    row = (game_id, one.seq, one.at_us, one.spot, one.from_us, one.until_us)
                    self._db.execute("INSERT OR REPLACE INTO link VALUES (?, ?, ?, ?, ?, ?)", row)
            self._stay_within()
            self._db.execute("COMMIT")
        finally:
            if self._db.in_transaction:
                self._data_bytes = before
                self._db.execute("ROLLBACK")

    def _write_excerpt(self, game_id: str, one: Excerpt) -> None:
        data = packed(one.readings)
        self._data_bytes += len(data)
        self._db.execute(
            "INSERT INTO stretch (game_id, spot, from_us, until_us, samples, format, data, crc) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (game_id, one.spot, one.from_us, one.until_us, one.samples, FORMAT, data, zlib.crc32(data)),
        )

    def _stay_within(self) -> None:
        (newest_us,) = self._db.execute("SELECT max(until_us) FROM stretch").fetchone()
        if newest_us is None:
            return
        self._delete("until_us < ?", newest_us - self._limits.age_us)
        if not self._swept_us:  # once is enough: they are small
            self._db.execute(_LOOSE_LINKS)
        unlinked_us = newest_us - self._limits.unlinked_us
        self._delete(f"until_us >= ? AND until_us < ? AND NOT {_LINKED}", self._swept_us, unlinked_us)
        self._swept_us = max(self._swept_us, unlinked_us)
        if self._data_bytes > self._limits.data_bytes:
            self._make_room()

    def _make_room(self) -> None:
        order = f"SELECT n, length(data) FROM stretch ORDER BY {_LINKED}, until_us"
        for n, _ in self._db.execute(order).fetchall():
            if self._data_bytes <= self._limits.data_bytes:
                return
            self._delete("n = ?", n)

    def _delete(self, which: str, *values: int) -> None:
        gone = self._db.execute(f"DELETE FROM stretch WHERE {which} RETURNING length(data)", values)
        self._data_bytes -= sum(length for (length,) in gone)

    def of_entry(self, game_id: str, seq: int, at_us: int) -> tuple[Excerpt, ...]:
        """Return the excerpts that this entry (by number and time) rests on, oldest first; raises `BadExcerpt`."""
        rows = self._db.execute(
            "SELECT DISTINCT stretch.n, stretch.spot, stretch.from_us, stretch.until_us, format, data, crc "
            f"FROM link JOIN stretch ON {_MEET} "
            "WHERE link.game_id = ? AND seq = ? AND at_us = ? ORDER BY stretch.from_us, stretch.n",
            (game_id, seq, at_us),
        )
        return tuple(_sound(*row) for row in rows)

    def kept(self, game_id: str) -> Kept:
        """Return the counts of a game."""
        counted = "SELECT count(*), coalesce(sum(samples), 0), coalesce(sum(length(data)), 0) FROM stretch"
        return Kept(*self._db.execute(f"{counted} WHERE game_id = ?", (game_id,)).fetchone())


def _of_this_version(db: sqlite3.Connection) -> sqlite3.Connection:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version != USER_VERSION:
        raise sqlite3.DatabaseError(f"it has version {version}, this program reads {USER_VERSION}")
    return db


def _sound(n: int, spot: str, from_us: int, until_us: int, *rest: Any) -> Excerpt:
    version, data, crc = rest
    what = f"trace {n} of {spot}"
    if version != FORMAT:
        raise BadExcerpt.worded("format", what=what, seen=version, reads=FORMAT)
    if zlib.crc32(data) != crc:
        raise BadExcerpt.worded("changed", what=what)
    return Excerpt(spot, from_us, until_us, unpacked(data))
