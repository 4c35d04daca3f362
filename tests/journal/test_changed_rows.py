"""Whatever changes in a row is noticed: judged by a reader of a few lines that has nothing of the journal's own."""

import sqlite3
import zlib
from contextlib import closing
from itertools import takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.journal.decks import KeptDeck
from citytable.journal.store import Commit, Store

GAMES = {"monday": True, "tuesday": False}
ENTRIES = 9
COLUMNS = ("seq", "at_us", "ver", "cause", "type", "body", "crc")
CAUSES = ("sensor", "player", "referee", "system")


@pytest.fixture(scope="module")
def whole(tmp_path_factory, drafts):
    path = tmp_path_factory.mktemp("sound") / "journal.sqlite3"
    with Store.open(path) as store:
        store.keep_deck(KeptDeck("0a1b", "house", "{}"))
        for game_id, over in GAMES.items():
            actions = [drafts.action(str(n)) for n in range(ENTRIES)]
            store.append(Commit(game_id, (drafts.started, *actions, *([drafts.ended] if over else ()))))
    return path.read_bytes()


def intact(path, game_id):
    """The rows of a game that are as they were written, up to the first that is not: by zlib and nothing else."""
    with closing(sqlite3.connect(path)) as db:
        query = "SELECT seq, at_us, cause, ver, body, crc FROM entry WHERE game_id = ? ORDER BY seq"
        rows = list(enumerate(db.execute(query, (game_id,)), start=1))
    return [row for _, row in takewhile(lambda one: fits(game_id, *one), rows)]


def fits(game_id, number, row):
    *said, crc = row
    return said[0] == number and zlib.crc32("\n".join(map(str, (game_id, *said))).encode()) == crc


def other(value, by):
    """A value of the same column that is another one."""
    if value in CAUSES:
        return CAUSES[(CAUSES.index(value) + 1 + by % 3) % 4]
    if isinstance(value, int):
        return value ^ (1 << by % 31)
    at = by % len(value)
    return value[:at] + chr(ord(value[at]) ^ 1) + value[at + 1 :]


def changed(path, column, game_id, seq, by):
    """Change one value on the medium; False where the database itself does not let that happen."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP TRIGGER entry_stays")
        (value,) = db.execute(f"SELECT {column} FROM entry WHERE game_id = ? AND seq = ?", (game_id, seq)).fetchone()
        try:
            where = (other(value, by), game_id, seq)
            db.execute(f"UPDATE entry SET {column} = ? WHERE game_id = ? AND seq = ?", where)
        except sqlite3.IntegrityError:
            return False
        db.commit()
    return True


@given(
    column=st.sampled_from(COLUMNS), game=st.sampled_from(list(GAMES)), seq=st.integers(1, ENTRIES), by=st.integers(0)
)
def test_a_changed_value_of_any_column_is_reported_and_the_rows_before_it_stay(
    whole, tmp_path_factory, column, game, seq, by
):
    path = tmp_path_factory.mktemp("changed") / "journal.sqlite3"
    path.write_bytes(whole)
    before = {game_id: intact(path, game_id) for game_id in GAMES}
    if not changed(path, column, game, seq, by):
        return
    left = {game_id: intact(path, game_id) for game_id in GAMES}
    assert column == "type" or len(left[game]) < len(before[game])
    with Store.open(path) as store:
        assert store.damage, "changed without a word"
        if column != "type":
            assert any(repr(game) in line for line in store.damage)
        found = {game_id: len(store.entries(game_id).entries) for game_id in GAMES}
    for game_id, rows in left.items():
        assert intact(path, game_id)[: len(rows)] == rows
        assert found.get(game_id, 0) - len(rows) in {0, 1}, "nothing is added but the end of a damaged game"


@given(column=st.sampled_from(("sha256", "name", "content", "crc")), by=st.integers(0))
def test_a_kept_deck_that_was_changed_is_reported_and_not_kept(whole, tmp_path_factory, column, by):
    path = tmp_path_factory.mktemp("changed") / "journal.sqlite3"
    path.write_bytes(whole)
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP TRIGGER deck_stays")
        (value,) = db.execute(f"SELECT {column} FROM deck").fetchone()
        db.execute(f"UPDATE deck SET {column} = ?", (other(value, by),))
        db.commit()
    before = {game_id: intact(path, game_id) for game_id in GAMES}
    with Store.open(path) as store:
        assert any("the deck" in line and "start the hub once with that deck's file" in line for line in store.damage)
        assert store.decks() == ()
    assert intact(path, "monday") == before["monday"]
