"""A guard before the hub's ears: whoever floods is listened to aside, and everybody else is heard as before.

What a station sends above its budget is not read, but it comes through the same connection as everybody's events, which
would wait behind it, or find no room any more in what the broker keeps for the hub. So whoever floods with more than
samples is listened to over the connection of the samples, until it is calm. Names that are not in the plan share one
fate: while they flood, none of them is listened to.
"""

import asyncio
from collections.abc import Collection, Iterable

from citytable.link.budgets import Budgets
from citytable.link.mqtt import MqttConnection, Subscriptions, ended
from tablewire import topics

SURE = {topics.STATE, topics.EVENT, topics.UPDATE}
"""Channels whose messages must not be lost on the way."""
URGENT = tuple(channel for channel in topics.FROM_STATION if channel != topics.SAMPLES)


def subscriptions(table: str, channels: Iterable[str], stations: Iterable[str] = ("+",)) -> Subscriptions:
    """Return these channels of the stations, of any wire version: one too old or too new gets an answer."""
    return tuple(
        (f"{topics.ROOT}/+/{table}/{station}/{channel}", int(channel in SURE))
        for channel in channels
        for station in stations
    )


class Guard:
    """Choose which connection listens to whom: one that is for what is urgent, or one beside it."""

    def __init__(self, table: str, stations: Collection[str], budgets: Budgets) -> None:
        self._table = table
        self._stations = frozenset(stations)
        self._budgets = budgets
        self._asking: asyncio.Task[None] | None = None
        self.urgent, self.aside = self._wanted(frozenset())
        """What each of the connections begins with."""

    def tend(self, urgent: MqttConnection, aside: MqttConnection, now_us: int) -> bool:
        """Listen otherwise if somebody has begun to flood, or is calm again; return whether that has just been done.

        What the broker found no room for meanwhile has to be asked for then.
        """
        if self._asking is None:
            wanted = self._wanted(self._budgets.pressing(now_us))
            if wanted != (urgent.subscriptions, aside.subscriptions):
                self._asking = asyncio.create_task(_listen(urgent, aside, *wanted), name="guard")
            return False
        if not self._asking.done():
            return False
        self._asking = None
        return True

    def _wanted(self, pressing: Collection[str]) -> tuple[Subscriptions, Subscriptions]:
        samples = subscriptions(self._table, (topics.SAMPLES,))
        if not pressing or not self._stations:  # a table without a plan has nobody to prefer
            return subscriptions(self._table, URGENT), samples
        others, flooding = sorted(self._stations.difference(pressing)), sorted(self._stations.intersection(pressing))
        return (
            subscriptions(self._table, URGENT, others),
            (*samples, *subscriptions(self._table, URGENT, flooding)),
        )

    async def close(self) -> None:
        """Ask for nothing any more."""
        if self._asking is not None:
            await ended(self._asking)


async def _listen(urgent: MqttConnection, aside: MqttConnection, main: Subscriptions, beside: Subscriptions) -> None:
    """Change one after the other: first what stands before everybody's events is read, then the rest comes aside."""
    await urgent.listen_to(main)
    await aside.listen_to(beside)
