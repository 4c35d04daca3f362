"""An accelerometer has a place where wood bears it and no drop falls, and the cables of rings go round it."""

from itertools import pairwise
from math import cos, dist, hypot, radians, sin, sqrt

import pytest
import yaml

WEIGHING = ("park", "sector", "seat")
DRY_MM = 8.0  # from a seam to what a drop must not meet


@pytest.fixture(scope="module")
def lengths(load_tool):
    """tools/cable_lengths.py."""
    return load_tool("cable_lengths")


@pytest.fixture(scope="module")
def routes(load_tool):
    """tools/cable_routes.py."""
    return load_tool("cable_routes")


@pytest.fixture(scope="module")
def d(lengths):
    """hardware/cad/dimensions.py."""
    return lengths.dimensions()


def _corners(at, size):
    x, y, turn = at
    cosine, sine = cos(radians(turn)), sin(radians(turn))
    halves = [(a * size[0] / 2, b * size[1] / 2) for a in (-1, 1) for b in (-1, 1)]
    return [(x + cosine * a - sine * b, y + sine * a + cosine * b) for a, b in halves]


def _bounds(corners):
    return [(min(axis), max(axis)) for axis in zip(*corners, strict=True)]


def _apart(one, two):
    """How far two boxes along the axes are from each other; negative where they overlap."""
    pairs = zip(_bounds(one), _bounds(two), strict=True)
    return max(max(a[0] - b[1], b[0] - a[1]) for a, b in pairs)


def _to_hole(corners, at):
    (low_x, high_x), (low_y, high_y) = _bounds(corners)
    return hypot(max(low_x - at[0], 0, at[0] - high_x), max(low_y - at[1], 0, at[1] - high_y))


def _from_middle(x, y):
    """How far a point is from the middle of a hexagon, along the nearest of its flats."""
    return max(abs(x), *(abs(x / 2 + side * y * sqrt(3) / 2) for side in (-1, 1)))


def test_on_a_tray_it_lies_beside_base_module_and_hole_and_below_no_seam(d):
    """It was to lie in the middle of a tray: below the park's base, and where three hexes of a sector meet."""
    module = _corners(d.HEX_LIS3DH_AT, d.LIS3DH[:2])
    base = _corners((0.0, d.READER_AT_Y, 0.0), [a + b for a, b in zip(d.CELL, d.BASE_BEYOND, strict=False)])
    hx711 = _corners((0.0, _bounds(base)[1][0] - d.HX711[2] / 2, 0.0), (d.HX711[0], d.HX711[2]))
    assert _apart(module, base) >= 1
    assert _apart(module, hx711) >= 1
    assert _to_hole(module, (0.0, d.CABLE[1])) > d.CABLE[0] / 2
    assert all(_from_middle(*corner) <= d.PITCH / 2 - DRY_MM for corner in module)
    assert d.LIS3DH_HEX in d.SECTOR
    back = max(d.centre(*one)[1] for one in d.SECTOR)
    row = sorted(d.centre(*one) for one in d.SECTOR if abs(d.centre(*one)[1] - back) < 1)
    assert row[1] == pytest.approx(d.centre(*d.LIS3DH_HEX)), "the middle one at the back, as the guide says"


def test_on_a_seats_floor_it_lies_beside_everything_and_below_no_seam(d):
    """It was to lie in the middle of the floor: on the second pad's HX711, and over the hole for its cables."""
    module = _corners(d.SEAT_LIS3DH_AT, d.LIS3DH[:2])
    base = [a + b for a, b in zip(d.CELL, d.BASE_BEYOND, strict=False)]
    for pad in d.PADS_AT:
        for several, size in ((d.PAD_CELLS, base), (d.PAD_HX711_AT, d.HX711[:2])):
            for x, y, turn in several:
                assert _apart(module, _corners((pad[0] + x, pad[1] + y, turn), size)) >= 1
        assert min(_from_middle(x - pad[0], y - pad[1]) for x, y in module) >= d.PLATE_FLAT / 2 + DRY_MM
    assert all(_to_hole(module, hole) > d.CABLE[0] for hole in d.SEAT_CABLES_AT)
    assert all(_to_hole(module, post) > d.POST / 2 for post in d.SEAT_POSTS)
    assert _to_hole(module, d.BAG_AT) > d.BAG[0] / 2 + DRY_MM
    left, right, front, back = d.SEAT
    assert all(left < x < right and front < y < back for x, y in module)


def test_the_guide_says_where_and_before_something_bars_the_way(root, d):
    pages = {kind: (root / f"hardware/stations/{kind}.md").read_text("utf-8") for kind in WEIGHING}
    texts = {kind: " ".join(page.split()) for kind, page in pages.items()}
    x, y, _ = d.HEX_LIS3DH_AT
    for kind in ("park", "sector"):
        assert (
            f"{x:g} mm to the right of the middle of the round hole and {y - d.CABLE[1]:g} mm behind it" in texts[kind]
        )
        assert pages[kind].index(". Accelerometer\n") < pages[kind].index(". Tray\n")
    x, y, _ = d.SEAT_LIS3DH_AT
    assert (
        f"{x - d.SEAT[0]:g} mm from the left edge of the floor and {y - d.SEAT[2]:g} mm from the front" in texts["seat"]
    )
    assert pages["seat"].index(". Floor\n") < pages["seat"].index(". Accelerometer\n") < pages["seat"].index(". Top\n")
    for kind, page in pages.items():
        assert page.count(f"plan-{kind}.svg") == 2, "at the accelerometer, and at the rings"
        assert "platform's tray" not in page


def test_its_cable_is_short_enough(lengths, stations):
    """The guide allows 30 cm of wire."""
    for kind in WEIGHING:
        assert lengths.needed_mm(stations.plan_of(kind))["accelerometer-to-carrier"] <= 300


@pytest.mark.parametrize("kind", WEIGHING)
def test_the_plan_shows_the_module_and_a_cable_from_ring_to_ring(root, stations, kind):
    drawing = (root / f"docs/pictures/build/plan-{kind}.svg").read_text("utf-8")
    rings = sum(place["leds"] > 0 for place in stations.plan_of(kind)["places"])
    assert drawing.count('stroke-width="4"') == rings, "from L1 to the first, and from each to the next"
    assert drawing.count('fill="#ffd9a8"') == 1


def test_a_cable_of_a_ring_runs_beside_bases_and_modules_and_reaches(root, d, lengths, routes):
    """The straight way from pad to pad leads through bases: 300 mm were too short for the way round them."""
    (cord,) = yaml.safe_load((root / "hardware/harness/ring-to-ring.yml").read_text())["cables"].values()
    ways = [(one, two, routes.on_floor(d)) for one, two in pairwise(d.PADS_AT)]
    tray = routes.on_tray(d, [d.centre(*one) for one in d.SECTOR])
    chains = list(lengths.chains())
    assert len(chains) == 6
    lies = [{(round(x), round(y)) for x, y in chain} for chain in chains]
    assert lies == [lies[0]] * 6, "turned as the first one lies"
    ways += [(one, two, tray) for chain in chains for one, two in pairwise(chain)]
    for one, two, blocks in ways:
        way = lengths.ring_route(one, two, blocks)
        for here, there in pairwise(way[1:-1]):
            steps = int(dist(here, there)) + 1
            looks = [[a + (b - a) * k / steps for a, b in zip(here, there, strict=True)] for k in range(steps + 1)]
            for block in blocks:
                half = [side / 2 for side in block.size]
                assert not any(
                    all(abs(a - m) < h for a, m, h in zip(at, block.middle, half, strict=True)) for at in looks
                )
        down = 2 * (-d.TRAY_TOP - d.PLATE_THICK)
        assert routes.length_mm(way) + down + lengths.SLACK_MM <= 1000 * cord["length"]


def test_nothing_in_the_way_leaves_a_cable_straight(routes):
    assert routes.route((0.0, 0.0), (100.0, 0.0), []) == [(0.0, 0.0), (100.0, 0.0)]
    aside = routes.Block((50.0, 30.0), (20.0, 20.0))
    assert routes.route((0.0, 0.0), (100.0, 0.0), [aside]) == [(0.0, 0.0), (100.0, 0.0)]
    amid = routes.Block((50.0, 1.0), (20.0, 20.0))
    round_it = routes.route((0.0, 0.0), (100.0, 0.0), [amid])
    assert all(y == -9.0 - routes.BESIDE_MM for _, y in round_it[1:-1]), "on the shorter side"
    assert len(round_it) == 4
