"""Cells, plate and ranges: what sensors make of what happened, and how they fail."""

import msgspec
import numpy as np
import pytest

from citytable_lab.cells import RAIL, convert, draw_cells, misreads, spike
from citytable_lab.compose import compose
from citytable_lab.plate import Plate, cell_loads, draw_plate
from citytable_lab.ranges import draw_optics, eight_by_eight, single_zone
from citytable_lab.sight import RangeView

PERIOD_S = 0.0125
STIFF = Plate(resonance_hz=(1e6, 1e6, 1e6), damping=(0.1, 0.1, 0.1), share=((1.0, 0.0, 0.0),), cell_xy_mm=((0.0, 0.0),))


def still(cells=1, **changes):
    """Cells without any error but those asked for."""
    drawn = draw_cells(np.random.default_rng(1), cells)
    none = (0.0,) * cells
    silent = msgspec.structs.replace(
        drawn,
        gain_error=none,
        zero_error_g=none,
        noise_counts=none,
        drift_g_per_h=none,
        drift_swing_g=none,
        creep=0.0,
        cross_talk=0.0,
        mains_counts=0.0,
        clock_error=none,
        late=0.0,
        lost=0.0,
        stall_per_h=0.0,
        spike_per_h=0.0,
    )
    return msgspec.structs.replace(silent, **changes)


def step(n=2000, at=1000, grams=50.0):
    wrench = np.zeros((n, 3), dtype=np.float32)
    wrench[at:, 0] = grams
    return wrench


def test_a_step_takes_four_conversions_to_settle():
    load = cell_loads(STIFF, step(), PERIOD_S)[:, 0]
    assert load[990] == pytest.approx(0, abs=0.05)
    assert 1 < load[1025] < 49
    assert load[1040] < 49.9
    assert load[1052:].min() == pytest.approx(50, abs=0.05)


def test_a_plate_rings_and_comes_to_rest_at_the_load():
    plate = msgspec.structs.replace(STIFF, resonance_hz=(40.0, 40.0, 40.0), damping=(0.03, 0.1, 0.1))
    load = cell_loads(plate, step(), PERIOD_S / 8)[:, 0]
    assert load.max() > 60
    assert load[-1] == pytest.approx(50, abs=0.1)


@pytest.mark.parametrize("cells", [2, 3])
def test_cells_share_a_weight_wherever_it_stands(cells):
    plate = draw_plate(np.random.default_rng(2), cells)
    share = np.array(plate.share)
    for x_mm, y_mm in plate.cell_xy_mm:
        loads = share @ np.array([10.0, -10.0 * y_mm, 10.0 * x_mm])
        assert loads.sum() == pytest.approx(10.0, abs=0.2)
        assert loads.max() == pytest.approx(10.0, abs=0.5)


def test_counts_are_grams_by_the_calibration():
    cells = still(3)
    loads = np.tile([10.0, 20.0, 30.0], (4000, 1))
    t_us, counts = convert(np.random.default_rng(1), cells, loads, [])
    grams = (counts - np.array(cells.zero_counts)) / np.array(cells.counts_per_g)
    assert grams == pytest.approx(np.tile([10.0, 20.0, 30.0], (len(grams), 1)), abs=0.01)
    assert np.diff(t_us).mean() == pytest.approx(1e6 / cells.rate_hz, rel=0.01)


def test_a_load_creeps_and_a_clock_of_its_own_repeats_or_skips_values():
    loads = np.concatenate([np.zeros(1000), np.full(59_000, 100.0)])[:, None]
    cells = still(creep=0.002, creep_s=5.0)
    _, counts = convert(np.random.default_rng(1), cells, loads, [])
    grams = (counts[:, 0] - cells.zero_counts[0]) / cells.counts_per_g[0]
    assert grams[-1] == pytest.approx(100.2, abs=0.01)
    assert grams[150] == pytest.approx(100.03, abs=0.03)
    rising = np.arange(60_000.0)[:, None]
    _, counts = convert(np.random.default_rng(1), still(clock_error=(-0.03,)), rising, [])
    assert (np.diff(counts[:, 0]) == 0).sum() > 50


def failing(faults):
    """Rows of three cells of which the second fails, and which of their readings are far from the load."""
    loads = 50 + np.sin(np.arange(8000) / 40)[:, None] * [1.0, 1.0, 1.0]
    cells = still(3, noise_counts=(40.0, 40.0, 40.0), lost=0.1)
    t_us, counts = convert(np.random.default_rng(3), cells, loads, faults)
    clean = np.rint(loads[0] * np.array(cells.counts_per_g) + np.array(cells.zero_counts))
    return t_us, counts, np.abs(counts - clean) > 5 * np.abs(np.array(cells.counts_per_g)) + 1000


@pytest.mark.parametrize("what", ["stuck", "rail", "disconnect"])
def test_faults_are_where_they_are_labelled(what):
    t_us, counts, far = failing([(what, 1, 3000, 5000)])
    inside = (t_us > 3_020_000) & (t_us < 4_980_000)
    outside = (t_us < 2_980_000) | (t_us > 5_020_000)
    assert not far[:, [0, 2]].any()
    assert not far[outside, 1].any()
    if what == "stuck":
        assert len(set(counts[inside, 1].tolist())) == 1
    if what == "rail":
        assert set(counts[inside, 1].tolist()) <= {RAIL - 1, -RAIL}
        assert far[inside, 1].all()


def test_a_misread_row_is_one_row_is_not_lost_and_holds_up_the_next():
    faults = [spike(1, at_ms) for at_ms in range(500, 7500, 500)]
    t_us, _, far = failing(faults)
    assert not far[:, [0, 2]].any()
    assert 10 <= far[:, 1].sum() <= len(faults)  # a few misread bits change little
    for row in np.flatnonzero(far[:, 1]):
        assert any(0 <= t_us[row] - at_ms * 1000 < 17_000 for _, _, at_ms, _ in faults)
        assert t_us[row + 1] - t_us[row] > np.median(np.diff(t_us))


def test_a_host_misreads_as_often_as_drawn():
    an_hour = misreads(np.random.default_rng(1), still(3, spike_per_h=60.0), 3_600_000)
    assert len(an_hour) == pytest.approx(60, abs=25)
    assert {cell for _, cell, _, _ in an_hour} == {0, 1, 2}


def test_a_fault_is_told_with_its_cell_and_the_mass_it_did_not_change():
    events = [
        event for seed in range(10) for event in compose(np.random.default_rng(seed), "fault", 3, "heavy", []).events
    ]
    faults = [event for event in events if event["kind"] == "fault"]
    assert {fault["sub"] for fault in faults} == {"disconnect", "stuck", "spike"}
    assert all(fault["mass_before_g"] == fault["mass_after_g"] and fault["cell"] in range(3) for fault in faults)


def seen(top_mm=0.0, hand_mm=np.nan, here=True, n=500):
    return RangeView(
        top_mm=np.full(n, top_mm, dtype=np.float32),
        hand_mm=np.full(n, hand_mm, dtype=np.float32),
        hand_share=np.full(n, 0.8, dtype=np.float32),
        tile_here=np.full(n, here),
    )


@pytest.mark.parametrize("sensor", [single_zone, eight_by_eight])
def test_a_range_sensor_sees_tile_tower_hand_and_the_empty_plate(sensor):
    optics = msgspec.structs.replace(
        draw_optics(np.random.default_rng(4)), bias_mm=0.0, noise_mm=0.5, invalid=0.0, height_mm=400.0, tower_shine=0.5
    )

    def middle(scene):
        return float(sensor(np.random.default_rng(1), optics, scene, 9000)[1].mean())

    tile = middle(seen())
    assert tile == pytest.approx(400, abs=2)
    assert middle(seen(top_mm=200.0)) < tile - 1
    assert middle(seen(hand_mm=250.0)) < tile - 100
    assert middle(seen(here=False)) > tile + 2


def test_ranges_come_at_the_rate_of_the_sensor_and_some_are_invalid():
    optics = msgspec.structs.replace(draw_optics(np.random.default_rng(4)), rate_hz=25.0, invalid=0.2)
    t_us, mm = single_zone(np.random.default_rng(1), optics, seen(), 9000)
    assert len(t_us) == pytest.approx(225, abs=2)
    assert (np.diff(t_us) > 0).all()
    assert (mm == -1).mean() == pytest.approx(0.2, abs=0.1)
