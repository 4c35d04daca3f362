"""A journal that an older program wrote opens to the same positions and outcomes, and its entries stay as they are.

What is expected was written down by the program of that time (`golden/write_version_1.py`). It never changes: a test
that fails here means that games of years ago come out otherwise.
"""

import json
import lzma
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from citytable.games.megacity.box import MegaCityBox
from citytable.games.megacity.old_options import in_full, position_of
from citytable.games.megacity.pieces import HOUSE, load_deck
from citytable.games.megacity.table_side import MegaCityTable
from citytable.hub import replayed
from citytable.journal.backup import back_up, restore
from citytable.journal.export import exported_bytes, parse_export
from citytable.journal.replay import cleared_up, ending, standing
from citytable.journal.store import Store
from citytable.session.consent import Consent
from citytable.session.play import Play
from citytable.session.recall import recall

pytestmark = pytest.mark.long(5)

GOLDEN = Path(__file__).parent / "golden"
KNOWN = json.loads((GOLDEN / "version-1.json").read_text())
DECKS = {HOUSE.name: HOUSE, "evening deck": load_deck(GOLDEN / "version-1-owners-deck.json")}
ROWS = "SELECT game_id, seq, at_us, cause, ver, body, crc FROM entry ORDER BY n"


@pytest.fixture(scope="module")
def golden(tmp_path_factory):
    """The journal as the old program left it."""
    path = tmp_path_factory.mktemp("golden") / "journal.sqlite3"
    path.write_bytes(lzma.decompress((GOLDEN / "version-1.sqlite3.xz").read_bytes()))
    return path


@pytest.fixture
def journal(golden, tmp_path):
    """A copy to be written to."""
    path = tmp_path / "journal.sqlite3"
    path.write_bytes(golden.read_bytes())
    return path


def rows(path):
    """The entries as they lie in a database, read without this project's program."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
        return db.execute(ROWS).fetchall()


@pytest.fixture(scope="module")
def entries(golden):
    with Store.read(golden) as store:
        return {game_id: store.entries(game_id).entries for game_id in KNOWN["games"]}


def deck_of(entries):
    return DECKS[entries[0].body.deck]


def test_every_checksum_fits_by_an_independent_sum(golden):
    found = rows(golden)
    assert len(found) == KNOWN["rows"]
    for game_id, seq, at_us, cause, ver, body, crc in found:
        assert ver == 1
        assert zlib.crc32("\n".join((game_id, str(seq), str(at_us), cause, str(ver), body)).encode()) == crc


def test_it_holds_every_kind_of_entry_that_there_was():
    kinds = {kind for game in KNOWN["games"].values() for kind in game["entry_types"]}
    assert kinds == {
        *("game_started", "action", "fact", "pieces_weighed", "question", "answer", "statement", "vouch", "ruling"),
        *("mode", "undo", "undo_wish", "undo_word", "stays", "amend", "insert", "strike", "position_set"),
        *("clearing", "counted", "cleared", "game_ended"),
    }


def test_no_byte_of_an_entry_changes_by_opening_it_or_writing_to_it(golden, journal):
    with Store.open(journal) as store:
        assert store.damage == ()
        assert store.latest().id == KNOWN["latest"]
        assert [[*key, seq] for key, seq in sorted(store.marks().items())] == KNOWN["marks"]
    assert rows(journal) == rows(golden)


def test_no_byte_changes_by_a_backup_and_what_is_restored_of_it(golden, journal, tmp_path):
    backup = back_up(journal, tmp_path / "backups", "years-later")
    journal.unlink()
    assert restore(journal, backup).damage == ()
    assert rows(journal) == rows(golden)


def test_no_byte_changes_by_an_export_that_is_taken_in_elsewhere(golden, entries, tmp_path):
    other = tmp_path / "other.sqlite3"
    with Store.open(other) as store:
        for game_id, old in entries.items():
            exported = parse_export(exported_bytes(game_id, old), "export")
            assert (exported.damage, exported.entries) == ("", old)
            store.take_in(game_id, exported.entries)
    assert sorted(rows(other)) == sorted(rows(golden))


def test_no_byte_changes_of_what_is_salvaged_of_a_damaged_journal(golden, journal):
    content = journal.read_bytes()
    at = content.index(b"p1 end_turn")
    journal.write_bytes(content[:at] + b"p9" + content[at + 2 :])
    with Store.open(journal) as store:
        assert store.damage
    saved = [row for row in rows(journal) if row[4] == 1]
    assert set(saved) < set(rows(golden))
    assert len(saved) > 0.5 * KNOWN["rows"]


@pytest.mark.parametrize("game_id", KNOWN["games"])
def test_a_game_comes_to_the_same_position_and_outcome(entries, game_id):
    told, known = entries[game_id], KNOWN["games"][game_id]["game"]
    game = replayed(told, MegaCityBox(deck_of(told)))
    options = in_full(game.position.options)
    rulings = {name: options["rulings"][name] for name in known["options"]["rulings"]}  # a later ruling is not known
    assert {**options, "rulings": rulings} == {**options, **known["options"]}
    assert game.position == position_of(known["position"], game.position.options)
    assert [[one.seq, getattr(one.body, "action", one.type)] for one in standing(told)] == known["standing"]
    assert [str(action) for action in game.actions] == known["actions"]
    assert outcome_of(game) == known["outcome"]
    assert as_written(game.scores()) == known["scores"]
    assert ending(told) == known["ending"]


def outcome_of(game):
    """How it ended, in the words of version 1."""
    outcome = game.outcome()
    if outcome is None:
        return None
    prestige = {str(seat): points for seat, points in (outcome.scores or {}).items()}
    return {"termination": outcome.termination, "winners": list(outcome.winners), "prestige": prestige}


def as_written(value):
    return json.loads(msgspec.json.encode(value))


@pytest.mark.parametrize("game_id", KNOWN["games"])
def test_a_hub_that_comes_back_with_a_game_knows_what_it_knew(entries, game_id):
    told, known = entries[game_id], KNOWN["games"][game_id]["hub"]
    deck = deck_of(told)
    play = Play(MegaCityTable(deck), told[0].body.plan, replayed(told[:1], MegaCityBox(deck)).start)
    recall(play, told, lambda some: replayed(some, MegaCityBox(deck)))
    umpire = play.umpire
    assert umpire.position == position_of(known["position"], umpire.position.options)
    assert [str(action) for action in play.actions] == known["actions"]
    assert [one.action for one in umpire.provisional] == known["under_way"]
    asked = [[one.seat, one.prompt, [field.name for field in one.fields]] for one in play.questions]
    assert asked == known["questions"]
    assert (umpire.mode, umpire.restoring, play.termination) == (
        known["mode"],
        known["restoring"],
        known["termination"],
    )
    observed = umpire.observed
    assert {spot: sorted(things) for spot, things in observed.lying.items() if things} == known["lying"]
    piece = observed.piece  # that announcements are counted is newer than this journal
    told = known["piece"]
    if umpire.questions_asked > len(known["questions"]):  # of a draw that is asked about today nothing was learned
        assert (piece.pieces, piece.grams) <= (told["pieces"], told["grams"])
    else:
        assert {"pieces": piece.pieces, "grams": piece.grams} == told


@pytest.mark.parametrize("game_id", KNOWN["games"])
def test_what_people_said_beside_the_game_is_known_again(entries, game_id):
    told, known = entries[game_id], KNOWN["games"][game_id]["hub"]
    started, consent, cleared = told[0].body, Consent(), cleared_up(told)
    consent.recall(told)
    assert (started.people or game_id, list(started.names)) == (known["people"], known["names"])
    assert (None if consent.asked is None else as_written(consent.asked)) == known["undo"]
    assert (None if cleared is None else {"counted": sorted(cleared.counted), "closed": cleared.closed}) == known[
        "clearing"
    ]
