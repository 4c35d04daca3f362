"""Several sources about one tower: one interval, and who contradicts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.sensing.height import Interval, Measured, about, fuse, overhead_interval, ruler


def word(source, low_mm, high_mm, t_us=1):
    return Measured(t_us, source, Interval(low_mm, high_mm))


def true_words(truth_mm):
    """Words of sources that are all right."""
    margins = st.floats(0, 30)
    return st.lists(
        st.builds(
            lambda source, t_us, below, above: word(source, truth_mm - below, truth_mm + above, t_us),
            st.sampled_from(["crane", "side", "ruler"]),
            st.integers(0, 9),
            margins,
            margins,
        ),
        min_size=1,
    )


@given(st.floats(0, 250).flatmap(lambda truth_mm: st.tuples(st.just(truth_mm), true_words(truth_mm))))
def test_sources_that_are_all_right_leave_the_truth_possible_and_never_conflict(case):
    truth_mm, words = case
    height = fuse(words)
    assert height.interval.low_mm <= truth_mm <= height.interval.high_mm
    assert height.conflicts == ()
    assert height.interval.width_mm <= height.leader.interval.width_mm


def test_nothing_said_is_no_height():
    assert fuse(()) is None


def test_only_the_newest_word_of_a_source_counts():
    height = fuse([word("crane", 90, 94, t_us=2), word("crane", 50, 54, t_us=1)])
    assert height.interval == (90, 94)
    assert height.conflicts == ()


def test_the_narrowest_leads_and_the_others_narrow_it():
    height = fuse([word("side", 80, 104), word("crane", 100, 105)])
    assert height.leader.source == "crane"
    assert height.interval == (100, 104)


def test_a_conflict_is_told_with_both_and_the_best_stands():
    crane, side = word("crane", 100, 104), word("side", 40, 64)
    height = fuse([side, crane])
    assert (height.interval, height.leader, height.conflicts) == (crane.interval, crane, (side,))


def test_the_newest_ruler_outranks_every_sensor():
    crane = word("crane", 103.9, 104.1, t_us=9)
    height = fuse([crane, ruler(1, 97), ruler(2, 99)])
    assert height.interval == (98, 100)
    assert height.leader.source == "ruler"
    assert height.conflicts == (crane,)


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
