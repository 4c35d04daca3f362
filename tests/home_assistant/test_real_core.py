"""The real hub, a virtual table and a real mosquitto, as a real Home Assistant core sees them."""

import asyncio
import json
import signal
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from citytable import app, home
from citytable.games.megacity.position import Options
from citytable.link.mqtt import MqttConnection, Publication
from citytable.settings import Settings
from citytable.views.home_assistant import Firmware, announcement, home_topic
from tablestation import FIRMWARE

pytestmark = [pytest.mark.home_assistant, pytest.mark.long(25)]

CITYTABLE = Path(sys.executable).parent / "citytable"
AT = [1, -1]
LOAD, TALLEST = "sensor.citytable_{}_city_1_minus1_load", "sensor.citytable_{}_tallest"


@pytest.fixture
def hub_at(venue):
    """`async with hub_at("salon") as (settings, hub)`: a hub that tells Home Assistant of its table."""

    @asynccontextmanager
    async def run(table, players=2, **changes):
        settings = Settings(
            options=Options(players=players),
            seed=6,
            table=table,
            broker_address=f"{venue.host}:{venue.port}",
            **changes,
        )
        async with app.running_hub(settings) as hub, app.at_home(settings, hub):
            yield settings, hub

    return run


def ids(settings) -> set[str]:
    """The ids of all entities of a table."""
    configs = announcement(settings.plan(), Firmware("")).values()
    return {json.loads(config)["default_entity_id"] for config in configs}


async def test_every_entity_appears_on_the_device_it_belongs_to(house, hub_at):
    async with hub_at("parlour") as (settings, _):
        await house.until(lambda: set(house.of("parlour")) >= ids(settings))
        assert set(house.of("parlour")) == ids(settings)
        devices = [one for one in await house.ask("config/device_registry/list") if "parlour" in one["name"]]
        (table,) = [one for one in devices if one["via_device_id"] is None]
        assert table["name"] == "citytable parlour"
        stations = {one["name"]: one["via_device_id"] for one in devices if one is not table}
        assert stations == {f"citytable parlour {one.station}": table["id"] for one in settings.plan().stations}
        # nobody has come yet: the hub lives, the stations do not
        await house.until_says("binary_sensor.citytable_parlour_park_online", "off")
        await house.until_says("light.citytable_parlour_lights", "on")
        assert house.says("update.citytable_parlour_park_firmware") == "unavailable"


async def test_a_station_that_has_left_the_plan_leaves_home_assistant_too(house, hub_at, venue):
    async with hub_at("bistro", players=3) as (settings, _):
        await house.until(lambda: set(house.of("bistro")) == ids(settings))
        assert "update.citytable_bistro_seat_3_firmware" in house.states
    told = ((home_topic("bistro", "station-seat-3"), 1),)
    async with hub_at("bistro", players=2) as (settings, _), MqttConnection(venue, told, lambda: 0) as mqtt:
        await house.until(lambda: set(house.of("bistro")) == ids(settings))
        assert "update.citytable_bistro_seat_3_firmware" not in house.states
        async with asyncio.timeout(60):
            while b"" not in [arrival.payload for arrival in mqtt.drain()]:
                await mqtt.wait(1)
        await house.ask("get_states")  # time for a complaint


async def test_when_home_assistant_starts_again_what_the_broker_forgot_is_announced_again(house, hub_at, venue):
    async with hub_at("lounge") as (settings, _), MqttConnection(venue, (), lambda: 0) as mqtt:
        await house.until(lambda: set(house.of("lounge")) == ids(settings))
        for topic in announcement(settings.plan(), Firmware("")):
            await mqtt.publish(Publication(topic, b"", qos=1, retain=True))
        await house.until(lambda: not house.of("lounge"))
        await house.call("homeassistant.reload_config_entry", entry_id="broker")  # it connects, and is born
        await house.until(lambda: set(house.of("lounge")) == ids(settings))


async def test_load_and_collapse_as_a_game_is_played(house, hub_at, deal, every_loss_is_a_fall):
    async with hub_at("salon") as (settings, hub), app.virtual_table(settings, hub) as twin:
        load = LOAD.format("salon")
        await deal(settings, hub, twin)
        await house.until_says("sensor.citytable_salon_phase", "main")
        await house.until_says("sensor.citytable_salon_turn", "1")
        await house.until_says(load, "0")
        await twin.act({"act": "take_contract", "seat": 1, "column": "commercial"})
        await twin.act({"act": "take_platform", "seat": 1, "platform": 7})
        (drawn,) = await twin.act({"act": "take_pieces", "seat": 1, "announced": None})
        assert house.says("event.citytable_salon_collapse") == "unknown"
        await twin.act(
            {"act": "build", "seat": 1, "platform": 7, "pieces": drawn["drawn"], "at_least_mm": 30},
        )
        await twin.act({"act": "deliver", "seat": 1, "platform": 7, "at": AT, "outcome": "stands"})
        await twin.wait(3000)
        await house.until(lambda: house.says(load).isdecimal() and int(house.says(load)) > 25)
        attributes = house.states[load]["attributes"]
        assert (attributes["unit_of_measurement"], attributes["device_class"]) == ("g", "weight")
        standing = int(house.says(load))
        assert house.says("event.citytable_salon_collapse") == "unknown", "a delivery is no collapse"

        await twin.act({"act": "collapse", "at": AT})
        await twin.wait(3000)
        event = "event.citytable_salon_collapse"
        await house.until(lambda: house.states[event]["attributes"]["event_type"] == "confirmed")
        assert house.states[event]["attributes"]["spot"] == "city/1/-1"
        assert house.states[event]["attributes"]["lost_g"] > 0
        await house.until(lambda: house.says(load).isdecimal() and int(house.says(load)) < standing)


async def test_the_first_building_of_a_game_is_the_tallest_and_stands_on_its_hex(house, hub_at):
    tallest = TALLEST.format("club")
    async with hub_at("club") as (settings, hub), app.virtual_table(settings, hub) as twin:
        playing = asyncio.create_task(app.company(settings, hub, twin, lambda _: None).play())
        await house.until(lambda: playing.done() or house.says(tallest) not in {None, "unknown", "unavailable"})
        playing.cancel()
        await asyncio.wait({playing})
        heights = hub.session.view().scene.heights_mm
        await house.until_says("sensor.citytable_club_buildings", str(len(heights)))
        await house.until_says(tallest, str(max(heights.values())))
        spot = house.states[tallest]["attributes"]["spot"]
        assert heights[spot] == max(heights.values())
        name = spot.replace("/-", "_minus").replace("/", "_")
        await house.until_says(f"sensor.citytable_club_{name}_height", str(heights[spot]))


async def test_the_host_dims_the_rings_and_switches_them_off_from_home_assistant(house, hub_at, deal, ring):
    lights = "light.citytable_cellar_lights"
    async with hub_at("cellar") as (settings, hub), app.virtual_table(settings, hub) as twin:
        await deal(settings, hub, twin)
        pad = f"seat/{hub.session.play.seat}/pad/0"
        await twin.wait(500)
        bright = await ring(twin, pad)
        await house.until_says(lights, "on")
        assert bright > 50  # all a board of three pads may draw

        await house.call("light.turn_on", entity_id=lights, brightness=20)
        await house.until(lambda: house.states[lights]["attributes"].get("brightness") == 20)
        await twin.wait(500)
        assert 0 < await ring(twin, pad) <= 20

        await house.call("light.turn_off", entity_id=lights)
        await house.until_says(lights, "off")
        await twin.wait(500)
        assert await ring(twin, pad) == 0

        await house.call("light.turn_on", entity_id=lights)
        await house.until_says(lights, "on")
        await twin.wait(500)
        assert 0 < await ring(twin, pad) <= 20, "as bright as it was"


async def test_a_station_without_power_is_unavailable_and_the_others_are_not(house, hub_at, monkeypatch):
    monkeypatch.setattr(home, "firmware_version", lambda: "99.0")
    firmware = "update.citytable_terrace_{}_firmware"
    park, sector = firmware.format("park"), firmware.format("sector_1")
    online = "binary_sensor.citytable_terrace_park_online"
    async with hub_at("terrace", speed=1.0) as (settings, hub), app.virtual_table(settings, hub) as twin:
        await house.until_says(park, "on")  # there is something newer
        await house.until_says(sector, "on")
        versions = [house.states[park]["attributes"][name] for name in ("installed_version", "latest_version")]
        assert versions == [FIRMWARE, "99.0"]
        assert house.says(online) == "on"
        before = len(house.history)
        await twin.act({"act": "reboot", "station": "park"})
        await house.until_says(park, "on")
        told = [(entity, state["state"]) for entity, state in house.history[before:]]
        assert (park, "unavailable") in told
        assert ("sensor.citytable_terrace_city_0_0_load", "unavailable") in told
        assert (online, "off") in told
        assert not [entity for entity, state in told if state == "unavailable" and "sector" in entity]
        await house.until_says(online, "on")


def _started(venue) -> subprocess.Popen[str]:
    words = ["run", "--home-assistant", "--no-open", "--port", "0", "--players", "2", "--seed", "6"]
    return subprocess.Popen(
        [CITYTABLE, *words, "--broker", f"{venue.host}:{venue.port}"], stdout=subprocess.DEVNULL, text=True
    )


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
async def test_when_the_hub_is_gone_everything_is_unavailable(house, venue, number):
    running = _started(venue)
    try:
        await house.until_says("binary_sensor.citytable_table_park_online", "on")
        await house.until_says("light.citytable_table_lights", "on")
        running.send_signal(number)
        await house.until(lambda: set(house.of("table").values()) == {"unavailable"})
    finally:
        running.kill()
        running.wait()
