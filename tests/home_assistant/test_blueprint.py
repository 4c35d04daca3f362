"""The blueprint, used by an automation in a real Home Assistant core: lights flicker once for a confirmed fall."""

import json

import pytest

from citytable import app
from citytable.games.megacity.position import Options
from citytable.link.mqtt import MqttConnection, Publication
from citytable.settings import Settings
from citytable.views.home_assistant import COLLAPSE, home_topic

pytestmark = [pytest.mark.home_assistant, pytest.mark.long(5)]

TABLE, LAMP, TIMES = "flicker", "light.lamp", 2
EVENT, AUTOMATION = f"event.citytable_{TABLE}_collapse", "automation.flicker"


@pytest.fixture
async def table(venue):
    """A hub that tells Home Assistant of its table."""
    settings = Settings(options=Options(players=2), table=TABLE, broker_address=f"{venue.host}:{venue.port}")
    async with app.running_hub(settings) as hub, app.at_home(settings, hub):
        yield hub


async def tell(venue, event_type):
    """What the hub says of a fall."""
    said = json.dumps({"event_type": event_type, "spot": "city/1/0", "lost_g": 150}).encode()
    async with MqttConnection(venue, (), lambda: 0) as connection:
        await connection.publish(Publication(home_topic(TABLE, COLLAPSE), said, qos=1))


async def test_lights_flicker_for_a_confirmed_fall_and_are_then_as_they_were(house, table, venue):
    await house.until_says(EVENT, "unknown")
    await house.call("light.turn_on", entity_id=LAMP, brightness=77)
    await house.until(lambda: house.states[LAMP]["attributes"].get("brightness") == 77)
    before = len(house.history)
    await tell(venue, "suspected")
    await house.until(lambda: house.states[EVENT]["attributes"].get("event_type") == "suspected")
    await tell(venue, "confirmed")
    await house.until(lambda: [one for one in changes(house, before) if one == "off"] == ["off"] * TIMES)
    await house.until(lambda: house.states[AUTOMATION]["attributes"]["current"] == 0 and house.says(LAMP) == "on")
    assert house.states[LAMP]["attributes"]["brightness"] == 77
    assert changes(house, before).count("off") == TIMES


def changes(house, since):
    """The states of the lamp since then, as they changed."""
    return [state["state"] for entity, state in house.history[since:] if entity == LAMP]
