"""The forces of hands: what they take leaves over a time, what they set down is pressed and let go."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletwin.forces import Laid, Push, Step, Taken

MS = 1000
seeds = st.integers(0, 10_000)
loads_g = st.floats(0.5, 300.0)


def curve(force):
    """The force at every millisecond while it lasts."""
    return [force.grams(t_us) for t_us in range(force.at_us, force.until_us, MS)]


@given(seeds, loads_g)
def test_a_hand_grips_before_it_takes_and_takes_no_quicker_than_fingers_give(seed, load_g):
    taken = Taken(5 * MS, -load_g, Random(seed))
    assert 160 * MS <= taken.done_us - taken.at_us <= 850 * MS
    gripped = [taken.grams(t_us) for t_us in range(taken.at_us, taken.at_us + 100 * MS, MS)]
    assert gripped[0] == pytest.approx(0.0)
    assert min(gripped) >= 0.0
    assert max(curve(taken)) < 4.0 * 1.2 + 0.1
    per_ms = 1.5 * load_g / 60 + 1.0  # the steepest of a smooth curve over 60 ms, and a grip that trembles and goes
    steps = [later - sooner for sooner, later in zip(curve(taken), curve(taken)[1:], strict=False)]
    assert min(steps[: (taken.done_us - taken.at_us) // MS]) > -per_ms


@given(seeds, loads_g)
def test_what_is_taken_is_gone_but_for_a_slight_ringing(seed, load_g):
    taken = Taken(0, -load_g, Random(seed))
    after = [taken.grams(t_us) + load_g for t_us in range(taken.done_us, taken.until_us, MS)]
    assert max(map(abs, after)) <= 0.1 * load_g + 0.5
    assert max(map(abs, after[-100:])) < 0.01 * load_g + 0.01


@given(seeds, loads_g)
def test_what_is_set_down_is_pressed_by_some_grams_and_let_go(seed, load_g):
    laid = Laid(0, load_g, Random(seed))
    assert 160 * MS <= laid.done_us <= 680 * MS
    whole = curve(laid)
    assert whole[0] == pytest.approx(0.0)
    assert 0.5 < max(whole) - load_g <= 10.0 * 1.2 + 0.1 * load_g + 0.5
    assert min(whole) > -0.1
    assert max(abs(grams - load_g) for grams in whole[-100:]) < 0.01 * load_g + 0.01


@given(seeds, st.sampled_from([(Taken, -20.0), (Laid, 20.0)]))
def test_the_same_chance_gives_the_same_hand(seed, kind_and_load):
    kind, load_g = kind_and_load
    assert curve(kind(0, load_g, Random(seed))) == curve(kind(0, load_g, Random(seed)))


def test_a_step_is_there_at_once_and_a_push_goes_away():
    assert Step(0, 20.0).grams(50 * MS) == pytest.approx(20.0)
    push = Push(0, 400 * MS, 30.0, 0.0)
    assert max(curve(push)) == pytest.approx(30.0, abs=0.1)
    assert push.left_g == 0.0
