"""The journal's store: SQLite in WAL mode with synchronous FULL, one writing connection, one process at a time.

A transaction that returned is on disk. One database belongs to one table. It holds all games of the table and the
high-water marks of its stations, written in the same transaction as the entries they caused. A damaged database is
salvaged when it is opened for writing (`salvage.py`): `Store.damage` names the losses.
"""

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, Self, TypeAlias

import msgspec

from citytable.journal.database import (
    GameEntries,
    JournalUnavailable,
    check_version,
    deck_rows,
    entries_of,
    insert_entries,
    locked,
    mark_crc,
    named_errors,
    reading_connection,
    writing_connection,
)
from citytable.journal.decks import KeptDeck, insert_decks, intact_decks
from citytable.journal.entry import DAMAGED, Draft, Entry, GameStarted
from citytable.journal.owner import given_to_owner
from citytable.journal.replay import Unreplayable, ending, is_over
from citytable.journal.salvage import cut_log, repaired

__all__ = ["BadCommit", "Commit", "GameEntries", "GameRow", "JournalUnavailable", "Marks", "Store"]

Marks: TypeAlias = Mapping[tuple[str, int], int]


class BadCommit(ValueError):
    """A commit makes no sense: our own fault, or the id of a game that was never started."""


class Commit(msgspec.Struct, frozen=True):
    """Hold everything that one caller wants written at once."""

    game_id: str
    drafts: tuple[Draft, ...] = ()
    marks: Marks = {}


class GameRow(msgspec.Struct, frozen=True):
    """Describe one game of a database. `over`: its end was written and counts."""

    id: str
    game: str
    started_us: int
    entries: int
    over: bool


class Store:
    """Read and write an open database, from one thread at a time."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, lock: IO[str] | None, damage: tuple[str, ...]
    ) -> None:
        self.path = path
        self.damage = damage
        self._db = connection
        self._lock = lock
        self._over: dict[str, tuple[int, bool]] = {}  # of a game with so many entries, which never change

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open for writing, and create if missing; raises `JournalUnavailable`. Read `damage` afterwards.

        Files created by root belong to the owner of the folder.
        """
        with ExitStack() as unless_opened:
            lock = unless_opened.enter_context(locked(path))
            damage = (*cut_log(path), *repaired(path))
            with named_errors(path):
                connection = writing_connection(path)
            given_to_owner(path)
            unless_opened.pop_all()
        return cls(path, connection, lock, damage)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Open for reading beside a writer; raises `JournalUnavailable`."""
        with named_errors(path):
            connection = reading_connection(path)
            check_version(path, connection)
        return cls(path, connection, None, ())

    def close(self) -> None:
        """Close the file."""
        self._db.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(self, commit: Commit) -> tuple[Entry, ...]:
        """Write one commit; it is on the medium when this returns. Raises `BadCommit`, `JournalUnavailable`."""
        result = self.append_group([commit])[0]
        if isinstance(result, BadCommit):
            raise result
        return result

    def append_group(self, commits: Sequence[Commit]) -> list[tuple[Entry, ...] | BadCommit]:
        """Write several commits in one transaction: one wait for the medium. Raises `JournalUnavailable` for all."""
        with named_errors(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                results = self._numbered(commits)
                accepted = [
                    (commit, entries)
                    for commit, entries in zip(commits, results, strict=True)
                    if not isinstance(entries, BadCommit)
                ]
                insert_entries(self._db, [(commit.game_id, entries) for commit, entries in accepted])
                self._mark([commit.marks for commit, _ in accepted])
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
        return results

    def _numbered(self, commits: Sequence[Commit]) -> list[tuple[Entry, ...] | BadCommit]:
        """Return the entries of each commit; nothing is written yet. Each game is looked up once."""
        lasts: dict[str, int] = {}
        numbered: list[tuple[Entry, ...] | BadCommit] = []
        for commit in commits:
            if commit.game_id not in lasts:
                lasts[commit.game_id] = self._last_seq(commit.game_id)
            try:
                entries = self._following(lasts[commit.game_id], commit)
            except BadCommit as refused:
                numbered.append(refused)
                continue
            lasts[commit.game_id] += len(entries)
            numbered.append(entries)
        return numbered

    def _last_seq(self, game_id: str) -> int:
        """Return the number of the game's last entry, 0 for a game that was never started."""
        (last,) = self._db.execute("SELECT coalesce(max(seq), 0) FROM entry WHERE game_id = ?", (game_id,)).fetchone()
        return int(last)

    def _following(self, last: int, commit: Commit) -> tuple[Entry, ...]:
        """Return the entries of a commit to a game whose last entry is number `last`; raises `BadCommit`."""
        starts = [isinstance(draft.body, GameStarted) for draft in commit.drafts]
        if not last and starts and not starts[0]:
            raise BadCommit(f"game {commit.game_id!r} is not in {self.path}: its first entry must be game_started")
        if any(starts[1:]) or (last and any(starts)):
            raise BadCommit(f"game {commit.game_id!r}: game_started can only be the first entry")
        return tuple(
            Entry(last + n, draft.at_us, draft.cause, draft.body) for n, draft in enumerate(commit.drafts, start=1)
        )

    def _mark(self, heard: Iterable[Marks]) -> None:
        """Write how far the stations were heard; a mark never goes back."""
        marks = [(*key, seq, mark_crc(*key, seq)) for marks in heard for key, seq in marks.items()]
        if marks:
            self._db.executemany(
                "INSERT INTO station_seen VALUES (?, ?, ?, ?) ON CONFLICT (station, boot) DO UPDATE "
                "SET event_seq = excluded.event_seq, crc = excluded.crc WHERE excluded.event_seq > event_seq",
                marks,
            )

    def entries(self, game_id: str) -> GameEntries:
        """Return a game's entries up to the first damaged one."""
        with named_errors(self.path):
            return entries_of(self._db, game_id)

    def ids(self) -> dict[str, int]:
        """Return when each game was started, by its id, in that order: at once, however long the journal is."""
        with named_errors(self.path):
            return dict(self._db.execute("SELECT id, started_us FROM game ORDER BY started_us, id"))

    def games(self) -> tuple[GameRow, ...]:
        """Return every game of the database, in the order in which they were started."""
        with named_errors(self.path):
            rows = self._db.execute("SELECT id, game, started_us FROM game ORDER BY started_us, id").fetchall()
            return tuple(self._game_row(*row) for row in rows)

    def _game_row(self, game_id: str, game: str, started_us: int) -> GameRow:
        (n,) = self._db.execute("SELECT count(*) FROM entry WHERE game_id = ?", (game_id,)).fetchone()
        before, over = self._over.get(game_id, (0, False))
        if n != before:
            over = False
            with suppress(Unreplayable):
                over = is_over(entries_of(self._db, game_id).entries)
            self._over[game_id] = (n, over)
        return GameRow(game_id, game, started_us, n, over)

    def latest(self) -> GameRow | None:
        """Return the game to go on with: the one started last, over or not, unless only damage ended it."""
        with named_errors(self.path):
            found = self._db.execute(
                "SELECT id, game, started_us FROM game ORDER BY started_us DESC, id DESC LIMIT 1"
            ).fetchone()
            last = None if found is None else self._game_row(*found)  # of the others nothing has to be read
        if last is None or (last.over and ending(self.entries(last.id).entries) == DAMAGED):
            return None
        return last

    def marks(self) -> dict[tuple[str, int], int]:
        """Return the last committed event_seq by (station, boot)."""
        with named_errors(self.path):
            rows = self._db.execute("SELECT station, boot, event_seq FROM station_seen").fetchall()
        return {(station, boot): seq for station, boot, seq in rows}

    def forget_marks(self, keys: Collection[tuple[str, int]]) -> None:
        """Forget how far these starts of stations, as (station, boot), were heard; raises `JournalUnavailable`."""
        with named_errors(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._db.executemany("DELETE FROM station_seen WHERE station = ? AND boot = ?", keys)
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    def keep_deck(self, deck: KeptDeck) -> None:
        """Keep a deck beside the games that are played with it; raises `JournalUnavailable`."""
        with named_errors(self.path):
            insert_decks(self._db, [deck])

    def decks(self) -> tuple[KeptDeck, ...]:
        """Return every deck that is kept."""
        with named_errors(self.path):
            return intact_decks(self._db.execute(deck_rows(self._db)))

    def take_in(self, game_id: str, entries: Sequence[Entry]) -> None:
        """Add a whole game written elsewhere; raises `BadCommit` when a game of this id is there already."""
        if not entries or not isinstance(entries[0].body, GameStarted):
            raise BadCommit(f"game {game_id!r}: its first entry must be game_started")
        if game_id in self.ids():
            raise BadCommit(f"game {game_id!r} is in {self.path} already")
        self.lengthen(game_id, entries)

    def lengthen(self, game_id: str, entries: Sequence[Entry]) -> None:
        """Add later entries of a game to those here, or all if it is new; raises `BadCommit` for another game."""
        known = self.entries(game_id).entries
        if not entries or not isinstance(entries[0].body, GameStarted) or known != tuple(entries[: len(known)]):
            raise BadCommit(f"game {game_id!r} does not go on as it does in {self.path}")
        with named_errors(self.path), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            insert_entries(self._db, [(game_id, entries[len(known) :])])
