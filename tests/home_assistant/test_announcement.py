"""What Home Assistant's discovery is told: a pure function of the plan."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from citytable.table.plan import SpotPlan, StationPlan
from citytable.views.home_assistant import Firmware, announced_filter, announcement, home_topic
from citytable.views.home_assistant_states import states
from citytable.views.lamp import Lamp
from tablewire import topics

OURS = Firmware("0.1.0", "0.1.0")


@pytest.fixture
def announced(plan):
    """By topic, read."""
    return {topic: json.loads(payload) for topic, payload in announcement(plan, OURS).items()}


def test_a_small_table_is_announced_as_it_was_agreed(small_plan, golden):
    golden("announcement.json", announcement(small_plan, OURS))


def test_every_entity_has_an_id_of_its_own(announced):
    for field in ("unique_id", "object_id", "default_entity_id"):
        assert len({config[field] for config in announced.values()}) == len(announced), field


def test_two_tables_share_no_topic_no_id_and_no_device_also_where_one_name_begins_like_the_other(plan):
    one, two = (announcement(replace(plan, table=table), OURS) for table in ("salon", "salon-2"))
    assert len(one) == len(two)
    assert not one.keys() & two.keys()
    read = [[json.loads(payload) for payload in said.values()] for said in (one, two)]
    for field in ("unique_id", "object_id", "default_entity_id", "state_topic", "command_topic"):
        of_one, of_two = ({config.get(field) for config in said} - {None} for said in read)
        assert of_one
        assert not of_one & of_two, field
    devices = [{config["device"]["identifiers"][0] for config in said} for said in read]
    assert not devices[0] & devices[1]


def test_a_hex_with_a_minus_is_not_its_neighbour(announced):
    names = {config["name"]: config["object_id"] for config in announced.values()}
    assert names["Hex 1 -1 load"] == "citytable_salon_city_1_minus1_load"
    assert names["Hex 1 1 load"] == "citytable_salon_city_1_1_load"


def test_a_full_table_is_a_device_and_so_is_every_station(plan, announced):
    devices = {config["device"]["identifiers"][0]: config["device"] for config in announced.values()}
    assert set(devices) == {"citytable-salon", *(f"citytable-salon-{one.station}" for one in plan.stations)}
    assert {device.get("via_device") for device in devices.values()} == {None, "citytable-salon"}


def test_a_host_sees_seven_things_and_the_rest_stays_off_his_pages(announced):
    seen = {config["name"] for config in announced.values() if config.get("entity_category") != "diagnostic"}
    assert seen == {
        "Tallest building",
        "Buildings",
        "Seat to act",
        "Phase of the game",
        "Needs people",
        "Collapse",
        "Rings",
    }


def test_nothing_is_announced_of_what_stands_at_a_seat(announced):
    assert not [topic for topic in announced if "-pad" in topic or "-bag" in topic or "-card" in topic]


def test_everything_depends_on_the_hub_and_what_a_station_shows_on_the_station_too(announced):
    hub = "citytable/1/salon/hub/state"
    for topic, config in announced.items():
        needed = [one["topic"] for one in config["availability"]]
        assert needed[0] == hub
        assert config["availability_mode"] == "all"
        of_station = "via_device" in config["device"] and not topic.endswith("-online/config")
        assert len(needed) == (2 if of_station else 1), topic


def test_whoever_is_announced_is_told_of(plan, midgame, announced, seen):
    told = set(states(plan, seen(midgame), Lamp(), OURS, {}))
    spoken = {home_topic("salon", "collapse"), topics.topic("salon", "hub", "state")}
    for config in announced.values():
        listens = [config["state_topic"], config.get("json_attributes_topic", config["state_topic"])]
        listens += [one["topic"] for one in config["availability"]]
        assert set(listens) <= told | spoken


def test_no_station_hears_or_says_anything_on_the_channels_of_the_house(plan, midgame, announced, seen):
    of_stations = {*topics.FROM_STATION, *topics.TO_STATION, topics.TICK, topics.TOCK}
    ours = set(states(plan, seen(midgame), Lamp(), OURS, {}))
    ours |= {config["command_topic"] for config in announced.values() if "command_topic" in config}
    for topic in ours:
        assert re.fullmatch(r"citytable/1/salon/home/[A-Za-z0-9-]+", topic), topic
        assert topic.rsplit("/", 1)[1] not in of_stations


NAMES = st.text("abcXYZ019-", min_size=1, max_size=32)


@given(name=NAMES, station=NAMES)
def test_whatever_a_table_and_a_station_are_called_home_assistant_takes_the_topics(name, station, plan):
    spots = (SpotPlan("city/-3/3"), SpotPlan("seat/1/pad/0"))
    odd = plan.__class__(name, 1, (StationPlan(station, "sector", spots),), {})
    prefix = announced_filter(name).split("/")
    for topic, payload in announcement(odd, OURS).items():
        assert re.fullmatch(r"homeassistant/[a-z_]+/[a-zA-Z0-9_-]+/[a-zA-Z0-9_-]+/config", topic)
        assert all(one in {"+", other} for one, other in zip(prefix, topic.split("/"), strict=True))
        assert "load" not in json.loads(payload)["name"], "a hex without a cell has no load"


def test_a_hub_that_brings_no_firmware_names_no_latest(plan, midgame, seen):
    told = states(plan, seen(midgame), Lamp(), Firmware("0.1.0"), {"park": "0.0.9"})
    assert json.loads(told["citytable/1/salon/home/station-park"])["firmware"] == {"installed_version": "0.0.9"}
    assert json.loads(told["citytable/1/salon/home/station-seat-1"])["firmware"] == {}
