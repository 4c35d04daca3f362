"""The desk hears the tables at the venue's broker: results go into the store, how games stand is remembered."""

import logging
from collections.abc import Awaitable, Callable

import msgspec

from citytable.link.broker import Broker
from citytable.link.mqtt import Arrival, MqttConnection
from citytable.venue.excitement import Lead, followed
from citytable.venue.messages import NOW, GameResult, TableNow, is_game_channel
from citytable.venue_desk.store import Report
from tablewire import topics

BEAT_S = 2.0
_LOGGER = logging.getLogger(__name__)


class Hearing:
    """Hear tables; `report` takes in each result, and the same one often.

    A broker repeats results to each new connection, so one that was not stored before this program ended comes again.
    """

    def __init__(self, report: Callable[[Report], Awaitable[object]]) -> None:
        self._report = report
        self.tables: dict[str, TableNow] = {}
        self.leads: dict[str, Lead] = {}

    def connection(self, broker: Broker) -> MqttConnection:
        """Return a connection that hears all tables."""
        return MqttConnection(broker, ((topics.topic("+", topics.VENUE, "+"), 1),), lambda: 0)

    async def listen(self, mqtt: MqttConnection) -> None:
        """Take in what arrives, until the connection is closed; raise `StoreUnavailable`."""
        while not mqtt.closed:
            await mqtt.wait(BEAT_S)
            for arrival in mqtt.drain():
                await self._take(arrival)

    async def _take(self, arrival: Arrival) -> None:
        try:
            table, _, channel = topics.split(arrival.topic)
            if is_game_channel(channel):
                result = msgspec.json.decode(arrival.payload, type=GameResult)
                await self._report(Report(table, result.game_id, result.ended_us, result.points))
            elif channel == NOW:
                now = self.tables[table] = msgspec.json.decode(arrival.payload, type=TableNow)
                self.leads[table] = followed(self.leads.get(table), now)
        except (ValueError, msgspec.MsgspecError) as error:
            _LOGGER.warning("a table sent what makes no sense, on %s: %s", arrival.topic, error)
