"""The lamp reaches the rings of the virtual table, and lasts."""

import pytest

from citytable import app
from citytable.games.megacity.position import Options
from citytable.settings import Settings
from citytable.views.lamp import Lamp

pytestmark = [pytest.mark.broker, pytest.mark.long(7)]


@pytest.fixture
async def table(deal, ring):
    """A game has begun, in lock-step; `look()` tells how bright a pad of the seat to act is."""
    settings = Settings(options=Options(players=2), seed=6)
    async with app.running_hub(settings) as hub, app.virtual_table(settings, hub) as twin:
        await deal(settings, hub, twin)
        seat = hub.session.play.seat

        async def look() -> int:
            await twin.wait(1000)
            return await ring(twin, f"seat/{seat}/pad/0")

        yield hub.session, twin, seat, look


async def test_a_lamp_dims_what_shines_already(table):
    session, _, _, look = table
    bright = await look()
    await session.light(Lamp(brightness=10))
    assert 0 < await look() <= 10 < bright
    await session.light(Lamp(on=False, brightness=10))
    assert await look() == 0
    await session.light(Lamp())
    assert await look() == bright


async def test_a_station_that_starts_anew_shines_by_the_lamp(table):
    session, twin, seat, look = table
    await session.light(Lamp(brightness=10))
    await twin.act({"act": "reboot", "station": f"seat-{seat}"})
    await twin.wait(3000)
    assert 0 < await look() <= 10
