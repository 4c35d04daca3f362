"""The desk while an evening is on: it hears the tables and serves the pages."""

import asyncio
import logging
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from citytable.link.broker import Broker, BrokerUnavailable
from citytable.link.mqtt import MqttConnection
from citytable.venue_desk.hearing import Hearing
from citytable.venue_desk.store import Store
from citytable.venue_desk.web import DeskKeys, DeskPages, serving

AGAIN_S = 1.0
_LOGGER = logging.getLogger(__name__)


class Ear:
    """Hear the tables at one broker, whether it is there yet or not; a cluster has an ear for each of its nodes.

    So each message of a cluster comes several times, which changes nothing.
    """

    def __init__(self, heard: Hearing, broker: Broker) -> None:
        self._heard = heard
        self._broker = broker
        self._mqtt: MqttConnection | None = None
        self._said = ""
        self._closed = False

    async def hear(self) -> None:
        """Hear until `close`; raise `StoreUnavailable`."""
        while not self._closed:
            try:
                async with self._heard.connection(self._broker) as self._mqtt:
                    await self._heard.listen(self._mqtt)
            except BrokerUnavailable as error:
                self._complain(str(error))
                await asyncio.sleep(AGAIN_S)

    async def close(self) -> None:
        """Stop hearing."""
        self._closed = True
        if self._mqtt is not None:
            await self._mqtt.close()

    def _complain(self, text: str) -> None:
        """Say once what is wrong: the next try says the same."""
        if text != self._said:
            _LOGGER.warning("%s; trying again", text)
            self._said = text


@asynccontextmanager
async def hearing(heard: Hearing, brokers: Sequence[Broker]) -> AsyncIterator[None]:
    """Hear the tables at these brokers while inside; raise `StoreUnavailable`."""
    ears = [Ear(heard, broker) for broker in brokers]
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(ear.hear(), name="ear") for ear in ears]
            try:
                yield
            finally:
                for ear in ears:
                    await ear.close()
                for task in tasks:
                    task.cancel()  # one that still looks for its broker
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from None


@asynccontextmanager
async def running_desk(
    address: str, brokers: Sequence[Broker], host: str, port: int, keys: DeskKeys, names: Collection[str] = ()
) -> AsyncIterator[int]:
    """Run the desk while inside; give the port of its pages. `keys` open two of them, `names` are those of the desk.

    Raise `StoreUnavailable`, or OSError for a port that is taken. A broker that is missing is waited for.
    """
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(Store.opened(address))
        heard = Hearing(store.report)
        page_port = await stack.enter_async_context(serving(DeskPages(store, heard, keys, names), host, port))
        await stack.enter_async_context(hearing(heard, brokers))
        yield page_port
