"""Talk to the stations of a table beside its hub: send commands, and hear what the stations send.

async with Line(broker, "cafe") as line:
    await line.ask("seat-1", "inspect", id=3)
    async for heard in line.hear(5.0):
        ...
"""

import asyncio
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator
from typing import Any, NamedTuple, Self

from citytable.doctor.told import Told
from citytable.link.broker import Broker
from citytable.link.mqtt import Arrival, MqttConnection, Publication
from citytable.link.wire_in import Heard, Inward, read
from tablewire import messages, topics

SURE = (topics.STATE, topics.EVENT, topics.UPDATE)
ECHO_S = 10.0
"""The longest time a broker may take to answer."""


class NoAnswer(Told):
    """A station did not do what it was asked; the text says what was expected, and what to check."""


class StationMessage(NamedTuple):
    """Hold a station's message, when it arrived, and whether the broker had retained it from before."""

    station: str
    message: Inward
    arrived_us: int
    retained: bool


class Line:
    """Hold a connection to a table's broker for as long as the block runs; raise `BrokerUnavailable` without one."""

    def __init__(self, broker: Broker, table: str) -> None:
        self.table = table
        filters = tuple((topics.topic(table, "+", channel), int(channel in SURE)) for channel in topics.FROM_STATION)
        self._echo = topics.topic(table, "maker", "echo")
        self._waiting: deque[Arrival] = deque()
        self._token = secrets.token_hex(8).encode()
        self._mqtt = MqttConnection(broker, (*filters, (self._echo, 1)), now_us)

    async def __aenter__(self) -> Self:
        await self._mqtt.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._mqtt.close()

    async def ask(self, station: str, kind: str, /, **fields: Any) -> int:
        """Send a command and return the time of sending in microseconds; raise `NoAnswer` without a broker."""
        return await self._send(station, topics.COMMAND, {"type": kind, **fields})

    async def ping(self, station: str, question: int) -> int:
        """Ask for the station's clock and return the time of asking."""
        return await self._send(station, topics.PING, {"type": "ping", "id": question})

    async def forget(self, station: str) -> None:
        """Make the broker forget the retained state of a station."""
        await self._mqtt.publish(Publication(topics.topic(self.table, station, topics.STATE), b"", 1, retain=True))

    async def retained(self) -> AsyncIterator[StationMessage]:
        """Give the messages that the broker has retained; it sends them once for each line.

        A broker answers in order, so what comes after a message of our own is new.
        """
        await self._mqtt.publish(Publication(self._echo, self._token, 1))
        async for arrival in self._arrivals(ECHO_S):
            if arrival.topic == self._echo and arrival.payload == self._token:
                return
            if message := _message(arrival):
                yield message

    async def hear(self, seconds: float) -> AsyncIterator[StationMessage]:
        """Yield messages of stations since the last call, and for some seconds more.

        Skip unreadable messages.
        """
        async for arrival in self._arrivals(seconds):
            if message := _message(arrival):
                yield message

    async def _arrivals(self, seconds: float) -> AsyncIterator[Arrival]:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while not self._mqtt.closed:
            self._waiting.extend(self._mqtt.drain())
            while self._waiting:  # a caller that stops in between gets the rest the next time
                yield self._waiting.popleft()
            left = deadline - loop.time()
            if left <= 0:
                return
            await self._mqtt.wait(left)

    async def _send(self, station: str, channel: str, message: dict[str, Any]) -> int:
        sent_us = now_us()
        topic = topics.topic(self.table, station, channel)
        if not await self._mqtt.publish(Publication(topic, messages.encode(message), int(channel == topics.COMMAND))):
            raise NoAnswer.of("broker_broke", station=station)
        return sent_us


def _message(arrival: Arrival) -> StationMessage | None:
    heard = read(arrival.topic, arrival.payload, arrival.arrived_us)
    if not isinstance(heard, Heard):
        return None
    return StationMessage(heard.station, heard.message, arrival.arrived_us, arrival.retained)


def now_us() -> int:
    """Return the time of a clock that only goes forward."""
    return time.monotonic_ns() // 1000
