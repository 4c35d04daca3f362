"""A table in Home Assistant: its MQTT discovery messages. Pure: from a plan to retained messages by topic.

The table is a device and so is every station of the plan. Their states are in `home_assistant_states`; all topics are
beneath `citytable/1/<table>/home/` and show only what the public may see.

Written for MQTT discovery as Home Assistant 2024.3 has it: one message an entity. Later versions accept it, too.
"""

from typing import Any

import msgspec

from citytable.table.plan import Plan, StationPlan
from citytable.table.spot import Spot, hex_of
from tablewire import topics

PREFIX = "homeassistant"
BIRTH = f"{PREFIX}/status"
"""Where Home Assistant says `online` when it has started: not retained, so one must be listening."""

TABLE, COLLAPSE, LIGHTS, LIGHTS_SET = "table", "collapse", "lights", "lights-set"  # channels of our own
FELL = ("suspected", "confirmed", "withdrawn")
"""The event types of a collapse."""


class Firmware(msgspec.Struct, frozen=True):
    """The programs of this hub: its own version, and the firmware it would install on a station ("" if unknown)."""

    hub: str
    latest: str = ""


def home_topic(table: str, channel: str) -> str:
    """Return the topic of one channel of a table in Home Assistant."""
    return topics.topic(table, topics.HOME, channel)


def station_channel(station: str) -> str:
    """Return the channel for the state of a station."""
    return f"station-{station}"


def spot_channel(spot: Spot) -> str:
    """Return the channel for a spot, without `/`, which separates topics on the wire.

    >>> spot_channel("city/1/-1")
    'spot-city-1--1'
    """
    return f"spot-{spot.replace('/', '-')}"


def shown_spots(station: StationPlan) -> tuple[Spot, ...]:
    """Return the hexes of the city. A building on a pad stays private to its player until it is delivered."""
    return tuple(plan.spot for plan in station.spots if hex_of(plan.spot) is not None)


def announced_filter(table: str) -> str:
    """Return a topic filter that matches all announcements of this table, also those of an earlier plan."""
    return f"{PREFIX}/+/{_node(table)}/+/config"


def announcement(plan: Plan, firmware: Firmware) -> dict[str, bytes]:
    """Return the discovery messages of a table, to be retained, by topic."""
    table = _Table(plan.table, firmware)
    entities = dict(table.entities())
    for station in plan.stations:
        entities |= table.station_entities(station)
    return {
        f"{PREFIX}/{component}/{_node(plan.table)}/{name}/config": msgspec.json.encode(
            _named(component, f"{_node(plan.table)}-{name}") | config
        )
        for (component, name), config in entities.items()
    }


_Key = tuple[str, str]  # Home Assistant's component and our name of the entity within the table
_Entities = dict[_Key, dict[str, Any]]


def _node(table: str) -> str:
    return f"citytable-{table}"


def _named(component: str, unique: str) -> dict[str, str]:
    """Return the names of an entity. Its id comes from `object_id`, and since 2025.10 from `default_entity_id`."""
    name = unique.replace("--", "-minus").replace("-", "_").lower()  # or the hexes 1/1 and 1/-1 would share a name
    return {"unique_id": unique, "object_id": name, "default_entity_id": f"{component}.{name}"}


class _Table:
    """Writes the entities of one table."""

    def __init__(self, table: str, firmware: Firmware) -> None:
        self._table = table
        self._firmware = firmware
        self._hub_lives = {
            "topic": topics.topic(table, topics.HUB, topics.STATE),
            "value_template": "{{ 'online' if value_json.online else 'offline' }}",
        }

    def entities(self) -> _Entities:
        """Write the entities of the table as a whole, for hosts to look at and to use in automations."""
        source = home_topic(self._table, TABLE)
        return {
            ("sensor", "tallest"): self._of_table("Tallest building")
            | _reading(source, "tallest_mm", "distance", "mm", "mdi:city")
            | _attributes(source, "{{ {'spot': value_json.tallest_spot} | tojson }}"),
            ("sensor", "buildings"): self._of_table("Buildings")
            | {"state_topic": source, "value_template": "{{ value_json.buildings }}", "icon": "mdi:home-city"},
            ("sensor", "turn"): self._of_table("Seat to act")
            | {"state_topic": source, "value_template": "{{ value_json.seat }}", "icon": "mdi:seat"},
            ("sensor", "phase"): self._of_table("Phase of the game")
            | {"state_topic": source, "value_template": "{{ value_json.phase }}", "icon": "mdi:progress-clock"},
            ("binary_sensor", "attention"): self._of_table("Needs people")
            | _yes_or_no(source, "value_json.questions + value_json.disagreements > 0", "problem")
            | _attributes(source, "{{ {'questions': value_json.questions, 'disagreements': value_json.disagreements} "
                                "| tojson }}"),
            ("event", "collapse"): self._of_table("Collapse")
            | {
                "state_topic": home_topic(self._table, COLLAPSE),
                "event_types": list(FELL),
                "icon": "mdi:home-alert",
            },
            ("light", "lights"): self._of_table("Rings")
            | {
                "schema": "json",
                "brightness": True,
                "state_topic": home_topic(self._table, LIGHTS),
                "command_topic": home_topic(self._table, LIGHTS_SET),
                "icon": "mdi:circle-outline",
            },
        }  # fmt: skip

    def station_entities(self, station: StationPlan) -> _Entities:
        """Write the entities of a station: its health, its firmware, and every hex of the city that it carries."""
        name, source = station.station, home_topic(self._table, station_channel(station.station))
        entities: _Entities = {
            ("binary_sensor", f"{name}-online"): self._of_station(station, "Online", always=True)
            | _yes_or_no(source, "value_json.online", "connectivity"),
            ("binary_sensor", f"{name}-fault"): self._of_station(station, "Fault")
            | _yes_or_no(source, "value_json.faults | length > 0", "problem")
            | _attributes(source, "{{ {'faults': value_json.faults} | tojson }}"),
            ("update", f"{name}-firmware"): self._of_station(station, "Firmware")
            | {
                "state_topic": source,
                "value_template": "{{ value_json.firmware | tojson }}",
                "device_class": "firmware",
            },
        }
        loaded = {plan.spot for plan in station.spots if plan.cells}
        for spot in shown_spots(station):
            entities |= self._spot_entities(station, spot, loaded=spot in loaded)
        return entities

    def _spot_entities(self, station: StationPlan, spot: Spot, *, loaded: bool) -> _Entities:
        name, source = spot.replace("/", "-"), home_topic(self._table, spot_channel(spot))
        words = f"Hex {' '.join(spot.split('/')[1:])}"
        entities: _Entities = {
            ("sensor", f"{name}-height"): self._of_station(station, f"{words} height")
            | _reading(source, "height_mm", "distance", "mm", "mdi:arrow-expand-up")
        }
        if loaded:
            entities["sensor", f"{name}-load"] = (
                self._of_station(station, f"{words} load")
                | _reading(source, "load_g", "weight", "g", "mdi:weight-gram")
                | _attributes(source, "{{ {'moving': value_json.moving} | tojson }}")
            )
        return entities

    def _entity(self, words: str, device: dict[str, Any]) -> dict[str, Any]:
        return {
            "name": words,
            "availability": [self._hub_lives],
            "availability_mode": "all",
            "qos": 1,
            "device": device,
            "origin": {"name": "citytable", "sw": self._firmware.hub},
        }

    def _of_table(self, words: str) -> dict[str, Any]:
        device = {
            "identifiers": [_node(self._table)],
            "name": f"citytable {self._table}",
            "manufacturer": "citytable",
            "model": "table",
            "sw_version": self._firmware.hub,
        }
        return self._entity(words, device)

    def _of_station(self, station: StationPlan, words: str, *, always: bool = False) -> dict[str, Any]:
        """Write an entity of a station; `always` keeps it available while the station is silent."""
        device = {
            "identifiers": [f"{_node(self._table)}-{station.station}"],
            "name": f"citytable {self._table} {station.station}",
            "manufacturer": "citytable",
            "model": f"{station.kind} station",
            "via_device": _node(self._table),
        }
        entity = self._entity(words, device)
        entity["entity_category"] = "diagnostic"  # Home Assistant's own pages leave these out: there are many
        if not always:
            entity["availability"] = [
                self._hub_lives,
                {
                    "topic": home_topic(self._table, station_channel(station.station)),
                    "value_template": "{{ 'online' if value_json.online else 'offline' }}",
                },
            ]
        return entity


def _reading(topic: str, field: str, device_class: str, unit: str, icon: str) -> dict[str, Any]:
    return {
        "state_topic": topic,
        "value_template": f"{{{{ value_json.{field} }}}}",  # Home Assistant uses null for unknown
        "device_class": device_class,
        "state_class": "measurement",
        "unit_of_measurement": unit,
        "icon": icon,
    }


def _yes_or_no(topic: str, condition: str, device_class: str) -> dict[str, Any]:
    template = f"{{{{ 'ON' if {condition} else 'OFF' }}}}"
    return {"state_topic": topic, "value_template": template, "device_class": device_class}


def _attributes(topic: str, template: str) -> dict[str, Any]:
    return {"json_attributes_topic": topic, "json_attributes_template": template}
