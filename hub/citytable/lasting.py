"""Keeps what outlasts a restart of the hub in its process: its broker, and the folder of a temporary journal."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from msgspec.structs import replace

from citytable.link.broker import running_broker
from citytable.settings import Settings


@asynccontextmanager
async def lasting(settings: Settings) -> AsyncIterator[Settings]:
    """Give the settings with a broker that runs while inside, and with a folder; raises `BrokerUnavailable`.

    Stations and commands at the broker stay connected while the hub starts again.
    """
    async with AsyncExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="citytable-")))
        if settings.phones or settings.twin:  # the one has no broker, the other begins with a fresh table each time
            yield settings
            return
        own = running_broker(
            external=settings.external(),
            port=settings.broker_port,
            stations=settings.stations(),
            private=settings.private,
        )
        broker = await stack.enter_async_context(own)
        yield replace(settings, broker=broker, broker_address=None, scratch=scratch)


def with_what_lasts(settings: Settings, home: Settings) -> Settings:
    """Return the settings with everything that lasts from those of the command line."""
    return replace(settings, broker=home.broker, broker_address=home.broker_address, scratch=home.scratch)
