"""Plausible: a load that rests as calmly as a right one, and does not fit what the calibration says."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.sensing.calibration import POSSIBLE, Start, cal_of
from citytable.sensing.plausible import Plausible
from citytable.sensing.spot_detector import Detector
from citytable.sensing.stream import BadStart, Stream
from citytable.sensing.trees import Judges

TILE_G = 30.0
SIXTY = Start(pieces_on=7, mass_g=60)


def test_a_start_that_weighs_otherwise_is_told_once():
    plausible = Plausible(SIXTY, TILE_G)
    [said] = plausible.rests(600.0, [210.0, 210.0, 210.0])
    assert "600.0 g" in said
    assert "60.0 g" in said
    assert plausible.rests(600.0, [210.0, 210.0, 210.0]) == []


@pytest.mark.parametrize("mass_g", [56.0, 60.0, 64.9])
def test_a_start_that_is_about_right_is_not(mass_g):
    assert Plausible(SIXTY, TILE_G).rests(mass_g, [30.0, 30.0, 30.0]) == []


def test_a_start_that_nobody_told_is_not_held_against_the_load():
    assert Plausible(Start(), TILE_G).rests(600.0, [210.0, 210.0, 210.0]) == []


def test_cells_that_cancel_each_other_are_told_and_again_after_they_were_well():
    plausible = Plausible(Start(), TILE_G)
    odd, well = [-140.0, 190.0, 40.0], [30.0, 30.0, 30.0]
    [said] = plausible.rests(60.0, odd)
    assert said.startswith("cell 0 shows -140.0 g of 90.0 g")
    assert plausible.rests(60.0, odd) == []
    assert plausible.rests(60.0, well) == []
    assert len(plausible.rests(60.0, odd)) == 1


def test_a_spot_that_weighs_less_than_nothing_is_told():
    [said] = Plausible(Start(), TILE_G).rests(-80.0, [-50.0])
    assert "less than nothing" in said


CAL = {"counts_per_g": [800.0, 800.0], "zero_counts": [0.0, 0.0], "tile_g": 20.0, "rate_hz": 80.0}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("tile_g", -1e9),
        ("tile_g", 1e6),
        ("rate_hz", 1e9),
        ("zero_counts", [0.0, 2.0**24]),
        ("counts_per_g", [1e-9, 800.0]),
        ("counts_per_g", [1e12, 800.0]),
        ("tof_height_mm", -5.0),
        ("tof_fov_deg", 400.0),
        ("heaviest_g", -1.0),
        ("start", {"mass_g": 1e9}),
        ("start", {"pieces_on": -3}),
    ],
)
def test_a_calibration_that_no_table_has_is_refused_with_the_number_and_what_to_give(field, value):
    with pytest.raises(BadStart, match="give"):
        Stream(json.dumps({"type": "start", "cal": CAL | {field: value}}).encode())


@given(st.sampled_from(sorted(POSSIBLE)), st.floats(allow_nan=True, allow_infinity=True))
def test_every_number_of_a_calibration_is_possible_or_refused(field, value):
    low, high = POSSIBLE[field]
    given_value = [value, 0.0] if field == "zero_counts" else value
    if low <= value <= high:
        cal_of(CAL | {field: given_value})
    else:
        with pytest.raises(ValueError, match=field):
            cal_of(CAL | {field: given_value})


def kinds_of(kit, rows):
    watch = Detector(kit.cal(3, 900.0, 30.0), Judges(kit.NEVER, None, kit.NEVER, kit.NEVER, kit.ALWAYS, kit.NEVER))
    return [event for t_us, counts in rows for event in watch.update(t_us, counts)]


def test_a_load_that_changed_while_a_cell_was_at_fault_is_no_piece_for_sure(kit):
    rows = kit.rows(kit.Loads(90.0).take(4, 40), 9)
    broken = [(t, [counts[0], -(2**23), counts[2]] if 3e6 < t < 5e6 else counts) for t, counts in rows]
    events = kinds_of(kit, broken)
    assert [event.kind for event in events] == ["fault", "unsure"]
    assert "cell 1 was at fault" in events[-1].what
    assert events[-1].mass_g == pytest.approx(-40, abs=1)


def test_a_lean_heavier_than_any_handful_of_pieces_is_no_piece(kit):
    events = kinds_of(kit, kit.rows(kit.Loads(90.0).set_down(3, 1500), 7))
    assert {event.kind for event in events} == {"unsure"}
    assert "more than a handful of pieces" in events[0].what
