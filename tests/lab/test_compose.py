"""Composed traces: the same seed gives the same one, and its labels say what its load says."""

import numpy as np
import pytest

from citytable_lab.compose import FALLING, FAMILIES, blind, compose, enact
from citytable_lab.draw import MIX, draw_traces, stress_traces
from citytable_lab.plate import draw_plate
from citytable_lab.recording import PieceCast, Recording
from citytable_lab.trace_file import Beside, Knocks

pytestmark = pytest.mark.long(13)

G_OF_N = 1000 / 9.80665


@pytest.fixture
def recording():
    """A tower of 30 g of which 12 g fall from 1.0 s to 1.4 s, after a push."""
    force_g = np.concatenate([np.full(1000, 30.0), np.linspace(30, 18, 400), np.full(600, 18.0)])
    force_n = force_g / G_OF_N
    wrench = np.stack([force_n, -0.004 * force_n, 0.007 * force_n], axis=1)
    return Recording(
        seed=1,
        trigger="push",
        outcome="partial_collapse",
        pieces=(PieceCast("cube", "glass", 10.0), PieceCast("post", "steel", 8.0), PieceCast("slab", "steel", 12.0)),
        t_trigger_s=0.9,
        t_onset_s=1.0,
        t_impact_s=None,
        t_end_s=1.4,
        mass_before_g=30.0,
        mass_after_g=18.0,
        height_before_mm=60.0,
        height_after_mm=40.0,
        n_pieces=3,
        n_fallen=1,
        n_off=1,
        tile_mm=90.0,
        friction=0.3,
        wrench=wrench.astype(np.float32),
        top_mm=np.full(100, 60.0, dtype=np.float32),
        hand_mm=np.full(100, np.nan, dtype=np.float32),
    )


def rng(*seed):
    return np.random.default_rng(seed)


def test_the_same_seed_gives_the_same_trace_and_another_seed_another():
    one, same, other = (compose(rng(seed), "fall_quick", 3, "heavy", []) for seed in (1, 1, 2))
    assert one.events == same.events
    assert np.array_equal(one.counts, same.counts)
    assert np.array_equal(one.zones_mm, same.zones_mm)
    assert one.events != other.events


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("piece_set", ["heavy", "house"])
def test_what_stands_at_the_end_weighs_what_the_labels_say(family, piece_set):
    for seed in range(3 if family == "stress" else 12):
        stage, start = enact(rng(seed), family, draw_plate(rng(seed), 3), piece_set, [])
        wrench = stage.wrench()
        settled_g = float(wrench[-1, 0]) - stage.habits.tile_g - float(stage.offset_g[0])
        assert settled_g == pytest.approx(stage.labels[-1]["mass_after_g"] if stage.labels else start.mass_g, abs=0.1)
        assert settled_g == pytest.approx(stage.mass_g, abs=0.1)
        assert float(wrench[0, 0]) - stage.habits.tile_g == pytest.approx(start.mass_g, abs=0.1)


@pytest.mark.parametrize("family", FAMILIES)
def test_only_falls_make_pieces_fall(family):
    events = [event for seed in range(4) for event in compose(rng(seed), family, 1, "heavy", []).events]
    falls = [event for event in events if event["sub"] == "fall"]
    assert bool(falls) == (family in FALLING)
    assert all(event["mass_after_g"] <= event["mass_before_g"] + 1e-6 for event in falls)


def test_labels_of_pieces_follow_one_another_without_a_gap():
    stage, start = enact(rng(5), "play", draw_plate(rng(5), 3), "heavy", [])
    mass_g = start.mass_g
    for label in stage.labels:
        assert label["mass_before_g"] == pytest.approx(mass_g, abs=0.002)
        assert label["t_end_us"] >= label["t_onset_us"]
        mass_g = label["mass_after_g"]


@pytest.mark.parametrize("piece_set", ["heavy", "house"])
def test_a_recorded_fall_is_told_with_its_own_times_and_masses(recording, piece_set):
    stage, start = enact(rng(3), "fall", draw_plate(rng(3), 3), piece_set, [recording])
    fall = next(label for label in stage.labels if label["kind"] == "partial_collapse")
    scale = fall["mass_before_g"] / 30.0
    assert fall["mass_after_g"] == pytest.approx(18.0 * scale, abs=0.01)
    assert (fall["trigger"], fall["n_pieces"], fall["n_off"]) == ("push", 3, 1)
    assert fall["t_end_us"] - fall["t_onset_us"] == 400_000
    load_g = stage.wrench()[:, 0] - stage.habits.tile_g - stage.offset_g[0]
    assert load_g[fall["t_end_us"] // 1000 + 100] == pytest.approx(fall["mass_after_g"], abs=0.1)
    assert start.mass_g <= fall["mass_before_g"]


def test_a_family_needs_recordings_that_fit(recording):
    stage, _ = enact(rng(3), "sweep", draw_plate(rng(3), 3), "heavy", [recording])
    assert {label["trigger"] for label in stage.labels if label["sub"] == "fall"} == {"sweep"}


def test_a_folder_has_all_families_in_their_shares_and_names_that_sort():
    traces = list(draw_traces(7, 60, 1, "heavy", []))
    assert [trace.name for trace in traces] == sorted({trace.name for trace in traces})
    counts = {family: sum(trace.scenario == family for trace in traces) for family in MIX}
    assert sum(counts.values()) == 60
    assert counts["fall"] > counts["lean"]
    assert sum(MIX.values()) == pytest.approx(1.0)


def test_hours_of_stress_are_hours_and_every_chunk_is_another():
    one, two = stress_traces(4, 0.2, 1, "house")
    assert one.duration_s + two.duration_s == pytest.approx(720, abs=30)
    assert one.events != two.events
    gaps = np.diff([event["t_onset_us"] for event in one.events if event["kind"] != "fault"])
    assert len(gaps) >= 40


def test_a_trace_without_its_range_sensor_keeps_all_else(weighed):
    none = np.empty(0, np.int64)
    knocks, beside = Knocks(none, np.empty(0, np.int16)), Beside(none, np.empty(0, np.bool_))
    ranges = {"tof_t_us": np.array([0], np.int64), "tof_mm": np.array([300], np.int16)}
    seen = weighed([50] * 4, knocks=knocks, beside=beside, **ranges)
    unseen = blind(seen)
    assert (unseen.knocks, unseen.beside) == (knocks, beside)
    assert (unseen.name, unseen.events, len(unseen.t_us)) == (seen.name, seen.events, 4)
    assert len(unseen.tof_t_us) == len(unseen.tof_mm) == len(unseen.zones_t_us) == 0
    assert unseen.zones_mm.shape == (0, 64)
