"""Compute 95 % bounds for the share, the rate or the quantile behind a count.

Shares have Wilson's interval, rates the exact interval of a Poisson count, quantiles the interval between two order
statistics. All are two-sided, 2.5 % to either side, except where nothing was seen at all: then there is only an upper
bound, and it takes the whole 5 % (a rate of at most 3.0 / exposure, "the rule of three").
"""

import math
from collections.abc import Callable, Sequence

TAIL = 0.025
Z = 1.959963984540054  # the normal deviate that leaves TAIL above it

Bounds = tuple[float, float]


def share_bounds(n: int, of: int) -> Bounds:
    """Return Wilson's interval for n of `of`; (0, 1) for none of none."""
    if of == 0:
        return 0.0, 1.0
    share, denominator = n / of, 1 + Z * Z / of
    middle = (share + Z * Z / (2 * of)) / denominator
    half = Z / denominator * math.sqrt(share * (1 - share) / of + Z * Z / (4 * of * of))
    return (0.0 if n == 0 else middle - half), (1.0 if n == of else middle + half)


def count_bounds(n: int) -> Bounds:
    """Return the exact interval for the mean of a Poisson count of which n were seen."""
    if n == 0:
        return 0.0, -math.log(2 * TAIL)
    low = _solve(lambda mean: 1 - _poisson_at_most(n - 1, mean) - TAIL, n)
    return low, _solve(lambda mean: TAIL - _poisson_at_most(n, mean), 2 * n + 20.0)


def quantile(values: Sequence[float], q: float) -> float:
    """Return the q quantile of sorted values, interpolated between neighbours; nan without values."""
    if not values:
        return math.nan
    at = q * (len(values) - 1)
    low = math.floor(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (at - low)


def quantile_bounds(values: Sequence[float], q: float) -> Bounds:
    """Return the order statistics between which the q quantile of sorted values lies.

    Infinite where too few were seen.
    """
    n = len(values)
    cumulated, low, high = 0.0, -math.inf, math.inf
    for below in range(n + 1):
        # `cumulated` is the chance that fewer than `below` values lie under the quantile
        if cumulated <= TAIL and below > 0:
            low = values[below - 1]
        cumulated += _binomial(below, n, q)
        if cumulated >= 1 - TAIL and below < n:
            return low, values[below]
    return low, high


def _binomial(k: int, n: int, p: float) -> float:
    ways = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.exp(ways + k * math.log(p) + (n - k) * math.log1p(-p))


def _poisson_at_most(n: int, mean: float) -> float:
    return sum(math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(n + 1))


def _solve(rising: Callable[[float], float], high: float) -> float:
    """Return where a rising function passes 0, between 0 and `high`."""
    low = 0.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return high
