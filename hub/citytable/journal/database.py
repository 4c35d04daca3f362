"""The journal's database: its tables, the ways to open it, and its rows.

A process that opens it for writing holds a lock file, so there is only one. Tools may read at the same time.
"""

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import msgspec

from citytable.journal.alone import hold_alone
from citytable.journal.decks import DECK_ROWS, DECK_TABLE
from citytable.journal.entry import BadEntry, Entry, GameStarted, StoredRow, checked_entry, stored_row
from citytable.journal.owner import given_to
from citytable.languages import LANGUAGES
from citytable.languages.sentences import Sentences

USER_VERSION = 3
"""In version 1 the stations' marks had no checksum; in version 2 all entries were of version 1, and no deck was
kept. Both are read, and become version 3 when opened for writing: an older program then leaves the database alone."""
READABLE = (1, 2, USER_VERSION)
BUSY_MS = 2000
PAGE_BYTES = 512
"""Each commit writes a few whole pages to the log: the smaller they are, the less is written beside what is kept."""
LOG_PAGES = 4000
"""From so many on the log is copied into the database, which writes pages a second time that were changed again."""

_SCHEMA = """
CREATE TABLE game (
  id TEXT PRIMARY KEY,
  game TEXT NOT NULL,
  started_us INTEGER NOT NULL
) STRICT;
CREATE TABLE entry (
  n INTEGER PRIMARY KEY,
  game_id TEXT NOT NULL REFERENCES game (id),
  seq INTEGER NOT NULL CHECK (seq > 0),
  at_us INTEGER NOT NULL,
  type TEXT NOT NULL,
  ver INTEGER NOT NULL,
  cause TEXT NOT NULL CHECK (cause IN ('sensor', 'player', 'referee', 'system')),
  body TEXT NOT NULL,
  crc INTEGER NOT NULL,
  UNIQUE (game_id, seq)
) STRICT;
CREATE TABLE station_seen (
  station TEXT NOT NULL,
  boot INTEGER NOT NULL,
  event_seq INTEGER NOT NULL,
  crc INTEGER NOT NULL,
  PRIMARY KEY (station, boot)
) WITHOUT ROWID, STRICT;
CREATE TRIGGER entry_stays BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
CREATE TRIGGER entry_remains BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END;
"""
UNREADABLE = (sqlite3.DatabaseError, MemoryError, UnicodeDecodeError)
"""Raised when a damaged database is read: SQLite's own errors, impossible lengths, text that is none."""
_SENTENCES = Sentences(__package__, "store.json")  # by the beginning of SQLite's name of an error
_MARKED = """
ALTER TABLE station_seen ADD COLUMN crc INTEGER NOT NULL DEFAULT 0;
UPDATE station_seen SET crc = mark_crc(station, boot, event_seq);
"""
_CHANGES = {0: _SCHEMA + DECK_TABLE, 1: _MARKED + DECK_TABLE, 2: DECK_TABLE}
"""By version: what makes a database of it one of this version."""
_ROWS = "SELECT seq, at_us, cause, ver, body, crc FROM entry WHERE game_id = ? ORDER BY seq"


class JournalUnavailable(RuntimeError):
    """The journal cannot be opened or written: the text names the file, the reason, and what to do.

    `text` has the sentence in each language, or in English only if it is only ever printed in a terminal.
    """

    def __init__(self, said: str | Mapping[str, str]) -> None:
        text = dict.fromkeys(LANGUAGES, said) if isinstance(said, str) else dict(said)
        super().__init__(text["en"])
        self.text = text


class GameEntries(msgspec.Struct, frozen=True):
    """Hold the intact entries of a game, and a sentence about the rest."""

    entries: tuple[Entry, ...]
    damage: str = ""


def sentence(path: Path, error: Exception) -> dict[str, str]:
    code = getattr(error, "sqlite_errorname", "")
    fitting = next((name for name in _SENTENCES.texts if code.startswith(name)), "else")
    return _SENTENCES.text(fitting, path=path, error=error, code=code)


@contextmanager
def named_errors(path: Path) -> Iterator[None]:
    """Raise `JournalUnavailable` with a sentence for any error of SQLite about this file."""
    try:
        yield
    except sqlite3.Error as error:
        raise JournalUnavailable(sentence(path, error)) from error


def insert_entries(db: sqlite3.Connection, games: Iterable[tuple[str, Sequence[Entry]]]) -> None:
    """Write entries of several games with one call, and list each game that starts."""
    entries = [(game_id, entry) for game_id, written in games for entry in written]
    for game_id, entry in entries:
        if isinstance(entry.body, GameStarted):
            db.execute("INSERT INTO game VALUES (?, ?, ?)", (game_id, entry.body.game, entry.at_us))
    rows = [(game_id, entry, stored_row(game_id, entry)) for game_id, entry in entries]
    db.executemany(
        "INSERT INTO entry (game_id, seq, at_us, type, ver, cause, body, crc) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (game_id, row.seq, row.at_us, entry.type, row.ver, row.cause, row.body, row.crc)
            for game_id, entry, row in rows
        ],
    )


def entries_of(db: sqlite3.Connection, game_id: str) -> GameEntries:
    return entries_in(game_id, db.execute(_ROWS, (game_id,)))


def entries_in(game_id: str, rows: Iterable[tuple[Any, ...]]) -> GameEntries:
    entries: list[Entry] = []
    damage = ""
    try:
        for row in rows:
            entries.append(checked_entry(game_id, StoredRow(*row), len(entries) + 1))
    except BadEntry as error:
        damage = str(error)
    except UNREADABLE as error:
        damage = f"entry {len(entries) + 1} and what follows cannot be read ({error})"
    if damage:
        damage = f"game {game_id!r}: entries 1 to {len(entries)} are sound; {damage}"
    return GameEntries(tuple(entries), damage)


def locked(path: Path) -> IO[str]:
    """Lock the journal until the returned file is closed; raises `JournalUnavailable` if another process holds it."""
    lock_path = path.with_name(path.name + ".lock")
    try:
        lock = lock_path.open("a", encoding="ascii")
    except OSError as error:
        raise JournalUnavailable(
            f"journal {path}: {error.strerror}: check that its directory exists and may be written"
        ) from error
    try:
        hold_alone(lock)
    except BlockingIOError:
        lock.close()
        raise JournalUnavailable(
            f"journal {path} is in use by another citytable: stop that one, or choose another file"
        ) from None
    given_to(lock_path.parent, lock_path)
    return lock


def writing_connection(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        db.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        db.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
        db.execute("PRAGMA foreign_keys = ON")
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version in _CHANGES:
            db.create_function("mark_crc", 3, mark_crc)
            db.executescript(f"BEGIN IMMEDIATE; {_CHANGES[version]} PRAGMA user_version = {USER_VERSION}; COMMIT;")
        check_version(path, db)
        _make_pages_small(db)
    except (sqlite3.Error, JournalUnavailable):
        db.close()
        raise
    return db


def _make_pages_small(db: sqlite3.Connection) -> None:
    """Rewrite a database with smaller pages, all or nothing. It stays as it is while another process reads it."""
    (page_bytes,) = db.execute("PRAGMA page_size").fetchone()
    if page_bytes == PAGE_BYTES:
        return
    with suppress(sqlite3.OperationalError):  # somebody reads, or there is no room: a later start tries again
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        db.execute("VACUUM")
    db.execute("PRAGMA journal_mode = WAL")


def reading_connection(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)


def check_tables(path: Path, db: sqlite3.Connection) -> None:
    """Raise `JournalUnavailable` for an intact database of another program: it is left alone."""
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if tables and not tables & {"game", "entry", "station_seen"}:
        raise JournalUnavailable(
            f"journal {path}: this database holds something else ({', '.join(sorted(tables))[:80]}): "
            "give the path of another file"
        )


def check_version(path: Path, db: sqlite3.Connection) -> None:
    check_tables(path, db)
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version == 0:
        raise JournalUnavailable(f"journal {path}: nothing was ever written to it: give the path of another file")
    if version not in READABLE:
        raise JournalUnavailable(
            f"journal {path} has version {version}, this program writes {USER_VERSION}: update citytable"
        )


def lenient_connection(path: Path) -> sqlite3.Connection:
    """Open a database that may be damaged: bytes that are no text are read all the same, and fail their checksum."""
    db = sqlite3.connect(path, isolation_level=None)
    db.text_factory = lambda text: text.decode(errors="replace")
    return db


def marks_query(db: sqlite3.Connection) -> str:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    return f"SELECT station, boot, event_seq, {'-1' if version == 1 else 'crc'} FROM station_seen"


def deck_rows(db: sqlite3.Connection) -> str:
    """Return the query for the kept decks. In an older database it finds none."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    return DECK_ROWS if version == USER_VERSION else "SELECT '', '', '', 0 WHERE false"


def mark_crc(station: str, boot: int, event_seq: int) -> int:
    """Return the CRC-32 over a station's mark: without it a flipped bit could make the hub deaf to the station."""
    return zlib.crc32(f"{station}\n{boot}\n{event_seq}".encode())


def is_mark(station: object, boot: object, event_seq: object, crc: object) -> bool:
    """Return whether a mark matches its checksum; -1 stands for a mark without one."""
    if not (isinstance(station, str) and isinstance(boot, int) and isinstance(event_seq, int)):
        return False
    return crc in (-1, mark_crc(station, boot, event_seq))
