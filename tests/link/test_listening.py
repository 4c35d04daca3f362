"""How long the hub has listened: never longer than it would have heard somebody."""

from hypothesis import given
from hypothesis import strategies as st

from citytable.link.mqtt import STEP_MAX_US, Listening


def listened(*signs_us: int) -> int:
    listening = Listening()
    for now_us in signs_us:
        listening.sign(now_us)
    return listening.total_us


def test_nothing_was_listened_before_the_first_sign_of_life():
    assert listened() == listened(5_000_000) == 0


def test_while_the_broker_lives_it_is_the_time_on_the_wall():
    assert listened(*range(0, 3_000_001, 500_000)) == 3_000_000


def test_of_a_long_pause_hardly_anything_counts_whoever_was_the_reason():
    assert listened(0, 10_000_000) == STEP_MAX_US


@given(st.lists(st.integers(0, 3_000_000)))
def test_it_is_never_more_than_what_has_passed_and_never_goes_back(steps_us):
    listening, now_us = Listening(), 0
    for step_us in steps_us:
        before_us, now_us = listening.total_us, now_us + step_us
        listening.sign(now_us)
        assert before_us <= listening.total_us <= now_us
