"""What has to weigh something does: counterweights, weights and their holder; and the case holds what it says.

Volumes are those that `make cad` wrote; test_pictures.py holds them to their sources.
"""

import re
from math import pi

import pytest


@pytest.fixture(scope="module")
def cad_sizes(load_tool):
    """tools/cad_sizes.py."""
    return load_tool("cad_sizes")


@pytest.fixture(scope="module")
def weights(cad_sizes):
    """hardware/cad/weights.py."""
    return cad_sizes.sizes("weights")


@pytest.fixture(scope="module")
def case(cad_sizes):
    """hardware/cad/case_sizes.py."""
    return cad_sizes.sizes("case_sizes")


@pytest.fixture(scope="module")
def moving(cad_sizes, weights):
    """The least and the most that a carriage with its paddle weighs."""
    return weights.moving_g(cad_sizes.printed_g("crane_carriage"), cad_sizes.printed_g("crane_paddle"))


def test_a_counterweight_outweighs_the_heaviest_carriage_and_not_the_lightest(cad_sizes, weights, moving):
    """Twenty M6 nuts in a cup of 6 cm3, as they were listed, weighed less than the lightest."""
    cup = cad_sizes.printed_g("crane_counterweight")
    assert cup[1] < moving[0]
    assert cup[0] + weights.washers_held() * weights.washer_g() > moving[1]
    assert weights.washer_g() == pytest.approx(7.85e-3 * pi * (12.0**2 - 4.2**2) * 2.0)


def test_so_many_washers_are_in_the_list_and_in_the_guide(root, cad_sizes, weights, moving, parts):
    few, many = weights.washers_needed(moving, cad_sizes.printed_g("crane_counterweight"))
    assert 0 < few < many <= weights.washers_held()
    listed = parts["m8-washer-24mm"]
    assert 3 * many <= listed.each["seat"] <= 3 * weights.washers_held()
    assert f"at most {listed.each['seat'] // 3} for each" in listed.note
    assert f"{weights.WASHER[0]:g} mm across and {weights.WASHER[2]:g} mm thick" in listed.sources[0]
    page = " ".join((root / "hardware/stations/seat.md").read_text("utf-8").split())
    assert f"You need {few} to {many} washers; there is room for {weights.washers_held()}." in page
    tried = (root / "hardware/NEVER-TRIED.md").read_text("utf-8")
    assert f"| a kitchen scale | {moving[0]:.0f} to {moving[1]:.0f} g |" in tried
    assert f"| count them | {few} to {many} |" in tried


def test_the_guide_says_how_densely_to_print(root, weights, kind):
    page = " ".join((root / f"hardware/stations/{kind}.md").read_text("utf-8").split())
    words = {3: "three"}
    assert f"{words[weights.WALLS]} walls of {weights.LINE:g} mm and {100 * weights.INFILL:g} % infill" in page


def test_a_denser_print_weighs_more_and_a_solid_one_most(weights):
    least, most = weights.printed_g(10_000, 2_000)
    assert 0 < least < most == pytest.approx(12.7)
    assert weights.printed_g(1_000, 2_000) == pytest.approx((1.27, 1.27))


def test_the_holder_takes_a_weight_that_can_be_so_heavy(weights, parts):
    """The one before was 30.6 mm wide: a cylinder of 30 x 50 mm would have to be 14 times as dense as water."""
    narrow, wide, deep = weights.funnel()
    for grams in weights.WEIGHTS_G:
        assert f"calibration-weight-{grams:g}g" in parts
        assert f"{grams:g} g" in parts["weight-holder"].note
        for diameter, slim in zip(weights.weights_mm(grams), (2.0, 1.0), strict=True):
            assert narrow < diameter < wide
            density = grams / (pi / 4 * diameter**2 * slim * diameter)
            assert 6.9e-3 < density < 8.7e-3
    assert deep > (wide - narrow) / 2, "steeper than 45 degrees, so that a weight slips to the middle"


def test_the_guides_use_the_holder(root, kind, pins):
    page = (root / f"hardware/stations/{kind}.md").read_text("utf-8")
    weighs = any(place["cells"] for place in pins["places"])
    assert ("weight-holder" in page[page.index("## Build") :]) == weighs
    assert "weight-holder" in (root / "docs/howto/calibrate.md").read_text("utf-8")


def test_the_case_is_in_the_list_and_in_the_guide_with_all_that_holds_it(root, case, parts):
    page = " ".join((root / "docs/howto/build-the-table.md").read_text("utf-8").split())
    assert parts["screw-3x25-wood"].each["table"] == case.screws()
    assert f"{case.screws()} wood screws of 3 x 25 mm, {case.SCREW_EVERY:g} mm apart" in page
    assert sum(number for _, _, number in case.panels().values()) == 9
    assert "nine panels" in parts["transport-case"].note
    assert "nine panels" in page
    assert f"{case.BOTTOM_COMBS_AT[1] - case.BOTTOM_COMBS_AT[0]:g} mm apart" in page
    assert parts["strap-2.5m"].each["table"] == 2
    assert re.search(r"Two straps of 2.5 m", page)
    assert case.round_case() < case.STRAP
