"""Every wire of a carrier: from which pin to which, of which wire, and how long; stations.py prints them.

A net is a tree of wires: each pin is joined to the nearest one that is joined already and has room for another wire,
along rows and columns. On a carrier with rings 5 V and ground leave F1 and P1 as several trees, so that no wire of a
scale bears a ring's current.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil
from typing import Any, NamedTuple

import carrier_picture
import carriers
from carriers import Node

STEP_MM = 5.0
MOST_WIRES = 2  # on one pin: a third finds no room on its pad, so only the roots of trees have more
ENDS_MM = 30.0  # of a wire on a carrier: two stripped ends, and a bend round what is in its way
THICK, THIN = "0.5 mm2", "0.25 mm2"
GRID_MM = carrier_picture.GRID_MM
PICO_FROM_LEFT_MM, PICO_ROWS_MM, PICO_ROW = 1.37, 17.78, 20  # its data sheet: first pin, from row to row, pins in each
DIP_FROM_LEFT_MM, DIP_ROWS_MM, DIP_ROW = 2.38, 7.62, 7
GATES = {"1OE": 1, "1A": 2, "1Y": 3, "2OE": 4, "2A": 5, "3A": 9, "3OE": 10, "4A": 12, "4OE": 13, "GND": 7, "VCC": 14}
LEFT = {"RL1": "1", "E1": "+", "D1": "K", "F1": "2", "P1": "+"}  # the pin of a part with two that lies to the left
LEAD_MM = 1.5  # of such a part, from its edge


class Wire(NamedTuple):
    """A wire that one buys, by its gauge and its colour."""

    gauge: str
    colour: str

    @property
    def part(self) -> str:
        """Return its name in the parts list."""
        return f"wire-{self.gauge.replace(' ', '')}-{self.colour}"


ON_CARRIER = dict.fromkeys(("SUPPLY", "5V", "VSYS"), Wire(THICK, "red")) | {
    "GND": Wire(THICK, "black"),
    "3V3": Wire(THIN, "red"),
}
SIGNAL = Wire(THIN, "white")
ROOTS: dict[str, Node] = {"5V": ("F1", "2"), "GND": ("P1", "-")}
"""Where a net begins that leaves as several trees on a carrier with rings."""

At = tuple[float, float]


class Run(NamedTuple):
    """A wire on a carrier: what it joins, of which wire it is cut, and how long, with both of its ends."""

    net: str
    one: Node
    two: Node
    wire: Wire
    length_mm: int


def runs(plan: dict[str, Any]) -> list[Run]:
    """Return every wire of a plan's carrier, net by net, those of a tree from its root on."""
    placed = {part.name.split()[0]: part for part in carrier_picture.placed(plan)}
    found = []
    for net, nodes in carriers.netlist(plan).items():
        at = {node: _pin_at(placed[node[0]], node[1]) for node in nodes}
        branches = bool(plan["strip"]) and net in ROOTS
        for tree in _trees(net, nodes) if branches else [nodes]:
            for one, two in _joined(tree, at, 1 if branches else MOST_WIRES):
                cut_mm = int(STEP_MM * ceil((_apart(at[one], at[two]) + ENDS_MM) / STEP_MM))
                found.append(Run(net, one, two, ON_CARRIER.get(net, SIGNAL), cut_mm))
    return found


def wires_text(plan: dict[str, Any]) -> str:
    """Return the wires as CSV: a line for each."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["wire", "net", "from", "from pin", "to", "to pin", "gauge", "colour", "length mm"])
    for number, run in enumerate(runs(plan), 1):
        rows.writerow([number, run.net, *run.one, *run.two, run.wire.gauge, run.wire.colour, run.length_mm])
    return text.getvalue()


def _trees(net: str, nodes: Sequence[Node]) -> Iterator[list[Node]]:
    """Yield the pins of each tree of a net that branches, its root first."""
    root, board = ROOTS[net], ("U1", carriers.PINS_GND)
    rest = [node for node in nodes if node != root]
    rings = [node for node in rest if node[0] in {"L1", "E1", "U2"}]
    readers = [node for node in rest if node[0][0] == "R" and node[0][1].isdigit()]
    others = [node for node in rest if node not in rings and node not in readers]
    yield [root, *rings]
    yield [root, *readers]
    if board in others:  # the ground of all that measures meets at the board, and goes to the supply in one wire
        yield [root, board]
        yield [board, *(node for node in others if node != board)]
    else:
        yield [root, *others]


def _joined(tree: Sequence[Node], at: dict[Node, At], of_root: int) -> Iterator[tuple[Node, Node]]:
    """Yield the wires of a tree, so many of them from its root, and no more than MOST_WIRES on another pin."""
    joined, left = [tree[0]], list(tree[1:])
    wires = Counter({tree[0]: MOST_WIRES - of_root})
    while left:
        with_room = [node for node in joined if wires[node] < MOST_WIRES]
        _, one, two = min((_apart(at[a], at[b]), a, b) for a in with_room for b in left)
        yield one, two
        wires.update((one, two))
        joined.append(two)
        left.remove(two)


def _apart(one: At, two: At) -> float:
    return abs(one[0] - two[0]) + abs(one[1] - two[1])


def _pin_at(part: carrier_picture.Placed, pin: str) -> At:
    """Return where a pin is on the board, from its upper left corner."""
    name, middle = part.name.split()[0], part.y_mm + part.deep_mm / 2
    if name == "P1" or not part.pins:
        if name == "U1":
            return _in_two_rows(part, int(pin), PICO_FROM_LEFT_MM, PICO_ROWS_MM, PICO_ROW)
        if name == "U2":
            return _in_two_rows(part, GATES[pin], DIP_FROM_LEFT_MM, DIP_ROWS_MM, DIP_ROW)
        if name == "U3":
            return _on_expander(part, carrier_picture.expander_print(pin))
        return part.x_mm + (LEAD_MM if pin == LEFT[name] else part.wide_mm - LEAD_MM), middle
    return part.x_mm + carrier_picture.HOUSING_MM / 2 + part.pins.index(pin) * carrier_picture.PITCH_MM, middle


def _in_two_rows(part: carrier_picture.Placed, number: int, from_left_mm: float, rows_mm: float, row: int) -> At:
    """Return where a pin is of a part whose pin 1 is at the lower left: along the lower row, and back on the upper."""
    middle = part.y_mm + part.deep_mm / 2
    is_below = number <= row
    k = number - 1 if is_below else 2 * row - number
    return part.x_mm + from_left_mm + k * GRID_MM, middle + (rows_mm / 2 if is_below else -rows_mm / 2)


def _on_expander(part: carrier_picture.Placed, name: str) -> At:
    edge = carrier_picture.ROW_FROM_EDGE_MM
    upper, lower = carrier_picture.EXPANDER_ROWS
    row, y_mm = (upper, part.y_mm + edge) if name in upper else (lower, part.y_mm + part.deep_mm - edge)
    return part.x_mm + carrier_picture.ROW_FROM_LEFT_MM + row.index(name) * GRID_MM, y_mm
