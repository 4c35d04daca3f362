"""The journal's database: SQLite in WAL mode with synchronous FULL, one writing connection, one process at a time.

A transaction that returned is on the medium. One database belongs to one table and holds all its games, and the
high-water marks of its stations, written in the same transaction as the entries they caused. A second process that
wants to write is refused by a lock file; tools read beside the writer.

A damaged database is never overwritten: what is sound of it is copied into a new one, the old file stays beside it, and
`Store.damage` says what was lost. A game that was not over is ended there, so that nobody goes on with half a game
unasked. Of a damaged log SQLite itself takes what is sound and drops the rest without a word: then the game goes on
from there, the log as it was is kept, and `Store.damage` says that, too.
"""

import fcntl
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Self, TypeAlias

import msgspec

from citytable.journal.entry import DAMAGED, BadEntry, Draft, Entry, GameEnded, GameStarted, Stored, sound, stored
from citytable.journal.log import Log
from citytable.journal.replay import Unreplayable, ending, is_over
from citytable.rules.sentences import Sentences

USER_VERSION = 3
"""In version 1 the stations' marks had no checksum; in version 2 all entries were of version 1. Both are read, and
become version 3 when opened for writing: a program that knows only older entries leaves such a database alone."""
READABLE = (1, 2, USER_VERSION)
LEAST_BYTES = 512
"""SQLite takes what is shorter than its smallest page for a database with nothing in it."""
BUSY_MS = 2000

Marks: TypeAlias = Mapping[tuple[str, int], int]

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
_UNREADABLE = (sqlite3.DatabaseError, MemoryError, UnicodeDecodeError)
"""What reading a damaged database raises: SQLite's own errors, lengths that make no sense, words that are no text."""
_SENTENCES = Sentences(__package__, "store.json")  # by the beginning of SQLite's name of an error
_MARKED = """
ALTER TABLE station_seen ADD COLUMN crc INTEGER NOT NULL DEFAULT 0;
UPDATE station_seen SET crc = mark_crc(station, boot, event_seq);
"""
_CHANGES = {0: _SCHEMA, 1: _MARKED, 2: ""}
"""By version: what makes a database of it one of this version."""
_ROWS = "SELECT seq, at_us, cause, ver, body, crc FROM entry WHERE game_id = ? ORDER BY seq"


class JournalUnavailable(RuntimeError):
    """The journal cannot be opened or written: which file, why, and what to do.

    `text` says it in each language; in English only where nobody but the host's terminal meets it.
    """

    def __init__(self, said: str | Mapping[str, str]) -> None:
        text = {"en": said, "fr": said} if isinstance(said, str) else dict(said)
        super().__init__(text["en"])
        self.text = text


class BadCommit(ValueError):
    """A commit that makes no sense: our own fault, or a game id that nobody started."""


class Commit(msgspec.Struct, frozen=True):
    """What one caller wants written at once."""

    game_id: str
    drafts: tuple[Draft, ...] = ()
    marks: Marks = {}


class GameRow(msgspec.Struct, frozen=True):
    """One game of a database. `over`: its end was written and stands."""

    id: str
    game: str
    started_us: int
    entries: int
    over: bool


class Sound(msgspec.Struct, frozen=True):
    """What is sound of a game, and a sentence about what is not."""

    entries: tuple[Entry, ...]
    damage: str = ""


def _sentence(path: Path, error: Exception) -> dict[str, str]:
    code = getattr(error, "sqlite_errorname", "")
    fitting = next((name for name in _SENTENCES.texts if code.startswith(name)), "else")
    return _SENTENCES.text(fitting, path=path, error=error, code=code)


@contextmanager
def told(path: Path) -> Iterator[None]:
    """What SQLite says about this file becomes a `JournalUnavailable` with a sentence."""
    try:
        yield
    except sqlite3.Error as error:
        raise JournalUnavailable(_sentence(path, error)) from error


class Store:
    """An open database. Not for several threads at once: whoever shares it keeps to one."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, lock: IO[str] | None, damage: tuple[str, ...]
    ) -> None:
        self.path = path
        self.damage = damage
        self._db = connection
        self._lock = lock

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open for writing, made if missing; raises `JournalUnavailable`. Look at `damage` afterwards."""
        with ExitStack() as unless_opened:
            lock = unless_opened.enter_context(locked(path))
            damage = (*_cut_log(path), *mended(path))
            with told(path):
                connection = _writing_connection(path)
            unless_opened.pop_all()
        return cls(path, connection, lock, damage)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Open for reading beside a writer; raises `JournalUnavailable`."""
        with told(path):
            connection = _reading_connection(path)
            _check_version(path, connection)
        return cls(path, connection, None, ())

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(self, commit: Commit) -> tuple[Entry, ...]:
        """Write one commit; durable when it returns. Raises `BadCommit`, `JournalUnavailable`."""
        result = self.append_group([commit])[0]
        if isinstance(result, BadCommit):
            raise result
        return result

    def append_group(self, commits: Sequence[Commit]) -> list[tuple[Entry, ...] | BadCommit]:
        """Write several commits in one transaction: one wait for the medium. Raises `JournalUnavailable` for all."""
        with told(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                results = self._numbered(commits)
                accepted = [
                    (commit, entries)
                    for commit, entries in zip(commits, results, strict=True)
                    if not isinstance(entries, BadCommit)
                ]
                _insert(self._db, [(commit.game_id, entries) for commit, entries in accepted])
                self._mark([commit.marks for commit, _ in accepted])
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
        return results

    def _numbered(self, commits: Sequence[Commit]) -> list[tuple[Entry, ...] | BadCommit]:
        """The entries each commit comes to; nothing is written yet. Each game is looked up once."""
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
        """The number of the game's last entry, 0 for one that nobody started."""
        (last,) = self._db.execute("SELECT coalesce(max(seq), 0) FROM entry WHERE game_id = ?", (game_id,)).fetchone()
        return int(last)

    def _following(self, last: int, commit: Commit) -> tuple[Entry, ...]:
        """The entries of a commit to a game whose last one is number `last`; raises `BadCommit`."""
        starts = [isinstance(draft.body, GameStarted) for draft in commit.drafts]
        if not last and starts and not starts[0]:
            raise BadCommit(f"game {commit.game_id!r} is not in {self.path}: its first entry must be game_started")
        if any(starts[1:]) or (last and any(starts)):
            raise BadCommit(f"game {commit.game_id!r}: game_started can only be the first entry")
        return tuple(
            Entry(last + n, draft.at_us, draft.cause, draft.body) for n, draft in enumerate(commit.drafts, start=1)
        )

    def _mark(self, heard: Iterable[Marks]) -> None:
        """How far the stations were heard; a mark never sinks."""
        marks = [(*key, seq, mark_crc(*key, seq)) for marks in heard for key, seq in marks.items()]
        if marks:
            self._db.executemany(
                "INSERT INTO station_seen VALUES (?, ?, ?, ?) ON CONFLICT (station, boot) DO UPDATE "
                "SET event_seq = excluded.event_seq, crc = excluded.crc WHERE excluded.event_seq > event_seq",
                marks,
            )

    def entries(self, game_id: str) -> Sound:
        """A game's entries up to the first that is not sound."""
        with told(self.path):
            return _sound_entries(self._db, game_id)

    def games(self) -> tuple[GameRow, ...]:
        """Every game of the database, in the order they were started."""
        with told(self.path):
            rows = self._db.execute("SELECT id, game, started_us FROM game ORDER BY started_us, id").fetchall()
            return tuple(self._game_row(*row) for row in rows)

    def _game_row(self, game_id: str, game: str, started_us: int) -> GameRow:
        (n,) = self._db.execute("SELECT count(*) FROM entry WHERE game_id = ?", (game_id,)).fetchone()
        over = False
        with suppress(Unreplayable):
            over = is_over(_sound_entries(self._db, game_id).entries)
        return GameRow(game_id, game, started_us, n, over)

    def latest(self) -> GameRow | None:
        """The game to go on with: the one started last, over or not, unless only damage ended it."""
        for last in self.games()[-1:]:
            if not last.over or ending(self.entries(last.id).entries) != DAMAGED:
                return last
        return None

    def marks(self) -> dict[tuple[str, int], int]:
        """The last committed event_seq by (station, boot)."""
        with told(self.path):
            rows = self._db.execute("SELECT station, boot, event_seq FROM station_seen").fetchall()
        return {(station, boot): seq for station, boot, seq in rows}

    def take_in(self, game_id: str, entries: Sequence[Entry]) -> None:
        """Add a whole game written elsewhere; raises `BadCommit` when a game of this id is there already."""
        if not entries or not isinstance(entries[0].body, GameStarted):
            raise BadCommit(f"game {game_id!r}: its first entry must be game_started")
        if any(row.id == game_id for row in self.games()):
            raise BadCommit(f"game {game_id!r} is in {self.path} already")
        with told(self.path), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            _insert(self._db, [(game_id, entries)])


def _insert(db: sqlite3.Connection, games: Iterable[tuple[str, Sequence[Entry]]]) -> None:
    """Entries of games, all of them with one call; a game that starts is listed."""
    entries = [(game_id, entry) for game_id, written in games for entry in written]
    for game_id, entry in entries:
        if isinstance(entry.body, GameStarted):
            db.execute("INSERT INTO game VALUES (?, ?, ?)", (game_id, entry.body.game, entry.at_us))
    rows = [(game_id, entry, stored(game_id, entry)) for game_id, entry in entries]
    db.executemany(
        "INSERT INTO entry (game_id, seq, at_us, type, ver, cause, body, crc) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (game_id, row.seq, row.at_us, entry.type, row.ver, row.cause, row.body, row.crc)
            for game_id, entry, row in rows
        ],
    )


def _sound_entries(db: sqlite3.Connection, game_id: str) -> Sound:
    return _sound_rows(game_id, db.execute(_ROWS, (game_id,)))


def _sound_rows(game_id: str, rows: Iterable[tuple[Any, ...]]) -> Sound:
    entries: list[Entry] = []
    damage = ""
    try:
        for row in rows:
            entries.append(sound(game_id, Stored(*row), len(entries) + 1))
    except BadEntry as error:
        damage = str(error)
    except _UNREADABLE as error:
        damage = f"entry {len(entries) + 1} and what follows cannot be read ({error})"
    if damage:
        damage = f"game {game_id!r}: entries 1 to {len(entries)} are sound; {damage}"
    return Sound(tuple(entries), damage)


def locked(path: Path) -> IO[str]:
    """Hold the journal for ourselves until the file is closed; raises `JournalUnavailable` when another holds it."""
    lock_path = path.with_name(path.name + ".lock")
    try:
        lock = lock_path.open("a")
    except OSError as error:
        raise JournalUnavailable(
            f"journal {path}: {error.strerror}: check that its directory exists and may be written"
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise JournalUnavailable(
            f"journal {path} is in use by another citytable: stop that one, or choose another file"
        ) from None
    return lock


def _writing_connection(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        db.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version in _CHANGES:
            db.create_function("mark_crc", 3, mark_crc)
            db.executescript(f"BEGIN IMMEDIATE; {_CHANGES[version]} PRAGMA user_version = {USER_VERSION}; COMMIT;")
        _check_version(path, db)
    except (sqlite3.Error, JournalUnavailable):
        db.close()
        raise
    return db


def _reading_connection(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)


def _check_tables(path: Path, db: sqlite3.Connection) -> None:
    """Raise `JournalUnavailable` for a sound database that is somebody else's: it is left alone."""
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if tables and not tables & {"game", "entry", "station_seen"}:
        raise JournalUnavailable(
            f"journal {path}: this database holds something else ({', '.join(sorted(tables))[:80]}): "
            "give the path of another file"
        )


def _check_version(path: Path, db: sqlite3.Connection) -> None:
    _check_tables(path, db)
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version == 0:
        raise JournalUnavailable(f"journal {path}: nothing was ever written to it: give the path of another file")
    if version not in READABLE:
        raise JournalUnavailable(
            f"journal {path} has version {version}, this program writes {USER_VERSION}: update citytable"
        )


def _cut_log(path: Path) -> tuple[str, ...]:
    """Let SQLite take the log beside a database; a sentence when it leaves commits behind, which are kept."""
    log = Log.beside(path)
    if log is None:
        return ()
    try:
        taken, left = log.lost(path)
    except sqlite3.DatabaseError:
        return ()  # the database itself is damaged, which is told with everything else
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
    """How far the game goes that was written last."""
    with closing(_doubting_connection(path)) as db, suppress(*_UNREADABLE):
        for game_id, seq in db.execute("SELECT game_id, seq FROM entry ORDER BY n DESC LIMIT 1"):
            return f"Game {game_id!r} is known up to entry {seq}"
    return "Nothing is known of any game"


def mended(path: Path) -> tuple[str, ...]:
    """Replace a damaged database by what is sound of it; the sentences say what was not. Its lock must be held."""
    return _salvage(path) if _is_damaged(path) else ()


def _is_damaged(path: Path) -> bool:
    """Whether SQLite or a checksum finds fault with an existing database; raises for a file that is none at all."""
    if not path.exists() or path.stat().st_size == 0:
        return False
    if path.stat().st_size < LEAST_BYTES:
        raise JournalUnavailable(f"journal {path}: these {path.stat().st_size} bytes are no journal: restore a backup")
    with closing(_doubting_connection(path)) as db:
        try:
            (verdict,) = db.execute("PRAGMA integrity_check(1)").fetchone()
            if verdict == "ok":
                _check_tables(path, db)
            (version,) = db.execute("PRAGMA user_version").fetchone()
            ours = version in READABLE  # whether it is newer is told later
            return bool(verdict != "ok" or (ours and _contradicts_itself(db)))
        except sqlite3.OperationalError as error:
            if "no such" in str(error):
                return True
            raise JournalUnavailable(_sentence(path, error)) from error
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
                raise JournalUnavailable(_sentence(path, error)) from error
            return True
        except (MemoryError, UnicodeDecodeError):  # a length that makes no sense, a name that is no text
            return True


def _doubting_connection(path: Path) -> sqlite3.Connection:
    """For a database that may be damaged: text that is none is read all the same, and fails its checksum."""
    db = sqlite3.connect(path, isolation_level=None)
    db.text_factory = lambda text: text.decode(errors="replace")
    return db


def _contradicts_itself(db: sqlite3.Connection) -> bool:
    """Whether a checksum does not fit, or the list of games is not that of the entries, which the checksums cover."""
    games = db.execute("SELECT id, game, started_us FROM game").fetchall()
    (strangers,) = db.execute("SELECT count(*) FROM entry WHERE game_id NOT IN (SELECT id FROM game)").fetchone()
    if strangers or any(not _is_mark(*row) for row in db.execute(_marks_query(db))):
        return True
    for game_id, game, started_us in games:
        found = _sound_entries(db, game_id)
        if found.damage or not found.entries:
            return True
        first = found.entries[0]
        if (first.at_us, getattr(first.body, "game", None)) != (started_us, game):
            return True
    return False


def _marks_query(db: sqlite3.Connection) -> str:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    return f"SELECT station, boot, event_seq, {'-1' if version == 1 else 'crc'} FROM station_seen"


def mark_crc(station: str, boot: int, event_seq: int) -> int:
    """CRC-32 over a station's mark, so that a flipped bit makes nobody deaf to it."""
    return zlib.crc32(f"{station}\n{boot}\n{event_seq}".encode())


def _is_mark(station: object, boot: object, event_seq: object, crc: object) -> bool:
    """Whether its checksum fits; -1 stands for none."""
    if not (isinstance(station, str) and isinstance(boot, int) and isinstance(event_seq, int)):
        return False
    return crc in (-1, mark_crc(station, boot, event_seq))


def _salvage(path: Path) -> tuple[str, ...]:
    """Copy what is sound into a new database in the old one's place; the sentences say what was not."""
    damage: list[str] = []
    with closing(_doubting_connection(path)) as db:
        db.execute("PRAGMA writable_schema = ON")  # else SQLite refuses every page of a file that was cut
        rows = _readable_rows(db, damage)
        marks = _readable_marks(db, damage)
        listed = _readable(db, "SELECT id FROM game", (str,), damage)
        saved = [(game_id, _sound_rows(game_id, found)) for game_id, found in rows.items()]
        damage += [
            f"game {game_id!r} is lost: no entry of it can be read" for (game_id,) in listed if game_id not in rows
        ]
    aside = _free_name(path)
    rebuilt = path.with_name(path.name + ".rebuilt")
    rebuilt.unlink(missing_ok=True)
    with told(path), closing(_writing_connection(rebuilt)) as fresh:
        fresh.execute("BEGIN IMMEDIATE")
        _insert(
            fresh,
            [(game_id, (*what.entries, *_closing_entry(game_id, what.entries, damage))) for game_id, what in saved],
        )
        fresh.executemany("INSERT INTO station_seen VALUES (?, ?, ?, ?)", marks)
        fresh.execute("COMMIT")
        fresh.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    path.rename(aside)
    rebuilt.rename(path)
    damage.extend(what.damage for _, what in saved if what.damage)
    return (f"journal {path} was damaged: what is sound was copied, the damaged file is kept as {aside}", *damage)


def _closing_entry(game_id: str, entries: tuple[Entry, ...], damage: list[str]) -> tuple[Entry, ...]:
    """Ends a game whose end was not found, so that it goes on only when a person undoes that."""
    with suppress(Unreplayable):
        if is_over(entries):
            return ()
    damage.append(f"game {game_id!r} was not over: {len(entries)} entries were found, what followed is lost")
    if not entries:
        return ()
    return (Entry(len(entries) + 1, entries[-1].at_us, "system", GameEnded(termination=DAMAGED)),)


def _readable_marks(db: sqlite3.Connection, damage: list[str]) -> list[tuple[str, int, int, int]]:
    """The stations' marks whose checksums fit, with new ones."""
    try:
        query = _marks_query(db)
    except _UNREADABLE as error:
        damage.append(f"how far the stations were heard cannot be read ({error!r})")
        return []
    found = _readable(db, query, (str, int, int, int), damage)
    sound_ones = [row for row in found if _is_mark(*row)]
    if len(sound_ones) < len(found):
        damage.append(f"how far {len(found) - len(sound_ones)} stations were heard is not known any more")
    return [(station, boot, seq, mark_crc(station, boot, seq)) for station, boot, seq, _ in sound_ones]


def _readable_rows(db: sqlite3.Connection, damage: list[str]) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every game that can be reached from either end of the table, by game, in order."""
    found: dict[int, tuple[Any, ...]] = {}
    for direction in ("ASC", "DESC"):
        query = f"SELECT n, game_id, seq, at_us, cause, ver, body, crc FROM entry NOT INDEXED ORDER BY n {direction}"
        found |= {n: row for n, *row in _readable(db, query, (int, str, int, int, str, int, str, int), damage)}
    games: dict[str, list[tuple[Any, ...]]] = {}
    for _, (game_id, *row) in sorted(found.items()):
        games.setdefault(game_id, []).append(tuple(row))
    return games


def _readable(db: sqlite3.Connection, query: str, kinds: tuple[type, ...], damage: list[str]) -> list[tuple[Any, ...]]:
    """The rows of a query that can be reached and hold values of these kinds; a page of zeros gives rows of NULL."""
    rows: list[tuple[Any, ...]] = []
    try:
        rows.extend(db.execute(query))
    except _UNREADABLE as error:
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
