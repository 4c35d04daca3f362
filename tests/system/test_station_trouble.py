"""Stations start anew while something happens on them: the game goes on as it was played."""

import pytest

from citytable.rehearsal.megacity.acts import holds
from citytable.table import spot as spots
from citytable.table.hexes import Hex

pytestmark = pytest.mark.long(4)

CONTRACT, PLATFORM, SEAT, AT = "CO1", 7, 2, Hex(1, -1)


async def test_stations_that_start_anew_while_a_tower_goes_from_one_to_the_other_lose_nothing(open_table):
    async with open_table() as table:
        stations = (f"seat-{SEAT}", table.settings.plan().station_of()[spots.city(AT)])
        await table.deal()
        await table.prepare(CONTRACT, PLATFORM, pieces=2)
        await table.deliver(CONTRACT, PLATFORM, AT, *({"act": "reboot", "station": name} for name in stations))
        assert holds(table.confirmed.position, table.game.position)
        health = table.hub.session.view().health
        assert [(one.online, one.events_lost) for one in health] == [(True, 0)] * len(health)
        came = [line.words["station"] for line in table.seen.happened if line.key == "sensed.station_came"]
        assert set(stations) <= set(came)
