"""A table in Home Assistant: what its entities show, from what the public sees. Pure."""

from typing import Any

import msgspec

from citytable.table.plan import Plan, StationPlan
from citytable.table.scene import Scene, Tile
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
    """What is true now, to be retained, by topic. `seen` is the public's; `versions` what each station runs."""
    told: dict[str, dict[str, Any]] = {TABLE: _table(seen), LIGHTS: _lights(lamp)}
    health = {station.station: station for station in seen.stations}
    tiles = {tile.spot: tile for tile in _tiles(seen.scene)}
    live = {spot.spot: spot for spot in seen.live}
    for station in plan.stations:
        told[station_channel(station.station)] = _station(station, health, firmware, versions)
        told |= {spot_channel(spot): _spot(tiles.get(spot), live.get(spot)) for spot in shown_spots(station)}
    return {home_topic(plan.table, channel): msgspec.json.encode(state) for channel, state in told.items()}


def collapses(table: str, before: Seen, after: Seen) -> tuple[tuple[str, bytes], ...]:
    """What fell in the city between two moments, as topics with messages that are said once and never retained.

    A suspicion is confirmed or withdrawn, so that a lamp may flash at once and a siren wait.
    """
    then, now = _falls(before), _falls(after)
    events = [_event(line) for no, line in now.items() if no not in then or then[no].provisional > line.provisional]
    events += [{**_event(line), "event_type": "withdrawn"} for line in _gone(then, now)]
    return tuple((home_topic(table, COLLAPSE), msgspec.json.encode(event)) for event in events)


def _gone(then: dict[int, Happened], now: dict[int, Happened]) -> list[Happened]:
    """Suspicions that were struck out; one lasts far shorter than the ticker remembers."""
    return [line for no, line in then.items() if line.provisional and no not in now]


def _falls(seen: Seen) -> dict[int, Happened]:
    return {line.no: line for line in seen.happened if line.key == _FELL}


def _event(line: Happened) -> dict[str, Any]:
    return {
        "event_type": "suspected" if line.provisional else "confirmed",
        "spot": line.words["spot"],
        "lost_g": int(line.words["lost_g"]),
    }


def _tiles(scene: Scene | None) -> tuple[Tile, ...]:
    return () if scene is None else scene.tiles


def _height_mm(tile: Tile | None) -> int | None:
    return tile.height_mm if tile is not None and tile.standing else None


def _table(seen: Seen) -> dict[str, Any]:
    scene = seen.scene
    buildings = [tile for tile in _tiles(scene) if _height_mm(tile)]
    tallest = max(buildings, key=lambda tile: tile.height_mm or 0, default=None)
    return {
        "tallest_mm": _height_mm(tallest),
        "tallest_spot": None if tallest is None else tallest.spot,
        "buildings": len(buildings),
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


def _spot(tile: Tile | None, live: Live | None) -> dict[str, Any]:
    return {
        "height_mm": _height_mm(tile),
        "load_g": None if live is None or live.mass_g is None else round(live.mass_g),
        "moving": live is not None and live.moving,
    }
