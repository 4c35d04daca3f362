"""The height of a tower, the interval it lies in, and readings that cannot or need not be believed."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.sensing.crane import TRANSITIONS, Crane, Event, State, error_mm
from citytable.sensing.reading import HeightReading
from citytable.table.fact import Fell, HeightMeasured, MassSettled, SensorFault, TagCame, TagLeft

SPOT = "seat/1/pad/0"
ZERO_MM = 300.0


def reading(range_mm, spread_mm=0.5, n=12, contact=None):
    return HeightReading(t_us=5, spot=SPOT, range_mm=range_mm, spread_mm=spread_mm, n=n, contact=contact)


def high(height_mm, contact=None):
    return reading(ZERO_MM - height_mm, contact=contact)


def step(grams):
    return MassSettled(t_us=4, spot=SPOT, mass_g=100.0, step_g=grams, error_g=0.1)


def heights(facts):
    return [fact for fact in facts if isinstance(fact, HeightMeasured)]


def faults(facts):
    return [(fact.what, fact.on) for fact in facts if isinstance(fact, SensorFault)]


@pytest.fixture
def crane():
    """A crane over a bare platform that has just been weighed."""
    crane = Crane(SPOT, zero_mm=ZERO_MM)
    crane.mind(TagCame(t_us=1, spot=SPOT, uid="04", thing="platform/1/public"))
    crane.mind(step(35.0))
    return crane


def test_the_height_is_the_zero_less_the_range_give_or_take_two_millimetres_and_some(crane):
    (told,) = crane.measure(high(60.0))
    assert told.source == "crane"
    assert (told.low_mm + told.high_mm) / 2 == pytest.approx(60.0)
    assert (told.high_mm - told.low_mm) / 2 == pytest.approx(2.0, abs=0.1)
    assert crane.state is State.MEASURED


@given(st.floats(0, 250), st.floats(0, 6), st.integers(5, 50))
def test_the_error_grows_with_the_height_and_the_scatter_and_shrinks_with_the_number(height_mm, spread_mm, n):
    error = error_mm(height_mm, spread_mm, n)
    assert error <= error_mm(height_mm + 10, spread_mm, n)
    assert error <= error_mm(height_mm, spread_mm + 1, n)
    assert error >= error_mm(height_mm, spread_mm, n + 1)


def test_the_bare_platform_is_no_lower_than_nothing(crane):
    (height,) = crane.measure(reading(300.8))
    assert height.low_mm == 0
    assert 0 < height.high_mm < 2


@pytest.mark.parametrize(
    ("bad", "because"),
    [
        (reading(-1.0), "below zero"),
        (reading(310.0), "calibrate the crane's zero"),
        (reading(math.nan), "no usable range"),
        (reading(math.inf), "no usable range"),
        (reading(100.0, -1.0), "no usable range"),
        (reading(100.0, n=0), "only 0 ranges"),
        (reading(100.0, n=-3), "only 0 ranges"),
        (reading(100.0, spread_mm=9.0), "scatter by 9 mm"),
    ],
)
def test_a_range_that_cannot_be_is_a_fault_once_and_no_height(crane, bad, because):
    (fault,) = crane.measure(bad)
    assert (fault.sensor, fault.on) == ("range", True)
    assert because in fault.what
    assert crane.measure(bad) == []
    assert crane.state is State.DOUBTED
    off, height = crane.measure(high(100.0))
    assert (off.what, off.on) == (fault.what, False)
    assert isinstance(height, HeightMeasured)


def test_a_tower_that_nobody_touched_is_not_suddenly_lower_until_a_second_lowering_says_the_same(crane):
    crane.measure(high(120.0))
    told = crane.measure(high(40.0))
    assert heights(told) == []
    ((what, on),) = faults(told)
    assert on
    assert "lower it once more" in what
    off, height = crane.measure(high(41.0))
    assert (off.what, off.on) == (what, False)
    assert height.low_mm < 41.0 < height.high_mm


def test_two_doubtful_lowerings_that_differ_are_both_doubted(crane):
    crane.measure(high(120.0))
    assert not heights(crane.measure(high(40.0)))
    assert not heights(crane.measure(high(70.0)))
    assert heights(crane.measure(high(71.0)))


def test_what_was_put_on_lowers_nothing_and_what_was_taken_off_raises_nothing(crane):
    crane.measure(high(120.0))
    crane.mind(step(8.0))
    assert crane.state is State.UNMEASURED
    assert not heights(crane.measure(high(90.0)))
    assert heights(crane.measure(high(150.0)))
    crane.mind(step(-8.0))
    assert not heights(crane.measure(high(170.0)))
    assert heights(crane.measure(high(90.0)))


def test_a_paddle_beside_the_first_pieces_is_doubted(crane):
    assert heights(crane.measure(high(0.0)))
    crane.mind(step(8.0))
    assert not heights(crane.measure(high(0.0)))


def test_after_a_fall_a_lower_tower_is_no_surprise(crane):
    crane.measure(high(120.0))
    crane.mind(Fell(t_us=5, spot=SPOT, lost_g=20.0, stage="alert"))
    assert crane.state is State.MEASURED
    crane.mind(Fell(t_us=5, spot=SPOT, lost_g=20.0, stage="confirmed"))
    assert heights(crane.measure(high(40.0)))


def test_another_platform_is_measured_without_prejudice(crane):
    crane.measure(high(120.0))
    crane.mind(TagLeft(t_us=6, spot=SPOT, uid="04", thing="platform/1/public"))
    crane.mind(step(-200.0))
    crane.mind(TagCame(t_us=7, spot=SPOT, uid="05", thing="platform/2/public"))
    crane.mind(step(35.0))
    assert heights(crane.measure(high(0.0)))


def test_a_load_that_only_trembled_changes_nothing(crane):
    crane.measure(high(120.0))
    crane.mind(step(0.0))
    assert crane.state is State.MEASURED
    assert not heights(crane.measure(high(60.0)))


def test_every_state_has_a_way_out_and_measured_is_entered_by_good_readings_only():
    assert {state for state, _ in TRANSITIONS} == set(State)
    for (_, event), state in TRANSITIONS.items():
        assert (state is State.MEASURED) == (event in {Event.AGREES, Event.REPEATS})


@pytest.fixture
def beam_crane():
    """The same crane with a beam that is believed."""
    return Crane(SPOT, zero_mm=ZERO_MM, beam=True)


def test_a_paddle_that_hangs_free_measures_nothing_however_often(beam_crane):
    told = [fact for _ in range(3) for fact in beam_crane.measure(high(60.0, contact=False))]
    assert heights(told) == []
    assert faults(told) == [
        ("the paddle hangs free, something else holds its carriage: lower it until the paddle rests", True)
    ]
    assert beam_crane.state is State.DOUBTED


def test_a_paddle_that_rests_is_measured_and_the_doubt_ends(beam_crane):
    beam_crane.measure(high(90.0, contact=False))
    told = beam_crane.measure(high(60.0, contact=True))
    assert [on for _, on in faults(told)] == [False]
    assert len(heights(told)) == 1
    assert beam_crane.state is State.MEASURED


def test_what_hung_free_is_no_first_lowering_of_a_surprise(beam_crane):
    beam_crane.measure(high(60.0, contact=True))
    beam_crane.measure(high(200.0, contact=False))
    assert heights(beam_crane.measure(high(200.0, contact=True))) == []
    assert len(heights(beam_crane.measure(high(200.0, contact=True)))) == 1


@pytest.mark.parametrize("contact", [None, True])
def test_a_beam_that_says_nothing_leaves_the_crane_as_it_was(beam_crane, contact):
    assert len(heights(beam_crane.measure(high(60.0, contact)))) == 1


def test_without_a_beam_in_the_plan_none_is_believed(crane):
    assert len(heights(crane.measure(high(60.0, contact=False)))) == 1
