"""Telling Home Assistant's side of a table, over a real broker."""

import asyncio
import json
from collections.abc import Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from msgspec.structs import replace
from tests.patience import PATIENCE_S

from citytable.link.broker import running_broker
from citytable.link.mqtt import MqttConnection, Publication
from citytable.session import home_assistant
from citytable.session.home_assistant import HomeAssistant, Lights, telling
from citytable.views.home_assistant import BIRTH, Firmware, announced_filter, announcement, home_topic
from citytable.views.lamp import Lamp

pytestmark = pytest.mark.broker

OURS = Firmware("0.1.0", "0.1.0")


def _read(payload: bytes) -> Any:
    """What was said; None for nothing, the bytes themselves when they are not JSON."""
    try:
        return json.loads(payload) if payload else None
    except ValueError:
        return payload


class Listener:
    """Somebody at the broker who hears what a table tells the house."""

    def __init__(self, mqtt: MqttConnection) -> None:
        self.mqtt = mqtt
        self.heard: list[tuple[str, Any]] = []

    async def until(self, there: Callable[[], Any]) -> None:
        """As soon as it holds."""
        async with asyncio.timeout(PATIENCE_S):
            while not there():
                await self.mqtt.wait(0.5)
                for arrival in self.mqtt.drain():
                    self.heard.append((arrival.topic, _read(arrival.payload)))

    def of(self, channel: str) -> list[Any]:
        """What was said on a channel of the house."""
        return [said for topic, said in self.heard if topic == home_topic("salon", channel)]

    async def say(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        assert await self.mqtt.publish(Publication(topic, payload, qos=1, retain=retain))


class House:
    """A table that tells, with a lamp and somebody who listens."""

    def __init__(self, small_plan, view) -> None:
        self.lamp = Lamp()
        self.view = view
        self.waited = 0
        lights = Lights(lamp=lambda: self.lamp, set=self._set)
        self.home = HomeAssistant(small_plan, view, lights, OURS, self._delay_s)
        self.listener: Listener

    async def _set(self, lamp: Lamp) -> None:
        self.lamp = lamp

    def _delay_s(self) -> float:
        self.waited += 1
        return 0.0


@pytest.fixture
async def broker():
    async with running_broker(kind="mosquitto") as running:
        yield running


@pytest.fixture
def opened(broker, small_plan, midgame):
    """`async with opened() as house`: it has told everything."""

    @asynccontextmanager
    async def open_house(said_before: tuple[Publication, ...] = ()):
        filters = ((announced_filter("salon"), 1), (home_topic("salon", "+"), 1))
        async with MqttConnection(broker, (), lambda: 0) as early:
            for publication in said_before:
                await early.publish(publication)
        house = House(small_plan, midgame)
        async with MqttConnection(broker, filters, lambda: 0) as mqtt, telling(house.home, broker):
            house.listener = Listener(mqtt)
            await house.listener.until(lambda: house.listener.of("station-seat-1"))
            yield house

    return open_house


async def test_whoever_comes_later_finds_everything(opened, broker, small_plan):
    async with opened(), MqttConnection(broker, (("homeassistant/#", 1),), lambda: 0) as mqtt:
        late = Listener(mqtt)
        wanted = {topic: json.loads(payload) for topic, payload in announcement(small_plan, OURS).items()}
        await late.until(lambda: len(late.heard) >= len(wanted))
    assert dict(late.heard) == wanted


async def test_only_what_changes_is_said_again(opened, midgame):
    async with opened() as house:
        before = len(house.listener.heard)
        house.home.show(replace(midgame, scene=replace(midgame.scene, seat=3)))
        await house.listener.until(lambda: len(house.listener.heard) > before)
        house.home.show(replace(midgame, scene=replace(midgame.scene, seat=1)))
        await house.listener.until(lambda: house.listener.of("table")[-1]["seat"] == 1)
    assert [topic for topic, _ in house.listener.heard[before:]] == [home_topic("salon", "table")] * 2


async def test_when_home_assistant_is_born_everything_is_said_again_after_a_while(opened, small_plan):
    async with opened() as house:
        before = len(house.listener.heard)
        await house.listener.say(BIRTH, b"offline")
        await house.listener.say(BIRTH, b"online")
        await house.listener.until(lambda: len(house.listener.of("station-seat-1")) == 2)
    again = {topic for topic, _ in house.listener.heard[before:]}
    assert again >= set(announcement(small_plan, OURS))
    assert house.waited == 1


async def test_what_this_plan_does_not_have_is_taken_back(opened, monkeypatch):
    monkeypatch.setattr(home_assistant, "FORGET_S", 0.0)
    gone = "homeassistant/update/citytable-salon/seat-2-firmware/config"
    other = "homeassistant/update/citytable-parlour/seat-2-firmware/config"
    left = (
        Publication(gone, b"{}", retain=True),
        Publication(home_topic("salon", "station-seat-2"), b"{}", retain=True),
        Publication(other, b"{}", retain=True),
    )
    async with opened(left) as house:
        await house.listener.until(lambda: len([1 for _, said in house.listener.heard if said is None]) == 2)
    taken = [topic for topic, said in house.listener.heard if said is None]
    assert taken == [gone, home_topic("salon", "station-seat-2")], "what announces it goes first"


async def test_the_lamp_does_as_it_is_told_and_says_so(opened):
    async with opened() as house:
        await house.listener.say(home_topic("salon", "lights-set"), b'{"state":"ON","brightness":40}')
        await house.listener.until(lambda: house.listener.of("lights")[-1] == {"state": "ON", "brightness": 40})
        assert house.lamp == Lamp(brightness=40)
        await house.listener.say(home_topic("salon", "lights-set"), b'{"state":"OFF"}')
        await house.listener.until(lambda: house.listener.of("lights")[-1] == {"state": "OFF", "brightness": 40})
        assert house.lamp == Lamp(on=False, brightness=40)


async def test_nonsense_is_counted_and_told_once(opened, caplog):
    async with opened() as house:
        for payload in (b"off!", b'{"state":"BLINK"}', b'{"state":"OFF"}'):
            await house.listener.say(home_topic("salon", "lights-set"), payload)
        await house.listener.until(lambda: house.listener.of("lights")[-1]["state"] == "OFF")
    assert house.home.refused == 2
    assert len(caplog.messages) == 1
    assert "b'off!' is not a command for the lights" in caplog.text


async def test_an_order_of_yesterday_is_not_obeyed_but_taken_away(opened, monkeypatch):
    monkeypatch.setattr(home_assistant, "FORGET_S", 0.0)
    order = Publication(home_topic("salon", "lights-set"), b'{"state":"OFF"}', retain=True)
    async with opened((order,)) as house:
        await house.listener.until(lambda: house.listener.of("lights-set")[-1:] == [None])
        assert house.lamp == Lamp()
