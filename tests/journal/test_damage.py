"""A database that was cut, or in which a bit flipped: what is sound is there, what is not is said."""

import sqlite3
from contextlib import closing

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from citytable.journal.database import PAGE_BYTES
from citytable.journal.entry import DAMAGED, GameEnded
from citytable.journal.store import Commit, JournalUnavailable, Store

pytestmark = pytest.mark.long(4)

GAMES = {"monday": True, "tuesday": False}  # and whether they are over
ENTRIES = 40
LOGGED = 12
MARKS = {("park", 7): 41, ("seat-1", 1_000_000): 12, ("sector-3", 536_870_911): 3}
PLACES = st.integers(0, 1 << 24)
OFTEN = settings(max_examples=settings().max_examples * 3, suppress_health_check=list(HealthCheck))


class Whole:
    """A sound database: its bytes, and what it holds."""

    def __init__(self, content, held):
        self.content, self.held = content, held


@pytest.fixture(scope="module")
def whole(tmp_path_factory, drafts):
    path = tmp_path_factory.mktemp("sound") / "journal.sqlite3"
    with Store.open(path) as store:
        for day, (game_id, over) in enumerate(GAMES.items()):
            started = drafts.started.__class__(1_000 + day, "system", drafts.started.body)
            actions = [drafts.action(f"{n} {'x' * (n * 7 % 90)}") for n in range(ENTRIES)]
            store.append(Commit(game_id, (started, *actions, *([drafts.ended] if over else ())), MARKS))
        held = {game_id: store.entries(game_id).entries for game_id in GAMES}
    return Whole(path.read_bytes(), held)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("damaged")


def judge(place, content, held):
    """Open what is left and hold it against what was there."""
    for file in place.iterdir():
        file.unlink()
    path = place / "journal.sqlite3"
    path.write_bytes(content)
    try:
        store = Store.open(path)
    except JournalUnavailable:
        assert path.read_bytes() == content, "what is refused is left alone"
        return
    with store:
        rows = {row.id: row for row in store.games()}
        complete = rows.keys() == held.keys() and store.marks() == MARKS
        for game_id in rows:
            found = store.entries(game_id).entries
            ended_by_us = bool(found) and found[-1].body == GameEnded(termination=DAMAGED)
            known = held.get(game_id, ())
            assert (found[:-1] if ended_by_us else found) == known[: len(found) - ended_by_us], "made up"
            complete = complete and found == known
        assert complete or store.damage, "lost without a word"
        going_on = store.latest()
        right = going_on is None or going_on.over or store.entries(going_on.id).entries == held["tuesday"]
        assert right, "a wrong game"
        if complete:
            assert going_on is not None


@OFTEN
@given(at=PLACES, bit=st.integers(0, 7))
@example(at=3114, bit=7)  # in the words of the schema
@example(at=19526, bit=0)  # in how far a station was heard
def test_one_flipped_bit(whole, place, at, bit):
    content = whole.content
    flipped = bytearray(content)
    flipped[at % len(content)] ^= 1 << bit
    judge(place, bytes(flipped), whole.held)


@OFTEN
@given(at=PLACES)
def test_a_cut_anywhere(whole, place, at):
    content = whole.content
    judge(place, content[: at % (len(content) - 1) + 1], whole.held)


@OFTEN
@given(at=PLACES, size=st.sampled_from((16, 512, 4096)), sector=st.sampled_from((b"\0", b"\xff", b"c")))
def test_a_lost_sector(whole, place, at, size, sector):
    """A card gives back zeros, or something else."""
    content = whole.content
    begins = at % len(content) // size * size
    judge(place, content[:begins] + sector * size + content[begins + size :], whole.held)


def test_a_journal_of_version_1_gets_its_checksums_when_it_is_opened(place, whole):
    """Its marks had none."""
    path = place / "old.sqlite3"
    path.write_bytes(whole.content)
    with closing(sqlite3.connect(path)) as db:
        db.executescript("ALTER TABLE station_seen DROP COLUMN crc; DROP TABLE deck; PRAGMA user_version = 1;")
    with Store.read(path) as store:
        assert store.marks() == MARKS
    with Store.open(path) as store:
        assert (store.damage, store.marks()) == ((), MARKS)
        store.append(Commit("tuesday", (), {("park", 7): 42}))
    with Store.open(path) as store:
        assert (store.damage, store.marks()) == ((), MARKS | {("park", 7): 42})


@pytest.mark.parametrize("size", [1, 15, 100, 511])
def test_what_is_shorter_than_any_journal_is_left_alone_and_a_backup_advised(place, whole, size):
    path = place / "short.sqlite3"
    path.write_bytes(whole.content[:size])
    with pytest.raises(JournalUnavailable, match=f"these {size} bytes are not a journal: restore a backup"):
        Store.open(path)
    assert path.stat().st_size == size


@pytest.fixture(scope="module")
def logged(tmp_path_factory, drafts):
    """A killed hub's files: a database, and a log that holds some commits, each with how far a station was heard."""
    path = tmp_path_factory.mktemp("logged") / "journal.sqlite3"
    with Store.open(path) as store:
        store.append(Commit("monday", (drafts.started,), {("park", 7): 1}))
        for n in range(2, 2 + LOGGED):
            store.append(Commit("monday", (drafts.action(str(n)),), {("park", 7): n}))
        log = path.with_name(path.name + "-wal")
        return path.read_bytes(), log.read_bytes(), store.entries("monday").entries


FRAME_BYTES = 24 + PAGE_BYTES
FOURTH_COMMIT = 32 + 21 * FRAME_BYTES
LAST_FRAME = 32 + 58 * FRAME_BYTES


@OFTEN
@given(at=PLACES, bit=st.integers(0, 7), cut=st.booleans())
@example(at=LAST_FRAME + 9, bit=0, cut=False)  # in what tells the last frame from those of an earlier round
def test_a_damaged_log_gives_the_game_up_to_some_moment_and_no_mark_beyond_it(place, logged, at, bit, cut):
    """SQLite stops at the first page of its log that is not sound. Marks go back with their entries: what a station
    still has to say is taken then, and not for known."""
    content, log, held = logged
    for file in place.iterdir():
        file.unlink()
    flipped = bytearray(log)
    flipped[at % len(log)] ^= 1 << bit
    path = place / "journal.sqlite3"
    path.write_bytes(content)
    path.with_name(path.name + "-wal").write_bytes(log[: at % len(log)] if cut else bytes(flipped))
    with Store.open(path) as store:
        rows = store.games()
        found = store.entries("monday").entries if rows else ()
        assert found == held[: len(found)]
        assert store.marks() == ({("park", 7): len(found)} if found else {})
        complete = found == held
        unheard_of = cut or at % len(log) - LAST_FRAME in range(8, 16)  # then it seems to be of an earlier round
        assert bool(store.damage) == (not complete and not unheard_of)


@pytest.mark.parametrize(
    ("at", "says"),
    [
        (5, "damaged after 0 commits, the last 14 commits are lost. Nothing is known of any game"),
        (
            FOURTH_COMMIT,
            "damaged after 3 commits, the last 11 commits are lost. Game 'monday' is known up to entry 2",
        ),
        (-10, "damaged after 13 commits, its last commit is lost, unless it was being written when the power went"),
    ],
)
def test_what_a_damaged_log_has_lost_is_said_and_the_log_is_kept(place, logged, at, says):
    content, log, held = logged
    for file in place.iterdir():
        file.unlink()
    flipped = bytearray(log)
    flipped[at] ^= 1
    path, beside = place / "journal.sqlite3", place / "journal.sqlite3-wal"
    path.write_bytes(content)
    beside.write_bytes(flipped)
    with Store.open(path) as store:
        (sentence,) = store.damage
        assert says in sentence
        if store.games():
            store.append(Commit("monday", (held[1],)))
    assert beside.with_name(beside.name + ".damaged-1").read_bytes() == flipped
    with Store.open(path) as store:
        assert store.damage == ()


def test_frames_of_an_earlier_round_of_a_log_were_not_lost(place, drafts):
    """After a checkpoint SQLite writes its log from the beginning again."""
    for file in place.iterdir():
        file.unlink()
    path, copied = place / "journal.sqlite3", place / "killed.sqlite3"
    with Store.open(path) as store:
        store.append(Commit("monday", (drafts.started, *(drafts.action(str(n)) for n in range(40)))))
        store._db.execute("PRAGMA wal_checkpoint(RESTART)")
        store.append(Commit("monday", (drafts.action("41"),)))
        for suffix in ("", "-wal"):
            copied.with_name(copied.name + suffix).write_bytes(path.with_name(path.name + suffix).read_bytes())
    with Store.open(copied) as store:
        assert (len(store.entries("monday").entries), store.damage) == (42, ())
