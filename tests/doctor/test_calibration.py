"""Calibration refuses what cannot be true, and says what to do next."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.doctor.calibration import BadCalibration, Reading, calibrated, check_weight
from citytable.table.plan import CellPlan

CELL = CellPlan(counts_per_g=2147.0, zero_counts=0, capacity_g=1000)
EMPTY = Reading(-12_000.0, 45.0)


def at(counts: float, noise: float = 45.0) -> Reading:
    return Reading(counts, noise)


def under(*grams: float, per_g: float = 1700.0) -> tuple[Reading, ...]:
    return tuple(at(EMPTY.mean + per_g * one) for one in grams)


def test_one_cell_gets_its_figures():
    (cell,) = calibrated((CELL,), (EMPTY,), under(500), (at(-12_100),), 500)
    assert cell == CellPlan(counts_per_g=1700.0, zero_counts=-12_050, capacity_g=1000)


def test_three_cells_weigh_together():
    cells = calibrated((CELL,) * 3, (EMPTY,) * 3, under(180, 150, 170), (EMPTY,) * 3, 500)
    assert {cell.counts_per_g for cell in cells} == {1700.0}


@given(
    per_g=st.floats(300, 7000),
    zeros=st.lists(st.integers(-500_000, 500_000), min_size=1, max_size=4),
    share=st.floats(0.1, 0.7),
)
def test_what_was_weighed_is_weighed_again(per_g, zeros, share):
    """With the new figures the weight weighs what it did."""
    cells, mass_g = (CELL,) * len(zeros), 1000 * len(zeros) * share
    empty = tuple(at(float(zero), 5.0) for zero in zeros)
    loaded = tuple(at(zero + per_g * mass_g / len(zeros), 5.0) for zero in zeros)
    made = calibrated(cells, empty, loaded, empty, mass_g)
    weighed = sum((rest.mean - cell.zero_counts) / cell.counts_per_g for rest, cell in zip(loaded, made, strict=True))
    assert weighed == pytest.approx(mass_g, rel=1e-3)


@pytest.mark.parametrize(
    ("empty", "loaded", "after", "why"),
    [
        ((EMPTY,), under(0), (EMPTY,), r"no cell felt the weight: check that it is on this spot"),
        ((EMPTY,), under(-500), (EMPTY,), r"cell 0 fell by 850000 counts under the weight: swap its two signal wires"),
        ((EMPTY,) * 3, under(300, -90, 290), (EMPTY,) * 3, r"cell 1 fell by 153000"),
        ((EMPTY,) * 3, under(330, 20, 150), (EMPTY,) * 3, r"cell 0 carries 66% of the weight instead of 33%"),
        ((EMPTY,) * 3, under(250, 0, 250), (EMPTY,) * 3, r"carries 50% .*: put the weight in the middle"),
        ((at(8_388_607),), under(500), (EMPTY,), r"cell 0 is at the end of its range with nothing on it"),
        ((at(-8_388_608),), under(500), (EMPTY,), r"cell 0 is at the end of its range with nothing on it"),
        (
            (EMPTY,),
            (at(8_380_000),),
            (EMPTY,),
            r"cell 0 is at the end of its range with 500 g on it .*: check its four wires",
        ),
        ((EMPTY,), under(500, per_g=40), (EMPTY,), r"40\.0 counts per gram do not fit a cell for 1000 g"),
        ((EMPTY,), under(500, per_g=12_000), (EMPTY,), r"12000\.0 counts per gram do not fit a cell for"),
        ((at(-12_000, 2_000),), under(500), (EMPTY,), r"the readings are noisy \(1\.18 g\): do not touch"),
        ((EMPTY,), (at(838_000, 2_000),), (EMPTY,), r"the readings are noisy"),
        ((EMPTY,), under(500), under(20), r"the empty spot has changed by \+20\.0 g: take everything off"),
        ((EMPTY,), under(500), under(-20), r"the empty spot has changed by -20\.0 g"),
    ],
)
def test_nonsense_is_refused_with_the_next_thing_to_do(empty, loaded, after, why):
    with pytest.raises(BadCalibration, match=why):
        calibrated((CELL,) * len(empty), empty, loaded, after, 500)


@pytest.mark.parametrize(
    ("cells", "mass_g", "why"),
    [
        ((CELL,), 20, "a weight of 20 g does not suit cells for 1000 g: use 50 to 1000 g, ideally about 500 g"),
        ((CELL,), 1200, "1200 g does not suit cells for 1000 g"),
        ((CELL,) * 3, 100, "use 150 to 3000 g"),
        ((CELL,), float("nan"), "nan g"),
        ((), 500, "has no cells"),
    ],
)
def test_a_weight_that_says_too_little_is_refused_before_anything_is_measured(cells, mass_g, why):
    with pytest.raises(BadCalibration, match=why):
        check_weight(cells, mass_g)


@given(
    empty=st.tuples(st.floats(-9e6, 9e6), st.floats(0, 1e6)),
    loaded=st.tuples(st.floats(-9e6, 9e6), st.floats(0, 1e6)),
    after=st.tuples(st.floats(-9e6, 9e6), st.floats(0, 1e6)),
    mass_g=st.floats(50, 1000),
)
def test_whatever_is_measured_the_figures_are_those_of_a_cell_or_refused(empty, loaded, after, mass_g):
    try:
        (cell,) = calibrated((CELL,), (Reading(*empty),), (Reading(*loaded),), (Reading(*after),), mass_g)
    except BadCalibration:
        return
    assert 200 <= cell.counts_per_g <= 8000
    assert abs(cell.zero_counts) < 1 << 23
