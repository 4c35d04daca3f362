"""Bounds: checked against tables that others printed, and against their own meaning."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable_lab.bounds import count_bounds, quantile, quantile_bounds, share_bounds


def test_nothing_seen_leaves_three_over_the_exposure():
    assert count_bounds(0) == pytest.approx((0, 3.0), abs=0.01)


@pytest.mark.parametrize(("n", "low", "high"), [(1, 0.0253, 5.572), (5, 1.623, 11.668), (10, 4.795, 18.390)])
def test_counts_have_the_exact_poisson_interval(n, low, high):
    assert count_bounds(n) == pytest.approx((low, high), abs=0.001)


@pytest.mark.parametrize(("n", "of", "low", "high"), [(8, 23, 0.188, 0.551), (0, 10, 0.0, 0.278), (10, 10, 0.722, 1.0)])
def test_shares_have_wilsons_interval(n, of, low, high):
    assert share_bounds(n, of) == pytest.approx((low, high), abs=0.001)


def test_a_share_of_nothing_may_be_anything():
    assert share_bounds(0, 0) == (0, 1)


@given(st.integers(1, 400).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_a_share_lies_within_its_bounds(case):
    n, of = case
    low, high = share_bounds(n, of)
    assert 0 <= low <= n / of <= high <= 1


def test_a_median_of_a_hundred_lies_between_the_fortieth_and_the_sixty_first():
    values = [float(value) for value in range(1, 101)]
    assert quantile(values, 0.5) == 50.5
    assert quantile_bounds(values, 0.5) == (40, 61)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60), st.sampled_from([0.5, 0.95]))
def test_a_quantile_lies_within_its_bounds(values, q):
    ordered = sorted(values)
    low, high = quantile_bounds(ordered, q)
    assert low <= high
    assert ordered[0] <= quantile(ordered, q) <= ordered[-1]


def test_too_few_values_bound_no_tail():
    assert quantile_bounds([1.0, 2.0, 3.0], 0.95)[1] == math.inf
    assert math.isnan(quantile([], 0.95))
