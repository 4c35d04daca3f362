"""Home Assistant's view of a table: announces the table once, keeps it up to date, and obeys for the lights.

It has a separate connection, so that Home Assistant delays no station. Its messages are made in `views.home_assistant`
and `views.home_assistant_states` and only sent here: everything at each connection and when Home Assistant has started,
afterwards the changes. Retained messages of this table that the plan no longer has (a station has left it) are
withdrawn.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from citytable.link.broker import Broker
from citytable.link.mqtt import MqttConnection, Publication
from citytable.table.plan import Plan
from citytable.views.home_assistant import (
    BIRTH,
    LIGHTS_SET,
    PREFIX,
    Firmware,
    announced_filter,
    announcement,
    home_topic,
)
from citytable.views.home_assistant_states import collapses, states
from citytable.views.kept_lamp import keep_lamp, kept_lamp
from citytable.views.lamp import Lamp, commanded
from citytable.views.state import View
from citytable.views.viewer import PUBLIC, Seen, seen_by

PERIOD_S = 0.2
"""The least time between two looks at the table: people and automations need no more."""
BEAT_S = 5.0
FORGET_S = 2.0
"""From taking back what announced an entity to taking back its state, which would make no sense to it any more."""
_LOGGER = logging.getLogger(__name__)


class Lights(msgspec.Struct, frozen=True):
    """The rings, as far as Home Assistant has a hand in them."""

    lamp: Callable[[], Lamp]
    set: Callable[[Lamp], Awaitable[None]]


async def lasting(lights: Lights, path: Path) -> Lights:
    """Return the same rings with the brightness of a file, which keeps it up to date from now on."""
    await lights.set(kept_lamp(path))

    async def set_and_keep(lamp: Lamp) -> None:
        await lights.set(lamp)
        await asyncio.to_thread(keep_lamp, path, lamp)

    return Lights(lamp=lights.lamp, set=set_and_keep)


class HomeAssistant:
    """`delay_s` returns how long to wait after Home Assistant has started, so that not all devices send at once."""

    def __init__(
        self, plan: Plan, view: View, lights: Lights, firmware: Firmware, delay_s: Callable[[], float]
    ) -> None:
        self._plan = plan
        self._firmware = firmware
        self._lights = lights
        self._delay_s = delay_s
        self._announced = announcement(plan, firmware)
        self.view = view
        self._last_seen: Seen = seen_by(PUBLIC, view)
        self._published: dict[str, bytes] = {}
        self._news = asyncio.Event()
        self.refused = 0
        """Commands that made no sense."""

    def show(self, view: View) -> None:
        """Take a change of the table; states between two looks are skipped."""
        self.view = view
        self._news.set()

    def connection(self, broker: Broker) -> MqttConnection:
        """Return a connection that sends everything first, and hears the topics that `listen` needs."""
        filters = (BIRTH, announced_filter(self._plan.table), home_topic(self._plan.table, "+"))
        return MqttConnection(
            broker, tuple((text, 1) for text in filters), lambda: 0, greetings=lambda: tuple(self._everything())
        )

    async def publish(self, mqtt: MqttConnection) -> None:
        """Send changes until the connection is closed."""
        while not mqtt.closed:
            await self._news.wait()
            self._news.clear()
            await self._look(mqtt)
            await asyncio.sleep(PERIOD_S)

    async def listen(self, mqtt: MqttConnection) -> None:
        """Obey Home Assistant until the connection is closed."""
        while not mqtt.closed:
            await mqtt.wait(BEAT_S)
            arrivals = mqtt.drain()
            await self._take_back(mqtt, [arrival.topic for arrival in arrivals if arrival.retained])
            for arrival in arrivals:
                if arrival.topic == home_topic(self._plan.table, LIGHTS_SET) and not arrival.retained:
                    await self._set_lights(arrival.payload)
            if any(arrival.topic == BIRTH and arrival.payload == b"online" for arrival in arrivals):
                await asyncio.sleep(self._delay_s())
                await _send(mqtt, self._everything())

    async def _look(self, mqtt: MqttConnection) -> None:
        seen = seen_by(PUBLIC, self.view)
        fallen = collapses(self._plan.table, self._last_seen, seen)
        self._last_seen = seen
        await _send(mqtt, (Publication(topic, payload, qos=1) for topic, payload in fallen))
        now = self._states(seen)
        changed = {topic: payload for topic, payload in now.items() if self._published.get(topic) != payload}
        self._published = now
        await _send(mqtt, _retained(changed))

    async def _take_back(self, mqtt: MqttConnection, kept: Iterable[str]) -> None:
        """Take back topics that a broker keeps and this plan does not have: first announcements, then states."""
        strange = [topic for topic in kept if topic not in {BIRTH, *self._announced, *self._published}]
        announcing = [topic for topic in strange if topic.startswith(PREFIX)]
        await _send(mqtt, _retained(dict.fromkeys(announcing, b"")))
        if len(strange) > len(announcing):
            await asyncio.sleep(FORGET_S)
            await _send(mqtt, _retained(dict.fromkeys(set(strange).difference(announcing), b"")))

    async def _set_lights(self, payload: bytes) -> None:
        try:
            lamp = commanded(self._lights.lamp(), payload)
        except ValueError as error:
            self.refused += 1
            if self.refused == 1:  # one line is enough: others may not fill the disk with it
                _LOGGER.warning("Home Assistant's side sent a command that makes no sense: %s", error)
            return
        await self._lights.set(lamp)
        self._news.set()

    def _states(self, seen: Seen) -> dict[str, bytes]:
        versions = {station.station: station.firmware for station in self.view.health}
        return states(self._plan, seen, self._lights.lamp(), self._firmware, versions)

    def _everything(self) -> Iterable[Publication]:
        self._published = self._states(seen_by(PUBLIC, self.view))
        yield from _retained(self._announced)
        yield from _retained(self._published)


def _retained(messages: dict[str, bytes]) -> Iterable[Publication]:
    return (Publication(topic, payload, qos=1, retain=True) for topic, payload in messages.items())


async def _send(mqtt: MqttConnection, publications: Iterable[Publication]) -> None:
    """Send messages; those that find no broker are sent again with all others when there is one."""
    for publication in publications:
        await mqtt.publish(publication)


@asynccontextmanager
async def telling(home: HomeAssistant, broker: Broker) -> AsyncIterator[None]:
    """Keep Home Assistant up to date while inside; raises `BrokerUnavailable`."""
    async with home.connection(broker) as mqtt:
        tasks = [asyncio.create_task(home.publish(mqtt)), asyncio.create_task(home.listen(mqtt))]
        for task in tasks:
            task.add_done_callback(_own_up)
        try:
            yield
        finally:
            await mqtt.close()  # which ends both: before Python 3.12 a cancellation can get lost in `wait_for`
            home.show(home.view)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


def _own_up(task: asyncio.Task[None]) -> None:
    """Log a fault of ours; the game goes on without Home Assistant."""
    if not task.cancelled() and (error := task.exception()) is not None:
        _LOGGER.error("Home Assistant no longer receives this table", exc_info=error)
