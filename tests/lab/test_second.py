"""The second generator: another physics under the same labels."""

from itertools import pairwise

import numpy as np
import pytest

from citytable_lab.score import FALLS, STEPS, labels_of
from citytable_lab.second.draw import second_traces
from citytable_lab.second.falling import Ground, fall
from citytable_lab.second.hands import Person
from citytable_lab.trace_file import load_trace, save_trace

GROUND = Ground(radius_mm=45.0, contact_hz=60.0, damping=0.3, friction=0.3)


@pytest.fixture(scope="module")
def traces():
    return list(second_traces(4, 6, 3, "heavy"))


def test_the_same_seed_draws_the_same_traces(traces):
    again = next(second_traces(4, 1, 3, "heavy"))
    assert np.array_equal(again.counts, traces[0].counts)
    assert again.events == traces[0].events


def test_a_trace_is_read_back_as_it_was_written(traces, tmp_path):
    save_trace(tmp_path / "a.npz", traces[0])
    assert np.array_equal(load_trace(tmp_path / "a.npz").counts, traces[0].counts)


def test_labels_tell_what_the_cells_weigh(traces):
    """Between two acts the load is that of the labels, less than half a gram off."""
    for trace in traces:
        scale, zero = np.array(trace.cal.counts_per_g), np.array(trace.cal.zero_counts)
        grams = ((trace.counts - zero) / scale).sum(axis=1) - trace.cal.tile_g
        labels = labels_of(trace.events)
        for label, following in pairwise(labels):
            rest = (trace.t_us > label.t_end_us + 250_000) & (trace.t_us < following.t_onset_us - 50_000)
            if rest.sum() > 8 and label.kind != "platform_lifted":
                error_g = 0.01 * (label.mass_after_g + trace.cal.tile_g) + 1.0
                assert abs(np.median(grams[rest]) - label.mass_after_g) < error_g


def test_things_fall_and_are_built_in_it(traces):
    kinds = {event["kind"] for trace in traces for event in trace.events}
    assert kinds & set(FALLS)
    assert kinds & set(STEPS)
    assert "disturbance" in kinds


def test_what_falls_weighs_itself_before_and_after_and_hits_harder_in_between():
    rng = np.random.default_rng(3)
    went = fall(rng, np.array([10.0]), np.array([[5.0, 0.0]]), np.array([80.0]), GROUND, np.zeros(2))
    assert went.wrench[0, 0] == pytest.approx(10.0, abs=1.0)
    assert went.wrench[:, 0].min() < 5.0
    assert went.wrench[-1, 0] == pytest.approx(10.0 * went.stays[0], abs=0.5)


def test_what_is_swept_off_is_gone():
    rng = np.random.default_rng(5)
    masses, at_mm = np.full(4, 8.0), np.zeros((4, 2))
    went = fall(rng, masses, at_mm, np.array([20.0, 40.0, 60.0, 80.0]), GROUND, np.array([900.0, 0.0]))
    assert not went.stays.all()


def test_a_hand_follows_its_goal_late_and_unsteadily():
    person = Person(np.random.default_rng(2))
    force = person.follow([(0.05, 0.0), (1.5, 20.0)])
    assert abs(force[49]) < 2
    assert force[-300:].mean() == pytest.approx(20, rel=0.3)
    assert force[-300:].std() > 0
