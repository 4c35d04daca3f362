"""Heights in simulation: what is promised of the crane holds for towers and sensors that nobody tuned for."""

import pytest

from citytable_lab.height import draw_case, height_rows

pytestmark = pytest.mark.long(3)

TOWERS = 800


@pytest.fixture(scope="module")
def rows():
    return {row.what: row for row in height_rows([draw_case(7, number) for number in range(TOWERS)])}


@pytest.mark.parametrize("crane", ["crane", "crane of known scale"])
def test_the_crane_keeps_its_promises(rows, crane):
    assert rows[f"{crane}: error p95, mm"].mark in {"ok", "aim"}
    assert rows[f"{crane}: interval holds the truth"].mark in {"ok", "aim"}


def test_an_interval_that_decides_decides_rightly(rows):
    assert rows["crane: of these wrongly"].n <= 2
    assert rows["crane: decides a height asked within 15 mm"].value > 0.6
    assert rows["crane, slips and all: of these wrongly"].value < 0.06


def test_a_carriage_with_a_beam_notices_more_slips_than_the_crane_and_is_finer(rows):
    assert rows["carriage with a beam: slips noticed"].value > rows["crane: slips noticed"].value
    assert rows["carriage with a beam: error p95, mm"].value < 0.5 < rows["crane: error p95, mm"].value
    assert rows["carriage with a beam: interval holds the truth"].value > 0.95


def test_an_overhead_sensor_is_right_and_useless(rows):
    assert rows["overhead, one beam: interval holds the truth"].value > 0.95
    assert rows["overhead, one beam: width of the interval p50, mm"].value > 150


def test_the_same_seed_draws_the_same_case():
    assert draw_case(3, 5) == draw_case(3, 5)
    assert draw_case(3, 5).truth_mm != draw_case(3, 6).truth_mm
