"""Calibrations as others have them: decoded JSON with nulls in it, or arrays of numpy."""

import math

import numpy as np
import pytest

from citytable.sensing import Detector
from citytable.sensing.calibration import LEAST_HZ, Cal, Start, cal_of

LEAST = {"counts_per_g": [800.0, -790.0], "zero_counts": [5.0, 7.0]}


def test_what_is_null_is_as_if_it_were_not_there():
    nothing = dict.fromkeys(("tile_g", "tile_mm", "cell_xy_mm", "rate_hz", "tof_height_mm", "tof_rate_hz", "start"))
    assert cal_of(LEAST | nothing) == cal_of(LEAST)
    start = {"pieces_on": 3, "mass_g": None, "height_mm": None}
    assert cal_of(LEAST | {"start": start}).start == Start(pieces_on=3)


def test_arrays_and_numbers_of_numpy_are_numbers():
    cal = {
        "counts_per_g": np.array([800.0, -790.0], np.float32),
        "zero_counts": np.array([5, 7]),
        "cell_xy_mm": np.array([[40, 0], [-40, 0]]),
        "tile_g": np.float64(28.5),
        "start": {"pieces_on": np.int64(3), "mass_g": np.float32(30)},
    }
    told = cal_of(cal)
    assert told == Cal((800.0, -790.0), (5.0, 7.0), 28.5, cell_xy_mm=((40, 0), (-40, 0)), start=Start(3, 30.0))
    assert {type(number) for number in (*told.counts_per_g, *told.zero_counts, told.tile_g)} == {float}


@pytest.mark.parametrize("field", ["tile_g", "rate_hz", "tof_height_mm", "tof_rate_hz"])
@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_what_is_no_number_is_refused_with_its_name(field, number):
    with pytest.raises(ValueError, match=f"cal: {field} is {number}"):
        cal_of(LEAST | {field: number})


@pytest.mark.parametrize("field", ["counts_per_g", "zero_counts"])
def test_of_cells_too(field):
    with pytest.raises(ValueError, match=f"cal: {field} is .*nan"):
        cal_of(LEAST | {field: [math.nan, 800.0]})


@pytest.mark.parametrize("rate_hz", [0, 1, 7.9])
def test_too_few_samples_are_refused_instead_of_telling_nothing(rate_hz):
    with pytest.raises(ValueError, match=f"cal: rate_hz is {rate_hz}: pieces take 8 samples a second"):
        cal_of(LEAST | {"rate_hz": rate_hz})


@pytest.mark.parametrize("rate_hz", [LEAST_HZ, 10.0, 20.0])
def test_at_the_least_rates_pieces_and_lifts_are_still_told(kit, rate_hz):
    watch, told = Detector(kit.cal(3, 900.0, 30.0, rate_hz)), []
    for t_us, counts in kit.rows(kit.Loads(90).set_down(3, 9).lean(6, 200, 1).take(9, 99), 11, rate_hz=rate_hz):
        told += watch.update(t_us, counts)
    sure = [event for event in told if event.stage == "confirmed" and event.kind != "disturbance"]
    assert [event.kind for event in sure] == ["piece_added", "platform_lifted"]
    assert sure[0].mass_g == pytest.approx(9, abs=0.25)
