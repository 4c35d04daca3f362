"""A maker's line to the stations of a table: what they say is heard, what they are asked is sent, beside the hub.

async with Line(broker, "cafe") as line:
    await line.ask("seat-1", "inspect", id=3)
    async for told in line.hear(5.0):
        ...
"""

import asyncio
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator
from typing import Any, NamedTuple, Self

from citytable.link.broker import Broker
from citytable.link.mqtt import Arrival, MqttConnection, Publication
from citytable.link.wire_in import Heard, Inward, read
from tablewire import messages, topics

SURE = (topics.STATE, topics.EVENT, topics.UPDATE)
ECHO_S = 10.0
"""How long a broker may take to answer."""


class NoAnswer(RuntimeError):
    """A station did not do what it was asked: the text says what was waited for, and what to check."""


class Told(NamedTuple):
    """What a station said, when it was heard, and whether it had said it before we listened."""

    station: str
    message: Inward
    arrived_us: int
    retained: bool


class Line:
    """A connection of its own, for as long as the block runs; raises `BrokerUnavailable` where there is none."""

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
        """Send a command; the time at which it was sent, in microseconds. Raises `NoAnswer` without a broker."""
        return await self._send(station, topics.COMMAND, {"type": kind, **fields})

    async def ping(self, station: str, question: int) -> int:
        """Ask for the station's clock; the time at which it was asked."""
        return await self._send(station, topics.PING, {"type": "ping", "id": question})

    async def forget(self, station: str) -> None:
        """Let the broker forget the state a station left there."""
        await self._mqtt.publish(Publication(topics.topic(self.table, station, topics.STATE), b"", 1, retain=True))

    async def retained(self) -> AsyncIterator[Told]:
        """What stations had left at the broker before we came; said once for each line.

        A broker answers in order: what comes after a message of our own is news.
        """
        await self._mqtt.publish(Publication(self._echo, self._token, 1))
        async for arrival in self._arrivals(ECHO_S):
            if arrival.topic == self._echo and arrival.payload == self._token:
                return
            if told := _told(arrival):
                yield told

    async def hear(self, seconds: float) -> AsyncIterator[Told]:
        """What stations said since the line last listened and say for so long; what nobody can read is left out."""
        async for arrival in self._arrivals(seconds):
            if told := _told(arrival):
                yield told

    async def _arrivals(self, seconds: float) -> AsyncIterator[Arrival]:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while not self._mqtt.closed:
            self._waiting.extend(self._mqtt.drain())
            while self._waiting:  # who stops listening in between finds the rest the next time
                yield self._waiting.popleft()
            left = deadline - loop.time()
            if left <= 0:
                return
            await self._mqtt.wait(left)

    async def _send(self, station: str, channel: str, message: dict[str, Any]) -> int:
        sent_us = now_us()
        topic = topics.topic(self.table, station, channel)
        if not await self._mqtt.publish(Publication(topic, messages.encode(message), int(channel == topics.COMMAND))):
            raise NoAnswer(f"the broker went away before {station} could be asked: start it, then try again")
        return sent_us


def _told(arrival: Arrival) -> Told | None:
    heard = read(arrival.topic, arrival.payload, arrival.arrived_us)
    if not isinstance(heard, Heard):
        return None
    return Told(heard.station, heard.message, arrival.arrived_us, arrival.retained)


def now_us() -> int:
    """A clock that only goes forward."""
    return time.monotonic_ns() // 1000
