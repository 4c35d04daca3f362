"""On a machine without mosquitto: a whole virtual table on the embedded broker."""

import pytest

from citytable.games.megacity.actions import TakePieces
from citytable.link import broker
from citytable.rehearsal.megacity.acts import holds

pytestmark = pytest.mark.long(10)


@pytest.fixture
def no_mosquitto(monkeypatch):
    monkeypatch.setattr(broker, "find_mosquitto", lambda: None)


@pytest.mark.parametrize("speed", [None, 5.0], ids=["lock-step", "live"])
async def test_a_turn_is_played_on_the_embedded_broker_and_people_are_told_of_it(open_table, no_mosquitto, speed):
    async with open_table(players=4, speed=speed) as table:
        assert table.hub.broker.kind == "embedded"
        assert any("mosquitto is not installed" in notice for notice in table.hub.notices)
        await table.deal()
        await table.do(TakePieces(player=table.game.position.player))
        await table.pass_bag()
        assert holds(table.hub.play.umpire.position, table.game.position)
        assert await table.well() == {one.station for one in table.settings.plan().stations}


async def test_a_station_that_starts_anew_comes_back_on_the_embedded_broker(open_table, no_mosquitto):
    async with open_table() as table:
        await table.deal()
        before = await table.rings()
        await table.twin.act({"act": "reboot", "station": "seat-2"})
        await table.twin.wait(1000)
        assert await table.rings() == before
        said = [line.key for line in table.seen.happened if line.words.get("station") == "seat-2"]
        assert said == ["sensed.station_went", "sensed.station_came"]
