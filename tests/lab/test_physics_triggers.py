"""Paths of hands and tiles."""

import numpy as np
import pytest

from citytable_lab.scene import STEP_S
from citytable_lab.tower import random_tower
from citytable_lab.triggers import QUIET_S, TIME_S, drive, plan_trigger

TRIGGERS = ("push", "nudge", "slide", "misplace", "drop", "pull", "bump", "topple", "sweep")
TOWER = random_tower(np.random.default_rng(3), 95.0, 8)
MIDDLE_M = (0.0, 0.0, 0.05)


def a_drive(trigger, seed, strength):
    plan = plan_trigger(np.random.default_rng(seed), TOWER, trigger, loaded=True)
    return drive(plan, TOWER, strength, MIDDLE_M, lambda origin, along: 0.2)


@pytest.mark.parametrize("trigger", TRIGGERS)
@pytest.mark.parametrize("strength", [0.1, 1.0, 4.0])
def test_nothing_jumps_and_the_tile_is_still_at_first(trigger, strength):
    for seed in range(10):
        moves = a_drive(trigger, seed, strength)
        assert np.abs(np.diff(moves.hand, axis=0)).max() < 0.01 * max(strength, 1) * STEP_S / 0.001  # under 10 m/s
        assert np.abs(moves.tile[TIME_S < QUIET_S]).max() == 0
        assert moves.over_s >= QUIET_S


@pytest.mark.parametrize("trigger", ["slide", "bump"])
def test_a_stronger_trigger_moves_the_tile_further(trigger):
    weak, strong = (np.abs(a_drive(trigger, 5, strength).tile).max() for strength in (0.5, 1.0))
    assert strong == pytest.approx(2 * weak)


def test_who_takes_a_piece_away_keeps_it_and_who_sets_one_down_lets_go():
    assert a_drive("pull", 1, 1.0).grip_s[1] is None
    begins_s, ends_s = a_drive("drop", 1, 1.0).grip_s
    assert begins_s == 0 < ends_s


def test_a_creeping_piece_is_drawn_after_the_bump():
    creep = a_drive("topple", 2, 1.0).creep
    assert creep.start_s > QUIET_S
    assert creep.reach_mm > 0
