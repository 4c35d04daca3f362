"""How bright the rings are set lasts longer than the hub."""

import asyncio
import json

import pytest
from tests.patience import PATIENCE_S

from citytable import app
from citytable.link.mqtt import MqttConnection, Publication
from citytable.session.home_assistant import Lights, lasting
from citytable.settings import Settings
from citytable.views.home_assistant import LIGHTS, LIGHTS_SET, home_topic
from citytable.views.kept_lamp import beside, keep_lamp, kept_lamp
from citytable.views.lamp import Lamp

DIM = Lamp(on=False, brightness=20)


@pytest.fixture
def file(tmp_path):
    return beside(tmp_path / "journal.sqlite3")


def test_a_lamp_is_kept_beside_the_journal(file):
    assert file.name == "journal.lights.json"
    assert kept_lamp(file) == Lamp()
    keep_lamp(file, DIM)
    assert kept_lamp(file) == DIM
    assert [one.name for one in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize("text", [b"", b"\xff", b"[]", b'{"brightness": 0}', b'{"brightness": 256}', b'{"on": "yes"}'])
def test_a_file_that_is_no_lamp_is_told_and_the_rings_shine(file, text, caplog):
    file.write_bytes(text)
    assert kept_lamp(file) == Lamp()
    assert "the rings shine fully" in caplog.text


def test_a_lamp_that_cannot_be_kept_is_told_and_harms_nothing(tmp_path, caplog):
    keep_lamp(tmp_path / "nowhere" / "journal.lights.json", DIM)
    assert "cannot be written" in caplog.text


async def test_what_is_set_is_set_again_by_the_next_hub(file):
    now = [Lamp()]

    async def light(lamp):
        now[0] = lamp

    lights = await lasting(Lights(lamp=lambda: now[0], set=light), file)
    await lights.set(DIM)
    now[0] = Lamp()
    again = await lasting(Lights(lamp=lambda: now[0], set=light), file)
    assert again.lamp() == DIM


async def _heard(house: MqttConnection, brightness: int) -> None:
    """As soon as the table says that it shines so bright."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            await house.wait(0.5)
            if any(json.loads(arrival.payload).get("brightness") == brightness for arrival in house.drain()):
                return


@pytest.mark.broker
async def test_a_table_that_was_dimmed_is_dim_after_a_restart(tmp_path):
    settings = Settings(twin=False, speed=1.0, journal_path=tmp_path / "journal.sqlite3")
    table = settings.plan().table
    async with (
        app.running_hub(settings) as hub,
        app.at_home(settings, hub),
        MqttConnection(hub.broker, ((home_topic(table, LIGHTS), 1),), lambda: 0) as house,
    ):
        wish = Publication(home_topic(table, LIGHTS_SET), b'{"state": "ON", "brightness": 20}', qos=1)
        await _heard(house, 255)
        assert await house.publish(wish)
        await _heard(house, 20)
    async with app.running_hub(settings) as hub, app.at_home(settings, hub):
        assert hub.session.rings.lamp == Lamp(brightness=20)
