"""Forces of hands and of what lands."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable_lab.habits import draw_habits
from citytable_lab.touch import landing, let_go, ramp, restless, ringing

seeds = st.integers(0, 10_000)


@given(seeds, st.integers(1, 500))
def test_a_ramp_goes_from_nothing_to_all_and_never_back(seed, n):
    curve = ramp(np.random.default_rng(seed), n)
    assert len(curve) == max(n, 2)
    assert (curve[0], curve[-1]) == pytest.approx((0, 1))
    assert (np.diff(curve) >= -1e-12).all()


@given(seeds, st.floats(0.5, 20), st.floats(1, 200))
def test_a_landing_brings_the_momentum_of_the_fall_and_no_lasting_weight(seed, mass_g, fall_mm):
    hit = landing(np.random.default_rng(seed), mass_g, fall_mm)
    momentum_g_ms = mass_g * np.sqrt(2 * fall_mm / 9.80665e-3)
    assert hit[: np.argmax(hit < 0) or None].sum() >= momentum_g_ms
    assert hit.sum() == pytest.approx(momentum_g_ms, rel=0.2, abs=10 * mass_g)
    assert hit.min() >= -mass_g - 1e-9


@given(seeds, st.integers(2, 3000))
def test_what_a_hand_lets_go_is_gone(seed, n):
    rng = np.random.default_rng(seed)
    assert let_go(rng, np.full(n, 30.0), 80)[-1] == pytest.approx(0)


def test_noise_lies_between_its_frequencies():
    noise = restless(np.random.default_rng(1), 8000, 8, 12)
    power = np.abs(np.fft.rfft(noise)) ** 2
    hz = np.fft.rfftfreq(8000, 1e-3)
    assert power[(hz > 4) & (hz < 16)].sum() > 0.98 * power.sum()
    assert noise.std() == pytest.approx(1)


def test_what_rings_rings_out():
    swing = ringing(np.random.default_rng(1), 50.0, 20.0, 0.05)
    assert np.abs(swing[:100]).max() > 30
    assert np.abs(swing[-100:]).max() < 1


@pytest.mark.parametrize("piece_set", ["heavy", "house"])
def test_people_differ(piece_set):
    drawn = [draw_habits(np.random.default_rng(seed), piece_set) for seed in range(200)]
    for name in ("press_g", "pace", "wobble_g", "table_hz"):
        values = [getattr(habits, name) for habits in drawn]
        assert max(values) > 2.5 * min(values), name
