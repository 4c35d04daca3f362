"""What is written down about a fall, held against courses made by hand."""

import numpy as np
import pytest

from citytable_lab.fall_labels import Course, judge

LOOK_S, LENGTH_S, WEIGHT_G = 0.002, 2.0, 10.0
LOOKS = round(LENGTH_S / LOOK_S)
TIME_S = np.arange(LOOKS) * LOOK_S


def still(x_mm, z_mm):
    return np.tile([x_mm, 0.0, z_mm], (LOOKS, 1))


def falling(x_mm, z_mm, begins_s, to_mm, lands_mm):
    """From there to `to_mm` aside within 300 ms, down to `lands_mm`."""
    u = np.clip((TIME_S - begins_s) / 0.3, 0, 1)
    return np.column_stack([x_mm + u * (to_mm - x_mm), np.zeros(LOOKS), z_mm + u**2 * (lands_mm - z_mm)])


def course(*ways, tower=None, taken=None, left_g=None, left_s=1.0, heights=(100.0, 100.0)):
    at_mm = np.stack(ways, axis=1)
    speed = np.linalg.norm(np.gradient(at_mm, LOOK_S, axis=0), axis=2)
    weight_g = WEIGHT_G * (tower or len(ways))
    force_g = np.full(round(LENGTH_S * 1000), weight_g)
    force_g[round(left_s * 1000) :] = weight_g if left_g is None else left_g
    return Course(
        at_mm=at_mm,
        speed_mm_s=speed,
        look_s=LOOK_S,
        force_g=force_g,
        tile_mm=90.0,
        pieces=tower or len(ways),
        taken=taken,
        trigger_s=0.5,
        height_mm=heights,
    )


def test_where_nothing_fell_the_tower_stood():
    verdict = judge(course(still(0, 20), still(0, 40)))
    assert (verdict.outcome, verdict.onset_s, verdict.impact_s, verdict.fallen) == ("stood", None, None, 0)
    assert verdict.clear


def test_one_of_three_is_a_partial_collapse_from_the_moment_it_moves():
    verdict = judge(course(still(0, 20), still(0, 40), falling(0, 60, 0.8, 80, -10), left_g=20.0))
    assert (verdict.outcome, verdict.fallen, verdict.off) == ("partial_collapse", 1, 1)
    assert verdict.onset_s == pytest.approx(0.8, abs=0.02)
    assert verdict.end_s == pytest.approx(1.0, abs=0.02)
    assert (verdict.before_g, verdict.after_g) == (30.0, 20.0)


def test_half_of_the_pieces_or_of_the_height_is_a_collapse():
    gone = falling(0, 60, 0.8, 80, -10)
    assert judge(course(still(0, 20), gone, left_g=10.0)).outcome == "collapse"
    lower = course(still(0, 20), still(0, 40), gone, left_g=20.0, heights=(100.0, 50.0))
    assert judge(lower).outcome == "collapse"


def test_a_piece_that_falls_and_stays_on_the_tile_has_fallen_but_is_not_off():
    verdict = judge(course(still(0, 20), still(0, 40), falling(0, 60, 0.8, 30, 8)))
    assert (verdict.outcome, verdict.fallen, verdict.off) == ("partial_collapse", 1, 0)


def test_the_onset_is_after_the_last_rest():
    """Shaken at first, at rest, and then falling: the shaking was not the fall."""
    fallen = falling(0, 60, 1.2, 80, -10)
    shaken = np.where((TIME_S > 0.5) & (TIME_S < 0.7), 0.5 * np.sin(60 * TIME_S), 0.0)
    fallen[:, 0] += shaken
    verdict = judge(course(still(0, 20), still(0, 40), fallen, left_g=20.0, left_s=1.5))
    assert verdict.onset_s == pytest.approx(1.2, abs=0.03)


def test_a_piece_that_a_hand_took_was_pulled_if_the_rest_stood():
    taken = falling(0, 40, 0.6, 120, 45)
    assert judge(course(still(0, 20), taken, still(0, 60), taken=1, left_g=20.0)).outcome == "pulled"
    beside = falling(0, 60, 0.7, 80, -10)
    assert judge(course(still(0, 20), taken, beside, taken=1, left_g=10.0)).outcome == "collapse"


def test_the_impact_is_when_the_force_leaves_the_weight_by_more_than_half():
    verdict = judge(course(falling(0, 20, 0.8, 80, -10), falling(0, 40, 0.8, 80, -10), left_g=0.0))
    assert verdict.impact_s == pytest.approx(1.0, abs=0.005)


def test_a_new_piece_that_simply_stays_is_no_clear_ending():
    comes = falling(0, 100, 0.4, 0, 60)
    assert not judge(course(still(0, 20), still(0, 40), comes, tower=2, left_g=30.0)).clear
    goes = falling(0, 100, 0.4, 80, -10)
    verdict = judge(course(still(0, 20), still(0, 40), goes, tower=2))
    assert (verdict.outcome, verdict.fallen, verdict.off, verdict.clear) == ("stood", 0, 0, True)
