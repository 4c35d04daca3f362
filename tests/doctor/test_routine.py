"""The calibration of a whole station: its tasks, its verdicts, and what it remembers."""

import pytest

from citytable.doctor.calibration import BadCalibration, Reading
from citytable.doctor.routine import (
    CRANE,
    SCALE,
    Progress,
    Task,
    check_blocks,
    check_weights,
    crane_on_blocks,
    second_weight,
    tasks_of,
    weighed_g,
    weight_line,
)
from citytable.games.megacity.spots import shared_spots
from citytable.table.plan import CellPlan, full_plan

SEAT = next(one for one in full_plan("cafe", 2, shared_spots(), ()).stations if one.station == "seat-1")
CELLS = (CellPlan(counts_per_g=1700.0, zero_counts=1000, capacity_g=1000),) * 3
BARE_MM = (300.0, 300.4, 299.6)


def weighing(grams):
    return tuple(Reading(1000 + 1700.0 * grams / 3, 40.0) for _ in CELLS)


def on(block_mm, off_mm=0.0, scale=1.0):
    return tuple(BARE_MM[k] - block_mm / scale - off_mm for k in range(3))


def blocks(scale=1.0, **off_mm):
    return {float(mm): on(mm, off_mm.get(f"b{mm}", 0.0), scale) for mm in (20, 50, 100)}


def test_a_spot_on_which_nothing_lies_weighs_no_minus():
    assert weight_line("city/0/0", -0.04) == "city/0/0              0.0 g"
    assert weight_line("seat/1/bag", -0.06) == "seat/1/bag           -0.1 g"


def test_a_seat_has_four_scales_and_three_cranes():
    tasks = tasks_of(SEAT)
    assert [task.what for task in tasks] == [SCALE] * 4 + [CRANE] * 3
    assert str(tasks[-1]) == "crane of seat/1/pad/2"


@pytest.mark.parametrize(
    ("first_g", "second_g", "because"),
    [
        (500, 450, "450 g is too close to the first weight, 500 g"),
        (100, 50, r"seat/1/pad/0: a weight of 100 g does not suit cells for 3000 g: use 150 to 3000 g"),
        (500, 4000, "seat/1/pad/0: 4000 g is more than its cells can carry"),
        (500, 0, "the second weight is missing"),
    ],
)
def test_weights_that_do_not_suit_are_refused_before_anything_is_asked(first_g, second_g, because):
    with pytest.raises(BadCalibration, match=because):
        check_weights(SEAT, first_g, second_g)


@pytest.mark.parametrize("heights_mm", [(), (10.0, 20.0), (0.0, 100.0)])
def test_blocks_that_show_no_scale_are_refused(heights_mm):
    with pytest.raises(BadCalibration, match="one of the blocks must be at least 60 mm high"):
        check_blocks(heights_mm)


def test_what_lies_on_cells_is_the_sum_of_theirs_and_needs_a_calibration():
    assert weighed_g(CELLS, weighing(150)) == pytest.approx(150)
    with pytest.raises(BadCalibration, match="calibrate it first"):
        weighed_g((CellPlan(counts_per_g=0.0, zero_counts=0, capacity_g=1000),), weighing(150)[:1])


def test_a_second_weight_that_weighs_what_it_should_is_good():
    assert second_weight(CELLS, weighing(202), 200)["en"] == "200 g weighed 202.0 g (limit 3 g)"


def test_a_second_weight_beyond_the_limit_is_not():
    with pytest.raises(BadCalibration, match=r"200 g weighed 203\.5 g \(limit 3 g\): check both weights"):
        second_weight(CELLS, weighing(203.5), 200)


def test_a_crane_gets_zero_and_scale_from_all_blocks():
    figures, verdict = crane_on_blocks(BARE_MM, blocks(scale=1.02, b50=1.0))
    assert figures.zero_mm == 300.0
    assert figures.scale == pytest.approx(1.02, abs=0.01)
    assert verdict["en"].startswith("at worst, the block of 50 mm measured 50.")


@pytest.mark.parametrize(
    ("ranges", "because"),
    [
        (blocks(b20=30.0), r"the block of 20 mm measured 50\.0 mm \(limit 3 mm\): check that it was this block"),
        (blocks(scale=1.2), r"with the block of 100 mm the range was 83\.3 mm shorter"),
        ({100.0: BARE_MM}, r"with the block of 100 mm the range was 0\.0 mm shorter"),
    ],
)
def test_a_crane_whose_blocks_do_not_measure_what_they_are_is_not_good(ranges, because):
    with pytest.raises(BadCalibration, match=because):
        crane_on_blocks(BARE_MM, ranges)


def test_what_is_done_is_remembered_until_all_of_it_is(tmp_path):
    progress = Progress(tmp_path / "table.json", "seat-1")
    assert progress.done() == frozenset()
    first, second = Task(SCALE, "seat/1/bag"), Task(CRANE, "seat/1/pad/0")
    progress.add(first)
    progress.add(second)
    assert Progress(tmp_path / "table.json", "seat-1").done() == {first, second}
    assert Progress(tmp_path / "table.json", "seat-2").done() == frozenset()
    progress.forget()
    assert progress.done() == frozenset()


def test_a_damaged_memory_means_that_nothing_is_done(tmp_path):
    progress = Progress(tmp_path / "table.json", "seat-1")
    progress.path.write_text('[["scale"')
    assert progress.done() == frozenset()
