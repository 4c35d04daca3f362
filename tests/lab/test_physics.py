"""Towers in the solver: they weigh what they weigh, and fall when they are pushed."""

import math

import numpy as np
import pytest

from citytable_lab.episode import Episode
from citytable_lab.fall_labels import judge
from citytable_lab.physics import draw_fall, draw_falls
from citytable_lab.pieces import Box
from citytable_lab.scene import Hand, Surface
from citytable_lab.tower import Placed, Tower
from citytable_lab.triggers import Plan

pytestmark = pytest.mark.long(11)

SURFACE = Surface(friction=0.4, stiff_s=0.004, damping=3.0, table_below_mm=20.0)
NEWTONS_PER_G = 9.81 / 1000


def post_at(x_mm, y_mm, mass_g, below_mm=0.0, bearers=()):
    box = Box((x_mm - 10, y_mm - 10, below_mm), (x_mm + 10, y_mm + 10, below_mm + 40))
    return Placed("post", "glass", mass_g, (box,), 0.0, bearers)


def tower_of(*pieces):
    return Tower(90.0, 0.0, pieces)


def gentle_bump():
    return Plan("bump", 1, 0, 0.0, Hand())


def test_a_tower_weighs_what_its_pieces_weigh_before_and_after_a_bump():
    tower = tower_of(post_at(0, 0, 12.0), post_at(0, 0, 9.0, 40.0, (0,)), post_at(-25, 0, 7.5))
    episode = Episode(tower, gentle_bump(), SURFACE)
    assert episode.stands()
    played = episode.play(0.05, most=3)
    grams = played.wrench[:, 0] / NEWTONS_PER_G
    assert grams[:250].mean() == pytest.approx(28.5, abs=0.1)
    assert grams[-100:].mean() == pytest.approx(28.5, abs=0.1)
    assert np.ptp(grams[300:600]) > 0.1  # it was felt
    assert judge(played.course).outcome == "stood"
    assert played.top_mm[0] == pytest.approx(80.0, abs=0.1)
    assert np.isnan(played.hand_mm).all()


def test_a_piece_off_the_centre_turns_the_tile_about_it():
    """A force f pressing down at (x, y) has the moments -y f and +x f."""
    episode = Episode(tower_of(post_at(20, -10, 10.0)), gentle_bump(), SURFACE)
    _, mx_nm, my_nm = episode.play(0.05, most=1).wrench[:250].mean(axis=0)
    assert mx_nm == pytest.approx(0.010 * 10 * NEWTONS_PER_G, rel=0.01)
    assert my_nm == pytest.approx(0.020 * 10 * NEWTONS_PER_G, rel=0.01)


def test_a_leaning_tower_does_not_stand():
    assert not Episode(tower_of(post_at(0, 0, 12.0), post_at(14, 0, 9.0, 40.0, (0,))), gentle_bump(), SURFACE).stands()


def push(tower, target):
    return Episode(tower, Plan("push", 3, target, 0.0, Hand()), SURFACE)


def test_a_pushed_piece_falls_off_and_the_tile_is_lighter_by_it():
    tower = tower_of(post_at(-20, 0, 12.0), post_at(20, 0, 9.0), post_at(20, 0, 7.0, 40.0, (1,)))
    played = push(tower, 2).play(4.0, most=3)
    verdict = judge(played.course)
    assert verdict.fallen >= 1
    there = [abs(x) < 45 and z > 0 for x, _, z in played.course.at_mm[-1]]
    assert not there[2]
    assert verdict.after_g == pytest.approx(sum(np.array([12.0, 9.0, 7.0])[there]), abs=0.1)
    assert verdict.onset_s >= played.course.trigger_s - 0.01
    assert 0 < np.nanmin(played.hand_mm) < 80


def test_a_play_ends_when_more_fell_than_is_wanted_and_begins_anew_each_time():
    episode = push(tower_of(post_at(0, 0, 12.0), post_at(0, 0, 9.0, 40.0, (0,))), 1)
    assert episode.play(4.0, most=0) is None
    first, second = (episode.play(4.0, most=2) for _ in range(2))
    np.testing.assert_array_equal(first.wrench, second.wrench)


def test_pieces_a_quarter_as_heavy_move_alike_so_recordings_may_be_scaled():
    heavy, light = (
        push(tower_of(post_at(0, 0, 12.0 * share), post_at(0, 0, 8.0 * share, 40.0, (0,))), 1).play(2.0, most=2)
        for share in (1.0, 0.25)
    )
    np.testing.assert_allclose(light.course.at_mm, heavy.course.at_mm, atol=2.0)
    of_light, of_heavy = (np.cumsum(played.wrench[:, 0]) / 1000 for played in (light, heavy))  # newton seconds
    np.testing.assert_allclose(4 * of_light, of_heavy, atol=0.03 * of_heavy[-1])  # a landing comes a sample later


def test_the_same_seed_is_the_same_fall():
    once, again = draw_fall(4), draw_fall(4)
    assert once.labels() == again.labels()
    np.testing.assert_array_equal(once.wrench, again.wrench)


def test_labels_of_drawn_falls_agree_with_their_signals():
    for recording in draw_falls(10, 4):
        grams = recording.wrench[:, 0] / NEWTONS_PER_G
        assert grams[:100].mean() == pytest.approx(recording.mass_before_g, abs=0.1)
        assert grams[-50:].mean() == pytest.approx(recording.mass_after_g, abs=0.1)
        assert recording.mass_before_g == pytest.approx(
            sum(piece.mass_g for piece in recording.pieces[: recording.n_pieces]), abs=0.1
        )
        assert len(recording.top_mm) == len(recording.hand_mm) == math.ceil(len(recording.wrench) / 20)
        assert 0 <= recording.n_off <= recording.n_fallen <= recording.n_pieces
        assert (recording.t_onset_s is None) == (recording.outcome == "stood")
        if recording.t_onset_s is not None:
            assert recording.t_trigger_s - 0.01 <= recording.t_onset_s < recording.t_end_s < len(grams) / 1000
