"""The list of a carrier's wires: it joins what the netlist joins, and what a maker cuts is long enough."""

import csv
from collections import Counter, defaultdict

import pytest


@pytest.fixture(scope="module")
def carrier_wires(load_tool):
    """tools/carrier_wires.py."""
    return load_tool("carrier_wires")


@pytest.fixture
def listed(root, kind):
    """The wires as a maker reads them: both ends, gauge, colour and length."""
    with (root / f"hardware/pcb/wires/{kind}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _reached(start, wires, without=()):
    """What is joined to a pin by wires that do not end at a pin of these parts."""
    beside = defaultdict(set)
    for one, two in wires:
        beside[one].add(two)
        beside[two].add(one)
    found, open_ones = {start}, [start]
    while open_ones:
        new = {node for node in beside[open_ones.pop()] if node[0] not in without} - found
        found |= new
        open_ones += new
    return found


def _ends(listed):
    return [((row["from"], row["from pin"]), (row["to"], row["to pin"])) for row in listed]


def test_the_wires_join_what_the_netlist_joins_and_nothing_twice(listed, carriers, pins):
    nets = carriers.netlist(pins)
    assert len(listed) == sum(len(nodes) - 1 for nodes in nets.values())
    for net, nodes in nets.items():
        of_net = [(row["from"], row["from pin"]) for row in listed if row["net"] == net]
        assert {tuple(node) for node in nodes} == _reached(tuple(nodes[0]), _ends(listed)), net
        assert len(of_net) == len(nodes) - 1


def test_a_wire_is_of_the_gauge_and_colour_that_the_step_names(listed):
    for row in listed:
        thick = row["net"] in {"SUPPLY", "5V", "VSYS", "GND"}
        assert row["gauge"] == ("0.5 mm2" if thick else "0.25 mm2")
        red = row["net"] in {"SUPPLY", "5V", "VSYS", "3V3"}
        assert row["colour"] == ("red" if red else "black" if row["net"] == "GND" else "white")


@pytest.mark.parametrize("kind", ["sector", "park", "seat"])
def test_the_current_of_rings_and_readers_flows_in_no_wire_of_a_scale(listed):
    """Cut the supply's terminal out: rings, readers and scales fall apart into three islands."""
    measures = _reached(("U1", "38"), _ends(listed), without={"P1"})
    rings = _reached(("L1", "GND"), _ends(listed), without={"P1"})
    assert {part for part, _ in measures} & {"L1", "E1", "U2", "R1"} == set()
    assert {part[0] for part, _ in rings} <= set("LEU")
    assert any(part.startswith("C") for part, _ in measures)
    assert not any(part.startswith("R") for part, _ in rings)


def test_a_wire_reaches_from_pin_to_pin_with_both_of_its_ends(carrier_wires, carrier_picture, pins):
    """Its ends are where the drawing has the parts; the Pico's pin 1 is at the lower left, and 40 above it."""
    placed = {part.name.split()[0]: part for part in carrier_picture.placed(pins)}
    pico = placed["U1"]
    at = {pin: carrier_wires._pin_at(pico, str(pin)) for pin in (1, 20, 21, 40)}
    assert at[1][0] == at[40][0] < at[20][0] == at[21][0] < pico.x_mm + pico.wide_mm
    assert pico.y_mm < at[40][1] == at[21][1] < at[1][1] == at[20][1] < pico.y_mm + pico.deep_mm
    for run in carrier_wires.runs(pins):
        for part, pin in (run.one, run.two):
            x, y = carrier_wires._pin_at(placed[part], pin)
            assert placed[part].x_mm <= x <= placed[part].x_mm + placed[part].wide_mm
            assert placed[part].y_mm <= y <= placed[part].y_mm + placed[part].deep_mm
        assert 35 <= run.length_mm <= 30 + sum(carrier_picture.BOARD_MM)
        assert run.length_mm % 5 == 0


def test_no_pin_takes_more_wires_than_have_room_on_its_pad(root, listed, kind, pins):
    """Four wires of 0.5 mm2 were to go onto one; the guide says what to do where trees begin."""
    on = Counter(end for ends in _ends(listed) for end in ends)
    roots = {("F1", "2"): 3, ("P1", "-"): 3} if pins["strip"] else {}
    assert {end: number for end, number in on.items() if number > 2} == roots
    page = " ".join((root / f"hardware/stations/{kind}.md").read_text("utf-8").split())
    assert ("except F1 pin 2 and P1 minus, which take three" in page) == bool(roots)
    assert "put the wire through a free hole beside it" in page
