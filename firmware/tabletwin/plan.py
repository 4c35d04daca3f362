"""The plan file as the twin reads it: the stations, their spots, and the tag of each thing."""

import json
from pathlib import Path
from typing import Any, NamedTuple


class CellPlan(NamedTuple):
    """counts = zero_counts + grams x counts_per_g."""

    counts_per_g: float
    zero_counts: int
    capacity_g: int


class SpotPlan(NamedTuple):
    """One spot and its sensors."""

    spot: str
    cells: tuple[CellPlan, ...]
    reader: bool
    ring_leds: int
    crane_zero_mm: float | None
    crane_beam: bool = False


class StationPlan(NamedTuple):
    """One station and its spots."""

    station: str
    kind: str
    spots: tuple[SpotPlan, ...]
    button_seat: int | None
    accelerometer: bool = False


class Plan(NamedTuple):
    """A whole table; `uids` gives the tag of a thing."""

    table: str
    seats: int
    stations: tuple[StationPlan, ...]
    uids: dict[str, str]


class UnreadablePlan(ValueError):
    """The plan file is missing or is no plan: the text says which and what to do."""


def _spot(text: dict[str, Any]) -> SpotPlan:
    cells = tuple(CellPlan(c["counts_per_g"], c["zero_counts"], c["capacity_g"]) for c in text["cells"])
    return SpotPlan(
        text["spot"],
        cells,
        text["reader"],
        text["ring_leds"],
        text["crane_zero_mm"],
        crane_beam=text.get("crane_beam", False),
    )


def _station(text: dict[str, Any]) -> StationPlan:
    spots = tuple(_spot(spot) for spot in text["spots"])
    return StationPlan(
        text["station"], text["kind"], spots, text["button_seat"], accelerometer=text.get("accelerometer", False)
    )


def plan_from_json(text: str | bytes) -> Plan:
    """Read the JSON of a plan; raise `UnreadablePlan`."""
    try:
        plan = json.loads(text)
        stations = tuple(_station(station) for station in plan["stations"])
        uids = {thing: uid for uid, thing in plan["tags"].items()}
        return Plan(plan["table"], plan["seats"], stations, uids)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnreadablePlan(f"this is not a plan of a table: {error!r}: write one with every field") from error


def load_plan(path: Path) -> Plan:
    """Read a plan file; raise `UnreadablePlan`."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise UnreadablePlan(f"plan {path}: {error.strerror}: give the path of a plan file") from error
    return plan_from_json(text)
