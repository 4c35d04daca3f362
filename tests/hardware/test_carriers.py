"""Carriers and cables agree with the pin plans pin by pin."""

from collections import Counter
from math import ceil

import pytest
import yaml

from tablestation.boards.pins import KINDS

MODULE_PINS = {  # what is printed on the modules of the parts list
    "hx711-module": {"E+", "E-", "A+", "A-", "VCC", "DT", "SCK", "GND"},
    "pn532-module": {"VCC", "GND", "SCK", "MISO", "MOSI", "SS"},
    "led-ring-12": {"5V", "GND", "DIN", "DOUT"},
    "lis3dh-module": {"VCC", "GND", "SDA", "SCL"},
    "vl53l4cd-module": {"VCC", "GND", "SDA", "SCL", "XSHUT"},
    "break-beam-3mm": {"VCC", "GND", "OUT"},
    "load-cell": {"E+", "E-", "A+", "A-"},
    "push-button": {"1", "2"},
    "dc-socket": {"+", "-"},
}
FROM_TO = {"DOUT": "DIN"}  # a ring hands on to the next
CABLES_OF_PORT = {
    "C": "hx711-to-carrier",
    "R": "reader-to-carrier",
    "K": "crane-to-carrier",
    "M": "beam-to-carrier",
    "L": "ring-to-carrier",
    "A": "accelerometer-to-carrier",
    "B": "button-to-carrier",
    "P": "supply-to-carrier",
}


@pytest.fixture(scope="module")
def cables(root):
    """Every cable by its name."""
    return {path.stem: yaml.safe_load(path.read_text()) for path in sorted((root / "hardware/harness").glob("*.yml"))}


@pytest.fixture
def nets(carriers, pins):
    """The netlist of a kind's carrier."""
    return carriers.netlist(pins)


def _ports(nets):
    """The connectors for cables on a carrier."""
    return {part for nodes in nets.values() for part, _ in nodes if part[0] in CABLES_OF_PORT and part[1].isdigit()}


def test_the_rule_check_knows_the_modules_by_what_is_printed_on_them(rules):
    assert {name: set(rules.MAKERS[name]) for name in MODULE_PINS} == MODULE_PINS


def test_every_pin_is_on_the_rail_that_it_needs(carriers, nets):
    assert carriers.misplaced(nets) == []


@pytest.mark.parametrize(
    ("part", "pin", "to", "fault"),
    [
        ("U3", "RESET", "GND", "U3 needs 3V3 at its pin RESET, which is on GND"),
        ("U2", "2OE", "GND", "U2 needs 5V at its pin 2OE, which is on GND"),
        ("C1.1", "VCC", "5V", "C1.1 needs 3V3 at its pin VCC, which is on 5V"),
        ("R4", "GND", "5V", "R4 needs GND at its pin GND, which is on 5V"),
        ("U1", "39", "5V", "U1 needs VSYS at its pin 39, which is on 5V"),
    ],
)
def test_a_pin_that_a_part_needs_is_on_its_own_net(carriers, stations, part, pin, to, fault):
    nets = carriers.netlist(stations.plan_of("seat"))
    for nodes in nets.values():
        if (part, pin) in nodes:
            nodes.remove((part, pin))
    nets[to].append((part, pin))
    assert fault in carriers.misplaced(nets)


def test_the_parts_list_has_every_part_of_the_netlist_and_as_many(root, carriers, parts, nets, kind):
    parts_of_carrier = {part for nodes in nets.values() for part, _ in nodes}
    numbers = Counter(carriers.part_of(part) for part in parts_of_carrier)
    assert {name: parts[name].each[kind] for name in numbers} == numbers
    of_carrier = {*carriers.PART_OF.values(), *(f"jst-xh-set-{n}" for n in range(2, 7))}
    assert {name for name in of_carrier if parts[name].each[kind]} == set(numbers)
    text = (root / f"hardware/pcb/{kind}.csv").read_text()
    assert {line.rsplit(",", 1)[1] for line in text.splitlines()[1:]} == set(numbers)


def test_every_wire_of_the_plan_is_a_net_from_that_pin_of_the_board(carriers, nets, stations, pins):
    for pin in stations.wires(pins):
        source = ("U1", str(carriers.BOARD_PIN[pin])) if isinstance(pin, int) else ("U3", f"GP{pin}")
        assert nets[f"GP{pin}"][0] == source
        assert len(nets[f"GP{pin}"]) > 1


def test_the_cells_and_readers_of_the_plan_are_on_their_pins(nets, pins):
    for number, place in enumerate(pins["places"], 1):
        for cell, (sck, dout, _) in enumerate(place["cells"], 1):
            assert (f"C{number}.{cell}", "SCK") in nets[f"GP{sck}"]
            assert (f"C{number}.{cell}", "DT") in nets[f"GP{dout}"]
        if place["cs"] is not None:
            assert (f"R{number}", "SS") in nets[f"GP{place['cs']}"]


def test_no_hx711_and_no_chip_on_the_bus_sees_5_volts(nets):
    on_5v = {part for part, _ in nets["5V"]}
    assert on_5v <= {"F1", "D1", "U2", "L1", "E1"} | {part for part in _ports(nets) if part[0] == "R"}
    assert ("U1", "40") not in [node for nodes in nets.values() for node in nodes], "VBUS is the cable's"


def test_a_carrier_has_a_connector_for_every_cable_of_the_parts_list(parts, nets, kind):
    numbers = Counter(CABLES_OF_PORT[port[0]] for port in _ports(nets))
    assert {name: parts[name].each[kind] for name in CABLES_OF_PORT.values() if parts[name].each[kind]} == numbers


def test_the_parts_list_has_the_plugs_of_every_carrier(carriers, parts, nets, kind):
    numbers = Counter(len(carriers.PORTS[port[0]]) for port in _ports(nets) if port[0] != "P")
    assert {pins: parts[f"jst-xh-set-{pins}"].each[kind] for pins in range(2, 7)} == {
        k: numbers[k] for k in range(2, 7)
    }
    assert parts["jst-xh-contact"].each[kind] == ceil(1.1 * sum(pins * n for pins, n in numbers.items()))


def test_both_ends_of_every_cable_fit(carriers, cables, parts):
    for name, cable in cables.items():
        for end in cable["connectors"].values():
            part, _, port = end["notes"].partition(" ")
            labels = end["pinlabels"]
            if part == "carrier":
                assert tuple(labels) == carriers.PORTS[port], name
                assert end["type"].endswith(f"{len(labels)} pins")
                assert CABLES_OF_PORT[port] == name
            elif part != "wires":
                assert any(name == part or name.startswith(f"{part}-") for name in parts), f"{part} is in no list"
                assert set(labels) <= MODULE_PINS[part], name


def test_a_wire_joins_pins_of_the_same_name_and_has_a_colour(cables):
    for name, cable in cables.items():
        first, second = (end["pinlabels"] for end in cable["connectors"].values())
        (wires,) = cable["connections"]
        from_, through, to = (next(iter(one.values())) for one in wires)
        assert [FROM_TO.get(first[k - 1], first[k - 1]) for k in from_] == [second[k - 1] for k in to], name
        (cord,) = cable["cables"].values()
        assert len(cord["colors"]) == len(set(cord["colors"])) == cord["wirecount"] == len(through), name


def test_every_cable_is_in_the_parts_list_and_its_source_is_there(parts, cables, root):
    listed = {part.name for part in parts.values() if part.kind == "harness"}
    assert listed == set(cables)
    assert all((root / "hardware" / parts[name].sources[0]).is_file() for name in listed)


def test_netlists_cover_all_kinds(root):
    for folder in ("hardware/pcb", "hardware/pcb/wires"):
        assert sorted(path.stem for path in (root / folder).glob("*.csv")) == sorted(KINDS)
