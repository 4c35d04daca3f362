"""How much wire a station takes, by gauge and colour: that of its cables, and that on its carrier.

Cables come from `hardware/harness` with the lengths of this station. On a carrier every net is a chain of wires from
pin to pin; how long each is follows from where the parts stand. A load cell brings its own wires.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil
from typing import Any, NamedTuple

import carrier_picture
import carriers
import yaml
from cable_lengths import CELL_WIRES, ROOT, foil_wire_mm, needed_mm
from cable_picture import Cable

from citytable.doctor.parts import read_parts

COLOURS = {"BK": "black", "BU": "blue", "GN": "green", "RD": "red", "WH": "white", "YE": "yellow"}
THICK, THIN = "0.5 mm2", "0.25 mm2"
ENDS_MM = 30.0  # of a wire on a carrier: two stripped ends, and a bend round what is in its way


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
FOIL = Wire(THIN, "black")  # from the foil of a card slot to GND of its reader


def cables_of(plan: dict[str, Any]) -> list[Cable]:
    """Return every cable of a station with its length there."""
    found, needed = [], needed_mm(plan)
    for part in read_parts(ROOT / "hardware/bom.csv"):
        if part.kind == "harness" and part.each[plan["kind"]]:
            cable = yaml.safe_load((ROOT / "hardware" / part.sources[0]).read_text("utf-8"))
            (cord,) = cable["cables"].values()
            length_mm = needed.get(part.name, round(1000 * cord["length"]))
            found.append(Cable(part.name, part.each[plan["kind"]], length_mm, cable))
    return found


def of_cables(plan: dict[str, Any]) -> Counter[Wire]:
    """Return how many millimetres of each wire the cables of a station take, and the foils of its card slots."""
    slots = next(part.each[plan["kind"]] for part in read_parts(ROOT / "hardware/bom.csv") if part.name == "card-slot")
    found = Counter({FOIL: slots * foil_wire_mm()} if slots else {})
    for cable in cables_of(plan):
        if cable.name != CELL_WIRES:
            (cord,) = cable.wired["cables"].values()
            for colour in cord["colors"]:
                found[Wire(cord["gauge"], COLOURS[colour])] += cable.number * cable.length_mm
    return found


def of_carrier(plan: dict[str, Any]) -> Counter[Wire]:
    """Return how many millimetres of each wire the carrier of a station takes, from the places of its parts."""
    at = {
        part.name.split()[0]: (part.x_mm + part.wide_mm / 2, part.y_mm + part.deep_mm / 2)
        for part in carrier_picture.placed(plan)
    }
    found: Counter[Wire] = Counter()
    for net, nodes in carriers.netlist(plan).items():
        found[ON_CARRIER.get(net, SIGNAL)] += ceil(chain_mm([at[part] for part, _ in nodes]))
    return found


def chain_mm(pins: Sequence[tuple[float, float]]) -> float:
    """Return how much wire joins these pins, each to the nearest one that is joined already, along rows and columns."""
    joined, left, all_mm = [pins[0]], list(pins[1:]), 0.0
    while left:
        mm, pin = min((_nearest(pin, joined), pin) for pin in left)
        all_mm += mm + ENDS_MM
        joined.append(pin)
        left.remove(pin)
    return all_mm


def _nearest(pin: tuple[float, float], others: Iterable[tuple[float, float]]) -> float:
    return min(abs(pin[0] - x) + abs(pin[1] - y) for x, y in others)


def metres(plan: dict[str, Any]) -> dict[Wire, int]:
    """Return how many whole metres of each wire a station takes, with its carrier."""
    return {wire: ceil(mm / 1000) for wire, mm in sorted((of_cables(plan) + of_carrier(plan)).items())}
