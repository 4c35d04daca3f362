"""The load cell's model: conversions at a rate of its own, noise, settling, saturation."""

from array import array
from random import Random
from statistics import fmean, pstdev

import pytest

from tabletwin.forces import Push, Step
from tabletwin.loadcell import PERIOD_US, RAIL, TICKS, LoadCell

COUNTS_PER_G = 2147.0
ROOM = 32


class Clock:
    def __init__(self):
        self.now_us = 0

    def __call__(self):
        return self.now_us


class Bar:
    """One cell on a clock; `run` collects what it hands over in blocks of 100 ms."""

    def __init__(self, seed=1, counts_per_g=COUNTS_PER_G, ticks_at=lambda t_us: t_us):
        self.clock = Clock()
        self.cell = LoadCell(Random(seed), counts_per_g, 0, self.clock, ticks_at)
        self.room = array("i", [0] * ROOM), array("i", [0] * ROOM)
        self.times, self.counts = [], []

    def run(self, seconds):
        for _ in range(round(seconds * 10)):
            self.clock.now_us += 100_000
            self.take()
        return self

    def take(self):
        n = self.cell.drain(*self.room)
        self.counts += self.room[0][:n]
        self.times += self.room[1][:n]
        return n

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
    bar.cell.press(Step(bar.clock.now_us, 50.0), 1.0)
    bar.run(5)
    assert fmean(bar.grams(since_us=6_000_000)) - zero == pytest.approx(50.0, abs=0.1)


def test_a_load_can_come_and_go_before_it_has_settled(bar):
    zero = fmean(bar.run(5).grams())
    for delta_g in (30.0, -12.0, 5.0, -23.0):
        bar.cell.press(Step(bar.clock.now_us, delta_g), 1.0)
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
    bar.cell.press(Step(0, 1e6), 1.0)
    bar.run(2)
    assert max(bar.counts) == RAIL


def test_now_and_then_a_conversion_is_lost_and_counted(bar):
    bar.run(1)
    bar.cell._until_loss = 1
    before = len(bar.counts)
    bar.run(0.2)
    assert bar.cell.lost == 1
    assert max(later - earlier for earlier, later in zip(bar.times, bar.times[1:], strict=False)) == 2 * (
        bar.times[1] - bar.times[0]
    )
    assert len(bar.counts) > before


def test_a_host_that_comes_too_late_loses_the_oldest(bar):
    bar.run(1)
    bar.clock.now_us += 2_000_000
    assert bar.take() == ROOM
    assert bar.cell.lost > 100
    assert 0 <= bar.clock.now_us - bar.times[-1] < PERIOD_US[1]


def test_an_unplugged_cell_gives_nothing_until_it_is_plugged_in(bar):
    bar.cell.unplug()
    bar.clock.now_us += 600_000
    assert bar.take() == 0
    bar.cell.plug_in()
    bar.run(1)
    assert bar.cell.lost == 0
    assert bar.times[0] > 600_000


def test_a_chip_that_hangs_gives_one_value(bar):
    bar.cell.stick(77)
    bar.run(1)
    assert set(bar.counts) == {77}
    bar.cell.stick(None)
    bar.counts.clear()
    bar.run(1)
    assert len(set(bar.counts)) > 20


def test_a_chip_whose_rate_pin_is_low_converts_ten_times_a_second(bar):
    bar.cell.slow_down()
    bar.run(10)
    assert 90 <= len(bar.counts) <= 120


def test_ticks_begin_anew_in_the_middle_of_what_is_drained():
    bar = Bar(ticks_at=lambda t_us: (TICKS - 1_050_000 + t_us) % TICKS)
    bar.run(2)
    gaps = {(later - earlier) % TICKS for earlier, later in zip(bar.times, bar.times[1:], strict=False)}
    assert len(gaps) == 1
    assert max(bar.times) > TICKS - 20_000
    assert min(bar.times) < 20_000
