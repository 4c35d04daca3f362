"""The trail's sums answer as a look at every load would, however often it is cut and whatever lay still in between."""

import itertools
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.sensing.trail import REACH, Trail

loads = st.lists(st.floats(-200, 2000), min_size=1, max_size=40)


@given(pattern=loads, times=st.integers(1, 30), n=st.integers(1, 96), ago=st.integers(0, 20))
def test_means_spreads_and_paths_are_those_of_the_last_loads(pattern, times, n, ago):
    trail, told = Trail(2), pattern * times
    for k, grams in enumerate(told):
        trail.push(k * 12_500, grams, [grams / 4, 3 * grams / 4])
    if len(told) >= n + ago + 1:
        last = told[len(told) - ago - n : len(told) - ago]
        assert trail.mean(n, ago) == pytest.approx(statistics.fmean(last), abs=1e-6)
        assert trail.cell_mean(1, n, ago) == pytest.approx(0.75 * statistics.fmean(last), abs=1e-6)
    if len(told) > n:
        now = told[-n:]
        assert trail.spread(n) == pytest.approx(statistics.pstdev(now), abs=0.01)
        assert trail.path(n) == pytest.approx(sum(abs(b - a) for a, b in itertools.pairwise(now)), abs=1e-6)
    assert len(trail) <= 4 * REACH


def test_a_corner_is_a_jolt_and_a_gap_is_none():
    trail = Trail(1)
    for t_us, grams in ((0, 50.0), (12_500, 50.0), (25_000, 62.0), (100_000, 20.0)):
        trail.push(t_us, grams, [grams])
    assert trail.jolt == [0.0, 0.0, 12.0, 0.0]


def test_what_lay_still_is_looked_back_on_as_still():
    trail = Trail(1)
    for k in range(50):
        trail.push(k * 12_500, 10.0 + k, [10.0 + k])
    trail.rest(60_000_000, 80.0, [80.0])
    trail.push(60_010_000, 86.0, [86.0])
    assert trail.mean(9, 1) == pytest.approx(80.0)
    assert trail.mean(3) == pytest.approx(82.0)
    assert trail.t_us[-2:] == [60_000_000, 60_010_000]
    assert trail.path(96) == pytest.approx(6.0)
