"""Write a plan file: all of it or nothing, laid out for people to read."""

import os
from collections.abc import Callable
from pathlib import Path
from threading import Lock

import msgspec

from citytable.table.plan import CellPlan, Misconfigured, Plan, SpotPlan, StationPlan, load_plan
from tablewire import topics

_ONE_BY_ONE = Lock()  # a hub may change one file from several places


def change_plan(path: Path, changed: Callable[[Plan], Plan]) -> None:
    """Read the plan file again and write the result of `changed`; raises `Misconfigured` and errors of `changed`."""
    with _ONE_BY_ONE:
        before = load_plan(path)
        after = changed(before)
        if after != before:
            write_plan(path, after)


def write_plan(path: Path, plan: Plan) -> None:
    """Replace the plan file; raises `Misconfigured` if it cannot be written."""
    text = msgspec.json.format(msgspec.json.encode(plan), indent=2) + b"\n"
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with fresh.open("wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise Misconfigured(
            f"plan {path} cannot be written: {error.strerror}: free some disk space, or give another path"
        ) from error


def station_of(plan: Plan, name: str) -> StationPlan:
    """Return a station of a plan; raise `Misconfigured`."""
    for one in plan.stations:
        if one.station == name:
            return one
    if name.startswith(f"{topics.NEWCOMERS}/"):
        raise Misconfigured(f"{name} has no parts yet: give it a name with citytable station adopt, then ask again")
    names = ", ".join(one.station for one in plan.stations)
    raise Misconfigured(f"the plan has no station {name!r}, only {names}: give the table's plan file with --plan")


def with_station(plan: Plan, station: StationPlan) -> Plan:
    """Return the plan with this station, which replaces one of the same name; raise `Misconfigured`."""
    others = tuple(other for other in plan.stations if other.station != station.station)
    carried = {spot.spot: other.station for other in others for spot in other.spots}
    for spot in station.spots:
        if spot.spot in carried:
            raise Misconfigured(
                f"{spot.spot} belongs to station {carried[spot.spot]} already: give {station.station} another name, "
                f"or remove {spot.spot} from {carried[spot.spot]} in the plan file"
            )
    stations = tuple(sorted((*others, station), key=lambda one: one.station))
    return msgspec.structs.replace(plan, stations=stations)


def with_cells(plan: Plan, spot: str, cells: tuple[CellPlan, ...]) -> Plan:
    """Return the plan with these cells at a spot."""
    return _with_spot(plan, spot, cells=cells)


def with_crane(plan: Plan, spot: str, zero_mm: float, scale: float | None) -> Plan:
    """Return the plan with these figures of the crane at a spot."""
    return _with_spot(plan, spot, crane_zero_mm=zero_mm, crane_scale=scale)


def _with_spot(plan: Plan, spot: str, **changes: object) -> Plan:
    def changed(one: SpotPlan) -> SpotPlan:
        return msgspec.structs.replace(one, **changes) if one.spot == spot else one

    stations = tuple(
        msgspec.structs.replace(station, spots=tuple(changed(one) for one in station.spots))
        for station in plan.stations
    )
    return msgspec.structs.replace(plan, stations=stations)
