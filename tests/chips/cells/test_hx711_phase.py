"""Times of conversions from looks: for any oscillator and any way of looking."""

import random

from hypothesis import given
from hypothesis import strategies as st

from tablestation.clock import PERIOD, ticks_between
from tablestation.drivers.hx711_phase import Phase, ticks_after

SECOND_US = 1_000_000


@given(st.integers(0, PERIOD - 1), st.integers(-(1 << 28), 1 << 28))
def test_ticks_after_stays_on_the_clock_and_is_undone(ticks, later_us):
    there = ticks_after(ticks, later_us)
    assert 0 <= there < PERIOD
    assert there == (ticks + later_us) % PERIOD
    assert ticks_after(there, -later_us) == ticks


def looks(period_us, poll_us, seed, lasts_us):
    """(moment of a look, moments of the conversions that it found), polled with a jitter of a quarter."""
    rng = random.Random(seed)
    now_us, ready_us = 0.0, rng.uniform(0, period_us)
    while now_us < lasts_us:
        now_us += poll_us * rng.uniform(1, 1.25)
        found = []
        while ready_us <= now_us:
            found.append(ready_us)
            ready_us += period_us
        yield int(now_us), found


@given(st.integers(10_700, 13_500), st.sampled_from([4_000, 20_000]), st.integers(0, 1000), st.integers(0, PERIOD - 1))
def test_times_lie_between_the_looks_and_close_to_the_truth_after_three_seconds(period_us, poll_us, seed, started):
    phase = Phase(12_500, started)
    looked_us = 0
    for now_us, found in looks(period_us, poll_us, seed, 8 * SECOND_US):
        now = (started + now_us) % PERIOD
        if not found:
            phase.nothing(now)
        else:
            last_us = now_us - ticks_between(phase.follow(len(found), now), now)
            assert looked_us - period_us // 4 <= last_us <= now_us
            if now_us > 3 * SECOND_US:
                assert abs(last_us - found[-1]) < 3_000
        looked_us = now_us
    assert abs(phase.period_us() - period_us) < 30


@given(st.integers(10_700, 13_500), st.integers(0, 1000), st.sampled_from([160_000, 10 * SECOND_US]))
def test_a_pause_is_no_lesson_about_the_oscillator(period_us, seed, pause_us):
    phase = Phase(12_500, 0)
    paused_us = before_us = 0
    for now_us, found in looks(period_us, 20_000, seed, 6 * SECOND_US):
        if now_us > 5 * SECOND_US and not paused_us:
            paused_us, before_us = pause_us, phase.period_us()
        now = (now_us + paused_us) % PERIOD
        if not found:
            phase.nothing(now)
            continue
        phase.follow(len(found), now)
        if paused_us:
            assert abs(phase.period_us() - before_us) < 300
            return


def test_two_conversions_that_were_found_one_after_the_other_are_not_taken_for_an_oscillator():
    phase = Phase(12_500, 0)
    phase.follow(1, 100_000)
    phase.follow(1, 100_100)
    assert phase.period_us() >= 12_500 * 3 // 4


def test_a_chip_slower_than_its_pin_promises_is_not_believed_but_dated_by_the_looks():
    phase = Phase(12_500, 0)
    for now_us, found in looks(100_000, 20_000, 1, 5 * SECOND_US):
        if found:
            last_us = now_us - ticks_between(phase.follow(len(found), now_us), now_us)
            assert now_us - 25_000 <= last_us <= now_us
        else:
            phase.nothing(now_us)
    assert phase.period_us() <= 12_500 * 5 // 4
