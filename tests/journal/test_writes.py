"""How much is written to the medium beside what is kept: SD cards wear out, and a month has many evenings."""

import asyncio
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from citytable.journal.database import PAGE_BYTES
from citytable.journal.excerpt import Excerpt, Link
from citytable.journal.store import Commit, Store
from citytable.journal.trace_store import TraceStore
from citytable.journal.traces import Traces
from citytable.sensing.reading import TagRead

LARGE_PAGE_BYTES = 4096
COMMITS = 200
BLOCK_BYTES = 4096  # of Linux: so much it writes at least
ONE = Excerpt("city/1/0", 0, 10, (TagRead(5, "city/1/0", "04aa", here=True),))


@pytest.fixture
def on_disk(root):
    """A folder on a medium: what goes to a folder in memory is not counted."""
    (root / "var").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=root / "var") as folder:
        yield Path(folder)


def test_a_commit_costs_two_blocks_and_not_four(on_disk, drafts, load_tool):
    bench = load_tool("bench_writes")
    with Store.open(on_disk / "journal.sqlite3") as store:
        store.append(Commit("monday", (drafts.started,)))
        before = bench.written_bytes()
        for n in range(COMMITS):
            store.append(Commit("monday", (drafts.action(str(n)),), {("park", 7): n}))
        assert COMMITS <= (bench.written_bytes() - before) / BLOCK_BYTES < 2.5 * COMMITS


async def test_signals_that_come_soon_after_each_other_are_written_together(path, monkeypatch):
    writes = []
    write = TraceStore.write
    monkeypatch.setattr(TraceStore, "write", lambda store, work: writes.append(len(work)) or write(store, work))
    async with Traces.open(path) as traces:
        traces.keep("g", [ONE])
        await asyncio.sleep(0)  # the writer has its turn
        traces.keep("g", [Link(3, 30, "city/1/0", 5, 5)])
        assert await traces.of_entry("g", 3, 30) == (ONE,)
        traces.keep("g", [ONE])
    assert writes == [2, 1]


async def test_signals_that_nobody_wants_to_see_are_written_after_a_while(path, monkeypatch):
    monkeypatch.setattr("citytable.journal.traces.TOGETHER_S", 0)
    async with Traces.open(path) as traces:
        traces.keep("g", [ONE])
        await traces._writing
        with TraceStore.read(path) as beside:
            assert beside.kept("g").excerpts == 1


@pytest.fixture
def large(path, drafts):
    """A journal with the pages of earlier releases."""
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA page_size = {LARGE_PAGE_BYTES}")
        db.execute("PRAGMA journal_mode = WAL")
    (said, was) = (drafts.action("1"), {("park", 7): 1})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("citytable.journal.database.PAGE_BYTES", LARGE_PAGE_BYTES)
        with Store.open(path) as store:
            store.append(Commit("monday", (drafts.started, said), was))
    return path


def page_bytes(path):
    with closing(sqlite3.connect(path)) as db:
        return db.execute("PRAGMA page_size").fetchone()[0]


def test_an_older_journal_gets_small_pages_and_keeps_all_it_holds(large):
    with Store.read(large) as store:
        before = (store.entries("monday"), store.marks(), store.games())
    assert page_bytes(large) == LARGE_PAGE_BYTES
    with Store.open(large) as store:
        assert (store.entries("monday"), store.marks(), store.games(), store.damage) == (*before, ())
        assert store._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert page_bytes(large) == PAGE_BYTES


def test_an_older_journal_that_somebody_reads_is_written_as_it_is(large, drafts):
    with Store.read(large) as reading:
        reading.games()
        with Store.open(large) as store:
            store.append(Commit("monday", (drafts.action("2"),)))
        assert len(reading.entries("monday").entries) == 3
    assert page_bytes(large) == LARGE_PAGE_BYTES
