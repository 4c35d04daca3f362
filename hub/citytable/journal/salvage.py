"""Salvage: copies the intact part of a damaged journal into a new one in its place.

A damaged database is never overwritten: the old file stays beside the new one, and sentences name the losses. An
unfinished game is ended there, so that nobody continues half a game without knowing. SQLite itself uses the intact part
of a damaged log and drops the rest silently: then the game continues from there, and a copy of the log is kept.
"""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from citytable.journal.database import (
    READABLE,
    UNREADABLE,
    JournalUnavailable,
    check_tables,
    deck_rows,
    entries_in,
    entries_of,
    insert_entries,
    is_mark,
    lenient_connection,
    mark_crc,
    marks_query,
    named_errors,
    sentence,
    writing_connection,
)
from citytable.journal.decks import KeptDeck, insert_decks, intact_decks
from citytable.journal.entry import DAMAGED, Entry, GameEnded, StoredRow, checksum
from citytable.journal.log import Log
from citytable.journal.replay import Unreplayable, is_over
from citytable.journal.upcasting import VERSION

LEAST_BYTES = 512
"""SQLite takes what is shorter than its smallest page for a database with nothing in it."""


def cut_log(path: Path) -> tuple[str, ...]:
    """Let SQLite use the log beside a database. Return a sentence if it drops commits; the log is kept then."""
    log = Log.beside(path)
    if log is None:
        return ()
    try:
        taken, left = log.taken_and_left(path)
    except sqlite3.DatabaseError:
        return ()  # the database itself is damaged, which is reported with everything else
    if not left:
        return ()
    aside = _free_name(path.with_name(path.name + "-wal"))
    aside.write_bytes(log.content)
    lost = (
        f"the last {left} commits are lost"
        if left > 1
        else "its last commit is lost, unless it was being written when the power went"
    )
    known = _known(path)
    return (f"journal {path}: its log is damaged after {taken} commits, {lost}. {known}; the log is kept as {aside}",)


def _known(path: Path) -> str:
    """Return a sentence about how far the latest game is known."""
    with closing(lenient_connection(path)) as db, suppress(*UNREADABLE):
        for game_id, seq in db.execute("SELECT game_id, seq FROM entry ORDER BY n DESC LIMIT 1"):
            return f"Game {game_id!r} is known up to entry {seq}"
    return "Nothing is known of any game"


def repaired(path: Path) -> tuple[str, ...]:
    """Replace a damaged database by its intact part; the sentences name the losses. The caller must hold its lock."""
    return _salvage(path) if _is_damaged(path) else ()


def _is_damaged(path: Path) -> bool:
    """Return whether SQLite or a checksum finds fault with an existing database; raises if a file is no database."""
    if not path.exists() or path.stat().st_size == 0:
        return False
    if path.stat().st_size < LEAST_BYTES:
        raise JournalUnavailable(
            f"journal {path}: these {path.stat().st_size} bytes are not a journal: restore a backup"
        )
    with closing(lenient_connection(path)) as db:
        try:
            (verdict,) = db.execute("PRAGMA integrity_check(1)").fetchone()
            if verdict == "ok":
                check_tables(path, db)
            (version,) = db.execute("PRAGMA user_version").fetchone()
            ours = version in READABLE  # a newer one is reported later
            if ours:
                _refuse_newer_entries(path, db)
            return bool(verdict != "ok" or (ours and _contradicts_itself(db)))
        except sqlite3.OperationalError as error:
            if "no such" in str(error):
                return True
            raise JournalUnavailable(sentence(path, error)) from error
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
                raise JournalUnavailable(sentence(path, error)) from error
            return True
        except (MemoryError, UnicodeDecodeError):  # a length that makes no sense, a name that is no text
            return True


def _refuse_newer_entries(path: Path, db: sqlite3.Connection) -> None:
    """Raise `JournalUnavailable` for an intact entry of a newer program: it is not damaged, and nothing is lost."""
    newer = "SELECT game_id, seq, at_us, cause, ver, body, crc FROM entry WHERE ver > ?"
    for game_id, *values in db.execute(newer, (VERSION,)):
        row = StoredRow(*values)
        if checksum(game_id, row) == row.crc:
            raise JournalUnavailable(
                f"journal {path}: entry {row.seq} of game {game_id!r} has version {row.ver}, this program reads up to "
                f"{VERSION}: update citytable"
            )


def _contradicts_itself(db: sqlite3.Connection) -> bool:
    """Return whether a checksum does not fit, or a list that no checksum covers does not fit the entries."""
    games = db.execute("SELECT id, game, started_us FROM game").fetchall()
    decks = db.execute(deck_rows(db)).fetchall()
    if len(intact_decks(decks)) < len(decks):
        return True
    (strangers,) = db.execute("SELECT count(*) FROM entry WHERE game_id NOT IN (SELECT id FROM game)").fetchone()
    if strangers or any(not is_mark(*row) for row in db.execute(marks_query(db))):
        return True
    for game_id, game, started_us in games:
        found = entries_of(db, game_id)
        if found.damage or not found.entries:
            return True
        first = found.entries[0]
        if (first.at_us, getattr(first.body, "game", None)) != (started_us, game):
            return True
    mistyped = "SELECT 1 FROM entry WHERE type IS NOT json_extract(body, '$.type') LIMIT 1"  # no checksum covers it
    return db.execute(mistyped).fetchone() is not None


def _salvage(path: Path) -> tuple[str, ...]:
    """Copy the intact part into a new database in the old one's place; the sentences name the losses."""
    damage: list[str] = []
    with closing(lenient_connection(path)) as db:
        db.execute("PRAGMA writable_schema = ON")  # else SQLite refuses every page of a file that was cut
        rows = _readable_rows(db, damage)
        marks = _readable_marks(db, damage)
        listed = _readable(db, "SELECT id FROM game", (str,), damage)
        decks = _readable_decks(db, damage)
        saved = [(game_id, entries_in(game_id, found)) for game_id, found in rows.items()]
        damage += [
            f"game {game_id!r} is lost: no entry of it can be read" for (game_id,) in listed if game_id not in rows
        ]
    aside = _free_name(path)
    rebuilt = path.with_name(path.name + ".rebuilt")
    rebuilt.unlink(missing_ok=True)
    with named_errors(path), closing(writing_connection(rebuilt)) as fresh:
        fresh.execute("BEGIN IMMEDIATE")
        insert_entries(
            fresh,
            [(game_id, (*what.entries, *_closing_entry(game_id, what.entries, damage))) for game_id, what in saved],
        )
        fresh.executemany("INSERT INTO station_seen VALUES (?, ?, ?, ?)", marks)
        insert_decks(fresh, decks)
        fresh.execute("COMMIT")
        fresh.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    path.rename(aside)
    rebuilt.rename(path)
    damage.extend(what.damage for _, what in saved if what.damage)
    return (f"journal {path} was damaged: what is sound was copied, the damaged file is kept as {aside}", *damage)


def _closing_entry(game_id: str, entries: tuple[Entry, ...], damage: list[str]) -> tuple[Entry, ...]:
    """Return the entry that ends a game without an intact end: it continues only if a person undoes that."""
    with suppress(Unreplayable):
        if is_over(entries):
            return ()
    damage.append(f"game {game_id!r} was not over: {len(entries)} entries were found, what followed is lost")
    if not entries:
        return ()
    return (Entry(len(entries) + 1, entries[-1].at_us, "system", GameEnded(termination=DAMAGED)),)


def _readable_marks(db: sqlite3.Connection, damage: list[str]) -> list[tuple[str, int, int, int]]:
    """Return the stations' marks whose checksums fit, each with a new checksum."""
    try:
        query = marks_query(db)
    except UNREADABLE as error:
        damage.append(f"how far the stations were heard cannot be read ({error!r})")
        return []
    found = _readable(db, query, (str, int, int, int), damage)
    sound_ones = [row for row in found if is_mark(*row)]
    if len(sound_ones) < len(found):
        damage.append(f"how far {len(found) - len(sound_ones)} stations were heard is not known any more")
    return [(station, boot, seq, mark_crc(station, boot, seq)) for station, boot, seq, _ in sound_ones]


def _readable_decks(db: sqlite3.Connection, damage: list[str]) -> tuple[KeptDeck, ...]:
    """Return the kept decks whose checksums fit; `damage` names the others."""
    try:
        query = deck_rows(db)
    except UNREADABLE as error:
        damage.append(f"the kept decks cannot be read ({error!r})")
        return ()
    found = _readable(db, query, (str, str, str, int), damage)
    intact = intact_decks(found)
    hashes = {deck.sha256 for deck in intact}
    damage += [
        f"the deck {name!r} with the hash {sha256[:12]} is damaged and is not kept any more: "
        "start the hub once with that deck's file (--deck), or restore a backup"
        for sha256, name, *_ in found
        if sha256 not in hashes
    ]
    return intact


def _readable_rows(db: sqlite3.Connection, damage: list[str]) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row that can be reached from either end of the table, by game, in order."""
    found: dict[int, tuple[Any, ...]] = {}
    for direction in ("ASC", "DESC"):
        query = f"SELECT n, game_id, seq, at_us, cause, ver, body, crc FROM entry NOT INDEXED ORDER BY n {direction}"
        found |= {n: row for n, *row in _readable(db, query, (int, str, int, int, str, int, str, int), damage)}
    games: dict[str, list[tuple[Any, ...]]] = {}
    for _, (game_id, *row) in sorted(found.items()):
        games.setdefault(game_id, []).append(tuple(row))
    return games


def _readable(db: sqlite3.Connection, query: str, kinds: tuple[type, ...], damage: list[str]) -> list[tuple[Any, ...]]:
    """Return the readable rows of a query with values of these kinds. A page of zeros gives rows of NULL."""
    rows: list[tuple[Any, ...]] = []
    try:
        rows.extend(db.execute(query))
    except UNREADABLE as error:
        damage.append(f"the list read by {query!r} ends after {len(rows)} rows ({error!r})")
    whole = [row for row in rows if all(isinstance(value, kind) for value, kind in zip(row, kinds, strict=True))]
    if len(whole) < len(rows):
        damage.append(f"the list read by {query!r} holds {len(rows) - len(whole)} rows that are empty or no rows of it")
    return whole


def _free_name(path: Path) -> Path:
    n = 1
    while (aside := path.with_name(f"{path.name}.damaged-{n}")).exists():
        n += 1
    return aside
