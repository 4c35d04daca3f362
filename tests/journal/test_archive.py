"""Old games leave a journal whole, and come back; what stays is not touched, and nothing is lost when that fails."""

import os
import sys

import pytest

from citytable.journal import archive as module
from citytable.journal.archive import archive
from citytable.journal.decks import KeptDeck
from citytable.journal.entry import Draft
from citytable.journal.export import read_export
from citytable.journal.store import Commit, JournalUnavailable, Store


@pytest.fixture
def journal(path, drafts):
    """Return a journal of three games that began at 1, 2 and 3."""
    with Store.open(path) as store:
        store.keep_deck(KeptDeck("0" * 64, "house", "cards"))
        for at_us, name in enumerate(("monday", "tuesday", "friday"), 1):
            store.append(
                Commit(name, [Draft(at_us, "system", drafts.started.body), drafts.action("1")], {("park", 7): at_us})
            )
    return path


def held(journal):
    with Store.read(journal) as store:
        return {name: store.entries(name).entries for name in store.ids()}, store.marks()


def test_old_games_become_files_and_the_others_stay_as_they_are(journal, tmp_path):
    before, marks = held(journal)
    done = archive(journal, tmp_path / "old", before_us=3)
    assert (done.gone, done.stay) == (("monday", "tuesday"), 1)
    assert held(journal) == ({"friday": before["friday"]}, marks)
    for name in done.gone:
        assert read_export(tmp_path / "old" / f"{name}.jsonl").entries == before[name]
    with Store.open(journal) as store:
        store.take_in("monday", before["monday"])
        assert store.damage == ()
    assert held(journal)[0] == {name: before[name] for name in ("monday", "friday")}


def test_the_last_game_stays_however_old_it_is_and_a_second_time_nothing_happens(journal, tmp_path):
    assert archive(journal, tmp_path / "old", before_us=100).gone == ("monday", "tuesday")
    before = journal.read_bytes()
    assert archive(journal, tmp_path / "old", before_us=100).gone == ()
    assert journal.read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root gives files away")
def test_what_root_archives_belongs_to_the_owner_of_the_journals_folder(journal):
    os.chown(journal.parent, 4321, 4321)
    archive(journal, journal.parent / "archive", before_us=3)
    made = [
        journal,
        journal.with_name(journal.name + ".lock"),
        *journal.parent.glob("archive*"),
        *journal.parent.glob("archive/*"),
    ]
    assert len(made) == 5
    assert {path.stat().st_uid for path in made} == {4321}


def test_entries_can_still_not_be_deleted_afterwards(journal, tmp_path):
    archive(journal, tmp_path / "old", before_us=3)
    with Store.open(journal) as store, pytest.raises(Exception, match="never deleted"):
        store._db.execute("DELETE FROM entry")


@pytest.mark.parametrize("breaks", ["_without", "_into_place", "flushed"])
def test_where_it_fails_the_journal_stays_as_it_was(journal, tmp_path, monkeypatch, breaks):
    before = held(journal)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, breaks, full)
    with pytest.raises(JournalUnavailable, match="No space left on device"):
        archive(journal, tmp_path / "old", before_us=3)
    assert held(journal) == before
    assert not list(journal.parent.glob("*.archiving"))


def test_while_a_hub_runs_nothing_is_done(journal, tmp_path):
    with Store.open(journal), pytest.raises(JournalUnavailable, match="hub"):
        archive(journal, tmp_path / "old", before_us=3)
    with pytest.raises(JournalUnavailable, match="there is no journal"):
        archive(tmp_path / "none.sqlite3", tmp_path / "old", before_us=3)
