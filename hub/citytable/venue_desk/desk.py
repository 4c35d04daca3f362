"""The desk while an evening is on: it hears the tables and serves the pages."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from citytable.link.broker import Broker
from citytable.venue_desk.hearing import Hearing
from citytable.venue_desk.store import Store
from citytable.venue_desk.web import DeskPages, serving


@asynccontextmanager
async def running_desk(address: str, broker: Broker, host: str, port: int) -> AsyncIterator[int]:
    """Run the desk while inside; give the port of its pages.

    Raise `StoreUnavailable`, `BrokerUnavailable`, or OSError for a port that is taken.
    """
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(Store.opened(address))
        heard = Hearing(store.report)
        mqtt = await stack.enter_async_context(heard.connection(broker))
        page_port = await stack.enter_async_context(serving(DeskPages(store, heard), host, port))
        try:
            async with asyncio.TaskGroup() as group:
                listening = group.create_task(heard.listen(mqtt), name="hearing")
                try:
                    yield page_port
                finally:
                    await mqtt.close()
                    await listening
        except BaseExceptionGroup as several:
            raise several.exceptions[0] from None
