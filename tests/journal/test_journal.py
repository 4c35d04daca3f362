"""The running hub's journal: many callers, one writer, nothing acknowledged is lost."""

import asyncio
import sqlite3
import sys
import threading

import pytest

from citytable.journal.entry import ActionConfirmed
from citytable.journal.journal import Journal
from citytable.journal.store import BadCommit, Commit, JournalUnavailable, Store

WRITER = """
import asyncio, sys
from pathlib import Path
from citytable.journal.entry import ActionConfirmed, Draft, GameStarted
from citytable.journal.journal import Journal

async def write(journal, caller):
    for n in range(100_000):
        draft = Draft(n, "sensor", ActionConfirmed(action=f"{caller}-{n}"))
        (entry,) = await journal.commit("g", [draft], {(f"station-{caller}", 1): n + 1})
        print(entry.seq, caller, n, flush=True)

async def main():
    async with Journal.open(Path(sys.argv[1])) as journal:
        await journal.commit("g", [Draft(0, "system", GameStarted(game="counting"))])
        await asyncio.gather(*(write(journal, caller) for caller in range(3)))

asyncio.run(main())
"""


@pytest.fixture
async def journal(path):
    async with Journal.open(path) as opened:
        yield opened


async def test_concurrent_callers_share_the_medium_and_the_numbers_have_no_holes(journal, drafts):
    await journal.commit("g", [drafts.started])
    groups = []
    append_group = journal._store.append_group

    def counted(commits):
        groups.append(len(commits))
        return append_group(commits)

    journal._store.append_group = counted
    results = await asyncio.gather(*(journal.commit("g", [drafts.action(str(n))]) for n in range(40)))
    assert sorted(entry.seq for (entry,) in results) == list(range(2, 42))
    assert [(entry.seq, entry.body) for entry in (await journal.entries("g")).entries[1:]] == sorted(
        ((entry.seq, entry.body) for (entry,) in results), key=lambda pair: pair[0]
    )
    assert sum(groups) == 40
    assert len(groups) <= 2


async def test_what_concerns_two_games_is_written_at_once_or_not_at_all(path, journal, drafts):
    await journal.commit("monday", [drafts.started])
    both = [Commit("monday", (drafts.ended,)), Commit("tuesday", (drafts.started,))]

    def full(store, heard):
        assert store._db.execute("SELECT count(*) FROM entry").fetchone() == (3,)
        raise sqlite3.OperationalError("disk I/O error")

    with pytest.MonkeyPatch.context() as medium:
        medium.setattr(Store, "_mark", full)
        with pytest.raises(JournalUnavailable):
            await journal.commit_together(both)
    assert [(row.id, row.over) for row in await journal.games()] == [("monday", False)]
    told = await journal.commit_together(both)
    assert [[entry.seq for entry in entries] for entries in told] == [[2], [1]]
    assert [(row.id, row.over) for row in await journal.games()] == [("monday", True), ("tuesday", False)]
    with Store.read(path) as other:
        assert other.latest().id == "tuesday"


async def test_who_commits_while_the_medium_is_busy_is_next(journal, drafts):
    await journal.commit("g", [drafts.started])
    append_group, medium = journal._store.append_group, threading.Event()
    loop, begun = asyncio.get_running_loop(), asyncio.Event()

    def busy(commits):
        loop.call_soon_threadsafe(begun.set)
        medium.wait(10)
        return append_group(commits)

    journal._store.append_group = busy
    first = asyncio.create_task(journal.commit("g", [drafts.action("1")]))
    await begun.wait()
    second = asyncio.create_task(journal.commit("g", [drafts.action("2")]))
    await asyncio.sleep(0)
    medium.set()
    async with asyncio.timeout(10):
        assert [entry.seq for (entry,) in await asyncio.gather(first, second)] == [2, 3]


async def test_who_commits_again_and_again_goes_on_sharing_the_medium(journal, drafts):
    await journal.commit("g", [drafts.started])
    append_group, groups = journal._store.append_group, []

    def counted(commits):
        groups.append(len(commits))
        return append_group(commits)

    async def caller():
        for n in range(5):
            await journal.commit("g", [drafts.action(str(n))])

    journal._store.append_group = counted
    await asyncio.gather(*(caller() for _ in range(20)))
    assert sum(groups) == 100
    assert len(groups) <= 6  # the first caller alone, who is among the others from then on


async def test_a_fault_of_our_own_is_told_to_who_commits_and_harms_nothing_after_it(journal, drafts):
    append_group = journal._store.append_group

    def faulty(commits):
        raise ZeroDivisionError

    journal._store.append_group = faulty
    with pytest.raises(ZeroDivisionError):
        await journal.commit("g", [drafts.started])
    journal._store.append_group = append_group
    assert len(await journal.commit("g", [drafts.started])) == 1


async def test_a_commit_of_nothing_does_not_touch_the_medium(journal):
    journal._store.append_group = None
    assert await journal.commit("g", []) == ()


async def test_the_caller_at_fault_is_told_and_no_other(journal, drafts):
    await journal.commit("g", [drafts.started])
    good, bad = await asyncio.gather(
        journal.commit("g", [drafts.action("1")], {("park", 7): 3}),
        journal.commit("nobody", [drafts.action("2")]),
        return_exceptions=True,
    )
    assert [entry.seq for entry in good] == [2]
    assert isinstance(bad, BadCommit)
    assert await journal.marks() == {("park", 7): 3}


async def test_everybody_is_told_when_the_disk_is_full_and_may_try_again(journal, drafts):
    await journal.commit("g", [drafts.started])
    (pages,) = journal._store._db.execute("PRAGMA page_count").fetchone()
    journal._store._db.execute(f"PRAGMA max_page_count = {pages}")
    big = [drafts.action("9" * 5_000)] * 5
    refused = await asyncio.gather(journal.commit("g", big), journal.commit("g", big), return_exceptions=True)
    assert [type(error) for error in refused] == [JournalUnavailable, JournalUnavailable]
    journal._store._db.execute("PRAGMA max_page_count = 100000")
    (entry, *_) = await journal.commit("g", big)
    assert entry.seq == 2


async def test_a_caller_who_gives_up_harms_no_other(journal, drafts):
    await journal.commit("g", [drafts.started])
    hasty = asyncio.create_task(journal.commit("g", [drafts.action("1")]))
    patient = asyncio.create_task(journal.commit("g", [drafts.action("2")]))
    await asyncio.sleep(0)
    hasty.cancel()
    (entry,) = await patient
    assert entry.seq == len((await journal.entries("g")).entries)


async def test_closing_writes_what_is_waiting(path, drafts):
    async with Journal.open(path) as journal:
        await journal.commit("g", [drafts.started])
        waiting = asyncio.create_task(journal.commit("g", [drafts.action("1")]))
        await asyncio.sleep(0)
    assert (await waiting)[0].seq == 2
    with Store.open(path) as store:
        assert len(store.entries("g").entries) == 2


async def test_a_journal_opened_again_goes_on_where_it_was(path, drafts):
    async with Journal.open(path) as journal:
        await journal.commit("g", [drafts.started, drafts.action("1")], {("park", 7): 3})
    async with Journal.open(path) as journal:
        game = await journal.latest()
        assert (game.id, game.entries) == ("g", 2)
        assert await journal.marks() == {("park", 7): 3}
        assert [row.id for row in await journal.games()] == ["g"]
        (entry,) = await journal.commit("g", [drafts.action("2")])
        assert entry.seq == 3


@pytest.mark.parametrize("acknowledged", [1, 7, 40])
async def test_everything_acknowledged_is_there_after_a_kill_in_the_middle_of_writing(path, acknowledged):
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", WRITER, str(path), stdout=asyncio.subprocess.PIPE
    )
    assert child.stdout is not None
    lines = [await child.stdout.readline() for _ in range(acknowledged)]
    child.kill()
    lines += (await child.stdout.read()).split(b"\n")[:-1]
    await child.wait()
    told = [tuple(int(part) for part in line.split()) for line in lines]
    with Store.open(path) as store:
        assert store.damage == ()
        entries = store.entries("g").entries
        assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
        written = {entry.seq: entry.body for entry in entries}
        for seq, caller, n in told:
            assert written[seq] == ActionConfirmed(action=f"{caller}-{n}")
        for caller in range(3):
            texts = [e.body.action for e in entries[1:] if e.body.action.startswith(f"{caller}-")]
            assert store.marks().get((f"station-{caller}", 1), 0) == len(texts)  # effect and mark together
