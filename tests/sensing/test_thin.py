"""Quick converters: their conversions in groups, and a detector that tells what it tells at the usual rate."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.sensing import detector
from citytable.sensing.thin import Thin, group_of

pytestmark = pytest.mark.long(4)

RAIL = -8388608
TILE_G = 30.0
STORY = ["piece_added", "collapse", "platform_lifted"]


def events_of(rows, cal):
    """What is confirmed, without disturbances; every sample is answered by a list."""
    watch = detector(cal)
    answers = [watch.update(t_us, counts) for t_us, counts in rows]
    assert {type(events) for events in answers} == {list}
    return [one for events in answers for one in events if one.stage == "confirmed" and one.kind != "disturbance"]


@cache
def story(kit, rate_hz, cells=3):
    loads = kit.Loads(TILE_G + 60).set_down(1.5, 9).fall(4, 54).take(7, TILE_G + 15)
    return kit.rows(loads, 8.5, cells, rate_hz=rate_hz)


@cache
def fall(kit, rate_hz):
    return kit.rows(kit.Loads(TILE_G + 80).fall(2.02, 40), 3, rate_hz=rate_hz)


@pytest.mark.parametrize(
    ("rate_hz", "n"), [(30, 1), (80, 1), (120, 1), (160, 2), (170, 2), (240, 3), (320, 4), (1000, 12)]
)
def test_what_is_left_is_about_as_many_as_the_trees_have_learned_from(rate_hz, n):
    assert group_of(rate_hz) == n
    assert rate_hz < 80 or 66 <= rate_hz / n <= 120


def test_a_group_is_its_mean_at_the_time_of_its_newest_row():
    thin = Thin(4, 320.0, 2)
    rows = [thin.row(3125 * k, [100 + k, 500]) for k in range(8)]
    assert rows[3] == (9375, [101, 500])
    assert rows[7] == (21875, [104, 500])
    assert [row for row in rows if row] == [rows[3], rows[7]]


@pytest.mark.parametrize("bad", [0, -1, 2**20 - 1, 2**23 - 1, RAIL, 173_978, -50_000])
def test_one_bad_read_is_in_no_mean(bad):
    thin = Thin(2, 160.0, 1)
    told = [thin.row(6250 * k, [bad if k == 9 else 50_000]) for k in range(20)]
    assert {row[1][0] for row in told if row} == {50_000}


@pytest.mark.parametrize("value", [0, -1, 2**23 - 1, RAIL, 5])
def test_what_is_read_again_and_again_is_told(value):
    thin = Thin(4, 320.0, 1)
    told = [row[1][0] for row in (thin.row(3125 * k, [value]) for k in range(40)) if row]
    assert told[-6:] == [value] * 6


def test_a_group_that_lost_rows_ends_by_the_clock_and_a_cell_may_be_missing():
    thin = Thin(4, 320.0, 2)
    assert thin.row(0, [100]) is None
    assert thin.row(3125, [104, None]) is None
    assert thin.row(40_000, [200, 300]) == (3125, [102, None])
    assert [thin.row(40_000 + 3125 * k, [200, 300]) for k in (1, 2)] == [None, None]
    assert thin.row(49_375, [200, 300]) == (49_375, [176, 300])  # the first is the middle of 100, 104 and 200


@given(st.lists(st.tuples(st.integers(0, 50_000), st.integers(RAIL, -RAIL - 1)), max_size=60), st.integers(2, 12))
def test_groups_come_in_order_and_lie_within_what_was_read(rows, n):
    thin, t_us, told = Thin(n, 82.5 * n, 1), 0, []
    for step_us, counts in rows:
        t_us += step_us
        row = thin.row(t_us, [counts])
        told += [row] if row else []
    times = [at_us for at_us, _ in told]
    assert times == sorted(times)
    reads = [counts for _, counts in rows]
    assert all(min(reads) <= one[0] <= max(reads) for _, one in told if one[0] is not None)


@pytest.mark.parametrize(("rate_hz", "cells"), [(160.0, 1), (170.0, 3), (320.0, 3)])
def test_a_quick_converter_tells_the_same_story(kit, rate_hz, cells):
    usual = events_of(story(kit, 80.0, cells), kit.cal(cells, 900.0, TILE_G))
    quick = events_of(story(kit, rate_hz, cells), kit.cal(cells, 900.0, TILE_G, rate_hz))
    assert [event.kind for event in usual] == [event.kind for event in quick] == STORY
    for one, other in zip(usual, quick, strict=True):
        # a fall is told while the plate still swings: what is lost by then depends on the moment
        assert other.mass_g == pytest.approx(one.mass_g, abs=8.0 if "collapse" in one.kind else 0.25)
        assert other.t_us == pytest.approx(one.t_us, abs=300_000)


def test_up_to_120_a_second_nothing_is_put_together(kit):
    rows = story(kit, 80.0)
    usual, quick = (events_of(rows, kit.cal(3, 900.0, TILE_G, rate_hz)) for rate_hz in (80.0, 120.0))
    assert usual == quick


def test_samples_that_come_slower_than_the_calibration_says_lose_nothing(kit):
    events = events_of(story(kit, 80.0), kit.cal(3, 900.0, TILE_G, 320.0))
    assert [event.kind for event in events] == STORY


@pytest.mark.parametrize("glitch", [0, 2**20 - 1, 2**23 - 1, RAIL, 173_978])
def test_bad_reads_of_a_quick_converter_are_not_seen(kit, glitch):
    rows = story(kit, 320.0)
    bad = [(t, [counts[0], glitch, counts[2]] if n % 97 == 60 else counts) for n, (t, counts) in enumerate(rows)]
    events = events_of(bad, kit.cal(3, 900.0, TILE_G, 320.0))
    assert [event.kind for event in events] == STORY
    assert events[0].mass_g == pytest.approx(9, abs=0.3)


@pytest.mark.parametrize("rate_hz", [160.0, 320.0])
@pytest.mark.parametrize("value", [RAIL, 8388607, 0, -1, None, -5_500_000])
def test_a_quick_cell_that_breaks_is_a_fault_within_half_a_second_and_no_fall(kit, rate_hz, value):
    rows = fall(kit, rate_hz)
    broken = [(t, [counts[0], value, counts[2]] if t > 2_000_000 else counts) for t, counts in rows]
    [fault] = events_of(broken, kit.cal(3, 900.0, TILE_G, rate_hz))
    assert (fault.kind, fault.cell) == ("fault", 1)
    assert fault.t_us - 2_000_000 < 500_000
