"""The disk is full, or stands still, in the middle of a game: nothing goes on, everybody is told, nothing is lost."""

import asyncio

import pytest
from tests.patience import PATIENCE_S

from citytable.journal.entry import Draft, FactNoted, GameStarted
from citytable.journal.journal import Journal
from citytable.journal.store import JournalUnavailable
from citytable.link.inbox import Received
from citytable.link.link import Batch
from citytable.rules.errors import GameError
from citytable.session import troubles
from citytable.session.session import Session
from citytable.session.troubles import Safe
from citytable.table.plan import tag_uid
from citytable.table.word import Statement

PAGES = 100_000


class Wire:
    """One batch, then silence; notes what the stations may forget."""

    answers = True

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self.forgotten: list[dict] = []

    async def batches(self):
        yield self._batch

    async def committed(self, batch: Batch) -> None:
        self.forgotten.append(batch.high_water)

    async def publish_light(self, station: str, rings: list) -> bool:
        return True

    async def all_caught_up(self) -> None:
        return

    def health(self) -> tuple:
        return ()

    def standing(self) -> tuple:
        return ()


@pytest.fixture
async def journal(tmp_path):
    async with Journal.open(tmp_path / "journal.sqlite3") as opened:
        await opened.commit("g", [Draft(0, "system", GameStarted(game="megacity"))])
        yield opened


def disk(journal: Journal, pages: int) -> None:
    """SQLite itself says that there is no room beyond so many pages."""
    journal._store._db.execute(f"PRAGMA max_page_count = {pages}")


async def until(condition) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not condition():  # noqa: ASYNC110  what is waited for tells nobody
            await asyncio.sleep(0)


@pytest.fixture
def batch(table):
    """A platform is laid on a hex, and forty more tags come."""
    there = table()
    said = [there.birth(), there.tag("city/1/0", tag_uid("platform/7/public"))]
    said += [there.tag("city/2/0", f"04{n:012x}") for n in range(40)]
    received = [Received("sector-1", 7, message, n + 4, n + 4, seq=n) for n, message in enumerate(said)]
    return there, Batch(50, tuple(received))


async def test_on_a_full_disk_nothing_goes_on_and_when_there_is_room_nothing_was_lost(journal, batch, monkeypatch):
    monkeypatch.setattr(troubles, "AGAIN_S", 0)
    monkeypatch.setattr("citytable.session.session.LOOK_S", 0)
    monkeypatch.setattr(troubles, "SLOW_LOOKS", float("inf"))  # what takes no time is looked at as often as you like
    there, one = batch
    wire, shown = Wire(one), []
    session = Session("g", there.play, wire, Safe(journal, patient=True), replay=lambda _: None, now_us=int)
    session.show_on(lambda view: shown.append((view.troubles, len(view.live))))
    disk(journal, 1)
    hearing, looking = asyncio.create_task(session.run()), asyncio.create_task(session.look_out())

    await until(lambda: shown)
    assert shown == [(("journal",), 0)]  # not what nobody has written
    assert wire.forgotten == []
    with pytest.raises(JournalUnavailable, match="the disk is full: free some space"):
        await session.say(Statement(action="p1 end_turn", by="seat/1"))

    disk(journal, PAGES)
    await hearing
    await until(lambda: shown[-1][0] == ())
    looking.cancel()
    assert shown[-1][1] > 0
    assert wire.forgotten == [one.high_water]
    entries = (await journal.entries("g")).entries
    facts = [entry.body.fact for entry in entries if isinstance(entry.body, FactNoted)]
    assert len(facts) == len(set(facts)) > 1
    assert await journal.marks() == one.high_water
    with pytest.raises(GameError):
        await session.say(Statement(action="p1 end_turn", by="seat/1"))


async def test_in_lock_step_nobody_waits_for_room(journal):
    disk(journal, 1)
    too_much = Draft(0, "system", GameStarted(game="x" * 100_000))
    with pytest.raises(JournalUnavailable, match="the disk is full"):
        await Safe(journal, patient=False).commit("h", [too_much])


class Medium:
    """Stands still until it is let go."""

    def __init__(self) -> None:
        self.goes = asyncio.Event()

    async def commit(self, *_) -> tuple:
        await self.goes.wait()
        return ()


async def test_a_medium_that_stands_still_is_shown_until_it_goes_on():
    medium = Medium()
    safe, wire = Safe(medium, patient=True), Wire(Batch(1, ()))
    assert troubles.troubles(wire, safe) == ()
    writing = asyncio.create_task(safe.commit("g", []))
    await asyncio.sleep(0)
    assert [troubles.troubles(wire, safe) for _ in range(troubles.SLOW_LOOKS)] == [()] * troubles.SLOW_LOOKS
    assert troubles.troubles(wire, safe) == ("journal",)
    medium.goes.set()
    await writing
    assert troubles.troubles(wire, safe) == ()


async def test_many_quick_writes_are_not_one_slow_one():
    medium = Medium()
    safe = Safe(medium, patient=True)
    medium.goes.set()
    for _ in range(3 * troubles.SLOW_LOOKS):
        await safe.commit("g", [])
        assert not safe.look()


def test_people_hear_of_a_medium_that_stands_still_within_two_seconds():
    assert (troubles.SLOW_LOOKS + 2) * troubles.LOOK_S < 2
