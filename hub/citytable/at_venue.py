"""A table at a venue: its hub reports results and standings."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from citytable.hub import Hub
from citytable.session.venue import VenueReporter, reporting
from citytable.settings import Settings


@asynccontextmanager
async def at_venue(settings: Settings, hub: Hub) -> AsyncIterator[None]:
    """Report the table to its venue through the hub's broker while inside."""
    reporter = VenueReporter(settings.plan().table, lambda: hub.game_id)
    hub.delay.show_on(reporter.show)
    async with reporting(reporter, hub.broker):
        yield
