"""Backups: whole, sound, made beside a running hub, and put back without anything being lost."""

import os
import resource
import sqlite3
import sys

import pytest

from citytable.journal.backup import OWN_KEPT, back_up, backups_of, restore
from citytable.journal.export import write_export
from citytable.journal.journal import Journal
from citytable.journal.store import Commit, JournalUnavailable, Store


@pytest.fixture
def played(store, drafts):
    """An open journal with one game that is over."""
    store.append(Commit("monday", (drafts.started, drafts.action("1"), drafts.ended)))
    return store


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def actions(path, game_id="monday"):
    with Store.read(path) as store:
        return [entry.type for entry in store.entries(game_id).entries]


def entries_in(path, game_id="monday"):
    with Store.read(path) as store:
        return store.entries(game_id).entries


def spoil(path, what=b"fact", by=b"fakt"):
    text = path.read_bytes()
    assert what in text
    path.write_bytes(text.replace(what, by))


def test_a_backup_is_one_file_made_while_the_journal_is_open(played, path, tmp_path):
    (tmp_path / "safe/here").mkdir(parents=True)
    made = back_up(path, tmp_path / "safe/here", "monday")
    assert made == tmp_path / "safe/here/journal-monday.sqlite3"
    assert names(made.parent) == [made.name]
    assert actions(made) == ["game_started", "action", "game_ended"]


def test_the_newest_stay_and_the_oldest_go(played, path, tmp_path):
    folder = tmp_path / "backups"
    (folder).mkdir()
    (folder / "holiday.sqlite3").write_bytes(b"not ours")
    for age, name in enumerate(["tuesday", "monday", "wednesday"]):
        made = back_up(path, folder, name, keep=2)
        os.utime(made, ns=(0, age * 10**9))
    back_up(path, folder, "monday", keep=2)
    assert names(folder) == ["holiday.sqlite3", "journal-monday.sqlite3", "journal-wednesday.sqlite3"]


def test_the_backups_of_another_table_beside_it_stay(path, drafts):
    other = path.with_name(f"{path.stem}-2.sqlite3")
    for journal in (other, path):
        with Store.open(journal) as store:
            store.append(Commit("monday", (drafts.started,)))
    folder = backups_of(path)
    for k in range(3):
        back_up(other, folder, f"game-{k}", keep=2)
        back_up(path, folder, f"game-{k}", keep=2)
    assert names(folder) == [f"{one.stem}-game-{k}.sqlite3" for one in (other, path) for k in (1, 2)]


def test_a_journal_that_is_not_sound_is_not_backed_up_and_no_backup_is_lost(played, path, tmp_path):
    folder = tmp_path / "backups"
    first = back_up(path, folder, "one", keep=1)
    played.close()
    spoil(path, b'"1"', b'"2"')
    with pytest.raises(JournalUnavailable, match=r"is not made: game 'monday': entries 1 to 1 are sound"):
        back_up(path, folder, "two", keep=1)
    assert names(folder) == [first.name]


def test_where_there_is_no_journal_or_no_room_it_is_said(path, tmp_path):
    with pytest.raises(JournalUnavailable, match="there is no journal"):
        back_up(path, tmp_path, "one")
    with Store.open(path):
        (tmp_path / "file").write_text("")
        with pytest.raises(JournalUnavailable, match="choose another folder"):
            back_up(path, tmp_path / "file", "one")


def test_a_stick_that_is_not_plugged_in_is_said_and_no_folder_is_made_in_its_place(played, path, tmp_path):
    for stick in (tmp_path / "stick", tmp_path / "stick/citytable"):
        with pytest.raises(JournalUnavailable, match=rf"there is no folder {stick}, so nothing was backed up: plug in"):
            back_up(path, stick, "monday")
    assert not (tmp_path / "stick").exists()


def test_a_folder_that_may_not_be_written_is_said_with_whom_to_give_it(played, path, monkeypatch):
    folder = backups_of(path)
    monkeypatch.setattr(os, "access", lambda *_: False)
    told = rf"Permission denied: let the hub's user write there \(sudo chown --reference={path.parent} {folder}\)"
    with pytest.raises(JournalUnavailable, match=told):
        back_up(path, folder, "monday")


as_root = pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root gives files away")
OWNER = 4321


def owners(folder):
    return {path.name: path.stat().st_uid for path in folder.rglob("*")}


@as_root
def test_what_root_backs_up_belongs_to_the_owner_of_the_journals_folder(played, path):
    os.chown(path.parent, OWNER, OWNER)
    back_up(path, backups_of(path), "monday")
    found = owners(path.parent)
    assert (found["backups"], found["journal-monday.sqlite3"]) == (OWNER, OWNER)


@as_root
def test_a_journal_that_root_opens_belongs_to_the_owner_of_its_folder(tmp_path, drafts):
    (tmp_path / "table").mkdir()
    os.chown(tmp_path / "table", OWNER, OWNER)
    with Store.open(tmp_path / "table/new.sqlite3") as store:
        store.append(Commit("monday", (drafts.started,)))
        assert set(owners(tmp_path / "table").values()) == {OWNER}
    assert set(owners(tmp_path / "table").values()) == {OWNER}


@as_root
def test_where_root_restores_nothing_the_lock_belongs_to_the_owner_of_its_folder(path, tmp_path):
    (tmp_path / "letter").write_text("Dear table, " * 500)
    (tmp_path / "table").mkdir()
    os.chown(tmp_path / "table", OWNER, OWNER)
    with pytest.raises(JournalUnavailable, match="cannot be restored"):
        restore(tmp_path / "table/journal.sqlite3", tmp_path / "letter")
    assert owners(tmp_path / "table") == {"journal.sqlite3.lock": OWNER}


def test_a_full_disk_is_said_of_the_folder_and_not_of_the_journal(played, path, tmp_path):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        with pytest.raises(JournalUnavailable, match="backups/journal-monday"):
            back_up(path, backups_of(path), "monday")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert names(backups_of(path)) == []


def test_a_backup_of_which_nothing_is_sound_replaces_no_journal(played, path, tmp_path):
    made = back_up(path, backups_of(path), "monday")
    played.close()
    spoil(made, b'"game_started"', b'"game_stopped"')
    with pytest.raises(JournalUnavailable, match="no game in it is sound: nothing was restored"):
        restore(path, made)
    assert actions(path) == ["game_started", "action", "game_ended"]


def test_a_backup_is_put_back_and_what_was_there_is_kept(played, path, drafts):
    made = back_up(path, backups_of(path), "monday")
    played.append(Commit("tuesday", (drafts.started,)))
    played.close()
    done = restore(path, made)
    assert [row.id for row in done.games] == ["monday"]
    assert (done.damage, done.aside.name) == ((), "journal.sqlite3.before-1")
    assert actions(done.aside, "tuesday") == ["game_started"]
    with Store.open(path) as again:
        assert again.damage == ()
        again.append(Commit("wednesday", (drafts.started,)))
    back = restore(path, done.aside)
    assert [row.id for row in back.games] == ["monday", "tuesday"]
    assert back.aside.name == "journal.sqlite3.before-2"


def test_what_root_restores_belongs_to_the_owner_of_the_folder(played, path, tmp_path, monkeypatch):
    given = {}
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", lambda to, user, group: given.update({to.name: (user, group)}))
    backup = back_up(path, backups_of(path), "salon")
    (tmp_path / "elsewhere").mkdir()
    restore(tmp_path / "elsewhere/table.sqlite3", backup)
    owner = (tmp_path / "elsewhere").stat()
    assert given["table.sqlite3"] == (owner.st_uid, owner.st_gid)


def test_a_backup_is_put_where_no_journal_is(played, path, tmp_path):
    made = back_up(path, tmp_path / "backups", "monday")
    new = tmp_path / "new.sqlite3"
    assert restore(new, made).aside is None
    assert actions(new) == ["game_started", "action", "game_ended"]


def test_while_a_hub_runs_nothing_is_restored(played, path, tmp_path):
    made = back_up(path, tmp_path / "backups", "monday")
    before = names(tmp_path)
    with pytest.raises(JournalUnavailable, match="is in use by another citytable"):
        restore(path, made)
    assert names(tmp_path) == before


def test_of_a_damaged_backup_what_is_sound_is_restored_and_the_rest_is_said(played, path, drafts, tmp_path):
    played.append(Commit("tuesday", (drafts.started, drafts.action("7"))))
    made = back_up(path, tmp_path / "backups", "tuesday")
    played.close()
    spoil(made, b'"7"', b'"8"')
    done = restore(path, made)
    assert done.damage[0] == f"backup {made} is damaged: what is sound of it is restored"
    assert any("game 'tuesday': entries 1 to 1 are sound" in line for line in done.damage)
    assert {row.id: row.entries for row in done.games} == {"monday": 3, "tuesday": 2}
    assert not [name for name in names(tmp_path) if "restored" in name]


def test_what_is_no_backup_leaves_the_journal_alone(played, path, tmp_path):
    played.close()
    (tmp_path / "letter").write_text("Dear table, " * 500)
    (tmp_path / "empty").write_text("")
    for name in ("letter", "empty", "nothing", "journal.sqlite3"):
        with pytest.raises(JournalUnavailable, match=r"cannot be restored|there is no backup"):
            restore(path, tmp_path / name)
    assert actions(path) == ["game_started", "action", "game_ended"]
    assert not [name for name in names(tmp_path) if "restored" in name or "before" in name]


async def test_each_game_that_ends_is_backed_up_and_again_when_its_end_was_put_right(path, drafts, tmp_path):
    async with Journal.open(path, tmp_path / "backups") as journal:
        await journal.commit("monday", [drafts.started, drafts.action("1")])
        assert not (tmp_path / "backups").exists()
        await journal.commit("monday", [drafts.ended])
        await journal.backed_up()
        await journal.commit("monday", [drafts.undo(2)])
        await journal.commit("monday", [drafts.ended])
    assert not journal.backup_failed
    assert names(tmp_path / "backups") == ["journal-monday.game.jsonl", "journal-monday.sqlite3"]
    assert len(actions(tmp_path / "backups/journal-monday.sqlite3")) == 3
    assert restore(path, tmp_path / "backups/journal-monday.sqlite3").damage == ()
    assert len(actions(path)) == 5


async def many_games(path, drafts, count):
    """Play games that end, one after the other; return how many bytes were written for backups of them."""
    written, seen = 0, {}
    async with Journal.open(path, backups_of(path)) as journal:
        for n in range(count):
            acts = [drafts.action(f"{n}/{k}") for k in range(60)]
            await journal.commit(f"game-{n:03}", [drafts.started, *acts, drafts.ended])
            await journal.backed_up()
            files = {file: file.stat() for file in backups_of(path).iterdir()}
            written += sum(stat.st_size for file, stat in files.items() if seen.get(file) != stat.st_ino)
            seen = {file: stat.st_ino for file, stat in files.items()}
    return written


async def test_what_backups_write_grows_as_what_is_kept_and_no_faster(path, drafts):
    written = await many_games(path, drafts, 80)
    assert written < 5 * path.stat().st_size
    assert sum(file.stat().st_size for file in backups_of(path).iterdir()) < 5 * path.stat().st_size


async def test_with_the_newest_whole_backup_come_all_games_that_ended_after_it(path, drafts):
    await many_games(path, drafts, 40)
    whole = sorted(backups_of(path).glob("*.sqlite3"), key=lambda file: file.stat().st_mtime_ns)
    assert 1 < len(whole) <= OWN_KEPT
    later = sorted(backups_of(path).glob("*.game.jsonl"))
    assert later, "or nothing is tried here"
    with Store.read(path) as store:
        played = store.games()
    path.unlink()
    assert restore(path, whole[-1]).games == played
    assert len(restore(path, whole[-2]).games) < len(played), "an older one is what it was"


async def test_of_a_later_game_that_cannot_be_read_the_rest_is_restored_and_it_is_said(path, drafts):
    await many_games(path, drafts, 40)
    whole = sorted(backups_of(path).glob("*.sqlite3"), key=lambda file: file.stat().st_mtime_ns)
    first, *others = sorted(backups_of(path).glob("*.game.jsonl"))
    assert others
    first.write_text("Dear table, " * 500)
    done = restore(path, whole[-1])
    assert [line for line in done.damage if str(first) in line]
    assert len(done.games) == 39


def test_a_game_that_goes_on_otherwise_than_it_did_is_not_restored_over_the_other(played, path, drafts):
    back_up(path, backups_of(path), "monday")
    other = path.with_name("other.sqlite3")
    with Store.open(other) as store:
        store.append(Commit("monday", (drafts.started, drafts.action("2"), drafts.action("3"), drafts.ended)))
    write_export(backups_of(path) / "journal-monday.game.jsonl", "monday", entries_in(other))
    played.close()
    (line,) = restore(path, backups_of(path) / "journal-monday.sqlite3").damage
    assert "game 'monday' does not go on as it does in" in line
    assert len(actions(path)) == 3


async def test_a_backup_that_cannot_be_made_is_told_and_play_goes_on(path, drafts, tmp_path, caplog):
    (tmp_path / "backups").write_text("a file where the folder should be")
    async with Journal.open(path, tmp_path / "backups") as journal:
        await journal.commit("monday", [drafts.started, drafts.ended])
        await journal.commit("tuesday", [drafts.started])
        assert len(await journal.games()) == 2
    assert journal.backup_failed
    assert [record.message for record in caplog.records if "no backup was made after game monday" in record.message]


def test_a_journal_of_a_newer_program_is_not_restored(path, tmp_path):
    newer = tmp_path / "newer.sqlite3"
    with sqlite3.connect(newer) as db:
        db.execute("PRAGMA user_version = 9")
    db.close()
    with pytest.raises(JournalUnavailable, match="version 9, this program writes 3"):
        restore(path, newer)
