"""The wire in the parts list is what cables and carriers take, in rolls that a maker buys."""

import re
from collections import Counter
from math import ceil

import pytest
import yaml

from citytable.doctor.parts import FIRST, bill, full_table, starter_table

ROW = re.compile(r"^\| (\d+) \| (\S+-to-\S+) \|.*\| (.+?) \| (\d+) mm, (\S+) mm2 \|$", re.MULTILINE)
COLOURS = {"BK": "black", "BU": "blue", "GN": "green", "RD": "red", "WH": "white", "YE": "yellow"}


def _listed(parts):
    return {name: part for name, part in parts.items() if name.startswith("wire-")}


@pytest.fixture
def taken_mm(root, kind, wire, pins):
    """What a station takes: of its cables counted from the rows that its maker reads, of its carrier computed."""
    page = (root / f"hardware/stations/{kind}.md").read_text("utf-8")
    found = Counter({one.part: mm for one, mm in wire.of_carrier(pins).items()})
    for number, name, wires, length_mm, gauge in ROW.findall(page):
        for one in wires.split(", ") if name != "cell-to-hx711" else ():
            found[f"wire-{gauge}mm2-{COLOURS[one[:2]]}"] += int(number) * int(length_mm)
    if foil := re.search(r"black wire of 0.25 mm2 that is\s+(\d+) mm long", page):
        found["wire-0.25mm2-black"] += int(re.search(r"^\| (\d+) \| card-slot \|", page, re.MULTILINE)[1]) * int(
            foil[1]
        )
    return found


def test_the_list_has_as_many_metres_of_each_wire_as_cables_and_carrier_take(parts, kind, taken_mm):
    listed = {name: part.each[kind] for name, part in _listed(parts).items() if part.each[kind]}
    assert listed == {name: ceil(mm / 1000) for name, mm in taken_mm.items()}


def test_the_list_has_every_wire_of_the_harness(root, parts):
    for path in (root / "hardware/harness").glob("*.yml"):
        (cord,) = yaml.safe_load(path.read_text())["cables"].values()
        if path.stem != "cell-to-hx711":
            gauge = cord["gauge"].replace(" ", "")
            assert {f"wire-{gauge}-{COLOURS[colour]}" for colour in cord["colors"]} <= set(parts), path.stem


def test_a_longer_cable_needs_a_longer_list(wire, stations, monkeypatch):
    park = stations.plan_of("park")
    before = wire.metres(park)
    monkeypatch.setattr(wire, "needed_mm", lambda _: {"reader-to-carrier": 2250})
    assert sum(wire.metres(park).values()) >= sum(before.values()) + 6 * 2 - 6


@pytest.mark.parametrize("owners", [FIRST, starter_table(), *map(full_table, (2, 3, 4))])
def test_wire_is_bought_by_the_roll_and_all_stations_cut_from_it(parts, owners):
    bought = {line.part.name: line for line in bill(tuple(parts.values()), owners)}
    for name, part in _listed(parts).items():
        metres = sum(part.each[owner] * number for owner, number in owners.items())
        rolls = bought[name].number if metres else 0
        assert rolls * part.pack >= metres > (rolls - 1) * part.pack
        assert not metres or bought[name].eur == pytest.approx(rolls * part.unit_eur)


def test_a_first_station_has_wire_for_each_of_its_cables(parts):
    bought = {line.part.name for line in bill(tuple(parts.values()), FIRST, optional=False)}
    assert {f"wire-0.25mm2-{colour}" for colour in COLOURS.values()} <= bought
    assert {"wire-0.5mm2-black", "wire-0.5mm2-red"} <= bought
