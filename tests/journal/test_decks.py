"""Decks are kept beside the games that were played with them, and go wherever the games go."""

import lzma
import sqlite3
import zlib
from contextlib import closing

import pytest

from citytable.journal.backup import back_up, restore
from citytable.journal.decks import KeptDeck, cards_of, deck_of
from citytable.journal.entry import Entry, GameStarted, ValuesEntered
from citytable.journal.export import exported_bytes, parse_export
from citytable.journal.store import Commit, Store

OWNERS = KeptDeck("5e1f", "Zoés Karten", '{"name":"Zoés Karten"}')
HOUSE = KeptDeck("0a0b", "house", "{}")


@pytest.fixture
def kept(store):
    store.keep_deck(OWNERS)
    store.keep_deck(HOUSE)
    return store


def test_a_deck_is_kept_once_and_stays_as_it_was(kept):
    kept.keep_deck(KeptDeck(OWNERS.sha256, "another", "text"))
    assert kept.decks() == (HOUSE, OWNERS)
    for change in ("UPDATE deck SET name = 'other'", "DELETE FROM deck"):
        with pytest.raises(sqlite3.IntegrityError, match="decks are never"):
            kept._db.execute(change)


def test_its_checksum_is_that_of_the_reference(kept, path):
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT sha256, name, content, crc FROM deck").fetchall()
    assert [zlib.crc32("\n".join(said).encode()) for *said, _ in rows] == [crc for *_, crc in rows]


def test_a_game_finds_its_deck_by_the_hash():
    started = Entry(1, 0, "system", GameStarted(game="counting", deck=OWNERS.name, deck_sha256=OWNERS.sha256))
    assert deck_of(cards_of([started]), (HOUSE, OWNERS)) == OWNERS
    assert deck_of(cards_of([started]), (HOUSE,)) is None
    assert deck_of(cards_of([]), (HOUSE, OWNERS)) is None


def test_a_game_of_which_more_was_entered_has_the_latest_deck():
    started = Entry(1, 0, "system", GameStarted(game="counting", deck=HOUSE.name, deck_sha256=HOUSE.sha256))
    entered = Entry(2, 0, "player", ValuesEntered(deck=OWNERS.name, deck_sha256=OWNERS.sha256, thing="card/1"))
    assert deck_of(cards_of([started, entered]), (HOUSE, OWNERS)) == OWNERS


def test_a_backup_and_what_is_restored_of_it_have_the_decks(kept, path, drafts, tmp_path):
    kept.append(Commit("g", (drafts.started,)))
    backup = back_up(path, tmp_path / "backups", "g")
    kept.close()
    path.unlink()
    restore(path, backup)
    with Store.read(path) as store:
        assert store.decks() == (HOUSE, OWNERS)


def test_a_damaged_journal_keeps_its_decks(kept, path, drafts):
    kept.append(Commit("g", (drafts.started, drafts.action("3"))))
    kept.close()
    path.write_bytes(path.read_bytes().replace(b'"action":"3"', b'"action":"4"'))
    with Store.open(path) as store:
        assert store.damage
        assert store.decks() == (HOUSE, OWNERS)


def test_a_damaged_deck_is_named_with_what_to_do_and_the_others_stay(kept, path):
    kept.close()
    path.write_bytes(path.read_bytes().replace("Zoés Karten".encode(), "Zoés Garten".encode()))
    with Store.open(path) as store:
        assert store.decks() == (HOUSE,)
        assert (
            "the deck 'Zoés Garten' with the hash 5e1f is damaged and is not kept any more: "
            "start the hub once with that deck's file (--deck), or restore a backup"
        ) in store.damage


def test_a_journal_of_an_older_program_has_none_until_one_is_kept(root, path):
    path.write_bytes(lzma.decompress((root / "tests/journal/golden/version-1.sqlite3.xz").read_bytes()))
    with Store.read(path) as store:
        assert store.decks() == ()
    with Store.open(path) as store:
        assert (store.damage, store.decks()) == ((), ())
        store.keep_deck(OWNERS)
        assert store.decks() == (OWNERS,)


def test_an_export_takes_the_deck_along(store, drafts):
    (started,) = store.append(Commit("g", (drafts.started,)))
    for deck in (OWNERS, None):
        exported = parse_export(exported_bytes("g", [started], deck), "export")
        assert (exported.damage, exported.deck) == ("", deck)


def test_a_deck_that_was_changed_in_an_export_is_said(store, drafts):
    (started,) = store.append(Commit("g", (drafts.started,)))
    text = exported_bytes("g", [started], OWNERS).replace(b"Karten", b"Garten")
    assert "the sum at the end does not fit" in parse_export(text, "export").damage
