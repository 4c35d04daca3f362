"""Whether scales stand still and even: one answer for each spot."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.sensing.cell import RAIL_HIGH
from citytable.sensing.level import Listened, Stretch, judged
from citytable.table.plan import CellPlan

PLANS = tuple(CellPlan(counts_per_g=900.0 * (1, -1, 1)[k], zero_counts=5000 * k, capacity_g=1000) for k in range(3))
PAD, HEX = "seat/1/pad/0", "city/1/0"
CALM_G = 0.03


def stretches(plan, grams, noise_g=CALM_G):
    """One stretch a second, at these grams."""
    return tuple(
        Stretch(
            t_us=1_000_000 * k,
            n=80,
            mean=plan.zero_counts + one * plan.counts_per_g,
            spread=noise_g * abs(plan.counts_per_g),
            low=round(plan.zero_counts + one * plan.counts_per_g - 3 * noise_g * 900) - 1,
            high=round(plan.zero_counts + one * plan.counts_per_g + 3 * noise_g * 900) + 1,
        )
        for k, one in enumerate(grams)
    )


def pad(*cells, noises_g=(CALM_G,) * 3, spot=PAD):
    """A pad on three cells; each is a number of grams or one for every second."""
    listed = [[cell] * 6 if isinstance(cell, int | float) else cell for cell in cells]
    told = zip(PLANS, listed, noises_g, strict=True)
    return Listened(spot, PLANS, tuple(stretches(plan, grams, noise_g) for plan, grams, noise_g in told))


def hexagon(grams=0.0, noise_g=CALM_G, spot=HEX):
    return Listened(spot, PLANS[:1], (stretches(PLANS[0], [grams] * 6, noise_g),))


def answer(spot, *others):
    return judged((spot, *others))[0]


def test_a_calm_even_spot_rests():
    assert answer(pad(0, 0.1, -0.1)).answer == "rests"
    assert answer(pad(40, 37, 44)).answer == "rests"
    assert answer(hexagon()).answer == "rests"


@pytest.mark.parametrize(
    ("spot", "expected", "cell"),
    [
        (pad(0, 2.9, -2.9), "off_level", 2),
        (pad(40, 0.5, 44), "carries_nothing", 1),
        (pad(0, 0, 0, noises_g=(CALM_G, 0.4, CALM_G)), "noisy", 1),
        (pad(0, 0, 0, noises_g=(0.2, 0.4, 0.3)), "trembles", None),
        (pad([0, 1, 0, 1, 0, 1], [1, 0, 1, 0, 1, 0], 0), "wobbles", 0),
        (pad([0, 0.1, 0.2, 0.3, 0.4, 0.5], 0, 0), "drifts", None),
        (hexagon(noise_g=0.3), "noisy", 0),
        (Listened(PAD, PLANS, ((), (), ())), "silent", 0),
        (Listened(HEX, PLANS[:1], ((Stretch(0, 80, 17.0, 0.0, 17, 17),),)), "stuck", 0),
        (Listened(HEX, PLANS[:1], ((Stretch(0, 80, 17.0, 9.0, 3, RAIL_HIGH),),)), "saturated", 0),
    ],
)
def test_what_is_wrong_is_said_with_the_cell_that_is_meant(spot, expected, cell):
    found = answer(spot)
    assert (found.answer, found.cell) == (expected, cell)


def test_a_drift_is_told_by_the_minute_with_its_sign():
    assert answer(pad([0, -0.1, -0.2, -0.3, -0.4, -0.5], 0, 0)).grams == pytest.approx(-6.0)


def test_a_single_restless_hex_is_noisy_and_with_a_third_of_the_table_it_trembles():
    restless = [hexagon(noise_g=0.3, spot=f"city/{k}/0") for k in range(3)]
    calm = [hexagon(spot=f"city/{k}/1") for k in range(6)]
    assert [one.answer for one in judged((*restless[:2], *calm))][:2] == ["noisy", "noisy"]
    assert [one.answer for one in judged((*restless, *calm))] == ["trembles"] * 3 + ["rests"] * 6


def test_a_dead_spot_does_not_stop_the_others():
    dead = Listened("city/3/0", PLANS[:1], ((),))
    assert [one.answer for one in judged((dead, hexagon()))] == ["silent", "rests"]


@given(st.floats(-0.9, 0.9), st.floats(-0.9, 0.9), st.integers(0, 1000))
def test_small_unevenness_and_noise_never_alarm(first_g, second_g, seed):
    rng = random.Random(seed)
    wander = [[grams + rng.gauss(0, 0.02) for _ in range(6)] for grams in (first_g, second_g, -first_g - second_g)]
    assert answer(pad(*wander)).answer == "rests"


@given(
    st.lists(
        st.builds(
            Stretch,
            t_us=st.integers(0, 10**9),
            n=st.integers(1, 100),
            mean=st.floats(-9e6, 9e6),
            spread=st.floats(0, 1e6),
            low=st.integers(-(2**23), 0),
            high=st.integers(0, 2**23 - 1),
        ),
        max_size=8,
    )
)
def test_whatever_is_heard_there_is_one_answer(told):
    assert len(judged((Listened(PAD, PLANS, (tuple(told),) * 3), hexagon()))) == 2
