"""SKiDL finds nothing in the carriers with their cables, and names what is broken in one."""

import csv
import io
import os
import re
import subprocess
import sys

import pytest
import yaml

from tablestation.boards.pins import KINDS

pytestmark = pytest.mark.long(8)


def _without(part, pin):
    def change(nets):
        for nodes in nets.values():
            if (part, pin) in nodes:
                nodes.remove((part, pin))

    return change


def _also(net, part, pin):
    return lambda nets: nets.setdefault(net, []).append((part, pin))


def _moved(part, pin, to):
    def change(nets):
        _without(part, pin)(nets)
        _also(to, part, pin)(nets)

    return change


def _swapped(part, one, other):
    swap = {(part, one): (part, other), (part, other): (part, one)}

    def change(nets):
        nets.update({net: [swap.get(node, node) for node in nodes] for net, nodes in nets.items()})

    return change


def _joined(one, other):
    return rf"\(({one} connected to {other}|{other} connected to {one})\)"


BROKEN = {  # what is done to a netlist, and what SKiDL has to say about it
    "two outputs together": ("park", _moved("U1", "24", "GP0"), r"ERROR: .* net GP0.*OUTPUT connected to OUTPUT"),
    "a pin of the board on a free one": ("park", _also("GP0", "U1", "9"), r"Incorrectly connected pin: .*/GP6 of .*U1"),
    "no 3.3 V": ("park", _without("U1", "36"), r"Insufficient drive current on net 3V3 for pin POWER-IN .*hx711"),
    "no supply": ("supply", _without("P1", "+"), r"Only one pin .* attached to net SUPPLY"),
    "no ground of the board": ("seat", _without("U1", "38"), r"Unconnected pin: POWER-IN pin 38/GND of .*U1"),
    "a fuse left out": ("park", _without("F1", "2"), r"Insufficient drive current on net 5V"),
    "a diode turned round": ("park", _swapped("D1", "A", "K"), r"ERROR: .* net 5V.*POWER-OUT connected to POWER-OUT"),
    "5 V and 3.3 V joined": ("seat", _also("3V3", "F1", "2"), r"Merging two named nets"),
    "ground and a signal joined": (
        "park",
        _also("GND", "C1.1", "SCK"),
        r"Merging two named nets \((GP0 and GND|GND and GP0)\)",
    ),
    "an input that floats": ("sector", _without("U2", "3A"), r"Unconnected pin: INPUT pin \d+/3A of .*U2"),
    "an input with a wire that ends": ("park", _without("RL1", "1"), r"Only one pin \(TRISTATE pin .*1Y.*\) .* net 1Y"),
    "a cell's clock and data": (
        "seat",
        _swapped("C3.2", "SCK", "DT"),
        r"ERROR: .*DT of hx711.*OUTPUT connected to OUTPUT",
    ),
    "a reader's two data lines": ("supply", _swapped("R4", "MISO", "MOSI"), _joined("OUTPUT", "TRISTATE")),
    "a cable's pin forgotten": (
        "supply",
        _without("R9", "SS"),
        r"Unconnected pin: INPUT pin .*SS of pn532-module/.*R9",
    ),
    "the 5 V of a USB cable": ("park", _also("5V", "U1", "40"), r"Incorrectly connected pin: .* 40/VBUS of .*U1"),
    "the board switched off": ("park", _also("GND", "U1", "37"), r"Incorrectly connected pin: .* 37/3V3_EN of .*U1"),
    "a net of one pin": (
        "park",
        lambda nets: nets.update(GP0=[("U1", "1")]),
        r"Only one pin .*1/GP0 of .*U1.* net GP0",
    ),
    "a pin that no part has": ("park", _also("GND", "U2", "5A"), r"U2 has no pin 5A"),
    "a pin on the wrong rail": ("seat", _moved("R4", "GND", "5V"), r"R4 needs GND at its pin GND, which is on 5V"),
}
OPEN = (  # pins of a seat's carrier that are left out all at once
    *(("U1", pin) for pin in ("36", "38", "39")),
    *(("U2", pin) for pin in ("VCC", "GND", "1OE", "1A", "2OE", "3A")),
    *(("U3", pin) for pin in ("VCC", "GND", "SDA", "SCL", "RESET", "ADDR1", "GPA0")),
    *(("D1", "K"), ("E1", "-"), ("F1", "1"), ("RL1", "2")),
    *(("R1", "SS"), ("R2", "VCC"), ("K1", "XSHUT"), ("M2", "OUT"), ("C7.1", "DT"), ("A1", "SCL"), ("B1", "2")),
)
CROSSED = {  # wires of a cable that change places at one end, and what SKiDL says
    "hx711-to-carrier": ("X2", 1, 2, r"DT of hx711-module.*OUTPUT connected to OUTPUT"),
    "cell-to-hx711": ("X1", 0, 2, _joined("POWER-OUT", "OUTPUT")),
    "ring-to-carrier": ("X1", 0, 2, r"Insufficient drive current on net DIN for pin POWER-IN .*led-ring-12"),
    "reader-to-carrier": ("X2", 3, 4, _joined("OUTPUT", "TRISTATE")),
    "beam-to-carrier": ("X1", 0, 2, _joined("POWER-OUT", "OPEN-COLLECTOR")),
}


@pytest.fixture(scope="module")
def checked(root, tmp_path_factory):
    """`checked(arguments)`: what the check says about netlists; it leaves no file."""

    def check(arguments):
        home = tmp_path_factory.mktemp("home")
        command = [sys.executable, str(root / "tools/rule_check.py"), *map(str, arguments)]
        ran = subprocess.run(
            command, cwd=home, env=os.environ | {"HOME": str(home)}, capture_output=True, text=True, check=False
        )
        assert list(home.iterdir()) == [], "the check left files"
        assert ran.stderr == ""
        return ran

    return check


@pytest.fixture(scope="module")
def lines_of_broken(carriers, stations, checked, tmp_path_factory):
    """What the check says about every netlist that is broken here, by what was done to it."""
    changes = {name: (kind, change) for name, (kind, change, _) in BROKEN.items()}
    changes["open"] = ("seat", lambda nets: [_without(*node)(nets) for node in OPEN])
    paths = {name: tmp_path_factory.mktemp("broken") / f"{kind}.csv" for name, (kind, _) in changes.items()}
    for name, (kind, change) in changes.items():
        nets = carriers.netlist(stations.plan_of(kind))
        change(nets)
        text = io.StringIO()
        rows = csv.writer(text)
        rows.writerow(["net", "part", "pin", "is"])
        rows.writerows((net, part, pin, carriers.part_of(part)) for net, nodes in nets.items() for part, pin in nodes)
        paths[name].write_text(text.getvalue())
    ran = checked(paths.values())
    assert ran.returncode == 1
    said = ran.stdout.splitlines()
    return {name: [line for line in said if line.startswith(f"{path}: ")] for name, path in paths.items()}


def test_nothing_is_found_in_the_carriers_with_their_cables(root, checked):
    ran = checked([])
    assert [line.rpartition("/")[2] for line in ran.stdout.splitlines()] == [
        f"{kind}.csv: nothing found" for kind in sorted(KINDS)
    ]
    assert ran.returncode == 0


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_netlist_is_named(lines_of_broken, name):
    assert any(re.search(BROKEN[name][2], line) for line in lines_of_broken[name]), lines_of_broken[name]


def test_every_open_pin_is_named(lines_of_broken, rules):
    for part, pin in OPEN:
        name = rules.HEADER_NAMES.get(pin) if part == "U1" else pin
        wanted = re.compile(rf"Unconnected pin: .*/{re.escape(name)} of \S+/{re.escape(part)}\.")
        if (part, pin) == ("U1", "36"):  # a station of readers may do without; this one's cells may not
            wanted = re.compile("Insufficient drive current on net 3V3 for pin POWER-IN .*hx711-module")
        assert any(wanted.search(line) for line in lines_of_broken["open"]), f"{part} {pin}"


def test_crossed_wires_of_a_cable_are_named(root, checked, tmp_path):
    for path in (root / "hardware/harness").glob("*.yml"):
        cable = yaml.safe_load(path.read_text())
        if path.stem in CROSSED:
            end, one, other, _ = CROSSED[path.stem]
            pins = next(side[end] for side in cable["connections"][0] if end in side)
            pins[one], pins[other] = pins[other], pins[one]
        (tmp_path / path.name).write_text(yaml.safe_dump(cable))
    said = checked(["--harness", tmp_path, root / "hardware/pcb/seat.csv"]).stdout
    assert [name for name, (*_, why) in CROSSED.items() if not re.search(why, said)] == []


def test_every_part_of_a_carrier_has_its_pins(rules, carriers):
    assert {name for name in carriers.PART_OF.values() if name != "screw-terminal-2"} <= set(rules.MAKERS)


def test_a_pin_may_be_open_only_where_one_is(root, rules):
    texts = [(root / f"hardware/pcb/{kind}.csv").read_text() for kind in KINDS]
    for part, pin in rules.MAY_BE_OPEN.keys() - {("led-ring-12", "DOUT")}:
        assert any(part in text and not re.search(rf",{pin},{part}$", text, re.MULTILINE) for text in texts), pin
