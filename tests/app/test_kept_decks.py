"""A game is told again years later, although the deck's file was changed or is gone."""

import json
import lzma
import sqlite3
from contextlib import closing

import pytest

from citytable.games import NAMES, box_of, houses_of
from citytable.games.megacity.box import BOX
from citytable.hub import begun, box_for, replayed
from citytable.journal.decks import Cards, KeptDeck
from citytable.journal.journal import Journal
from citytable.journal.replay import Unreplayable
from citytable.journal.store import Store
from citytable.settings import Settings

GOLDEN = "tests/journal/golden"
GAME = "short-seed-4"  # played with an owner's deck, by version 1


@pytest.fixture
def deck(root, tmp_path):
    """The file of the deck, as it was given on the command line."""
    path = tmp_path / "cards.json"
    path.write_bytes((root / GOLDEN / "version-1-owners-deck.json").read_bytes())
    return path


@pytest.fixture
def journal(root, tmp_path):
    path = tmp_path / "journal.sqlite3"
    path.write_bytes(lzma.decompress((root / GOLDEN / "version-1.sqlite3.xz").read_bytes()))
    return path


@pytest.fixture
async def started(journal, deck):
    """A hub of today was started once with that deck."""
    async with Journal.open(journal) as open_journal:
        await begun(Settings(box=BOX.with_deck(deck), twin=False, table="years-later"), open_journal, 1)


def won(root):
    """How the old program says that game ended."""
    known = json.loads((root / GOLDEN / "version-1.json").read_text())["games"][GAME]["game"]["outcome"]
    return f"ended by {known['termination']}; won by seat {known['winners'][0]}"


@pytest.mark.usefixtures("started")
def test_a_game_is_exported_and_told_again_without_the_decks_file(citytable, journal, deck, root, tmp_path):
    deck.unlink()
    file = tmp_path / "game.jsonl"
    done = citytable("export", GAME, "--journal", journal, "--to", file, "--with-deck")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"wrote 328 entries to {file}\n"
    journal.unlink()
    done = citytable("replay", file)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(won(root))


@pytest.mark.usefixtures("started")
def test_the_file_may_hold_other_cards_by_now(citytable, journal, deck, root, tmp_path):
    cards = json.loads(deck.read_text())
    cards["contracts"][0]["height_mm"] += 5
    deck.write_text(json.dumps(cards))
    file = tmp_path / "game.jsonl"
    citytable("export", GAME, "--journal", journal, "--to", file, "--with-deck")
    done = citytable("replay", file, "--deck", deck)
    assert (done.returncode, done.stdout.startswith(won(root))) == (0, True)


@pytest.mark.usefixtures("started")
def test_an_owners_cards_are_in_no_export_unless_somebody_asks_for_them(citytable, journal, deck, root, tmp_path):
    file = tmp_path / "game.jsonl"
    done = citytable("export", GAME, "--journal", journal, "--to", file)
    assert "the owner's cards of short-seed-4 stay here" in " ".join(done.stderr.split())
    assert "deck" not in json.loads(file.read_text().splitlines()[0])
    done = citytable("replay", file, "--deck", deck)
    assert (done.returncode, done.stdout.startswith(won(root))) == (0, True)


def tags_in(file):
    return set(json.loads(file.read_text().splitlines()[1])["body"]["plan"]["tags"])


@pytest.mark.usefixtures("started")
def test_the_tags_of_the_things_are_in_no_export_unless_somebody_asks_for_them(citytable, journal, tmp_path):
    shared, whole = tmp_path / "shared.jsonl", tmp_path / "whole.jsonl"
    citytable("export", GAME, "--journal", journal, "--to", shared)
    citytable("export", GAME, "--journal", journal, "--to", whole, "--with-deck")
    assert len(tags_in(shared)) == len(tags_in(whole)) > 0
    assert not tags_in(shared) & tags_in(whole)


def test_a_deck_that_was_never_kept_is_named_with_what_to_do(citytable, journal, deck, root, tmp_path):
    file = tmp_path / "game.jsonl"
    done = citytable("export", GAME, "--journal", journal, "--to", file)
    assert done.returncode == 0
    assert "the deck of short-seed-4 is not kept" in done.stderr.replace("\n", " ")
    done = citytable("replay", file)
    assert done.returncode == 1
    said = " ".join(done.stderr.split())
    assert "the deck 'evening deck' (hash 5439aedf668f), which is not kept here" in said
    assert "give that deck's file with --deck" in said
    done = citytable("replay", file, "--deck", deck)
    assert (done.returncode, done.stdout.startswith(won(root))) == (0, True)


def test_a_game_that_is_not_there_is_said_with_those_that_are(citytable, journal, tmp_path):
    done = citytable("export", "monday", "--journal", journal, "--to", tmp_path / "game.jsonl")
    assert done.returncode == 1
    assert "has no game 'monday'; its games are: broken-seed-5" in " ".join(done.stderr.split())
    assert not (tmp_path / "game.jsonl").exists()


def test_of_a_damaged_game_what_is_sound_is_exported(citytable, journal, tmp_path):
    with closing(sqlite3.connect(journal)) as db:
        db.execute("DROP TRIGGER entry_stays")
        db.execute("UPDATE entry SET at_us = at_us + 1 WHERE game_id = ? AND seq = 300", (GAME,))
        db.commit()
    done = citytable("export", GAME, "--journal", journal, "--to", tmp_path / "game.jsonl")
    assert done.returncode == 1
    assert "entries 1 to 299 are sound" in " ".join(done.stderr.split())


@pytest.fixture
def entries(journal):
    with Store.read(journal) as store:
        return store.entries(GAME).entries


def test_a_kept_deck_that_does_not_fit_its_hash_is_not_used(entries, deck):
    cards = json.loads(deck.read_text())
    sha256 = BOX.with_deck(deck).fingerprint()
    cards["contracts"][0]["prestige"] += 1
    for content, why in (
        (json.dumps(cards), "was kept and is damaged, its cards have the hash"),
        ("{", "cannot be read"),
    ):
        with pytest.raises(Unreplayable, match=why) as refused:
            replayed(entries, BOX, [KeptDeck(sha256, "evening deck", content)])
        assert "the deck 'evening deck' (hash 5439aedf668f)" in str(refused.value)
        assert "with --deck" in str(refused.value)


def test_the_house_deck_and_the_one_at_hand_need_not_be_kept(journal, entries, deck):
    assert replayed(entries, BOX.with_deck(deck)).outcome().termination == "round_limit"
    with Store.read(journal) as store:
        house = store.entries("starter-seed-3").entries
    assert replayed(house, BOX.with_deck(deck)).outcome().winners == (1, 2)


@pytest.mark.parametrize("name", NAMES)
def test_what_was_played_with_an_earlier_house_deck_is_replayed_with_it_although_nobody_kept_it(name):
    house, prints = box_of(name), [one.fingerprint() for one in houses_of(name)]
    assert len(set(prints)) == len(prints)
    assert len(prints) > 1 or name != "comeback"
    assert [box_for(Cards(house.deck, one), house).fingerprint() for one in prints] == prints
