"""Traces beside a running hub: whatever happens to them, it is said once and nobody else fails."""

import logging
import sqlite3
import time

import pytest

from citytable.journal.excerpt import BadExcerpt, Excerpt, Link
from citytable.journal.trace_store import Limits, TraceStore
from citytable.journal.traces import AGAIN_S, Traces
from citytable.journal.traces import traces_path as path_of_traces
from citytable.sensing.reading import TagRead

ONE = Excerpt("city/1/0", 0, 10, (TagRead(5, "city/1/0", "04aa", here=True),))
LINK = Link(3, 30, "city/1/0", 5, 5)


@pytest.fixture
def traces_path(path):
    return path_of_traces(path)


def test_they_lie_beside_the_journal(path):
    assert path_of_traces(path).name == "journal.traces.sqlite3"


async def test_what_is_kept_is_found_again_now_and_after_a_restart(traces_path):
    async with Traces.open(traces_path) as traces:
        traces.keep("g", [ONE, LINK])
        assert await traces.of_entry("g", 3, 30) == (ONE,)
    async with Traces.open(traces_path) as traces:
        assert await traces.of_entry("g", 3, 30) == (ONE,)
        assert traces.trouble == ""


def full(*_):
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    raise error


async def test_a_full_disk_is_said_once_and_then_nothing_is_kept(traces_path, monkeypatch, caplog):
    async with Traces.open(traces_path) as traces:
        monkeypatch.setattr(TraceStore, "write", full)
        for _ in range(3):
            traces.keep("g", [ONE])
            with pytest.raises(BadExcerpt, match="disk is full: no signals are saved until you repair that"):
                await traces.of_entry("g", 3, 30)
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


async def test_signals_are_kept_again_once_somebody_has_made_room(traces_path, monkeypatch, caplog):
    """A hub that stays on kept none until its next start."""
    now_s = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now_s[0])
    async with Traces.open(traces_path) as traces:
        write = TraceStore.write
        monkeypatch.setattr(TraceStore, "write", full)
        for _ in range(2):  # the disk is full, and is so yet after ten minutes
            traces.keep("g", [ONE, LINK])
            with pytest.raises(BadExcerpt, match="disk is full"):
                await traces.of_entry("g", 3, 30)
            now_s[0] += AGAIN_S
        monkeypatch.setattr(TraceStore, "write", write)
        traces.keep("g", [ONE, LINK])
        assert await traces.of_entry("g", 3, 30) == (ONE,)
        assert traces.trouble == ""
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


async def test_a_file_that_is_none_is_put_aside_and_a_new_one_begun(traces_path):
    traces_path.write_bytes(b"this is no database, " * 100)
    async with Traces.open(traces_path) as traces:
        assert "saved as" in traces.trouble
        traces.keep("g", [ONE, LINK])
        assert await traces.of_entry("g", 3, 30) == (ONE,)
        assert "saved as" in traces.trouble, "the host is told of it, whatever is kept since"
    assert traces_path.with_name(traces_path.name + ".damaged-1").read_bytes().startswith(b"this is no")


async def test_a_file_found_damaged_while_playing_is_put_aside_too(traces_path, caplog):
    async with Traces.open(traces_path) as traces:
        traces.keep("g", [ONE, LINK])
        await traces.of_entry("g", 3, 30)
    with sqlite3.connect(traces_path) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'link'").fetchone()
    db.close()
    text = bytearray(traces_path.read_bytes())
    text[(page - 1) * 4096 : page * 4096] = bytes(4096)
    traces_path.write_bytes(text)
    async with Traces.open(traces_path) as traces:
        assert traces.trouble == ""
        traces.keep("g", [ONE, LINK])
        assert await traces.of_entry("g", 3, 30) == ()
        assert "a new one was started" in traces.trouble
        traces.keep("g", [ONE, LINK])
        assert await traces.of_entry("g", 3, 30) == (ONE,)
    assert len(caplog.records) == 1


async def test_a_newer_programs_file_is_left_alone(traces_path):
    with sqlite3.connect(traces_path) as db:
        db.execute("PRAGMA user_version = 9")
    db.close()
    before = traces_path.read_bytes()
    async with Traces.open(traces_path) as traces:
        assert "it has version 9" in traces.trouble
        traces.keep("g", [ONE])
        with pytest.raises(BadExcerpt, match="version 9"):
            await traces.of_entry("g", 3, 30)
    assert traces_path.read_bytes()[100:] == before[100:]


async def test_a_folder_that_is_not_there_is_no_reason_not_to_play(tmp_path):
    async with Traces.open(tmp_path / "nowhere/traces.sqlite3") as traces:
        assert "play goes on without them" in traces.trouble


async def test_what_a_slow_disk_cannot_take_is_dropped_and_said_once(traces_path, monkeypatch, caplog):
    monkeypatch.setattr("citytable.journal.traces.WAITING_MAX", 3)
    async with Traces.open(traces_path, Limits()) as traces:
        traces.keep("g", [ONE, ONE])
        traces.keep("g", [ONE, ONE])
        traces.keep("g", [ONE, ONE])
        assert "too slow" in traces.trouble
    assert len(caplog.records) == 1
