"""A table in Home Assistant: the states of its entities, made from the public view. Pure."""

from typing import Any

import msgspec

from citytable.table.plan import Plan, StationPlan
from citytable.table.spot import Spot
from citytable.views.home_assistant import (
    COLLAPSE,
    LIGHTS,
    TABLE,
    Firmware,
    home_topic,
    shown_spots,
    spot_channel,
    station_channel,
)
from citytable.views.lamp import Lamp
from citytable.views.state import Happened, Live
from citytable.views.viewer import Seen, Station

_FELL = "sensed.fell"


def states(plan: Plan, seen: Seen, lamp: Lamp, firmware: Firmware, versions: dict[str, str]) -> dict[str, bytes]:
    """Return the current states, to be retained, by topic. `seen` is the public's; `versions` names each firmware."""
    by_channel: dict[str, dict[str, Any]] = {TABLE: _table(seen), LIGHTS: _lights(lamp)}
    health = {station.station: station for station in seen.stations}
    heights_mm = _heights_mm(seen)
    live = {spot.spot: spot for spot in seen.live}
    for station in plan.stations:
        by_channel[station_channel(station.station)] = _station(station, health, firmware, versions)
        by_channel |= {spot_channel(spot): _spot(heights_mm.get(spot), live.get(spot)) for spot in shown_spots(station)}
    return {home_topic(plan.table, channel): msgspec.json.encode(state) for channel, state in by_channel.items()}


def collapses(table: str, before: Seen, after: Seen) -> tuple[tuple[str, bytes], ...]:
    """Return falls in the city between two moments, as topics with messages that are sent once and never retained.

    A suspicion is confirmed or withdrawn, so that a lamp may flash at once and a siren wait.
    """
    then, now = _falls(before), _falls(after)
    events = [_event(line) for no, line in now.items() if no not in then or then[no].provisional > line.provisional]
    events += [{**_event(line), "event_type": "withdrawn"} for line in _gone(then, now)]
    return tuple((home_topic(table, COLLAPSE), msgspec.json.encode(event)) for event in events)


def _gone(then: dict[int, Happened], now: dict[int, Happened]) -> list[Happened]:
    """Return the suspected falls that were withdrawn. A suspicion lasts much less long than the ticker remembers."""
    return [line for no, line in then.items() if line.provisional and no not in now]


def _falls(seen: Seen) -> dict[int, Happened]:
    return {line.no: line for line in seen.happened if line.key == _FELL}


def _event(line: Happened) -> dict[str, Any]:
    return {
        "event_type": "suspected" if line.provisional else "confirmed",
        "spot": line.words["spot"],
        "lost_g": int(line.words["lost_g"]),
    }


def _heights_mm(seen: Seen) -> dict[Spot, int]:
    return {} if seen.scene is None else seen.scene.heights_mm


def _table(seen: Seen) -> dict[str, Any]:
    scene, heights_mm = seen.scene, _heights_mm(seen)
    tallest = max(heights_mm, key=heights_mm.__getitem__, default=None)
    return {
        "tallest_mm": None if tallest is None else heights_mm[tallest],
        "tallest_spot": tallest,
        "buildings": len(heights_mm),
        "seat": None if scene is None else scene.seat,
        "phase": None if scene is None else scene.phase,
        "questions": len(seen.questions),
        "disagreements": len(seen.status.disagreements),
    }


def _lights(lamp: Lamp) -> dict[str, Any]:
    return {"state": "ON" if lamp.on else "OFF", "brightness": lamp.brightness}


def _station(
    station: StationPlan, health: dict[str, Station], firmware: Firmware, versions: dict[str, str]
) -> dict[str, Any]:
    known = health.get(station.station)
    runs = {"installed_version": versions.get(station.station, ""), "latest_version": firmware.latest}
    return {
        "online": known is not None and known.online,
        "faults": () if known is None else tuple(fault["en"] for fault in known.faults),
        "firmware": {name: version for name, version in runs.items() if version},
    }


def _spot(height_mm: int | None, live: Live | None) -> dict[str, Any]:
    return {
        "height_mm": height_mm,
        "load_g": None if live is None or live.mass_g is None else round(live.mass_g),
        "moving": live is not None and live.moving,
    }
