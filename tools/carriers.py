"""The carrier of every station as a netlist, made from its pin plan; stations.py prints `hardware/pcb/<kind>.csv`.

A carrier takes the board, fuse, diode, level shifter and expander, and a connector for every cable. Its parts:

    P1 the supply's screw terminal    F1 fuse    D1 Schottky diode    U1 the Pico    U2 74AHCT125    U3 MCP23017 module
    RL1, E1 resistor and capacitor of the rings    C<place>.<cell> to an HX711    R<place> to a tag reader
    K<place> to the sensor of a crane    M<place> to its beam    L1 to the first ring
    A1 to the accelerometer    B1 to the button
"""

import csv
import io
from collections.abc import Iterator
from typing import Any

Node = tuple[str, str]
Netlist = dict[str, list[Node]]

HEADER = (1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17, 19, 20, 21, 22, 24, 25, 26, 27, 29)  # of GP0 to GP22
BOARD_PIN = {**dict(enumerate(HEADER)), 26: 31, 27: 32, 28: 34}  # data sheet of the board
PINS_3V3, PINS_GND, PINS_VSYS = "36", "38", "39"

PORTS = {  # the pins of each connector for a cable, in the order of its housing
    "P": ("+", "-"),
    "C": ("VCC", "DT", "SCK", "GND"),
    "R": ("VCC", "GND", "SCK", "MISO", "MOSI", "SS"),
    "K": ("VCC", "GND", "SDA", "SCL", "XSHUT"),
    "M": ("VCC", "GND", "OUT"),
    "L": ("5V", "GND", "DIN"),
    "A": ("VCC", "GND", "SDA", "SCL"),
    "B": ("1", "2"),
}
RAILS = ("SUPPLY", "5V", "VSYS", "3V3", "GND")
PART_OF = {  # what each part is in bom.csv; a cable's connector is a jst-xh-set with as many pins
    "U1": "raspberry-pi-pico-2-w-with-header",
    "U2": "level-shifter-74ahct125",
    "U3": "mcp23017-module",
    "F1": "fuse-resettable-1.85a",
    "D1": "schottky-diode-1n5819",
    "RL1": "resistor-330-ohm",
    "E1": "capacitor-1000uf",
    "P1": "screw-terminal-2",
}
NEEDED: dict[str, dict[str, str]] = {  # the net that a part's pin has to be on, where a rail or a level is meant
    "U1": {PINS_VSYS: "VSYS", PINS_GND: "GND", PINS_3V3: "3V3"},
    "U2": {"VCC": "5V", "GND": "GND", "1OE": "GND"}
    | {f"{gate}OE": "5V" for gate in "234"}
    | {f"{gate}A": "GND" for gate in "234"},
    "U3": {"VCC": "3V3", "GND": "GND", "RESET": "3V3"} | {f"ADDR{bit}": "GND" for bit in range(3)},
    "F1": {"1": "SUPPLY", "2": "5V"},
    "D1": {"A": "5V", "K": "VSYS"},
    "E1": {"+": "5V", "-": "GND"},
    "P1": {"+": "SUPPLY", "-": "GND"},
}
NEEDED_BY_PORT: dict[str, dict[str, str]] = {  # the same for the connectors of cables, by their letter
    "C": {"VCC": "3V3", "GND": "GND"},
    "R": {"VCC": "5V", "GND": "GND"},
    "K": {"VCC": "3V3", "GND": "GND"},
    "M": {"VCC": "3V3", "GND": "GND"},
    "L": {"5V": "5V", "GND": "GND"},
    "A": {"VCC": "3V3", "GND": "GND"},
    "B": {"2": "GND"},
}


def netlist(plan: dict[str, Any]) -> Netlist:
    """Return the nets of a kind's carrier: for each the pins that it joins."""
    nets: Netlist = {}
    for net, part, pin in [*_power(plan), *_places(plan), *_rings(plan), *_bus(plan)]:
        nets.setdefault(net, []).append((part, pin))
    for net in nets:
        if net.startswith("GP"):
            number = net[2:]
            nets[net].insert(0, ("U1", str(BOARD_PIN[int(number)])) if number.isdigit() else ("U3", net))
    return dict(sorted(nets.items(), key=lambda item: _order(item[0])))


def netlist_text(plan: dict[str, Any]) -> str:
    """Return the netlist as CSV: a line for each pin of a part."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["net", "part", "pin", "is"])
    rows.writerows((net, part, pin, part_of(part)) for net, nodes in netlist(plan).items() for part, pin in nodes)
    return text.getvalue()


def part_of(part: str) -> str:
    """Return what a part of a netlist is called in the parts list."""
    return PART_OF.get(part) or f"jst-xh-set-{len(PORTS[part[0]])}"


def misplaced(nets: Netlist) -> list[str]:
    """Return which pins are on another net than the one that they need, one sentence each."""
    net_of = {node: net for net, nodes in nets.items() for node in nodes}
    found = []
    for (part, pin), net in sorted(net_of.items()):
        needed = (NEEDED.get(part) or NEEDED_BY_PORT.get(part[0], {})).get(pin, net)
        found += [f"{part} needs {needed} at its pin {pin}, which is on {net}"] if needed != net else []
    return found


def _order(net: str) -> tuple[int, str, int]:
    number = net[2:] if net.startswith("GP") else ""
    return (RAILS.index(net), "", 0) if net in RAILS else (9, net[:3], int(number) if number.isdigit() else 0)


def _gpio(pin: int | str) -> str:
    return f"GP{pin}"


def _power(plan: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    yield from (("SUPPLY", "P1", "+"), ("SUPPLY", "F1", "1"), ("5V", "F1", "2"), ("5V", "D1", "A"))
    yield from (("VSYS", "D1", "K"), ("VSYS", "U1", PINS_VSYS), ("GND", "P1", "-"), ("GND", "U1", PINS_GND))
    if plan["i2c"] or any(place["cells"] for place in plan["places"]):
        yield ("3V3", "U1", PINS_3V3)


def _rails(part: str, supply: str) -> Iterator[tuple[str, str, str]]:
    yield (supply, part, "VCC")
    yield ("GND", part, "GND")


def _places(plan: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    for number, place in enumerate(plan["places"], 1):
        for cell, (sck, dout, _) in enumerate(place["cells"], 1):
            port = f"C{number}.{cell}"
            yield from _rails(port, "3V3")
            yield (_gpio(sck), port, "SCK")
            yield (_gpio(dout), port, "DT")
        if place["cs"] is not None:
            yield from _rails(f"R{number}", "5V")
            yield (_gpio(place["cs"]), f"R{number}", "SS")
            for signal in ("sck", "miso", "mosi"):
                yield (_gpio(plan["spi"][signal]), f"R{number}", signal.upper())
        if place["crane"]:
            yield from _rails(f"K{number}", "3V3")
            yield (_gpio(place["crane"]["xshut"]), f"K{number}", "XSHUT")
            yield from _on_bus(plan, f"K{number}")
            yield from _rails(f"M{number}", "3V3")
            yield (_gpio(place["crane"]["beam"]), f"M{number}", "OUT")


def _on_bus(plan: dict[str, Any], part: str) -> Iterator[tuple[str, str, str]]:
    yield (_gpio(plan["i2c"]["sda"]), part, "SDA")
    yield (_gpio(plan["i2c"]["scl"]), part, "SCL")


def _bus(plan: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    if plan["accelerometer"]:
        yield from _rails("A1", "3V3")
        yield from _on_bus(plan, "A1")
    if plan["expander"]:
        yield from _rails("U3", "3V3")
        yield from _on_bus(plan, "U3")
        yield ("3V3", "U3", "RESET")
        yield from (("GND", "U3", pin) for pin in ("ADDR0", "ADDR1", "ADDR2"))
    if plan["button"] is not None:
        yield (_gpio(plan["button"]), "B1", "1")
        yield ("GND", "B1", "2")


def _rings(plan: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    if not plan["strip"]:
        return
    yield from _rails("U2", "5V")
    yield from (("GND", "U2", "1OE"), (_gpio(plan["strip"]["pin"]), "U2", "1A"), ("1Y", "U2", "1Y"), ("1Y", "RL1", "1"))
    for gate in "234":  # unused inputs rest at ground, unused outputs are off
        yield from (("5V", "U2", f"{gate}OE"), ("GND", "U2", f"{gate}A"))
    yield from (("DIN", "RL1", "2"), ("DIN", "L1", "DIN"), ("5V", "L1", "5V"), ("GND", "L1", "GND"))
    yield from (("5V", "E1", "+"), ("GND", "E1", "-"))
