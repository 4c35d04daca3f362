"""Moves old games out of a journal: each becomes a file, and the journal keeps the others, byte for byte.

A journal grows with every game, and the hub reads all of it when it starts. `citytable import` brings a file back.
"""

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

import msgspec

from citytable.journal.backup import copied, flushed
from citytable.journal.database import JournalUnavailable, locked, named_errors
from citytable.journal.decks import cards_of, deck_of
from citytable.journal.export import read_export, write_export
from citytable.journal.owner import given_to, given_to_owner
from citytable.journal.store import Store


class Archived(msgspec.Struct, frozen=True):
    """Hold the names of the games that left, and how many stay."""

    gone: tuple[str, ...]
    stay: int


def archive(journal: Path, folder: Path, before_us: int) -> Archived:
    """Move games that began before a moment into a folder, except the last one; raises `JournalUnavailable`.

    Does nothing while a hub runs on the journal, or if a game is damaged. A power cut leaves the old journal or the new
    one.
    """
    if not journal.is_file():
        raise JournalUnavailable(f"there is no journal {journal}: give the path of one that a hub has written")
    part = journal.with_name(journal.name + ".archiving")
    with closing(locked(journal)):
        with Store.read(journal) as store:
            ids = store.ids()
            gone = [game_id for game_id, at_us in list(ids.items())[:-1] if at_us < before_us]
            try:
                folder.mkdir(parents=True, exist_ok=True)
                given_to(folder.parent, folder)
                for game_id in gone:
                    _write(store, game_id, folder / f"{game_id}.jsonl")
                    given_to(folder, folder / f"{game_id}.jsonl")
            except OSError as error:
                raise JournalUnavailable(f"archive {folder}: {error.strerror}: make room, or choose another") from error
        if gone:
            try:
                _without(journal, part, gone)
                _into_place(part, journal)
            except OSError as error:
                raise JournalUnavailable(f"journal {journal}: {error.strerror}: it stays as it was") from error
            finally:
                with suppress(OSError):
                    part.unlink(missing_ok=True)
    return Archived(tuple(gone), len(ids) - len(gone))


def _write(store: Store, game_id: str, file: Path) -> None:
    """Write a whole game with its cards and tags, and read it back; an earlier file of this name is replaced."""
    found = store.entries(game_id)
    if found.damage:
        raise JournalUnavailable(f"{found.damage}: restore a backup first; nothing has left the journal")
    write_export(file, game_id, found.entries, deck_of(cards_of(found.entries), store.decks()))
    flushed(file)
    if read_export(file).entries != found.entries:
        raise JournalUnavailable(f"{file} does not hold what was written: nothing has left the journal")


def _without(journal: Path, part: Path, gone: Sequence[str]) -> None:
    """Copy a journal without these games; everything else stays the same."""
    part.unlink(missing_ok=True)
    copied(journal, part)
    with named_errors(part), closing(sqlite3.connect(part)) as db:
        (remains,) = db.execute("SELECT sql FROM sqlite_master WHERE name = 'entry_remains'").fetchone()
        with db:
            db.execute("DROP TRIGGER entry_remains")
            db.executemany("DELETE FROM entry WHERE game_id = ?", [(game_id,) for game_id in gone])
            db.executemany("DELETE FROM game WHERE id = ?", [(game_id,) for game_id in gone])
            db.execute(remains)
        db.execute("VACUUM")
        (verdict,) = db.execute("PRAGMA integrity_check(1)").fetchone()
    if verdict != "ok":
        raise JournalUnavailable(f"the copy {part} is not sound: {verdict}; the journal stays as it was")
    flushed(part)


def _into_place(part: Path, journal: Path) -> None:
    """Put the copy in the journal's place in one step, once all that its log held is in its file."""
    with named_errors(journal), closing(sqlite3.connect(journal)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.execute("PRAGMA journal_mode = DELETE")
    part.replace(journal)
    folder = os.open(journal.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    given_to_owner(journal)
