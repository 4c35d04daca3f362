"""A month at one table: each kind of fault happens, what is used is noted and adds up, and what grows is named.

`make soak-month` plays all 300 hours.
"""

import msgspec
import pytest

pytestmark = pytest.mark.long(8)

HOUR_S = 10.0  # of the table: half a second


@pytest.fixture(scope="module")
def month(load_tool):
    return load_tool("month")


@pytest.fixture
def day(month):
    """Return ten hours, of which the last uses this."""

    def made(first, **hub):
        usual = month.Used(memory_mb=100.0, descriptors=30, files=9, written_mb=0.0)
        hour = month.Hour(first, 4, 0, 0, ("disk is full",), usual, usual, written_mb=5.0, kept_mb=float(first + 9))
        *rest, last = [msgspec.structs.replace(hour, hour=first + n) for n in range(month.DAY)]
        return [*rest, msgspec.structs.replace(last, hub=msgspec.structs.replace(usual, **hub))]

    return made


@pytest.mark.broker
async def test_a_month_goes_on_where_it_stopped_through_every_fault(month, day, tmp_path, monkeypatch):
    before = day(1)
    (tmp_path / "hours.jsonl").write_bytes(b"".join(msgspec.json.encode(hour) + b"\n" for hour in before))
    monkeypatch.setattr(month, "OUTAGE_S", 0.1)
    monkeypatch.setattr(month, "faults_of", lambda hour: (*month.FAULTS, "update"))
    await month.go_on(tmp_path, 1, HOUR_S)
    *others, last = month.results(tmp_path)
    assert others == before
    assert last.hour == 11
    assert last.hub.memory_mb > 20
    assert last.hub.files > 0
    assert last.broker.descriptors > 5
    assert last.written_mb > 0
    assert len(last.after_games_mb) == last.games
    assert month.table_of(month.results(tmp_path)).row_count == 2


def test_every_day_ends_in_its_way_and_has_every_fault(month):
    hours = [month.faults_of(hour) for hour in range(1, 31)]
    assert [faults[1:] for faults in hours[9::10]] == [(ending,) for ending in month.ENDINGS]
    assert {faults[0] for faults in hours[:10]} == set(month.FAULTS)


def test_what_stays_as_it_is_has_not_grown(month, day):
    assert month.wrong([]) == []
    assert month.wrong([*day(1), *day(11, memory_mb=139.0, descriptors=38)]) == []


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"memory_mb": 141.0}, "the hub came to 141 MB of memory, after 100 in the first day"),
        ({"descriptors": 39}, "the hub came to 39 descriptors, after 30 in the first day"),
        ({"files": 18}, "the hub came to 18 open files, after 9 in the first day"),
    ],
)
def test_what_grows_is_named(month, day, more, said):
    assert month.wrong([*day(1), *day(11, **more)]) == [said]


def test_an_evening_of_eight_games_is_flat_or_named(month, day):
    def evening(*memory_mb):
        first, *others = day(1)
        return [msgspec.structs.replace(first, after_games_mb=memory_mb), *others]

    assert month.wrong(evening(90.0, 100.0, 110.0, 119.0, 120.0, 120.0, 120.0, 120.0, 190.0)) == []
    assert month.wrong(evening(90.0, 100.0, 110.0, 120.0, 130.0)) == [], "it is not over"
    assert month.wrong(evening(90.0, 100.0, 101.0, 102.0, 103.0, 104.0, 105.0, 121.0)) == [
        "after 8 games the hub had 121 MB of memory, after two 100"
    ]


def test_much_more_written_than_kept_is_named(month, day):
    hours = [*day(1), *(msgspec.structs.replace(one, written_mb=50.0) for one in day(11))]
    assert month.wrong(hours) == ["day 2: 500 MB were written for 10.0 MB kept"]


def test_many_games_that_are_spoilt_are_named(month, day):
    hours = [msgspec.structs.replace(one, given_up=1, misread=1) for one in day(1)]
    assert month.wrong(hours) == ["20 games of 60 were given up or misread"]
