"""Reports a table's games to its venue, through its own broker, which bridges to the venue's.

It has a separate connection, so that it delays no station. Results are retained, each on a topic of its game, and sent
again at every connection, so that late subscribers hear them all.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import msgspec

from citytable.link.broker import Broker
from citytable.link.mqtt import MqttConnection, Publication, ended
from citytable.venue.messages import NOW, GameResult, TableNow, game_channel
from citytable.views.state import View
from citytable.views.venue import now_of, result_of
from citytable.views.viewer import PUBLIC, seen_by
from tablewire import topics

PERIOD_S = 0.5
"""The least time between two messages about how the game stands."""
REPEAT_S = 60.0
"""So often results are said again: of three brokers of a venue, those that go on can lose what came in that moment."""


class VenueReporter:
    """Report a table; `game_id` names the game of the latest view."""

    def __init__(self, table: str, game_id: Callable[[], str]) -> None:
        self._table = table
        self._game_id = game_id
        self._games: deque[tuple[View, str]] = deque()
        self._results: dict[str, GameResult] = {}
        self._unsaid: set[str] = set()
        self._now: TableNow | None = None
        self._news = asyncio.Event()

    def show(self, latest: View, public: View) -> None:
        """Take a change of the table; it is kept back while the public does not see it yet."""
        if not self._games or self._games[-1][0] is not latest:
            self._games.append((latest, self._game_id()))
        while self._games[0][0] is not public and any(view is public for view, _ in self._games):
            self._games.popleft()
        view, game_id = self._games[0]
        if view is public:
            self._look(public, game_id)

    def _look(self, public: View, game_id: str) -> None:
        seen = seen_by(PUBLIC, public)
        self._now = now_of(seen, game_id)
        result, before = result_of(seen, game_id), self._results.get(game_id)
        if result is not None and (before is None or before.points != result.points):
            self._results[game_id] = result
            self._unsaid.add(game_id)
        self._news.set()

    def connection(self, broker: Broker) -> MqttConnection:
        """Return a connection that sends everything first."""
        return MqttConnection(broker, (), lambda: 0, greetings=self._everything)

    async def publish(self, mqtt: MqttConnection) -> None:
        """Send changes until the connection is closed."""
        loop = asyncio.get_running_loop()
        again_s = loop.time() + REPEAT_S
        while not mqtt.closed:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(again_s):
                    await self._news.wait()
            self._news.clear()
            if loop.time() >= again_s:
                self._unsaid.update(self._results)
                again_s = loop.time() + REPEAT_S
            for game_id in sorted(self._unsaid):
                if await mqtt.publish(self._result(game_id)):
                    self._unsaid.discard(game_id)
            for message in self._standing():
                await mqtt.publish(message)
            await asyncio.sleep(PERIOD_S)

    def _everything(self) -> tuple[Publication, ...]:
        return (*map(self._result, self._results), *self._standing())

    def _standing(self) -> tuple[Publication, ...]:
        if self._now is None:
            return ()
        return (Publication(self._topic(NOW), msgspec.json.encode(self._now), retain=True),)

    def _result(self, game_id: str) -> Publication:
        payload = msgspec.json.encode(self._results[game_id])
        return Publication(self._topic(game_channel(game_id)), payload, qos=1, retain=True)

    def _topic(self, channel: str) -> str:
        return topics.topic(self._table, topics.VENUE, channel)


@asynccontextmanager
async def reporting(reporter: VenueReporter, broker: Broker) -> AsyncIterator[None]:
    """Keep the venue up to date while inside; raise `BrokerUnavailable`."""
    async with reporter.connection(broker) as mqtt:
        task = asyncio.create_task(reporter.publish(mqtt), name="venue")
        try:
            yield
        finally:
            await ended(task)
