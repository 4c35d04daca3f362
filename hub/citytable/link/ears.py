"""Ears: the hub listens to every station of the plan over a separate connection.

Messages above a station's budget are not read, but they must be fetched before they can be dropped, and the broker
keeps thousands of messages for each connection. Over one connection for all, everybody's events would wait behind
those, longest while the processor is busy. So each station has its own queue at the broker and its own turn in the
hub's loop. A station that floods with more than samples loses its ear until it is calm, and with it all waiting
messages. Stations that are not in the plan share one ear. It hears the plan's stations too, so it is shut whoever
floods. Samples come over one connection, because they never delay events.
"""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Iterable
from contextlib import AsyncExitStack
from typing import Any, Self, TypeAlias

import aiomqtt

from citytable.link.broker import Broker
from citytable.link.budgets import Budgets, sender
from citytable.link.mqtt import MqttConnection, Publication, Subscriptions, listen
from tablewire import topics

Admits: TypeAlias = Callable[[str, int], bool]

SURE = {topics.STATE, topics.EVENT, topics.UPDATE}
"""Channels whose messages must not be lost on the way."""
URGENT = tuple(channel for channel in topics.FROM_STATION if channel != topics.SAMPLES)


def subscriptions(table: str, channels: Iterable[str], station: str = "+") -> Subscriptions:
    """Return these channels of a station, of any wire version: one too old or too new gets an answer."""
    return tuple((f"{topics.ROOT}/+/{table}/{station}/{channel}", int(channel in SURE)) for channel in channels)


class Ear(MqttConnection):
    """A connection that only listens, and that can be shut for a while."""

    def __init__(self, broker: Broker, wanted: Subscriptions, now_us: Callable[[], int], admits: Admits) -> None:
        super().__init__(broker, wanted, now_us, greetings=self._note_return, admits=admits)
        self._may_hear = asyncio.Event()
        self._may_hear.set()
        self._is_shut = asyncio.Event()
        self.was_away = False
        """Whether it has come back and nobody has asked for what was said meanwhile."""

    def shut(self) -> None:
        """Stop listening, and let the broker forget the waiting messages."""
        self._may_hear.clear()
        self._is_shut.set()

    def open(self) -> None:
        """Listen again."""
        self._is_shut.clear()
        self._may_hear.set()

    @property
    def listens(self) -> bool:
        """Report whether it hears, or is shut: one that has lost its broker and is not back does neither."""
        return self.connected or self._is_shut.is_set()

    def _note_return(self) -> tuple[Publication, ...]:
        self.was_away = self.connections > 1
        return ()

    def _note_refusal(self, text: str) -> None:
        """Say nothing: another connection reports a refusal once for all."""

    async def _one_connection(self) -> None:
        await self._may_hear.wait()
        await super()._one_connection()

    def _works(self, client: aiomqtt.Client) -> tuple[Coroutine[Any, Any, None], ...]:
        return (listen(client), self._is_shut_again())

    async def _is_shut_again(self) -> None:
        await self._is_shut.wait()


class Ears:
    """The connections of the hub: one for each station of the plan, one for all others, and one for all samples."""

    def __init__(
        self,
        table: str,
        stations: Collection[str],
        budgets: Budgets,
        make: Callable[[Subscriptions, Admits], Ear],
    ) -> None:
        self._budgets = budgets
        self._plan = frozenset(stations)
        self._own = {name: make(subscriptions(table, URGENT, name), budgets.admits) for name in sorted(self._plan)}
        self._strangers = make(subscriptions(table, URGENT), self._admits_stranger)
        self._samples = make(subscriptions(table, (topics.SAMPLES,)), budgets.admits)
        self._all = (*self._own.values(), self._strangers, self._samples)

    def pour_into(self, other: MqttConnection) -> None:
        """Put received messages among the arrivals of another connection; call it before you enter either."""
        for ear in self._all:
            ear.pour_into(other)

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            for ear in self._all:
                await stack.enter_async_context(ear)
            stack.pop_all()
        return self

    async def close(self) -> None:
        """Disconnect for good, all at once, because each waits for a broker that does not answer."""
        await asyncio.gather(*(ear.close() for ear in self._all))

    @property
    def discarded(self) -> int:
        """Return the number of messages that arrived while the hub was too far behind to take them."""
        return sum(ear.discarded for ear in self._all)

    @property
    def listen(self) -> bool:
        """Report whether every ear hears that is not shut."""
        return all(ear.listens for ear in self._all)

    def tend(self, now_us: int) -> bool:
        """Shut the ears of stations that flood, open those of calm ones; return whether an ear was shut before.

        Messages from that time have to be requested then.
        """
        pressing = self._budgets.pressing(now_us)
        for name, ear in self._own.items():
            _hear(ear, heard=name not in pressing)
        _hear(self._strangers, heard=not (pressing and self._plan))  # without a plan no station has priority
        back = [ear for ear in self._all if ear.was_away]
        for ear in back:
            ear.was_away = False
        return bool(back)

    def _admits_stranger(self, topic: str, now_us: int) -> bool:
        return sender(topic)[0] not in self._plan and self._budgets.admits(topic, now_us)


def _hear(ear: Ear, *, heard: bool) -> None:
    if heard:
        ear.open()
    else:
        ear.shut()
