"""How much wire a station takes, by gauge and colour: that of its cables, and that on its carrier.

Cables come from `hardware/harness` with the lengths of this station, the wires of its carrier from carrier_wires.py. A
load cell brings its own.
"""

from collections import Counter
from math import ceil
from typing import Any

import yaml
from cable_lengths import CELL_WIRES, ROOT, foil_wire_mm, needed_mm
from cable_picture import Cable
from carrier_wires import THIN, Wire, runs

from citytable.doctor.parts import read_parts

COLOURS = {"BK": "black", "BU": "blue", "GN": "green", "RD": "red", "WH": "white", "YE": "yellow"}
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
    """Return how many millimetres of each wire the carrier of a station takes."""
    found: Counter[Wire] = Counter()
    for run in runs(plan):
        found[run.wire] += run.length_mm
    return found


def metres(plan: dict[str, Any]) -> dict[Wire, int]:
    """Return how many whole metres of each wire a station takes, with its carrier."""
    return {wire: ceil(mm / 1000) for wire, mm in sorted((of_cables(plan) + of_carrier(plan)).items())}
