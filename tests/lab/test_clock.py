"""Clocks that wrap within a recording."""

import numpy as np
import pytest

from citytable_lab.trace_file import unwrapped, wrap_of


def stamps(first_us, n, wrap_us, dtype=np.int64):
    return (np.arange(first_us, first_us + 12_500 * n, 12_500) % wrap_us).astype(dtype)


@pytest.mark.parametrize("bits", [30, 31, 32])
@pytest.mark.parametrize("dtype", [np.int64, np.uint32])
def test_a_wrap_is_told_by_the_step_that_is_left_without_it(bits, dtype):
    t_us = stamps(2**bits - 50_000, 9, 2**bits, dtype)
    assert wrap_of(t_us) == 2**bits
    assert unwrapped(t_us.tolist(), 2**bits, int(t_us[0])) == list(range(2**bits - 50_000, 2**bits + 62_500, 12_500))


def test_one_that_never_goes_back_does_not_wrap_and_what_else_goes_back_is_not_understood():
    assert wrap_of(stamps(5, 9, 2**30)) == 0
    assert wrap_of(np.array([3, 1, 2])) is None
    assert wrap_of(np.array([2**30 - 9, 4, 2**32 - 9, 4])) is None  # by two clocks
    assert wrap_of(np.array([], dtype=np.int64)) == 0


def test_every_round_of_a_long_recording_is_counted():
    minutes = [minute * 60_000_000 for minute in range(16, 60, 5)]
    wrapped = [t_us % 2**30 for t_us in minutes]
    assert unwrapped(wrapped, 2**30, wrapped[0]) == minutes


def test_what_began_a_little_earlier_did_not_wrap():
    assert unwrapped([2**30 - 2_000_000, 900], 2**30, 2**30 - 1_000_000) == [2**30 - 2_000_000, 2**30 + 900]
