"""A game as a file: one JSON object a line, readable by people and by `read_export`.

    {"citytable_journal": 1, "game_id": ..., "game": ..., "deck": {...}}       the header; the deck, if it is kept
    {"seq": 1, "at_us": ..., "cause": ..., "ver": 1, "body": {...}, "crc": ...}
    ...
    {"entries": 42, "sha256": ...}                              the end: how many, and the sum over all lines before

Of a file that was cut or changed the entries before that point are read, and a sentence reports the rest.
"""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from citytable.journal.decks import KeptDeck
from citytable.journal.entry import BadEntry, Entry, GameStarted, StoredRow, checked_entry, stored_row
from citytable.journal.store import BadCommit, JournalUnavailable

FORMAT = 1


class _Header(msgspec.Struct, frozen=True, omit_defaults=True):
    citytable_journal: int
    game_id: str
    game: str
    deck: KeptDeck | None = None


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seq: int
    at_us: int
    cause: str
    ver: int
    body: msgspec.Raw
    crc: int


class _End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    entries: int
    sha256: str


class Exported(msgspec.Struct, frozen=True):
    """Hold a game read from a file, and its deck if the file has one. `damage` is empty for an intact file."""

    game_id: str
    game: str
    entries: tuple[Entry, ...]
    damage: str = ""
    deck: KeptDeck | None = None


class NotAnExport(ValueError):
    """A file is not an exported journal: the text names it and quotes its beginning."""


def exported_bytes(game_id: str, entries: Sequence[Entry], deck: KeptDeck | None = None) -> bytes:
    """Return the whole file; the first entry must be `GameStarted` (else `BadCommit`)."""
    first = entries[0].body
    if not isinstance(first, GameStarted):
        raise BadCommit(f"game {game_id!r} begins with {entries[0].type!r}: a journal begins with game_started")
    lines = [msgspec.json.encode(_Header(FORMAT, game_id, first.game, deck))]
    for entry in entries:
        row = stored_row(game_id, entry)
        body = msgspec.Raw(row.body.encode())
        lines.append(msgspec.json.encode(_Line(row.seq, row.at_us, row.cause, row.ver, body, row.crc)))
    text = b"".join(line + b"\n" for line in lines)
    return text + msgspec.json.encode(_End(len(entries), hashlib.sha256(text).hexdigest())) + b"\n"


def write_export(path: Path, game_id: str, entries: Sequence[Entry], deck: KeptDeck | None = None) -> None:
    """Write the file completely or not at all; raises `JournalUnavailable`."""
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            file.write(exported_bytes(game_id, entries, deck))
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise JournalUnavailable(f"export {path}: {error.strerror}: choose another place") from error


def read_export(path: Path) -> Exported:
    """Read a file; raises `NotAnExport` when not even its first line is one."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise NotAnExport(f"{path}: {error.strerror}: give the path of an exported journal") from error
    return parse_export(text, str(path))


def parse_export(text: bytes, name: str) -> Exported:
    """Return the game in the bytes of an export; `name` names the file in the sentences."""
    lines = text.split(b"\n")
    header = _header(lines[0], name)
    entries: list[Entry] = []
    damage = "the end is missing: the file was cut"
    for number, line in enumerate(lines[1:], start=2):
        if not line:
            break
        try:
            read = _entry_or_end(line, header.game_id, len(entries) + 1)
        except (msgspec.DecodeError, BadEntry) as error:
            damage = f"line {number} is not sound ({error}): {line[:60]!r}"
            break
        if isinstance(read, Entry):
            entries.append(read)
            continue
        damage = _end_damage(read, entries, b"\n".join(lines[: number - 1]) + b"\n")
        break
    if damage:
        damage = f"{name}: entries 1 to {len(entries)} are sound; {damage}"
    return Exported(header.game_id, header.game, tuple(entries), damage, header.deck)


def _header(line: bytes, name: str) -> _Header:
    try:
        header = msgspec.json.decode(line, type=_Header)
    except msgspec.DecodeError as error:
        raise NotAnExport(
            f"{name} is not an exported journal ({error}): its first line is {str(line[:60], 'utf-8', 'replace')!r}"
        ) from error
    if header.citytable_journal != FORMAT:
        raise NotAnExport(
            f"{name} has format {header.citytable_journal}, this program reads {FORMAT}: update citytable"
        )
    return header


def _entry_or_end(line: bytes, game_id: str, expected_seq: int) -> Entry | _End:
    if line.startswith(b'{"entries"'):
        return msgspec.json.decode(line, type=_End)
    read = msgspec.json.decode(line, type=_Line)
    try:
        body = bytes(read.body).decode()
    except UnicodeDecodeError as error:
        raise BadEntry(f"entry {read.seq} is not UTF-8") from error
    return checked_entry(game_id, StoredRow(read.seq, read.at_us, read.cause, read.ver, body, read.crc), expected_seq)


def _end_damage(end: _End, entries: list[Entry], before: bytes) -> str:
    if end.entries != len(entries):
        return f"the end counts {end.entries}"
    if end.sha256 != hashlib.sha256(before).hexdigest():
        return "the sum at the end does not fit: something was changed"
    return ""
