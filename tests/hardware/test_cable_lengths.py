"""Every cable is as long as the way that it has to go, and goes through holes that its plug passes."""

from math import dist, hypot, sqrt

import pytest
import yaml

from tablestation.boards.pins import KINDS

PART_OWN = {"cell-to-hx711", "supply-to-carrier"}  # a cell's own wires; the budget's (test_power.py)
PLUG_MM = (6 - 1) * 2.5 + 4.9, 5.8  # the largest housing, XHP-6: its data sheet's B and its depth


@pytest.fixture(scope="module")
def lengths(load_tool):
    """tools/cable_lengths.py."""
    return load_tool("cable_lengths")


@pytest.fixture(scope="module")
def needed(lengths, stations):
    """The lengths that each kind of station needs, by cable."""
    return {kind: lengths.needed_mm(stations.plan_of(kind)) for kind in KINDS}


@pytest.fixture(scope="module")
def d(lengths):
    """hardware/cad/dimensions.py."""
    return lengths.dimensions()


def test_a_cable_is_as_long_as_the_longest_station_needs(root, needed):
    for path in (root / "hardware/harness").glob("*.yml"):
        (cord,) = yaml.safe_load(path.read_text())["cables"].values()
        if path.stem not in PART_OWN:
            most = max(of_kind.get(path.stem, 0) for of_kind in needed.values())
            assert round(1000 * cord["length"]) == most, path.stem


def test_every_cable_of_a_station_has_a_length(parts, needed, kind):
    listed = {part.name for part in parts.values() if part.kind == "harness" and part.each[kind]}
    assert listed - PART_OWN == set(needed[kind])


def test_lengths_are_no_shorter_than_the_straight_way(d, needed):
    """Independent of holes and plugs: the least that the table's dimensions allow."""
    first, last = d.centre(1, 2), d.centre(2, 0)  # they follow one another in the first sector
    assert needed["sector"]["ring-to-ring"] > dist(first, last) + 2 * (-d.TRAY_TOP - d.PLATE_THICK)
    assert needed["seat"]["ring-to-ring"] > dist(*d.PADS_AT[:2])
    sensor_mm = d.PLATFORM_THICK + d.PADDLE[1] + d.PADDLE_RANGE
    below = -d.TRAY_TOP + d.FRAME_THICK
    farthest = max(dist(pad, d.SEAT_BOARD_AT) - hypot(*d.BOARD) / 2 for pad in d.PADS_AT)
    assert needed["seat"]["crane-to-carrier"] > d.ROD_AT[1] + sensor_mm + below + farthest
    assert needed["seat"]["beam-to-carrier"] > sensor_mm - d.PARK_RANGE + below + farthest


def test_the_wires_of_a_cell_reach_its_module(d, root):
    """They come with it: 200 mm, of which 50 mm are for the soldering iron."""
    (cord,) = yaml.safe_load((root / "hardware/harness/cell-to-hx711.yml").read_text())["cables"].values()
    ways = [dist(cell[:2], module[:2]) for cell, module in zip(d.PAD_CELLS, d.PAD_HX711_AT, strict=True)]
    ways.append(dist((d.BAG_CELL_AT_X, 0.0), d.BAG_HX711_AT))
    assert max(ways) + max(d.CELL[0], d.BAG_CELL[0]) / 2 + 50 < 1000 * cord["length"]


def test_the_cable_of_a_supply_reaches_the_middle_of_the_table_from_its_edge(d, lengths, load_tool):
    """Every other carrier is nearer to an edge than the park's, and its socket may be at any."""
    edge_mm = d.PITCH * (d.RADIUS + 0.5) * 2 / sqrt(3) + d.POST / 2
    assert edge_mm + lengths.PLUG_BELOW_MM + lengths.SLACK_MM < 1000 * load_tool("power").WIRE_M


def test_a_longer_way_needs_a_longer_cable(lengths, stations, monkeypatch, needed):
    monkeypatch.setattr(lengths.dimensions(), "PADDLE_RANGE", 400.0)
    assert lengths.needed_mm(stations.plan_of("seat"))["crane-to-carrier"] >= needed["seat"]["crane-to-carrier"] + 100


def test_a_plug_passes_every_hole_for_cables(d):
    assert d.CABLE[0] > hypot(*PLUG_MM)


def test_the_holes_of_a_seats_top_leave_wood_between_them(d):
    """Not less than 5 mm, and none under a pad, a card's neighbour or a post."""
    holes = [(x + d.CRANE_CABLES_AT[0], y + d.CRANE_CABLES_AT[1]) for x, y in d.PADS_AT]
    others = [(at, d.POST / 2) for at in d.SEAT_POSTS]
    others += [(at, d.PLATE_FLAT / sqrt(3) + d.GAP) for at in d.PADS_AT]
    others += [((x - d.ROD_AT[1], y + side * d.ROD_AT[0]), d.ROD[0] / 2) for x, y in d.PADS_AT for side in (-1, 1)]
    others.append((d.BAG_AT, d.BAG[0] / 2 + d.WALL + 3))
    for hole in holes:
        assert d.SEAT[0] + 5 < hole[0] - d.CABLE[0] / 2
        for at, radius in others:
            assert dist(hole, at) > d.CABLE[0] / 2 + radius + 5, (hole, at)
