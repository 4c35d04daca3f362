"""What a sensor beside a platform makes of a tower: an interval as wide as its rows."""

from math import inf, radians, tan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.sensing.side import COLUMNS, FOV_DEG, ROW_DEG, ROWS, SideView

DISTANCE_MM, EYE_MM, BEHIND_MM = 160.0, 120.0, 600
VIEW = SideView(DISTANCE_MM, EYE_MM)


def zones(*rows):
    """Eight rows of equal zones."""
    return tuple(range_mm for range_mm in rows for _ in range(COLUMNS))


def tower_to(height_mm):
    """A white slab in the middle of the platform, up to this height: each row sees it, what is behind it, or both."""
    rows = []
    for row in range(ROWS):
        up = [EYE_MM + DISTANCE_MM * tan(radians(FOV_DEG / 2 - (row + part) * ROW_DEG)) for part in (0, 1)]
        part = min(1.0, max(0.0, (height_mm - up[1]) / (up[0] - up[1])))
        rows.append(round(part * DISTANCE_MM + (1 - part) * BEHIND_MM))
    return zones(*rows)


@given(st.floats(58, 180))
def test_a_tower_in_view_lies_in_the_interval(height_mm):
    interval = VIEW.interval(tower_to(height_mm))
    assert interval.low_mm <= height_mm <= interval.high_mm
    assert interval.width_mm < 90


def test_a_tower_higher_than_the_view_has_no_upper_end():
    interval = VIEW.interval(tower_to(230))
    assert interval.high_mm == inf
    assert 160 < interval.low_mm < 190


def test_a_tower_lower_than_the_view_begins_at_nothing():
    interval = VIEW.interval(tower_to(20))
    assert interval.low_mm == 0
    assert 20 < interval.high_mm < 90


@pytest.mark.parametrize("nothing", [zones(*[-1] * ROWS), zones(*[0] * ROWS)])
def test_frames_without_a_range_say_nothing(nothing):
    assert VIEW.interval(nothing) is None


def test_without_a_background_the_whole_row_above_is_possible():
    clear = VIEW.interval(zones(-1, -1, -1, 160, 160, 160, 160, 160))
    seen = VIEW.interval(zones(600, 600, 600, 160, 160, 160, 160, 160))
    assert clear.low_mm == seen.low_mm
    assert clear.high_mm > seen.high_mm


@given(st.lists(st.integers(-1, 1000), min_size=64, max_size=64))
def test_any_frame_gives_an_interval_or_nothing(ranges):
    interval = VIEW.interval(tuple(ranges))
    assert interval is None or 0 <= interval.low_mm <= interval.high_mm
