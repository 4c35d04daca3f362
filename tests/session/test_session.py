"""The session: what happened is in the journal before a station may forget it, and before anybody sees it."""

import asyncio

import pytest

from citytable.journal.entry import Draft, Entry, FactNoted
from citytable.journal.store import GameEntries, JournalUnavailable
from citytable.link.inbox import Received
from citytable.link.link import Batch
from citytable.link.wire_in import TagSeen
from citytable.rules.errors import GameError
from citytable.session.calm import SETTLING_US
from citytable.session.passing import MAX, TOGETHER_US, Passing
from citytable.session.session import Session
from citytable.session.troubles import Safe
from citytable.table.fact import Fell, MassMoving, MassSettled, TagCame, ZeroMoved
from citytable.table.health import Health
from citytable.table.plan import tag_uid
from citytable.table.question import Question
from citytable.table.word import Answer, Statement

SILENT = {"en": "city/1/0 reader: silent", "fr": "city/1/0, lecteur : silent"}


class Wire:
    """Gives batches, and notes in `log` when they were committed."""

    def __init__(self, log: list, *batches: Batch) -> None:
        self._log = log
        self._batches = batches
        self.faults: dict[int, tuple[dict[str, str], ...]] = {}  # what sector-1 complains of after so many batches
        self._given = 0

    async def batches(self):
        for batch in self._batches:
            self._given += 1
            yield batch

    async def committed(self, batch: Batch) -> None:
        self._log.append(("may be forgotten", batch.high_water))

    async def publish_light(self, station: str, rings: list) -> bool:
        self._log.append(("lit", station))
        return True

    async def all_caught_up(self) -> None:
        return

    def health(self) -> tuple:
        if not self.faults:
            return ()
        faults = self.faults.get(self._given, ())
        return (Health("sector-1", True, 7, "test", None, self._given, self._given, 0, faults),)

    def standing(self) -> tuple:
        return tuple((one.station, one.online, one.faults) for one in self.health())


class Notebook:
    """A journal that notes what is committed, or cannot."""

    def __init__(self, log: list, *, full: bool = False) -> None:
        self._log = log
        self._full = full
        self._entries: list[Entry] = []

    async def commit(self, game_id, drafts, high_water=None):
        if self._full:
            raise JournalUnavailable("the disk is full")
        drafts = tuple(drafts)
        self._log.append(("written", tuple(draft.body.__struct_config__.tag for draft in drafts), high_water))
        before = len(self._entries)
        self._entries += [Entry(k, one.at_us, one.cause, one.body) for k, one in enumerate(drafts, start=before + 1)]
        return tuple(self._entries[before:])

    async def entries(self, game_id):
        return GameEntries(tuple(self._entries))


def safe(notebook: Notebook) -> Safe:
    return Safe(notebook, patient=False)


def never(_entries):
    raise AssertionError("nobody corrects anything here")


@pytest.fixture
def said(table):
    """A table, and the batch in which a platform is laid on a hex."""
    there = table()
    tag = there.tag("city/1/0", tag_uid("platform/7/public"))
    return there, Batch(5, (Received("sector-1", 7, there.birth(), 4, 4), Received("sector-1", 7, tag, 5, 5, seq=1)))


async def test_a_batch_is_written_then_shown_then_forgotten(said):
    there, batch = said
    log: list = []
    session = Session("game", there.play, Wire(log, batch), safe(Notebook(log)), replay=never)
    session.show_on(lambda view: log.append(("shown", [live.thing for live in view.live])))
    await session.run()
    assert log == [
        ("written", ("fact", "fact"), {("sector-1", 7): 1}),
        ("shown", ["platform/7/public"]),
        ("may be forgotten", {("sector-1", 7): 1}),
    ]
    assert session.now_us() == 5


async def test_that_a_load_moves_is_written_with_what_comes_next(table, monkeypatch):
    there, log = table(), []
    felt = iter(
        [
            (MassMoving(t_us=1, spot="city/1/0"),),
            (ZeroMoved(t_us=2, spot="seat/1/bag", drift_g=1, error_g=1),),
            (MassSettled(t_us=3, spot="city/1/0", mass_g=9, step_g=9, error_g=1),),
        ]
    )
    monkeypatch.setattr(there.play, "take_facts", lambda: next(felt, ()))
    notebook = Notebook(log)
    session = Session(
        "game", there.play, Wire(log, *(Batch(t_us, ()) for t_us in (1, 2, 3))), safe(notebook), replay=never
    )
    await session.run()
    assert [entry for entry in log if entry[0] == "written"] == [("written", ("fact", "fact", "fact"), {})]
    written = (await notebook.entries("game")).entries
    assert [(entry.at_us, type(entry.body.fact)) for entry in written] == [
        (1, MassMoving),
        (2, ZeroMoved),
        (3, MassSettled),
    ]


async def test_so_it_is_when_people_say_something(table, monkeypatch):
    there, log, over = table(), [], asyncio.Event()
    monkeypatch.setattr(there.play, "take_facts", iter([(MassMoving(t_us=1, spot="city/1/0"),)]).__next__)
    wire = Wire(log)

    async def batches():
        yield Batch(1, ())
        await over.wait()

    wire.batches = batches
    session = Session("game", there.play, wire, safe(Notebook(log)), replay=never)
    running = asyncio.create_task(session.run())
    await asyncio.sleep(0)
    assert log == [("may be forgotten", {})]
    with pytest.raises(ValueError, match="no question 'x' is open"):
        await session.say(Answer(question="x", values={}, by="seat/1"))
    assert log[1:] == [("written", ("fact",), {})]
    over.set()
    await running


def laid(t_us: int, *, seq: int, tick: int | None = None) -> Batch:
    """A batch in which something came to a reader."""
    tag = TagSeen(boot=7, event_seq=seq, at=(0, 0), spot="city/1/0", uid="04aa", here=True)
    return Batch(t_us, (Received("sector-1", 7, tag, t_us, t_us, seq=seq),), tick=tick)


def came(t_us: int) -> TagCame:
    return TagCame(t_us=t_us, spot="city/1/0", uid="04aa", thing=None)


async def log_of(there, monkeypatch, facts: dict[int, tuple], *batches: Batch) -> list:
    """Return what is written and forgotten where these facts come with these batches."""
    log: list = []
    monkeypatch.setattr(there.play, "take_facts", lambda: facts.pop(session.now_us(), ()))
    session = Session("game", there.play, Wire(log, *batches), safe(Notebook(log)), replay=never)
    await session.run()
    return log


async def test_what_sensors_tell_is_written_together_and_may_be_forgotten_only_then(table, monkeypatch):
    facts = {5: (came(5),), 9: (came(9),)}
    later = 5 + TOGETHER_US
    batches = laid(5, seq=1), laid(9, seq=2), Batch(later - 1, ()), Batch(later, ()), Batch(later + 1, ())
    assert await log_of(table(), monkeypatch, facts, *batches) == [
        *[("may be forgotten", {})] * 3,
        ("written", ("fact", "fact"), {("sector-1", 7): 2}),
        ("may be forgotten", {("sector-1", 7): 2}),
        ("may be forgotten", {}),
    ]


async def test_what_follows_from_what_sensors_tell_waits_for_nothing(table, monkeypatch):
    facts = {5: (came(5),), 9: (Fell(t_us=9, spot="city/1/0", lost_g=5, stage="alert"),)}
    assert await log_of(table(), monkeypatch, facts, laid(5, seq=1), laid(9, seq=2)) == [
        ("may be forgotten", {}),
        ("written", ("fact", "fact"), {("sector-1", 7): 2}),
        ("may be forgotten", {("sector-1", 7): 2}),
    ]


async def test_in_lock_step_what_stations_said_is_written_at_once(table, monkeypatch):
    assert await log_of(table(), monkeypatch, {5: (came(5),)}, laid(5, seq=1, tick=1)) == [
        ("written", ("fact",), {("sector-1", 7): 1}),
        ("may be forgotten", {("sector-1", 7): 1}),
    ]


async def test_a_hub_that_is_ended_writes_what_waits(table, monkeypatch):
    assert await log_of(table(), monkeypatch, {5: (came(5),)}, laid(5, seq=1)) == [
        ("may be forgotten", {}),
        ("written", ("fact",), {("sector-1", 7): 1}),
    ]


def test_what_waits_is_bounded():
    moves = Draft(1, "sensor", FactNoted(fact=MassMoving(t_us=1, spot="city/1/0")))
    fell = Draft(1, "sensor", FactNoted(fact=Fell(t_us=1, spot="city/1/0", lost_g=5, stage="alert")))
    passing, nothing = Passing(), Batch(1, ())
    assert not passing.hold([moves, fell], nothing)
    assert all(passing.hold([moves], nothing) for _ in range(MAX))
    assert not passing.hold([moves], nothing)
    assert passing.written_with(()) == ((moves,) * MAX, {})
    assert passing.written_with(()) == ((), {})


async def test_what_cannot_be_written_may_not_be_forgotten(said):
    there, batch = said
    log: list = []
    with pytest.raises(JournalUnavailable):
        await Session("game", there.play, Wire(log, batch), safe(Notebook(log, full=True)), replay=never).run()
    assert log == []


async def test_what_nobody_asked_or_the_rules_forbid_is_not_written(said):
    there, _ = said
    log: list = []
    session = Session("game", there.play, Wire(log), safe(Notebook(log)), replay=never)
    with pytest.raises(ValueError, match="no question 'x' is open"):
        await session.say(Answer(question="x", values={}, by="seat/1"))
    with pytest.raises(GameError):
        await session.say(Statement(action="p1 end_turn", by="seat/1"))
    with pytest.raises(GameError):
        await session.say(Statement(action="fly", by="seat/1"))
    assert log == []
    assert (session.play.seat, session.play.questions, session.play.umpire.status().agrees) == (0, (), True)


async def test_what_people_say_waits_until_the_stations_have_told(table):
    there, log, told = table(), [], asyncio.Event()
    wire = Wire(log)
    wire.all_caught_up = told.wait
    session = Session("game", there.play, wire, safe(Notebook(log)), replay=never)
    saying = asyncio.create_task(session.say(Answer(question="x", values={}, by="seat/1")))
    await asyncio.sleep(0)
    assert not saying.done()
    told.set()
    with pytest.raises(ValueError, match="no question 'x' is open"):
        await saying


async def test_a_batch_without_news_shows_nothing_anew(table):
    log: list = []
    session = Session("game", table().play, Wire(log, Batch(1, ()), Batch(2, ())), safe(Notebook(log)), replay=never)
    session.show_on(lambda view: log.append(("shown", view.t_us)))
    await session.run()
    assert [entry for entry in log if entry[0] == "shown"] == [("shown", 1)]


async def test_what_stays_wrong_is_shown_once_more_when_it_becomes_an_alarm(evening):
    (_, there, _), log = evening, []
    tag = there.tag("city/1/0", tag_uid("platform/7/public"))
    batch = Batch(5, (Received("sector-1", 7, there.birth(), 4, 4), Received("sector-1", 7, tag, 5, 5, seq=1)))
    later = (Batch(t_us, ()) for t_us in (5 + SETTLING_US - 1, 5 + SETTLING_US, 5 + SETTLING_US + 1))
    session = Session("game", there.play, Wire(log, batch, *later), safe(Notebook(log)), replay=never)
    session.show_on(
        lambda view: log.append(("shown", view.t_us, {one.state for one in view.status.disagreements if one.spots}))
    )
    await session.run()
    shown = [entry[1:] for entry in log if entry[0] == "shown"]
    assert shown == [(5, {"settling"}), (5 + SETTLING_US, {"wrong"})]


async def test_a_station_that_complains_is_news_and_its_count_of_samples_is_not(table):
    log: list = []
    wire = Wire(log, *(Batch(t_us, ()) for t_us in (1, 2, 3, 4)))
    wire.faults = {2: (SILENT,), 3: (SILENT,)}
    session = Session("game", table().play, wire, safe(Notebook(log)), replay=never)
    session.show_on(lambda view: log.append(("shown", view.t_us, view.health[0].faults)))
    await session.run()
    shown = [entry[1:] for entry in log if entry[0] == "shown"]
    assert shown == [(1, ()), (2, (SILENT,)), (4, ())]


async def test_a_question_that_is_asked_again_is_written_again(table, monkeypatch):
    """It was settled, or its cause went away, and then came back: the journal tells of both times, and no more."""
    there, log = table(), []
    asked = Question(id="q", about="p1 deliver", seat=1, prompt="deliver", words={}, fields=())
    open_then = iter([(asked,), (asked,), (), (asked,)])
    session = Session(
        "game", there.play, Wire(log, *(Batch(t_us, ()) for t_us in (1, 2, 3, 4))), safe(Notebook(log)), replay=never
    )
    monkeypatch.setattr(type(there.play.umpire), "questions", property(lambda _: now[0]))
    now = [()]
    monkeypatch.setattr(there.play, "hear", lambda *_: now.__setitem__(0, next(open_then)) or ())
    await session.run()
    assert [entry[1] for entry in log if entry[0] == "written"] == [("question",), ("question",)]


async def test_a_question_that_comes_up_again_with_its_own_answer_is_written_again(table, monkeypatch):
    """The answer did not settle it: it stands before the answer in the journal, and after it."""
    there, log = table(), []
    asked = Question(id="q", about="p1 deliver", seat=1, prompt="deliver", words={}, fields=())
    session = Session("game", there.play, Wire(log, Batch(1, ())), safe(Notebook(log)), replay=never)
    monkeypatch.setattr(type(there.play.umpire), "questions", property(lambda _: (asked,)))
    monkeypatch.setattr(there.play, "say", lambda *_: ())
    await session.run()
    await session.say(Answer(question="q", values={}, by="seat/1"))
    assert [entry[1] for entry in log if entry[0] == "written"] == [("question",), ("answer", "question")]


async def test_what_has_just_come_is_shown_before_it_is_written(said):
    there, batch = said
    log: list = []
    wire = Wire(log, Batch(5, (), fresh=batch.received), batch)
    session = Session("game", there.play, wire, safe(Notebook(log)), replay=never)
    session.show_on(lambda view: log.append(("shown", [live.thing for live in view.live])))
    await session.run()
    assert log == [
        ("shown", ["platform/7/public"]),
        ("may be forgotten", {}),
        ("written", ("fact", "fact"), {("sector-1", 7): 1}),
        ("shown", ["platform/7/public"]),
        ("may be forgotten", {("sector-1", 7): 1}),
    ]
