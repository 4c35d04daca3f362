"""The database of traces: entries find what they rest on, and it never grows beyond its limits."""

import sqlite3
from contextlib import closing

import pytest

from citytable.journal.excerpt import BadExcerpt, Excerpt, Link
from citytable.journal.trace_store import Limits, TraceStore
from citytable.sensing.reading import CellSamples

SPOT = "city/1/0"
SECOND_US = 1_000_000


def excerpt(at_s, spot=SPOT, size=8):
    start_us = at_s * SECOND_US
    samples = CellSamples(spot, 0, tuple(start_us + k * 12_500 for k in range(size)), tuple(range(size)))
    return Excerpt(spot, start_us, start_us + SECOND_US, (samples,))


def link(seq, at_s, spot=SPOT, since_s=None):
    first_us = (at_s if since_s is None else since_s) * SECOND_US
    return Link(seq, seq * 10, spot, first_us, at_s * SECOND_US)


@pytest.fixture
def opened(tmp_path):
    """Opens `traces.sqlite3` with limits; all are closed at the end."""
    stores = []

    def open_store(**limits):
        stores.append(TraceStore.open(tmp_path / "traces.sqlite3", Limits(**limits)))
        return stores[-1]

    yield open_store
    for store in stores:
        store.close()


def starts(excerpts):
    return [one.from_us // SECOND_US for one in excerpts]


def test_an_entry_finds_the_excerpts_of_its_window(opened):
    store = opened()
    store.write([("g", one) for one in (excerpt(10), excerpt(20), excerpt(40), excerpt(20, "city/0/1"))])
    store.write([("g", link(5, 20, since_s=11)), ("h", excerpt(20))])
    found = store.of_entry("g", 5, 50)
    assert found == (excerpt(10), excerpt(20))
    assert store.of_entry("g", 5, 51) == (), "another entry of this number: the journal was restored from a backup"
    assert store.of_entry("h", 5, 50) == store.of_entry("g", 6, 60) == ()


def test_a_link_may_be_written_before_the_excerpt_is_over(opened):
    store = opened()
    store.write([("g", link(5, 20))])
    store.write([("g", excerpt(20))])
    assert starts(store.of_entry("g", 5, 50)) == [20]


def test_what_no_entry_rests_on_goes_after_a_while(opened):
    store = opened(unlinked_us=60 * SECOND_US)
    store.write([("g", excerpt(10)), ("g", excerpt(12)), ("g", link(5, 12))])
    store.write([("g", excerpt(70))])
    assert store.kept("g").excerpts == 3
    store.write([("g", excerpt(90))])
    assert store.kept("g").excerpts == 3
    assert starts(store.of_entry("g", 5, 50)) == [12]


def test_what_is_too_old_goes_though_an_entry_rests_on_it(opened):
    store = opened(age_us=100 * SECOND_US)
    store.write([("g", excerpt(10)), ("g", link(5, 10))])
    store.write([("g", excerpt(200)), ("g", link(6, 200))])
    assert store.of_entry("g", 5, 50) == ()
    assert starts(store.of_entry("g", 6, 60)) == [200]


def test_links_to_what_is_gone_go_after_the_next_start(opened):
    store = opened(age_us=100 * SECOND_US)
    store.write([("g", excerpt(10)), ("g", link(5, 10)), ("g", link(6, 150)), ("g", excerpt(150))])
    store.write([("g", excerpt(200)), ("g", link(7, 200))])
    again = opened()
    again.write([("g", excerpt(210))])
    assert [seq for (seq,) in again._db.execute("SELECT seq FROM link ORDER BY seq")] == [6, 7]
    assert starts(again.of_entry("g", 6, 60)) == [150]


def test_in_want_of_room_what_is_not_linked_goes_first_and_then_the_oldest(opened):
    size = opened().kept("g").data_bytes
    store = opened(data_bytes=10**9)
    store.write([("g", excerpt(10))])
    size = store.kept("g").data_bytes
    store = opened(data_bytes=3 * size + size // 2)
    store.write([("g", link(5, 10)), ("g", excerpt(20)), ("g", excerpt(30)), ("g", link(7, 30))])
    store.write([("g", excerpt(40)), ("g", link(8, 40))])
    assert [starts(store.of_entry("g", seq, seq * 10)) for seq in (5, 7, 8)] == [[10], [30], [40]]
    store.write([("g", excerpt(50)), ("g", link(9, 50))])
    assert [starts(store.of_entry("g", seq, seq * 10)) for seq in (5, 7, 8, 9)] == [[], [30], [40], [50]]
    assert store.kept("g").data_bytes <= 3 * size + size // 2


def test_it_says_how_much_is_kept_of_a_game(opened):
    store = opened()
    store.write([("g", excerpt(10)), ("g", excerpt(20, size=12)), ("h", excerpt(30))])
    kept = store.kept("g")
    assert (kept.excerpts, kept.samples) == (2, 20)


def test_an_excerpt_that_was_changed_on_its_medium_is_not_believed(opened, tmp_path):
    store = opened()
    store.write([("g", excerpt(10)), ("g", link(5, 10))])
    with closing(sqlite3.connect(tmp_path / "traces.sqlite3")) as db, db:
        db.execute("UPDATE stretch SET data = zeroblob(length(data))")
    with pytest.raises(BadExcerpt, match="trace 1 of city/1/0 was damaged on disk"):
        store.of_entry("g", 5, 50)
    with closing(sqlite3.connect(tmp_path / "traces.sqlite3")) as db, db:
        db.execute("UPDATE stretch SET format = 2")
    with pytest.raises(BadExcerpt, match="format 2, but this program reads 1"):
        store.of_entry("g", 5, 50)


def test_nothing_of_work_that_fails_is_written(opened):
    store = opened()
    with pytest.raises(sqlite3.Error):
        store.write([("g", excerpt(10)), ("g", Link(5, 50, None, 0, 0))])
    store.write([("g", excerpt(20))])
    assert store.kept("g").excerpts == 1
