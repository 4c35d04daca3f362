"""What the overhead range sensor sees: a hand that comes and goes, and what it leaves behind."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.sensing.occlusion import SPAN_US, TRANSITIONS, UNSEEN, Event, Occlusion, State

STEP_US = 40_000


def seen(*stretches):
    """A occlusion after stretches of (range in mm, seconds), and the time of its last range."""
    occlusion, t_us = Occlusion(), 0
    for mm, seconds in stretches:
        for _ in range(round(seconds * 1e6 / STEP_US)):
            t_us += STEP_US
            occlusion.range(t_us, mm)
    return occlusion, t_us


@pytest.mark.parametrize(
    ("stretches", "state"),
    [
        ([], State.UNSEEN),
        ([(-1, 1)], State.UNSEEN),
        ([(400, 1)], State.CLEAR),
        ([(400, 1), (370, 1)], State.CLEAR),
        ([(400, 1), (250, 0.1)], State.HAND),
        ([(400, 1), (250, 0.1), (390, 0.1)], State.CLEAR),
        ([(400, 1), (250, 0.1), (340, 0.1)], State.CLEAR),
        ([(400, 1), (250, 2.9)], State.HAND),
        ([(400, 1), (250, 3.2)], State.CLEAR),
        ([(400, 1), (250, 1), (-1, 2), (250, 0.5)], State.CLEAR),
        ([(0, 1)], State.UNSEEN),
        ([(0, 1), (400, 1), (0, 0.1)], State.HAND),
    ],
    ids=[
        "nothing yet",
        "no valid range",
        "the first view is the clear one",
        "a piece that is little higher",
        "a hand",
        "a hand that went",
        "a hand that left a higher top",
        "a hand that rests",
        "nothing moves for so long that it is no hand",
        "invalid ranges are passed over",
        "a sensor that never sees anything",
        "a hand at the sensor",
    ],
)
def test_a_hand_is_what_is_far_nearer_than_the_clear_view(stretches, state):
    occlusion, _ = seen(*stretches)
    assert occlusion.state is state
    assert occlusion.hand == (state is State.HAND)


def test_what_a_hand_left_is_the_clear_view_from_then_on():
    occlusion, t_us = seen((400, 1), (250, 0.4), (340, 0.4))
    occlusion.range(t_us + STEP_US, 320)
    assert not occlusion.hand
    occlusion.range(t_us + 2 * STEP_US, 300)
    assert occlusion.hand


def test_how_long_the_view_has_been_clear_counts_from_the_hand():
    occlusion, t_us = seen((400, 1), (250, 0.4))
    assert occlusion.clear_us(t_us) == 0
    occlusion.range(t_us + STEP_US, 400)
    assert occlusion.clear_us(t_us + 5 * STEP_US) == 4 * STEP_US


def test_without_a_range_of_late_nothing_can_be_told():
    occlusion, t_us = seen((400, 1))
    occlusion.departed()
    assert occlusion.features(t_us)[:4] == (0, 0, 0, 0)
    assert set(occlusion.features(t_us + SPAN_US)) == {UNSEEN}


@given(st.lists(st.tuples(st.integers(1, 200_000), st.integers(-1, 1000)), max_size=200))
def test_only_the_table_changes_the_state(ranges):
    occlusion, t_us = Occlusion(), 0
    for step_us, mm in ranges:
        t_us += step_us
        before = occlusion.state
        occlusion.range(t_us, mm)
        assert occlusion.state is before or occlusion.state in {TRANSITIONS.get((before, event)) for event in Event}
        assert 0 <= occlusion.clear_us(t_us) <= t_us
