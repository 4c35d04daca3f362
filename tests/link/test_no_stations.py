"""The link of a table without stations: time passes, and nothing is heard."""

import asyncio
import itertools

from tests.patience import PATIENCE_S

from citytable.link.no_stations import NoStations


async def test_time_passes_and_nobody_is_there_until_it_is_stopped():
    clock = itertools.count(7)
    batches = []
    async with asyncio.timeout(PATIENCE_S), NoStations("salon", lambda: next(clock)) as link:
        async for batch in link.batches():
            batches.append(batch)
            await link.committed(batch)
            await link.all_caught_up()
            assert not await link.publish_light("seat-1", [])
            assert not await link.identify("seat-1", 10)
            await link.stop()
    assert [(batch.now_us, batch.received, batch.is_due) for batch in batches] == [(7, (), True)]
    assert (link.health(), link.standing(), link.turned_away(), link.answers) == ((), (), (), True)
