"""Heights are intervals, and an interval decides a rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.sensing.height import Interval, about, overhead_interval


def test_no_tower_is_lower_than_nothing():
    assert about(1.0, 2.0) == (0.0, 3.0)
    assert about(-5.0, 2.0) == (0.0, 0.0)


@pytest.mark.parametrize(("least_mm", "verdict"), [(90, "pass"), (91, "measure"), (94, "measure"), (95, "fail")])
def test_the_interval_decides_the_rule_and_says_when_it_cannot(least_mm, verdict):
    assert Interval(90, 94).decides(least_mm) == verdict


def test_an_overhead_sensor_says_little_and_says_so():
    interval = overhead_interval(240, None, 300.0)
    assert interval.low_mm == 10
    assert interval.width_mm >= 250


def test_the_nearest_zone_narrows_what_the_single_range_leaves_open():
    wide = overhead_interval(240, None, 300.0)
    narrow = overhead_interval(240, [-1, 260, 200], 300.0)
    assert narrow == wide.within(Interval(10, 275))


def test_an_overhead_sensor_that_sees_nothing_says_nothing():
    assert overhead_interval(-1, [-1] * 64, 300.0) is None


@given(st.integers(-1, 900), st.none() | st.lists(st.integers(-1, 900), max_size=64), st.floats(100, 600))
def test_an_overhead_interval_is_one_and_within_the_sensors_reach(tof_mm, zones_mm, sensor_mm):
    interval = overhead_interval(tof_mm, zones_mm, sensor_mm)
    if interval is not None:
        assert 0 <= interval.low_mm <= interval.high_mm <= sensor_mm
