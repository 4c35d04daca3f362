"""The commands about a table's games: backing up its journal, restoring it, judging its signals again."""

import pytest

from citytable.journal.entry import ActionConfirmed, Draft, GameEnded, GameStarted
from citytable.journal.store import Commit, Store


@pytest.fixture
def journal(tmp_path):
    """The journal of a table that has played one game."""
    path = tmp_path / "journal.sqlite3"
    bodies = (GameStarted(game="megacity"), ActionConfirmed(action="p1 end_turn"), GameEnded(termination="tired"))
    with Store.open(path) as store:
        store.append(Commit("friday", tuple(Draft(7, "system", body) for body in bodies)))
    return path


def test_a_journal_is_backed_up_and_restored(citytable, journal, tmp_path):
    done = citytable("backup", "--journal", journal)
    (made,) = (tmp_path / "backups").iterdir()
    assert (done.returncode, done.stdout) == (0, f"backed up to {made}\n")
    journal.unlink()
    done = citytable("restore", made, "--journal", journal)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["friday  megacity, 3 entries, over", f"restored {journal} from {made}"]


def test_a_damaged_backup_is_restored_as_far_as_it_is_sound_and_does_not_pass_for_a_whole_one(citytable, journal):
    backup = journal.with_name("copy.sqlite3")
    whole = journal.read_bytes()
    backup.write_bytes(whole.replace(b"p1 end_turn", b"p2 end_turn"))
    assert backup.read_bytes() != whole
    done = citytable("restore", backup, "--journal", journal)
    assert done.returncode == 1
    assert "is damaged: what is sound of it is restored" in done.stderr
    assert f"restored {journal} from {backup}" in done.stdout


def test_while_the_journal_is_in_use_it_is_not_restored(citytable, journal):
    backup = journal.with_name("copy.sqlite3")
    backup.write_bytes(journal.read_bytes())
    with Store.open(journal):
        done = citytable("restore", backup, "--journal", journal)
    assert done.returncode == 1
    assert "is in use by another citytable: stop that one" in done.stderr


def test_a_game_without_signals_is_said_and_one_that_is_not_there_is_an_error(citytable, journal):
    done = citytable("sense", "rejudge", "friday", "--journal", journal)
    assert (done.returncode, done.stdout.startswith("no signals of game 'friday' are kept")) == (0, True)
    done = citytable("sense", "rejudge", "monday", "--journal", journal)
    assert (done.returncode, "its games are: friday" in done.stderr) == (1, True)


def test_in_the_journals_own_folder_a_game_is_judged_by_its_name_alone(citytable, journal, monkeypatch):
    monkeypatch.chdir(journal.parent)
    done = citytable("sense", "rejudge", "friday")
    assert (done.returncode, done.stdout.startswith("no signals of game 'friday' are kept")) == (0, True)
    journal.unlink()
    done = citytable("sense", "rejudge", "friday")
    assert done.returncode == 1
    assert f"{journal}: there is no such journal: give the same --journal" in done.stderr
    assert not journal.exists()
    done = citytable("sense", "rejudge", "friday", "--journal", journal.parent)
    assert (done.returncode, f"{journal.parent}: there is no such journal" in done.stderr) == (1, True)
