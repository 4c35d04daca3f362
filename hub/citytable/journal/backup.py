"""Backups of a journal: a whole copy in one file, checked before it counts, and its restoration.

A backup is made while the hub runs. It is complete or does not exist. Only the newest few are kept.

The hub backs up each game that ends. A whole copy each time would write, in a month, hundreds of times what is kept. So
each game becomes a separate file beside the last whole copy, and the next whole copy is made once these files are as
large as that. Restoring the newest whole copy also restores the games of these files.
"""

import errno
import os
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import msgspec

from citytable.journal.database import JournalUnavailable, locked, named_errors
from citytable.journal.decks import cards_of, deck_of
from citytable.journal.export import NotAnExport, read_export, write_export
from citytable.journal.owner import given_to, given_to_owner
from citytable.journal.salvage import repaired
from citytable.journal.store import BadCommit, GameRow, Store

KEPT = 20
OWN_KEPT = 4
"""Whole copies that the hub itself keeps: each holds the ones before it, and is about twice as large."""
_LATER = ".game.jsonl"
_LOG_SUFFIXES = ("", "-wal", "-shm")


class Restored(msgspec.Struct, frozen=True):
    """Hold the result of a restoration: its games, the damage of the backup, and the path of the old journal."""

    games: tuple[GameRow, ...]
    damage: tuple[str, ...]
    aside: Path | None


def backups_of(journal: Path) -> Path:
    """Return the folder of a journal's backups."""
    return journal.with_name("backups")


def back_up(journal: Path, folder: Path, name: str, keep: int = KEPT) -> Path:
    """Copy a journal into a folder as `<journal>-<name>` and keep the newest there; raises `JournalUnavailable`.

    An earlier backup of this name is replaced. A damaged copy is not kept, and nothing is removed for it. Only the
    folder beside the journal is created if it is missing: another one may be on a stick that is not plugged in. Files
    made by root belong to the owner of the folder above, because the hub could not write there otherwise.
    """
    backup = folder / f"{journal.stem}-{name}{journal.suffix}"
    part = backup.with_name(backup.name + ".part")
    if not journal.is_file():
        raise JournalUnavailable(f"there is no journal {journal}: give the path of one that a hub has written")
    try:
        _prepared(folder, is_own=folder.absolute() == backups_of(journal).absolute())
        part.unlink(missing_ok=True)
        copied(journal, part)
        _check(part, backup)
        flushed(part)
        part.replace(backup)
        given_to(folder, backup)
    except OSError as error:
        raise JournalUnavailable(f"backup {backup}: {error.strerror}: {_advice(error, folder)}") from error
    finally:
        with suppress(OSError):  # it was reported already
            part.unlink(missing_ok=True)
    for old in (*_oldest_first(folder, journal)[:-keep], *_oldest_first(folder, journal, _LATER)):
        old.unlink(missing_ok=True)
    return backup


def back_up_game(journal: Path, folder: Path, game_id: str) -> None:
    """Back up a game that has ended, or ended again, in the folder beside the journal.

    Raises `JournalUnavailable`, also if the game is damaged; no backup is lost then.
    """
    whole = _oldest_first(folder, journal)
    if whole:
        _write_game(journal, folder, game_id)
    later_bytes = sum(path.stat().st_size for path in _oldest_first(folder, journal, _LATER))
    if not whole or later_bytes > whole[-1].stat().st_size:
        back_up(journal, folder, game_id, OWN_KEPT)


def _write_game(journal: Path, folder: Path, game_id: str) -> None:
    """Write a game into its own file, replacing an earlier one of this game."""
    file = folder / f"{journal.stem}-{game_id}{_LATER}"
    with Store.read(journal) as store:
        found = store.entries(game_id)
        if found.damage:
            raise JournalUnavailable(f"backup {file} is not made: {found.damage}")
        write_export(file, game_id, found.entries, deck_of(cards_of(found.entries), store.decks()))
    given_to(folder, file)


def _prepared(folder: Path, *, is_own: bool) -> None:
    """Create the folder beside the journal; raises if another folder is missing, or if this one is not writable."""
    if is_own:
        folder.mkdir(exist_ok=True)
        given_to(folder.parent, folder)
    elif not folder.exists():
        raise JournalUnavailable(
            f"there is no folder {folder}, so nothing was backed up: plug in the stick, or make the folder first"
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _advice(error: OSError, folder: Path) -> str:
    if isinstance(error, PermissionError):
        mend = f"sudo chown --reference={folder.parent} {folder}"
        return f"let the hub's user write there ({mend}), or choose another folder"
    if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
        return "make room, or choose another folder"
    return "choose another folder"


def copied(source: Path, target: Path) -> None:
    """Copy a database, even while it is written, to one file without a log."""
    address = f"{source.absolute().as_uri()}?mode=ro"
    with named_errors(source), closing(sqlite3.connect(address, uri=True)) as read:
        read.execute("SELECT 1 FROM sqlite_master")  # an error of the journal is reported as one of the journal
        with named_errors(target), closing(sqlite3.connect(target)) as written:
            read.backup(written)
            written.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it


def _check(copy: Path, backup: Path) -> None:
    """Raise `JournalUnavailable` unless every entry of a copy is intact."""
    with named_errors(backup), closing(sqlite3.connect(copy)) as db:
        (verdict,) = db.execute("PRAGMA integrity_check(1)").fetchone()
    if verdict != "ok":
        raise JournalUnavailable(f"backup {backup} is not made, the copy is not sound: {verdict}")
    with Store.read(copy) as store:
        for game_id in store.ids():
            if damage := store.entries(game_id).damage:
                raise JournalUnavailable(f"backup {backup} is not made: {damage}")


def flushed(path: Path) -> None:
    """Wait until the medium has a file."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _oldest_first(folder: Path, journal: Path, suffix: str = "") -> list[Path]:
    """Return the whole backups of a journal, or its files of this suffix.

    Those of `salon-2` beside it do not belong to `salon`.
    """
    others = tuple(f"{other.stem}-" for other in journal.parent.glob(f"{journal.stem}-*{journal.suffix}"))
    ours = folder.glob(f"{journal.stem}-*{suffix or journal.suffix}")
    found = (path for path in ours if not path.name.startswith(others))
    return sorted(found, key=lambda path: (path.stat().st_mtime_ns, path.name))


def restore(journal: Path, backup: Path) -> Restored:
    """Put a backup in a journal's place and keep the old journal beside it; raises `JournalUnavailable`.

    Does nothing while a hub runs on the journal. Of a damaged backup the intact entries are restored. The newest one in
    the journal's own folder is restored with the games that were backed up after it. Files restored by root belong to
    the owner of the folder, because the hub could not write there otherwise.
    """
    if not backup.is_file() or (journal.exists() and backup.samefile(journal)):
        raise JournalUnavailable(f"there is no backup {backup}: give one from {backups_of(journal)}")
    part = journal.with_name(journal.name + ".restored")
    with closing(locked(journal)):
        try:
            damage = (*_take(backup, part), *_take_later_games(journal, backup, part))
            aside = _put_aside(journal)
            part.rename(journal)
            given_to_owner(journal)
        except OSError as error:
            raise JournalUnavailable(f"journal {journal}: {error.strerror}: nothing was restored") from error
        finally:
            for left in journal.parent.glob(part.name + "*"):
                left.unlink()
        with Store.read(journal) as store:
            return Restored(store.games(), damage, aside)


def _take(backup: Path, part: Path) -> tuple[str, ...]:
    """Copy the intact part of a backup to `part`; the sentences name the rest."""
    for suffix in ("", "-wal"):  # a journal that was put aside may have a log
        source, target = backup.with_name(backup.name + suffix), part.with_name(part.name + suffix)
        target.unlink(missing_ok=True)
        if source.exists():
            shutil.copyfile(source, target)
    try:
        damage = repaired(part)
        _check(part, part)
        with Store.read(part) as store:
            nothing = damage and not store.games()
    except JournalUnavailable as error:
        raise JournalUnavailable(f"backup {backup} cannot be restored: {error}") from error
    if nothing:
        raise JournalUnavailable(f"backup {backup} is damaged, and no game in it is sound: nothing was restored")
    flushed(part)
    return (f"backup {backup} is damaged: what is sound of it is restored", *damage[1:]) if damage else ()


def _take_later_games(journal: Path, backup: Path, part: Path) -> tuple[str, ...]:
    """Add to a copy of the newest whole backup the games that were backed up after it; the sentences name the rest."""
    folder, damage = backups_of(journal), []
    if not folder.is_dir() or not (whole := _oldest_first(folder, journal)) or not whole[-1].samefile(backup):
        return ()
    with Store.open(part) as store:
        for file in _oldest_first(folder, journal, _LATER):
            try:
                found = read_export(file)
            except NotAnExport as error:
                damage.append(str(error))
                continue
            damage += [found.damage] if found.damage else []
            if found.deck is not None:
                store.keep_deck(found.deck)
            try:
                store.lengthen(found.game_id, found.entries)
            except BadCommit as error:
                damage.append(f"{file} is not restored: {error}")
    flushed(part)
    return tuple(damage)


def _put_aside(journal: Path) -> Path | None:
    if not journal.exists():
        return None
    n = 1
    while (aside := journal.with_name(f"{journal.name}.before-{n}")).exists():
        n += 1
    for suffix in _LOG_SUFFIXES:
        old = journal.with_name(journal.name + suffix)
        if old.exists():
            old.rename(aside.with_name(aside.name + suffix))
    return aside
