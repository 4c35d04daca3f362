"""Stamps that are no clock, and rates that no calibration told: the detector still sees what falls."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.sensing import detector
from citytable.sensing.pace import AHEAD_US, GAP_US, Pace

pytestmark = pytest.mark.long(4)

TILE_G = 30.0
STORY = ["piece_added", "collapse", "platform_lifted"]


def story(kit, rate_hz=80.0, cells=3):
    return kit.rows(
        kit.Loads(TILE_G + 60).set_down(2.5, 9).fall(5, 54).take(8, TILE_G + 15), 9.5, cells, rate_hz=rate_hz
    )


def kinds(rows, cal):
    watch = detector(cal)
    events = [event for t_us, counts in rows for event in watch.update(t_us, counts)]
    return [event.kind for event in events if event.stage == "confirmed" and event.kind != "disturbance"]


def in_batches(rows, n):
    """The rows with the stamp of the first of each batch."""
    return [(rows[at - at % n][0], counts) for at, (_, counts) in enumerate(rows)]


@pytest.mark.parametrize("n", [2, 3, 8])
def test_samples_may_come_in_batches_of_one_stamp(kit, n):
    assert kinds(in_batches(story(kit), n), kit.cal(3, 900.0, TILE_G)) == STORY


@pytest.mark.parametrize("rate_hz", [50.0, 60.0, 64.0, 160.0, 320.0])
@pytest.mark.parametrize("cells", [1, 3])
def test_the_stamps_outweigh_the_rate_of_the_calibration(kit, rate_hz, cells):
    assert kinds(story(kit, rate_hz, cells), kit.cal(cells, 900.0, TILE_G)) == STORY


def test_every_sample_may_come_twice(kit):
    rows = [row for row in story(kit) for _ in range(2)]
    assert kinds(rows, kit.cal(3, 900.0, TILE_G)) == STORY


@pytest.mark.parametrize("lost", [0.3, 0.5])
def test_many_samples_may_be_lost(kit, lost):
    chance = random.Random(4)
    rows = [row for row in story(kit) if chance.random() >= lost]
    assert kinds(rows, kit.cal(3, 900.0, TILE_G)) == STORY


def test_late_stamps_cost_no_time():
    pace = Pace(80.0)
    for at, t_us in enumerate([1000, 1000, 1000, 1000, 51_000, 63_500, 60_000, 88_500]):
        pace.sample(t_us)
        assert at < 4 or pace.now_us >= t_us - 1000
    assert pace.now_us == 87_500
    assert pace.time_of(88_500) == 87_500


@pytest.mark.parametrize("step_us", [-AHEAD_US - 1, -(2**30), GAP_US + 1, 2**40])
def test_a_clock_that_leaps_is_believed_from_there_on(step_us):
    pace = Pace(80.0)
    for t_us in (0, 12_500, 12_500 + step_us, 25_000 + step_us):
        pace.sample(t_us)
    assert pace.now_us == 37_500


def test_a_rate_is_believed_after_two_seconds_that_agree():
    pace = Pace(80.0)
    changes = [at for at in range(200) if pace.sample(at * 25_000)]
    assert changes == [80]
    assert pace.rate_hz == pytest.approx(40)


def test_a_clock_that_stands_says_nothing_of_the_rate():
    pace = Pace(80.0)
    assert not any(pace.sample(7) for _ in range(1000))
    assert pace.now_us == 999 * 12_500


@given(
    st.lists(st.integers(-(2**40), 2**40) | st.integers(0, 40_000), max_size=200), st.sampled_from([10.0, 80.0, 320.0])
)
def test_time_goes_on_with_every_sample(stamps, rate_hz):
    pace, before_us = Pace(rate_hz), -1
    for t_us in stamps:
        pace.sample(t_us)
        assert 0 < pace.now_us - before_us <= GAP_US + AHEAD_US
        assert pace.rate_hz > 0
        before_us = pace.now_us
