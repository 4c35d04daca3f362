"""Knocks: what an accelerometer hears of a trace, which is the same in all else."""

import msgspec
import numpy as np
import pytest

from citytable.sensing.knock_history import LEAST_MG
from citytable_lab import acts_table
from citytable_lab.compose import blind, compose
from citytable_lab.draw import draw_traces, stress_traces
from citytable_lab.habits import draw_habits
from citytable_lab.knocks import MOST_MG, WINDOW_MS, heard
from citytable_lab.one_converter import one_converter
from citytable_lab.plate import draw_plate
from citytable_lab.stage import Piece, Stage
from citytable_lab.strikes import Rustle, Strike, Strikes
from citytable_lab.surroundings import Struck, draw_surroundings, felt_mg
from citytable_lab.trace_file import save_trace

pytestmark = pytest.mark.long(4)


def rng(*seed):
    return np.random.default_rng(seed)


@pytest.fixture
def around():
    """A light base on a light table, and people who make no noise of their own."""
    quiet = {"noise_per_s": 0.0, "bag_mg": 0.0, "noise_mg": 1.0, "unheard": 0.0, "on_base": 0.0, "clumsy": 0.0}
    light = {"base_kg": 0.5, "base_hz": 100.0, "table_kg": 2.0, "table_hz": 100.0, "hard_ms": 1.0, "coupling": 1.0}
    chip = {"high_pass_hz": 8.0, "low_pass_hz": 200.0}
    return msgspec.structs.replace(draw_surroundings(rng(1)), **quiet, **light, **chip)


@pytest.fixture
def plate():
    return draw_plate(rng(2), 3)


def struck(n=2000, **forces):
    silence = {name: np.zeros(n) for name in ("tile", "base", "table", "shaken_mg")}
    return Struck(**silence | forces)


def at(n, ms, value):
    force = np.zeros(n)
    force[ms] = value
    return force


def fall(**more):
    """3 of 5 pieces of 10 g leave a tower one by one, at 1.0, 1.1 and 1.3 s."""
    label = {"kind": "partial_collapse", "sub": "fall", "t_onset_us": 950_000, "t_end_us": 1_400_000, "trigger": "push"}
    label |= {"mass_before_g": 50.0, "mass_after_g": 20.0, "height_before_mm": 100.0, "n_off": 3} | more
    load_g = np.full(3000, 50.0)
    for ms in (1000, 1100, 1300):
        load_g[ms:] -= 10
    return label, load_g


@pytest.mark.parametrize("family", ["fall_quick", "play", "stress"])
def test_a_trace_is_the_same_with_and_without_an_accelerometer_but_for_what_it_hears(family):
    deaf, hearing, other = (compose(rng(4), family, 2, "heavy", [], ears) for ears in (None, rng(1), rng(2)))
    assert deaf.knocks is None
    for field in set(deaf.__struct_fields__) - {"knocks", "truth"}:
        assert np.array_equal(getattr(hearing, field), getattr(deaf, field)), field
    assert hearing.truth | {"surroundings": None} == deaf.truth | {"surroundings": None}
    assert len(hearing.knocks.t_us)
    assert not np.array_equal(hearing.knocks.t_us, other.knocks.t_us)


def test_the_same_seed_hears_the_same_and_every_trace_has_surroundings_of_its_own(tmp_path):
    one, same = (list(draw_traces(3, 4, 1, "house", [], accelerometer=True)) for _ in range(2))
    for number, (first, again) in enumerate(zip(one, same, strict=True)):
        save_trace(tmp_path / f"{number}-a.npz", first)
        save_trace(tmp_path / f"{number}-b.npz", again)
        assert (tmp_path / f"{number}-a.npz").read_bytes() == (tmp_path / f"{number}-b.npz").read_bytes()
    assert len({trace.truth["surroundings"].table_kg for trace in one}) == 4
    assert next(stress_traces(3, 0.1, 1, "house", accelerometer=True)).knocks is not None


def test_what_is_heard_stays_where_ranges_go_and_converters_are_shared():
    trace = compose(rng(4), "fall_quick", 3, "heavy", [], rng(1))
    assert blind(trace).knocks is trace.knocks
    assert one_converter(trace).knocks is trace.knocks


def test_windows_are_told_at_their_ends_in_order_and_only_loud_ones():
    for trace in draw_traces(6, 6, 1, "heavy", [], accelerometer=True):
        t_us, mg = trace.knocks
        assert (np.diff(t_us) >= WINDOW_MS * 1000).all()
        assert t_us[0] > 0
        assert t_us[-1] <= trace.duration_s * 1e6
        assert mg.min() >= LEAST_MG
        assert mg.max() <= MOST_MG


def test_a_strike_is_felt_less_on_a_heavier_table_and_in_a_duller_place(around, plate):
    blow = struck(table=at(2000, 500, 10.0))
    light = np.abs(felt_mg(around, plate, blow)).max()
    for change in ({"table_kg": 20.0}, {"coupling": 0.1}):
        assert np.abs(felt_mg(msgspec.structs.replace(around, **change), plate, blow)).max() == pytest.approx(
            light / 10
        )
    assert 50 < light < 1000
    assert np.abs(felt_mg(around, plate, blow))[:495].max() < light / 50


def test_a_hand_that_presses_slowly_is_not_heard_and_one_that_strikes_is(around, plate):
    slowly = 0.3 * np.sin(np.linspace(0, np.pi, 2000)) ** 2
    assert np.abs(felt_mg(around, plate, struck(tile=slowly))).max() < 2
    assert np.abs(felt_mg(around, plate, struck(tile=at(2000, 500, 1.0)))).max() > LEAST_MG


def test_pieces_are_heard_to_land_after_they_have_left(around):
    for seed in range(20):
        strikes = Strikes(rng(seed), around, 30.0)
        landed = sorted(strike.at_ms for strike in strikes.of(*fall()) if strike.impulse_mns > 1)
        assert landed[0] > 1000
        assert landed[0] < 1000 + 300
        assert landed[-1] > 1300
        assert {strike.where for strike in strikes.of(*fall())} == {"table"}


def test_a_piece_that_a_hand_pulled_or_that_stays_does_not_land_on_the_table(around):
    assert list(Strikes(rng(1), around, 30.0).of(*fall(n_off=0))) == []
    pulled = list(Strikes(rng(1), around, 30.0).of(*fall(n_off=1, trigger="pull")))
    assert pulled == []


def test_a_fall_that_is_over_at_once_still_lands(around):
    label, load_g = fall()
    assert list(Strikes(rng(1), around, 30.0).of(label, load_g[:960]))


def test_a_hand_that_lays_what_it_took_on_the_table_is_heard_later(around):
    lays = msgspec.structs.replace(around, lays=1.0)
    taken = {"kind": "piece_removed", "t_onset_us": 1_000_000, "t_end_us": 1_200_000, "piece_g": -10.0}
    for seed in range(10):
        laid = [s for s in Strikes(rng(seed), lays, 30.0).of(taken, np.zeros(1)) if s.where == "table"]
        assert laid
        assert min(strike.at_ms for strike in laid) > 1300


def test_every_act_sounds_like_something_that_can_be(around):
    for trace in draw_traces(8, 10, 1, "heavy", []):
        for label in trace.events:
            for sound in Strikes(rng(1), around, 30.0).of(label, np.zeros(400_000)):
                if isinstance(sound, Strike):
                    assert 0 < sound.impulse_mns < 5000
                else:
                    assert isinstance(sound, Rustle)
                    assert sound.for_ms > 0


def test_a_table_that_is_struck_is_heard_as_hard_as_it_shakes_what_stands_on_it(around, plate):
    stage = Stage(rng(5), draw_habits(rng(5), "heavy"), plate, [Piece(40.0, 0.0, 0.0, 50.0)])
    stage.wait(1.0)
    acts_table.tremble(stage)
    shaken = stage.shaken_mg()
    felt_g = stage.wrench()[:, 0] - stage.wrench()[0, 0]
    assert shaken * (stage.habits.inertia_g + 40.0) / 1000 == pytest.approx(felt_g, abs=0.01)


def test_silence_is_silent(around, plate):
    stage = Stage(rng(5), draw_habits(rng(5), "heavy"), plate, [])
    stage.wait(5.0)
    assert len(heard(rng(1), around, stage, stage.wrench()).t_us) == 0
