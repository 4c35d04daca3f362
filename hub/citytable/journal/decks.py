"""Kept decks: the cards with which games of a journal were played, each once, by a hash over its contents.

They are in the journal's database, so every copy of it contains them. Only the game understands a deck's text and can
check it against its hash. A checksum shows whether the text is undamaged.
"""

import sqlite3
import zlib
from collections.abc import Iterable

import msgspec

from citytable.journal.entry import Entry, GameStarted, ValuesEntered

DECK_TABLE = """
CREATE TABLE deck (
  sha256 TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  content TEXT NOT NULL,
  crc INTEGER NOT NULL
) STRICT;
CREATE TRIGGER deck_stays BEFORE UPDATE ON deck BEGIN SELECT RAISE(ABORT, 'decks are never changed'); END;
CREATE TRIGGER deck_remains BEFORE DELETE ON deck BEGIN SELECT RAISE(ABORT, 'decks are never deleted'); END;
"""
DECK_ROWS = "SELECT sha256, name, content, crc FROM deck ORDER BY sha256"


class KeptDeck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deck as text. `sha256` is the hash over its contents by which a `GameStarted` names it."""

    sha256: str
    name: str
    content: str


def shareable(deck: KeptDeck | None) -> KeptDeck | None:
    """Return a deck that may leave with its game; None for an owner's, which stays with its owner."""
    return None if deck is None or _origin(deck) == "owner" else deck


def _origin(deck: KeptDeck) -> str:
    try:
        return msgspec.json.decode(deck.content, type=_Origin).origin
    except msgspec.DecodeError:
        return ""  # a game whose decks do not name their origin


class _Origin(msgspec.Struct, frozen=True):
    origin: str = ""


def deck_crc(sha256: str, name: str, content: str) -> int:
    """Return the CRC-32 over everything that is kept of a deck."""
    return zlib.crc32(f"{sha256}\n{name}\n{content}".encode())


def insert_decks(db: sqlite3.Connection, decks: Iterable[KeptDeck]) -> None:
    """Keep decks; one that is kept already stays as it is."""
    rows = [(deck.sha256, deck.name, deck.content) for deck in decks]
    db.executemany("INSERT OR IGNORE INTO deck VALUES (?, ?, ?, ?)", [(*row, deck_crc(*row)) for row in rows])


def intact_decks(rows: Iterable[tuple[str, str, str, int]]) -> tuple[KeptDeck, ...]:
    """Return the decks of these rows whose checksums fit."""
    return tuple(KeptDeck(*row) for *row, crc in rows if deck_crc(*row) == crc)


class Cards(msgspec.Struct, frozen=True):
    """The cards of a game: the name of its deck, and the hash over its contents; empty if none was written."""

    deck: str
    deck_sha256: str


def cards_of(entries: Iterable[Entry]) -> Cards | None:
    """Return the cards of a game by its latest entry that names some; None for no game."""
    found = [entry.body for entry in entries if isinstance(entry.body, GameStarted | ValuesEntered)]
    return Cards(found[-1].deck, found[-1].deck_sha256) if found else None


def kept_for_later(entries: Iterable[Entry]) -> str:
    """Return the hash over the cards that count from the next game on; empty if this game has them all."""
    found = [entry.body.later_sha256 for entry in entries if isinstance(entry.body, ValuesEntered)]
    return found[-1] if found else ""


def deck_of(cards: Cards | None, decks: Iterable[KeptDeck]) -> KeptDeck | None:
    """Return the deck with these cards, if it is among these."""
    return None if cards is None else next((deck for deck in decks if deck.sha256 == cards.deck_sha256), None)
