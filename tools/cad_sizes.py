"""The files of `hardware/cad/` that need no CAD, for tools and tests: sizes, weights and the case."""

import csv
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

CAD = Path(__file__).resolve().parents[1] / "hardware/cad"


def sizes(name: str) -> ModuleType:
    """Return a module of `hardware/cad/` that imports nothing but its neighbours' numbers."""
    if str(CAD) not in sys.path:
        sys.path.append(str(CAD))
    return import_module(name)


def printed_g(part: str) -> tuple[float, float]:
    """Return what a printed part weighs at least and at most, from the volume and surface that `make cad` wrote."""
    with (CAD / "volumes.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["part"]: row for row in csv.DictReader(file)}
    found: tuple[float, float] = sizes("weights").printed_g(
        float(rows[part]["volume_mm3"]), float(rows[part]["area_mm2"])
    )
    return found
