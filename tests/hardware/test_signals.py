"""What disturbs scales and readers is computed, answered and on the list of what a bench has to show."""

import pytest

from tablestation.seam import NOMINAL_COUNTS_PER_G


@pytest.fixture(scope="module")
def signals(load_tool):
    """tools/signals.py."""
    return load_tool("signals")


def test_a_gram_counts_what_the_station_assumes(signals):
    assert round(signals.counts_per_g()) == NOMINAL_COUNTS_PER_G
    assert signals.counts_per_g(5000) == pytest.approx(signals.counts_per_g() / 5)


def test_each_disturbance_has_its_line_in_what_was_never_tried(root, signals):
    page = (root / "hardware/NEVER-TRIED.md").read_text("utf-8")
    for one in signals.disturbances():
        assert f"| {one.procedure} |" in page, one.what


def test_a_neighbours_tag_gets_less_than_a_tag_at_the_end_of_the_range(signals):
    apart = signals.dimensions().ANTENNAS_APART
    assert 4 * signals.field_beside_coil(apart) < signals.field_above_coil(signals.RANGE_MM)


def test_the_rings_disturb_less_than_the_converter_itself(signals):
    """At the distance that the page asks for; beside the ring's wires it would be several times as much."""
    near, far = (
        signals.induced_g(signals.field_of_pair_t(mm), signals.RINGS_HZ, signals.WIRE_MM, signals.APART_MM)
        for mm in (10, 50)
    )
    assert far < signals.noise_g() < near


def test_the_rings_draw_what_their_station_allows(signals, stations):
    assert stations.plan_of("sector")["strip"]["limit_ma"] == signals.RINGS_A * 1000
