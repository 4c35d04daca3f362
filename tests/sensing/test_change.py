"""Change: the numbers of one change of load, by loads written down by hand."""

import pytest

from citytable.sensing.calibration import Cal
from citytable.sensing.change import NAMES, Changes
from citytable.sensing.occlusion import UNSEEN, Occlusion
from citytable.sensing.trail import Trail

PERIOD_US = 12_500
CAL = Cal(
    counts_per_g=(1.0, 1.0, 1.0),
    zero_counts=(0.0, 0.0, 0.0),
    tile_g=30.0,
    cell_xy_mm=((40.0, 0.0), (-20.0, 34.6), (-20.0, -34.6)),
)


class Spot:
    """A trail, its changes, and loads to push: in g less the tile, and how they are spread over the cells."""

    def __init__(self):
        self.trail, self.occlusion = Trail(3), Occlusion()
        self.changes = Changes(CAL, self.trail, self.occlusion)
        self.now_us = 0

    def push(self, loads, parts=(1 / 3, 1 / 3, 1 / 3)):
        for load_g in loads:
            self.now_us += PERIOD_US
            self.trail.push(self.now_us, load_g, [(load_g + 30) * part for part in parts])

    def take(self, load_g, settled_us=None):
        return dict(zip(NAMES, self.changes.take(self.now_us, load_g, 0.1, settled_us, 0), strict=True))


@pytest.fixture
def spot():
    spot = Spot()
    spot.push([60.0] * 130)
    spot.changes.begin(spot.now_us, 60.0)
    return spot


def test_a_step_is_a_step_with_a_time_a_shape_and_a_place(spot):
    spot.push([61.0, 64.0, 67.0, 72.0, 70.0, 70.0])
    spot.push([70.0] * 30)
    x = spot.take(70.0, spot.now_us - 100_000)
    assert (x["step"], x["size"], x["home"], x["unreported"], x["load"]) == (10, 10, 10, 0, 100)
    assert (x["cross"], x["rise"], x["over"], x["before_off"]) == (35, 3, 0, pytest.approx(0, abs=0.1))
    assert (x["reach"], x["counter"], x["settled_ms"]) == (12, 0, 100)
    assert (x["part_high"], x["from_middle"]) == (pytest.approx(1 / 3), pytest.approx(0, abs=0.1))


def test_what_went_looks_like_what_came(spot):
    spot.push([57.0, 53.0, 50.0])
    spot.push([50.0] * 30)
    x = spot.take(50.0)
    assert (x["step"], x["size"], x["home"], x["reach"], x["counter"]) == (-10, 10, 10, 10, 0)
    assert x["settled_ms"] == -1


def test_how_it_came_is_remembered_when_the_trail_has_forgotten(spot):
    spot.push([70.0] * 40)
    first = spot.take(70.0)
    spot.push([70.0] * 200)
    assert spot.take(70.0)["rise"] == first["rise"]


def test_where_it_stands_is_where_the_cells_feel_it(spot):
    spot.push([70.0] * 30, parts=(0.4, 0.3, 0.3))
    x = spot.take(70.0)
    assert x["part_high"] == pytest.approx(1.0)
    assert x["from_middle"] == pytest.approx(40, abs=0.1)


def test_a_lean_that_was_accepted_is_a_debt_that_its_release_pays(spot):
    spot.push([65.0] * 40)
    spot.changes.accept(spot.now_us, 65.0)
    spot.push([60.0] * 40)
    x = spot.take(60.0)
    assert (x["step"], x["unreported"], x["home"]) == (-5, -5, 0)


def test_the_usual_piece_is_that_of_the_last_ones_and_a_repeat_is_like_the_last(spot):
    for load_g in (70.0, 79.0, 89.0):
        spot.push([load_g] * 40)
        spot.changes.report(spot.now_us, load_g)
    spot.push([79.0] * 40)
    x = spot.take(79.0)
    assert (x["usual"], x["like_reported"]) == (1.0, 0)
    assert spot.changes.count(31.0) == 3


def test_what_a_hand_let_go_after_the_verdict_belongs_to_the_piece_and_is_no_debt(spot):
    for load_g in (70.0, 80.0, 91.0):
        spot.push([load_g + 3] * 40)
        spot.changes.report(spot.now_us, load_g + 3)
        spot.push([load_g] * 40)
        spot.changes.amend(spot.now_us, load_g)
    spot.push([80.0] * 40)
    x = spot.take(80.0)
    assert (x["step"], x["unreported"], x["like_reported"]) == (-11, 0, 0)
    assert x["usual"] == pytest.approx(1.1)  # of 10, 10 and 11


def test_several_that_turn_out_to_be_one_are_learned_as_one(spot):
    for load_g in (70.0, 80.0, 90.0):
        spot.changes.report(spot.now_us, load_g)
    spot.changes.report(spot.now_us, 112.0)
    assert spot.changes.count(31.0) == 3
    spot.changes.amend(spot.now_us, 104.0)
    assert spot.changes.count(20.0) == 1
    assert spot.take(118.0)["usual"] == pytest.approx(1.4)


def test_a_load_that_leaves_takes_its_drift_along(spot):
    spot.push([60.5] * 60)
    spot.changes.departed()
    assert spot.changes.base_g == pytest.approx(60.5)
    assert spot.take(60.5)["unreported"] == 0


def test_how_much_nearer_the_sensor_sees_something_is_told_when_it_sees(spot):
    assert spot.take(61.0)["nearer_mm"] == UNSEEN
    spot.occlusion.range(spot.now_us, 400)
    spot.changes.begin(spot.now_us, 60.0)
    spot.push([70.0] * 10)
    spot.occlusion.range(spot.now_us, 380)
    assert spot.take(70.0)["nearer_mm"] == 20
