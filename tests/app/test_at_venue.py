"""A hub with a virtual table tells its venue how a whole game went."""

import msgspec
import pytest

from citytable import app
from citytable.at_venue import at_venue
from citytable.games import box_of
from citytable.link.mqtt import MqttConnection
from citytable.settings import Settings
from citytable.venue.messages import NOW, GameResult, TableNow, is_game_channel
from tablewire import topics

pytestmark = pytest.mark.long(4)


async def retained(broker, table):
    """What the table's broker has for somebody who comes now, by channel."""
    async with MqttConnection(broker, ((topics.topic(table, topics.VENUE, "+"), 1),), lambda: 0) as desk:
        heard = {}
        while not (NOW in heard and any(map(is_game_channel, heard))):
            await desk.wait(1)
            heard |= {topics.split(arrival.topic)[2]: arrival.payload for arrival in desk.drain()}
        return heard


@pytest.mark.broker
async def test_a_game_that_was_played_at_the_table_reaches_the_venue():
    box = box_of("dilluvia")
    settings = Settings(box=box, options=box.options(2), seed=3, table="north")
    async with app.running_hub(settings) as hub, app.virtual_table(settings, hub) as twin, at_venue(settings, hub):
        await app.company(settings, hub, twin, lambda _: None).play()
        heard = await retained(hub.broker, "north")
        players = hub.session.view().scene.players
        result = msgspec.json.decode(heard[f"game-{hub.game_id}"], type=GameResult)
        assert result.points == tuple(player.score for player in sorted(players, key=lambda one: one.seat))
        assert (result.game_id, result.game) == (hub.game_id, "dilluvia")
        now = msgspec.json.decode(heard[NOW], type=TableNow)
        assert now.game_id == hub.game_id
