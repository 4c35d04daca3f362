"""The load cell's model: conversions at a rate of its own, noise, settling, saturation."""

from random import Random
from statistics import fmean, pstdev

import pytest

from tabletwin.loadcell import PERIOD_US, RAIL, LoadCell, Push, Step

COUNTS_PER_G = 1803.0


class Clock:
    def __init__(self):
        self.now_us = 0

    def __call__(self):
        return self.now_us


class Bar:
    """One cell on a clock; `run` collects what it hands over in blocks of 100 ms."""

    def __init__(self, seed=1, counts_per_g=COUNTS_PER_G):
        self.clock = Clock()
        self.cell = LoadCell(Random(seed), counts_per_g, 0, self.clock, lambda t_us: t_us)
        self.times, self.counts, self.lost = [], [], 0

    def run(self, seconds):
        for _ in range(round(seconds * 10)):
            self.clock.now_us += 100_000
            first_us, gaps, counts, lost = self.cell.take()
            assert len(gaps) == len(counts) - 1
            times = [first_us]
            for gap in gaps:
                times.append(times[-1] + gap)
            self.times += times
            self.counts += counts
            self.lost += lost
        return self

    def grams(self, since_us=0):
        return [c / COUNTS_PER_G for t, c in zip(self.times, self.counts, strict=True) if t >= since_us]


@pytest.fixture
def bar():
    return Bar()


def test_conversions_come_at_the_rate_of_the_chip(bar):
    bar.run(60)
    gaps = [later - earlier for earlier, later in zip(bar.times, bar.times[1:], strict=False)]
    assert len(set(gaps)) == 1
    assert PERIOD_US[0] <= gaps[0] <= PERIOD_US[1]


def test_an_unloaded_cell_shows_noise_of_some_tens_of_counts(bar):
    bar.run(20)
    assert 20 < pstdev(bar.counts) < 70


def test_a_load_settles_within_a_second_at_its_weight(bar):
    zero = fmean(bar.run(5).grams())
    bar.cell.press(Step(bar.clock.now_us, 50.0, 10.0, 120.0), 1.0)
    bar.run(5)
    assert fmean(bar.grams(since_us=6_000_000)) - zero == pytest.approx(50.0, abs=0.1)


def test_a_load_can_come_and_go_before_it_has_settled(bar):
    zero = fmean(bar.run(5).grams())
    for delta_g in (30.0, -12.0, 5.0, -23.0):
        bar.cell.press(Step(bar.clock.now_us, delta_g, 1.0, 120.0), 1.0)
        bar.run(0.2)
    bar.run(3)
    assert fmean(bar.grams(since_us=7_000_000)) == pytest.approx(zero, abs=0.1)


def test_a_push_leaves_nothing_behind(bar):
    zero = fmean(bar.run(5).grams())
    bar.cell.press(Push(bar.clock.now_us, 1_000_000, 200.0, 0.2), 1.0)
    bar.run(5)
    assert max(bar.grams()) > 150
    assert fmean(bar.grams(since_us=7_000_000)) == pytest.approx(zero, abs=0.1)


def test_a_cell_that_is_overloaded_shows_the_rail(bar):
    bar.cell.press(Step(0, 1e6, 0.0, 120.0), 1.0)
    bar.run(2)
    assert max(bar.counts) == RAIL


def test_now_and_then_a_conversion_is_lost_and_counted(bar):
    bar.run(1)
    bar.cell._blocks_to_loss = 1
    before = len(bar.counts)
    bar.run(0.1)
    assert bar.lost == 1
    assert max(later - earlier for earlier, later in zip(bar.times, bar.times[1:], strict=False)) == 2 * (
        bar.times[1] - bar.times[0]
    )
    assert len(bar.counts) > before


def test_a_host_that_comes_too_late_loses_the_oldest(bar):
    bar.run(1)
    bar.clock.now_us += 2_000_000
    _, _, counts, lost = bar.cell.take()
    assert len(counts) == 32
    assert lost > 100


def test_an_unplugged_cell_gives_nothing(bar):
    bar.cell.plugged = False
    bar.clock.now_us += 100_000
    assert bar.cell.take() is None
