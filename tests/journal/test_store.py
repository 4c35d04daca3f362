"""The database: what was committed is there, whatever happens; what is damaged is said."""

import sqlite3
from contextlib import closing

import pytest

from citytable.journal import store as store_module
from citytable.journal.database import entries_of
from citytable.journal.decks import KeptDeck
from citytable.journal.entry import ActionConfirmed, GameEnded
from citytable.journal.store import BadCommit, Commit, JournalUnavailable, Store


def texts(sound):
    return [entry.body.action for entry in sound.entries if isinstance(entry.body, ActionConfirmed)]


def game_of(drafts, *actions, ended=False):
    return (drafts.started, *(drafts.action(text) for text in actions), *([drafts.ended] if ended else []))


def test_entries_are_numbered_from_one_without_holes(store, drafts):
    first = store.append(Commit("g", game_of(drafts, "1")))
    second = store.append(Commit("g", (drafts.action("2"),)))
    assert [entry.seq for entry in (*first, *second)] == [1, 2, 3]
    assert store.entries("g").entries == (*first, *second)


def test_several_games_lie_in_one_database_and_the_latest_is_gone_on_with_over_or_not(store, drafts):
    assert store.latest() is None
    store.append(Commit("monday", game_of(drafts, "1", "2", ended=True)))
    assert store.latest() == store.games()[0]
    store.append(Commit("tuesday", game_of(drafts, "7")))
    assert [(row.id, row.game, row.entries, row.over) for row in store.games()] == [
        ("monday", "counting", 4, True),
        ("tuesday", "counting", 2, False),
    ]
    assert store.latest() == store.games()[1]
    assert texts(store.entries("monday")) == ["1", "2"]


def test_a_game_is_read_again_only_when_it_has_gone_on(store, drafts, monkeypatch):
    read = []
    monkeypatch.setattr(store_module, "entries_of", lambda db, game_id: read.append(game_id) or entries_of(db, game_id))
    store.append(Commit("monday", game_of(drafts, "1", ended=True)))
    store.append(Commit("tuesday", game_of(drafts, "7")))
    assert list(store.ids()) == ["monday", "tuesday"]
    assert read == []
    before = store.games()
    assert store.games() == before
    assert read == ["monday", "tuesday"]
    store.append(Commit("tuesday", (drafts.ended,)))
    assert [row.over for row in store.games()] == [True, True]
    assert read == ["monday", "tuesday", "tuesday"]


def test_high_water_marks_are_written_with_their_effects_and_never_sink(store, drafts):
    store.append(Commit("g", game_of(drafts, "1"), {("park", 7): 5, ("seat-1", 2): 1}))
    store.append(Commit("g", (), {("park", 7): 4}))
    assert store.marks() == {("park", 7): 5, ("seat-1", 2): 1}


def test_marks_may_come_before_any_game(store):
    assert store.append(Commit("", (), {("park", 7): 5})) == ()
    assert store.marks() == {("park", 7): 5}


def test_marks_of_starts_from_which_nothing_comes_any_more_are_forgotten(store):
    store.append(Commit("", (), {("park", 7): 5, ("park", 8): 2, ("seat-1", 7): 1}))
    store.forget_marks([("park", 7), ("seat-1", 9)])
    assert store.marks() == {("park", 8): 2, ("seat-1", 7): 1}


def test_a_refused_commit_writes_nothing_and_harms_no_other(store, drafts):
    store.append(Commit("g", game_of(drafts)))
    results = store.append_group(
        [
            Commit("g", (drafts.action("1"),), {("park", 7): 1}),
            Commit("nobody", (drafts.action("2"),), {("seat-1", 7): 9}),
            Commit("g", (drafts.action("3"), drafts.started)),
            Commit("g", (drafts.action("4"),)),
        ]
    )
    assert [isinstance(result, BadCommit) for result in results] == [False, True, True, False]
    assert "'nobody' is not in" in str(results[1])
    assert texts(store.entries("g")) == ["1", "4"]
    assert store.marks() == {("park", 7): 1}


def test_a_group_may_begin_a_game_and_go_on_with_it_and_with_others(store, drafts):
    store.append(Commit("monday", game_of(drafts, "1")))
    results = store.append_group(
        [
            Commit("tuesday", game_of(drafts, "7")),
            Commit("monday", (drafts.action("2"),), {("park", 7): 1}),
            Commit("tuesday", (drafts.action("8"),), {("park", 7): 2}),
            Commit("tuesday", game_of(drafts)),
            Commit("monday", (drafts.action("3"),)),
        ]
    )
    numbers = [[entry.seq for entry in result] for result in results if not isinstance(result, BadCommit)]
    assert numbers == [[1, 2], [3], [3], [4]]
    assert [store.entries(day).entries for day in ("monday", "tuesday")] == [
        (*store.entries("monday").entries[:2], *results[1], *results[4]),
        (*results[0], *results[2]),
    ]
    assert [texts(store.entries(day)) for day in ("monday", "tuesday")] == [["1", "2", "3"], ["7", "8"]]
    assert store.marks() == {("park", 7): 2}


def test_a_game_starts_once(store, drafts):
    store.append(Commit("g", game_of(drafts)))
    with pytest.raises(BadCommit, match="game_started can only be the first entry"):
        store.append(Commit("g", game_of(drafts)))


@pytest.mark.parametrize("sql", ["UPDATE entry SET at_us = 0", "DELETE FROM entry"])
def test_entries_are_never_changed_nor_deleted(store, drafts, path, sql):
    store.append(Commit("g", game_of(drafts)))
    other = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="entries are never"):
        other.execute(sql)
    other.close()


def test_a_commit_waits_for_the_medium(store):
    assert store._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._db.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_tool_reads_beside_the_writer_and_cannot_write(store, drafts, path):
    store.append(Commit("g", game_of(drafts, "1")))
    with Store.read(path) as reader:
        assert texts(reader.entries("g")) == ["1"]
        with pytest.raises(JournalUnavailable, match="cannot be written: check the permissions"):
            reader.append(Commit("g", (drafts.action("2"),)))
    assert texts(store.entries("g")) == ["1"]


def test_a_second_hub_is_refused_with_a_sentence(store, path):
    with pytest.raises(JournalUnavailable, match="in use by another citytable: stop that one"):
        Store.open(path)


def test_a_database_held_by_another_program_is_refused_with_a_sentence(store, drafts, path):
    store._db.execute("PRAGMA busy_timeout = 0")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(JournalUnavailable, match="another program has locked it: close that program"):
        store.append(Commit("g", game_of(drafts)))
    other.close()
    store.append(Commit("g", game_of(drafts)))


def test_a_full_disk_is_said_and_nothing_committed_is_lost(store, drafts):
    store.append(Commit("g", game_of(drafts, "1")))
    (pages,) = store._db.execute("PRAGMA page_count").fetchone()
    store._db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(JournalUnavailable, match="the disk is full: free some space") as full:
        store.append(Commit("g", tuple(drafts.action(str(n) * 200) for n in range(100))))
    assert "SQLITE_FULL : le disque est plein : libérez de la place" in full.value.text["fr"]
    assert texts(store.entries("g")) == ["1"]
    store._db.execute("PRAGMA max_page_count = 100000")
    (entry,) = store.append(Commit("g", (drafts.action("2"),)))
    assert entry.seq == 3


def test_a_missing_directory_is_named(tmp_path):
    with pytest.raises(JournalUnavailable, match=r"journal .*nowhere/j: No such file or directory: check"):
        Store.open(tmp_path / "nowhere" / "j")
    with pytest.raises(JournalUnavailable, match="cannot be opened: check that its directory exists"):
        Store.read(tmp_path / "nowhere" / "j")


def test_a_file_that_is_no_journal_is_left_alone(path):
    path.write_bytes(b"my shopping list\n" * 100)
    with pytest.raises(JournalUnavailable, match="it is not a journal: give the path of another file"):
        Store.open(path)
    assert path.read_bytes().startswith(b"my shopping list")


@pytest.mark.parametrize("version", [0, 1, 2, 3])
def test_a_database_of_something_else_is_left_alone(path, version):
    with closing(sqlite3.connect(path)) as other:
        other.executescript(f"CREATE TABLE recipe (name TEXT); PRAGMA user_version = {version};")
    before = path.read_bytes()
    for opened in (Store.open, Store.read):
        with pytest.raises(JournalUnavailable, match=r"holds something else \(recipe\): give the path of another file"):
            opened(path)
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir() if "damaged" in one.name] == []


def test_a_file_with_nothing_in_it_is_no_journal_to_read(path):
    path.touch()
    with pytest.raises(JournalUnavailable, match="nothing was ever written to it"):
        Store.read(path)


def test_a_journal_of_a_newer_program_says_to_update(store, path):
    store.close()
    other = sqlite3.connect(path)
    other.execute("PRAGMA user_version = 9")
    other.close()
    with pytest.raises(JournalUnavailable, match="has version 9, this program writes 3: update citytable"):
        Store.open(path)


def fill(path, drafts, games=3, actions=300):
    with Store.open(path) as store:
        for k in range(games):
            store.append(Commit(f"game-{k}", game_of(drafts, *(str(n) * 20 for n in range(actions))), {("park", k): 1}))


@pytest.mark.parametrize("kept", [0.5, 0.8, 0.95])
def test_a_database_cut_in_the_middle_opens_with_what_is_sound_and_says_what_is_not(path, drafts, kept):
    fill(path, drafts)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * kept)])
    with Store.open(path) as store:
        assert "was damaged: what is sound was copied" in store.damage[0]
        assert len(store.damage) > 1
        for row in store.games():
            read = texts(store.entries(row.id))
            assert read == [str(n) * 20 for n in range(len(read))]
            assert row.over
        assert sum(row.entries for row in store.games()) > 300
        assert store.latest() is None
    assert path.with_name("journal.sqlite3.damaged-1").stat().st_size == int(len(whole) * kept)
    with Store.open(path) as store:
        assert store.damage == ()


def test_a_small_database_opens_again_wherever_it_was_cut(path, drafts):
    """Half a page gives rows of nothing, which must not get into the new database."""
    with Store.open(path) as store:
        store.keep_deck(KeptDeck("0a0b", "house", "{}"))  # else a page of nothing lies at the end, and is not missed
    fill(path, drafts, games=2, actions=8)
    whole = path.read_bytes()
    page = int.from_bytes(whole[16:18], "big")
    for kept in range(page, len(whole), page // 4):
        path.write_bytes(whole[:kept])
        with Store.open(path) as store:
            assert "was damaged" in store.damage[0]
            assert all(isinstance(station, str) for station, _ in store.marks())
            assert store.latest() is None


def test_a_flipped_bit_inside_an_entry_is_found_and_its_place_named(path, drafts):
    fill(path, drafts, games=2, actions=3)
    raw = bytearray(path.read_bytes())
    at = raw.index(b"2" * 20)
    raw[at] ^= 1
    path.write_bytes(raw)
    with Store.open(path) as store:
        damaged = next(sentence for sentence in store.damage if "sound;" in sentence)
        assert "entries 1 to 3 are sound; entry 4 was damaged on disk" in damaged
        game_id = damaged.split("'")[1]
        assert texts(store.entries(game_id)) == ["0" * 20, "1" * 20]


def test_half_a_game_goes_on_only_when_a_person_says_so(path, drafts):
    fill(path, drafts, games=1, actions=3)
    raw = bytearray(path.read_bytes())
    raw[raw.index(b"2" * 20)] ^= 1
    path.write_bytes(raw)
    with Store.open(path) as store:
        assert "game 'game-0' was not over: 3 entries were found, what followed is lost" in store.damage
        assert store.latest() is None
        assert store.entries("game-0").entries[-1].body == GameEnded(termination="damaged")
        store.append(Commit("game-0", (drafts.undo(3),)))
        assert store.latest().id == "game-0"


def test_a_hole_in_the_numbers_ends_what_is_sound(store, drafts, path):
    store.append(Commit("g", game_of(drafts, "1", "2", "3")))
    store._db.execute("DROP TRIGGER entry_remains")
    store._db.execute("DELETE FROM entry WHERE seq = 3")
    read = store.entries("g")
    assert texts(read) == ["1"]
    assert "entries 1 to 2 are sound; entry 3 is missing (the next one found is 4)" in read.damage


def test_a_game_written_elsewhere_is_taken_in_once(store, drafts, tmp_path):
    with Store.open(tmp_path / "other") as other:
        entries = other.append(Commit("g", game_of(drafts, "1", ended=True)))
    store.take_in("g", entries)
    assert store.entries("g").entries == entries
    with pytest.raises(BadCommit, match=r"'g' is in .* already"):
        store.take_in("g", entries)
    with pytest.raises(BadCommit, match="must be game_started"):
        store.take_in("h", entries[1:])
