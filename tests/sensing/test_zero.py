"""The zero of a scale: learned while nothing lies on it, never from something that does."""

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.sensing import zero
from citytable.sensing.reading import CellQuiet
from citytable.sensing.table_sense import TableSense
from citytable.sensing.zero import HOUR_US, SpotZero, State, due
from citytable.table.fact import MassMoving, MassSettled, TagCame, TagLeft, ZeroMoved
from citytable.table.plan import CellPlan

SPOT = "seat/1/pad/0"
PLANS = tuple(CellPlan(counts_per_g=900.0, zero_counts=1000 * k, capacity_g=1000) for k in range(3))
TODAY = date(2026, 11, 21)


def settled(mass_g, t_us=0, step_g=0.0):
    return MassSettled(t_us=t_us, spot=SPOT, mass_g=mass_g, step_g=step_g, error_g=0.06)


def came(t_us=0):
    return TagCame(t_us=t_us, spot=SPOT, uid="04", thing="platform/1/public")


def left(t_us=0):
    return TagLeft(t_us=t_us, spot=SPOT, uid="04", thing="platform/1/public")


def second(cell, grams, t_us=0):
    mean = PLANS[cell].zero_counts + 900.0 * grams
    return CellQuiet(
        spot=SPOT, cell=cell, t_us=t_us, n=80, mean=mean, spread=40.0, low=int(mean) - 99, high=int(mean) + 99
    )


@pytest.fixture
def scale():
    return SpotZero(SPOT, PLANS)


def test_a_bare_spot_weighs_nothing_whatever_its_cells_say(scale):
    moved, told = scale.mind(settled(2.0))
    assert moved == ZeroMoved(t_us=0, spot=SPOT, drift_g=2.0, error_g=0.06)
    assert told.mass_g == 0.0
    assert scale.state is State.BARE


def test_what_is_put_on_then_weighs_less_the_drift_and_its_step_is_untouched(scale):
    scale.mind(settled(2.0))
    scale.mind(came())
    (told,) = scale.mind(settled(52.0, step_g=50.0))
    assert (told.mass_g, told.step_g) == (50.0, 50.0)


def test_what_lies_on_a_tag_is_never_a_zero(scale):
    scale.mind(came())
    (told,) = scale.mind(settled(3.0))
    assert told.mass_g == 3.0
    assert scale.state is State.LADEN


def test_the_first_zero_may_be_some_grams_off_and_no_more(scale):
    (told,) = scale.mind(settled(6.0))
    assert told.mass_g == 6.0
    assert scale.state is State.DOUBTED


def test_soon_after_only_little_more_is_drift_and_hours_later_more_is(scale):
    scale.mind(settled(0.0))
    (told,) = scale.mind(settled(1.0, t_us=1_000_000, step_g=1.0))
    assert told.mass_g == 1.0
    assert scale.state is State.DOUBTED
    (_, told) = scale.mind(settled(1.0, t_us=HOUR_US // 2))
    assert told.mass_g == 0.0


def test_after_a_heavy_load_creep_is_expected(scale):
    scale.mind(settled(0.0))
    scale.mind(came())
    scale.mind(settled(400.0, step_g=400.0))
    scale.mind(left())
    (_, told) = scale.mind(settled(0.9, t_us=1_000_000, step_g=-399.1))
    assert told.mass_g == 0.0


@pytest.fixture
def drifting(scale):
    """The tower on it drifted by 3 g within a minute, much faster than the hub expects."""
    scale.mind(settled(0.0))
    scale.mind(came())
    scale.mind(settled(16.0, step_g=16.0))
    scale.mind(settled(50.0, step_g=34.0))
    scale.mind(MassMoving(t_us=60_000_000, spot=SPOT))
    return scale


@pytest.mark.parametrize("tag_first", [False, True])
def test_what_changed_without_a_step_is_drift_however_fast(drifting, tag_first):
    lifted = [left(61_000_000), settled(3.0, t_us=60_500_000, step_g=-50.0)]
    told = [fact for one in (lifted if tag_first else reversed(lifted)) for fact in drifting.mind(one)]
    assert [fact.drift_g for fact in told if isinstance(fact, ZeroMoved)] == [3.0]
    assert drifting.state is State.BARE


def test_what_stays_behind_by_the_steps_is_no_drift(drifting):
    drifting.mind(left(61_000_000))
    (told,) = drifting.mind(settled(3.0, t_us=60_500_000, step_g=-47.0))
    assert told.mass_g == 3.0
    assert drifting.state is State.DOUBTED


def test_steps_count_from_the_last_time_it_was_bare(drifting):
    drifting.mind(left(61_000_000))
    drifting.mind(settled(3.0, t_us=60_500_000, step_g=-47.0))
    drifting.mind(settled(-0.1, t_us=70_000_000, step_g=-3.1))
    assert drifting.state is State.BARE
    drifting.mind(came(71_000_000))
    drifting.mind(settled(50.0, t_us=72_000_000, step_g=50.1))
    drifting.mind(left(80_000_000))
    drifting.mind(settled(4.0, t_us=81_000_000, step_g=-50.0))
    assert drifting.state is State.BARE


def test_of_steps_before_a_restart_nothing_is_known(scale):
    scale.recall(ZeroMoved(t_us=0, spot=SPOT, drift_g=1.0, error_g=0.06))
    (told,) = scale.mind(settled(5.0, t_us=1_000_000))
    assert told.mass_g == 4.0
    assert scale.state is State.DOUBTED


def test_nothing_weighs_less_than_nothing(scale):
    scale.mind(settled(0.0))
    (_, told) = scale.mind(settled(-4.0, t_us=1_000_000))
    assert told.mass_g == 0.0


def test_a_load_that_went_before_its_tag_leaves_a_bare_spot(scale):
    scale.mind(came())
    scale.mind(settled(80.0))
    scale.mind(MassMoving(t_us=1, spot=SPOT))
    (told,) = scale.mind(settled(1.5, t_us=2, step_g=-78.5))
    assert told.mass_g == 1.5
    (_, moved) = scale.mind(left(t_us=3))
    assert moved.drift_g == 1.5


def test_while_it_is_bare_every_cell_is_followed_and_the_drift_is_told_once_it_matters(scale):
    scale.mind(settled(0.0))
    told = []
    for s in range(600):
        for cell in range(3):
            told += scale.quiet(second(cell, 0.001 * s * (cell + 1), t_us=s))
    assert len(told) > 10
    assert all(later.drift_g - one.drift_g >= zero.MOVED_G for one, later in pairwise(told))
    drifts = [one.drift_g for one in scale.cells_on(TODAY)]
    assert drifts == pytest.approx([0.6, 1.2, 1.8], abs=0.03)
    assert scale.cells_on(TODAY)[0].bare_us == 599


def test_a_second_that_already_holds_a_load_teaches_nothing(scale):
    scale.mind(settled(0.0))
    for cell in range(3):
        assert scale.quiet(second(cell, 20.0)) == []
    assert scale.offset_g == 0.0
    assert [one.drift_g for one in scale.cells_on(TODAY)] == [None] * 3


def test_a_moving_spot_teaches_nothing(scale):
    scale.mind(settled(0.0))
    scale.mind(MassMoving(t_us=1, spot=SPOT))
    assert scale.quiet(second(0, 0.1)) == []


@given(st.lists(st.tuples(st.floats(-3, 200), st.booleans(), st.integers(0, 10_000_000)), max_size=20))
def test_a_mass_is_always_told_less_what_was_told_to_be_drift(rests):
    scale, drift_g, t_us = SpotZero(SPOT, PLANS), 0.0, 0
    for mass_g, tagged, later_us in rests:
        t_us += later_us
        facts = [*scale.mind(came(t_us) if tagged else left(t_us)), *scale.mind(settled(mass_g, t_us))]
        for fact in facts:
            drift_g = fact.drift_g if isinstance(fact, ZeroMoved) else drift_g
        assert facts[-1].mass_g == mass_g - drift_g


@pytest.mark.parametrize(
    ("calibrated", "drift_g", "why"),
    [
        (None, None, "unknown"),
        (None, 11.0, "drifted"),
        (date(2026, 11, 1), None, ""),
        (date(2026, 11, 1), -9.9, ""),
        (date(2026, 11, 1), -10.1, "drifted"),
        (date(2026, 5, 1), 0.0, "old"),
    ],
)
def test_a_calibration_is_due_when_it_is_old_or_the_zero_went_far(calibrated, drift_g, why):
    plan = CellPlan(counts_per_g=900.0, zero_counts=0, capacity_g=1000, calibrated=calibrated)
    assert due(plan, drift_g, TODAY) == why


def test_at_a_table_the_zero_survives_a_restart_of_the_hub(plan):
    spot = next(iter(plan.spot_plans()))
    sense = TableSense(plan)
    counts_per_g = plan.spot_plans()[spot].cells[0].counts_per_g

    def quiet(t_s, grams):
        mean = counts_per_g * grams
        return CellQuiet(
            spot=spot,
            cell=0,
            t_us=t_s * 1_000_000,
            n=80,
            mean=mean,
            spread=40.0,
            low=int(mean) - 99,
            high=int(mean) + 99,
        )

    told = [fact for t_s in (1, 2, 3) for fact in sense.feed(quiet(t_s, 2.0))]
    assert [type(fact) for fact in told] == [ZeroMoved, MassSettled]
    assert told[1].mass_g == pytest.approx(0.0)
    assert sense.zeros(TODAY)[0].drift_g == pytest.approx(2.0)
    again = TableSense(plan)
    for fact in told:
        again.recall(fact)
    (rests,) = again.feed(quiet(5, 2.0))
    assert (rests.mass_g, rests.step_g) == (pytest.approx(0.0), 0.0)
