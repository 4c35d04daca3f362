"""Heights from above: what stood there at first, what happened since, what is seen, and how little that tells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.sensing.calibration import Cal, Start
from citytable.sensing.event import Event
from citytable.sensing.overlook import NOTHING, Overlook

SENSOR_MM = 400.0


def overlook(height_mm=100.0, mass_g=60.0, sensor_mm=SENSOR_MM):
    start = Start(pieces_on=5, mass_g=mass_g, height_mm=height_mm)
    return Overlook(Cal(counts_per_g=(900.0,), zero_counts=(0.0,), tof_height_mm=sensor_mm, start=start))


def event(kind, mass_g=9.0):
    return Event(kind=kind, t_us=0, mass_g=mass_g)


def frame(middle_mm, edge_mm=390):
    rows = range(8)
    return [middle_mm if 2 <= row <= 5 and 2 <= column <= 5 else edge_mm for row in rows for column in rows]


def test_a_height_goes_from_the_one_known_by_as_much_as_the_view_comes_nearer():
    look = overlook()
    look.range(0, 340)  # 60 mm are seen of 100
    look.begun(100_000, 60.4)
    look.range(2_000_000, 322)
    height_mm, interval = look.after(event("piece_added"), 2_100_000)
    assert height_mm == pytest.approx(118)
    assert interval == (95, 225)


def test_zones_over_the_platform_say_more_than_the_single_one():
    look = overlook()
    look.range(0, 340)
    look.zones(0, frame(320))
    look.begun(100_000, 60)
    look.range(2_000_000, 338)
    look.zones(2_000_000, frame(305, edge_mm=120))
    assert look.after(event("piece_added"), 2_100_000).height_mm == pytest.approx(115)


def test_what_was_nearer_a_moment_ago_was_a_hand():
    look = overlook()
    look.range(0, 340)
    look.begun(100_000, 60)
    for mm in (180, 190, 338, 337):
        look.range(2_000_000, mm)
    assert look.after(event("piece_added"), 2_100_000).height_mm == pytest.approx(102)


def watched(look, t_us, *heights_mm):
    """Three looks at each height, a tenth of a second apart; returns when they end."""
    for height_mm in heights_mm:
        for _ in range(3):
            look.range(t_us, SENSOR_MM - height_mm)
            look.zones(t_us, frame(SENSOR_MM - height_mm))
            t_us += 100_000
    return t_us


def test_a_hand_that_rests_on_a_tower_makes_it_no_higher():
    look = overlook()
    t_us = watched(look, 0, 60)
    look.begun(t_us, 60)
    t_us = watched(look, t_us, 60, 260)
    height_mm, interval = look.after(event("piece_added"), t_us)
    assert height_mm == pytest.approx(100)
    assert interval == (95, 225)
    t_us = watched(look, t_us, 260, 75, 230)
    assert look.after(event("piece_removed"), t_us).interval.low_mm == 25  # the single one still had what it saw


def test_a_hand_that_stayed_between_two_acts_is_no_tower_either():
    look = overlook()
    t_us = watched(look, 0, 60)
    look.begun(t_us, 60)
    for _ in range(3):
        t_us = watched(look, t_us, 260)
        told = look.after(event("piece_added"), t_us)
    assert told.interval == (95, 400)


def test_what_was_lowest_between_two_acts_says_how_low_a_tower_may_be():
    look = overlook(height_mm=30)
    t_us = watched(look, 0, 20)
    look.begun(t_us, 60)
    t_us = watched(look, t_us, 20, 260)
    assert look.after(event("piece_added"), t_us).interval.low_mm == 25
    t_us = watched(look, t_us, 260, 80, 260, 260, 260)
    assert look.after(event("piece_added"), t_us).interval.low_mm == 30
    t_us = watched(look, t_us, 260, 140, 260, 260, 260)
    assert look.after(event("piece_added"), t_us).interval.low_mm == 90


def test_a_tower_may_be_as_high_as_the_highest_of_late_leaves_open():
    look = overlook()
    t_us = watched(look, 0, 60)
    look.begun(t_us, 60)
    for height_mm in (70, 71, 10):  # the last frame missed the tower
        look.zones(t_us, frame(SENSOR_MM - height_mm))
        t_us += 100_000
    assert look.after(event("piece_added"), t_us).interval.high_mm == 225


def test_without_a_sensor_only_what_happened_is_known():
    look = overlook(sensor_mm=0.0)
    look.begun(0, 60)
    assert look.after(event("piece_added"), 1) == (None, (95, 225))
    assert look.after(event("piece_removed"), 2).interval == (0, 225)
    assert look.after(event("collapse"), 3).interval == (0, 225)


def test_pieces_that_nobody_sees_come_leave_nothing_to_say_in_the_end():
    look = overlook(sensor_mm=0.0)
    look.begun(0, 60)
    told = [look.after(event("piece_added"), t_us) for t_us in range(5)]
    assert told[-2:] == [(None, (95, 585)), NOTHING]


@pytest.mark.parametrize(("gone_g", "low_mm"), [(0.5, 95), (2.0, 0)])
def test_of_what_is_gone_without_a_verdict_a_part_may_have_fallen(gone_g, low_mm):
    look = overlook(sensor_mm=0.0)
    look.begun(100_000, 60)
    assert look.after(event("disturbance", -gone_g), 2_000_000) == NOTHING
    assert look.after(event("platform_lifted", 58), 3_000_000) == NOTHING
    assert look.after(event("platform_placed", 58), 4_000_000).interval == (low_mm, 105)


def test_nothing_is_known_of_a_building_that_is_not_the_one_told():
    look = overlook(sensor_mm=0.0)
    look.begun(0, 95)
    assert look.after(event("piece_added"), 1) == NOTHING


def test_a_lifted_platform_has_no_height_and_keeps_it_if_it_comes_back_as_heavy():
    look = overlook(sensor_mm=0.0)
    look.begun(0, 60)
    assert look.after(event("platform_lifted", 60.1), 1) == NOTHING
    assert look.after(event("platform_placed", 59.7), 2).interval == (95, 105)
    look.after(event("platform_lifted", 60.1), 3)
    assert look.after(event("platform_placed", 44), 4) == NOTHING


def test_a_black_tower_that_is_hardly_seen_may_be_as_high_as_the_sensor_hangs():
    look = overlook(mass_g=0.0)
    look.begun(0, 60)
    look.range(100_000, 395)
    assert look.after(event("piece_added"), 200_000).interval == (3, SENSOR_MM)


def test_old_and_invalid_ranges_say_nothing():
    look = overlook()
    look.begun(0, 60)
    look.range(0, 300)
    look.range(1_000_000, -1)
    look.zones(1_000_000, [-1] * 64)
    look.zones(1_000_000, [200] * 16)
    assert look.after(event("piece_added"), 1_100_000).interval == (95, 225)


KINDS = ("piece_added", "piece_removed", "collapse", "partial_collapse", "platform_lifted", "platform_placed")


@given(
    st.floats(0, 300),
    st.sampled_from([0.0, 290.0, 500.0]),
    st.lists(st.tuples(st.sampled_from(KINDS), st.integers(-1, 600), st.integers(-1, 600), st.floats(0, 200))),
)
def test_a_height_lies_in_its_interval_whatever_happens(start_mm, sensor_mm, acts):
    look = overlook(height_mm=start_mm, sensor_mm=sensor_mm)
    look.begun(0, 60)
    for number, (kind, single_mm, near_mm, mass_g) in enumerate(acts):
        t_us = 400_000 * number
        look.range(t_us, single_mm)
        look.zones(t_us, [near_mm] * 64)
        height_mm, interval = look.after(event(kind, mass_g), t_us)
        assert interval is None or 0 <= interval.low_mm <= interval.high_mm <= interval.low_mm + 500
        assert height_mm is None or interval.low_mm <= height_mm <= interval.high_mm
