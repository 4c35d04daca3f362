"""Connect a hub to the stations of one table: receive batches of messages, send acknowledgements, lights and pings.

    link = TableLink("demo", broker, hub_boot=1, now_us=clock)
    async with link:
        async for batch in link.batches():
            ...                                 # sense, judge, commit to the journal with batch.high_water
            await link.publish_light(...)
            await link.committed(batch)         # only now the stations may forget

Live, a batch is given as soon as something has come, with that as `fresh`; what happened `WINDOW_US` ago has been
overtaken by nobody any more and is `received`, in order, at most every `PERIOD_S`. At least every `BEAT_S` there is a
batch, so that time passes. In lock-step (`lock_step=True`) there is exactly one batch per tick: once every message the
tick counts has come, all of it is released with the tick's time as the hub's time; `committed` answers with the tock.
What was retained before the hub came is not counted by a tick; a last will is, as a message of the station that is gone
(docs/reference/wire.md). The tock goes to the twin's own topic.
"""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, Self, TypeAlias

from citytable.link.broker import Broker
from citytable.link.budgets import Budgets
from citytable.link.ears import Ear, Ears, subscriptions
from citytable.link.inbox import Inbox, Marks
from citytable.link.link import Batch
from citytable.link.mqtt import Arrival, MqttConnection, PatientConnection, Publication, Subscriptions
from citytable.link.registry import Registry, Standing
from citytable.link.reporting import Reporting
from citytable.link.roll_call import RollCall
from citytable.link.turned_away import RefusedNames
from citytable.link.wire_in import BadMessage, Birth, HubState, Tick, read
from citytable.table.health import Health
from tablewire import messages, topics

_LOGGER = logging.getLogger(__name__)

PERIOD_S = 0.025
GATHER_S = 0.005  # while messages pour in they are taken together, for each batch costs a round of the hub
BEAT_S = 1.0
WATCH_S = 0.2  # the time between two looks for silent stations
CALLING_S = 0.1  # from batch to batch in a roll call: after each, clocks are asked for
LEAST_S = 0.001  # to wait: a timer may ring a little early
WINDOW_US = 50_000
"""How long, by the clock on the wall, the live hub counts on messages that overtook each other."""
OWED_US = 3_000_000
"""How long at most, by the clock on the wall, what happened waits for samples that are late."""
ROLL_CALL_S = 5.0
"""How long, by the clock on the wall, a hub that comes back waits for stations to tell what they saw meanwhile."""
PATIENCE_S = 10.0
"""Lock-step: how long, by the wall clock, a tick may wait for the messages it counts."""

Scales: TypeAlias = Mapping[str, Sequence[tuple[str, Sequence[float]]]]
"""For each station its spots with load cells, and how many counts a gram has in each of them."""


class TickUnmet(RuntimeError):
    """Lock-step broke down: messages that a tick counts did not arrive. The text names their senders."""


class TableLink:
    """The hub's end of one table's wire.

    `now_us` is the hub's clock (lock-step takes its time from the ticks and does not ask it), `hub_boot` a random
    number that differs from start to start, `marks` the journal's high-water marks. `pace` is how many seconds pass on
    the hub's clock in one on the wall: more than 1 for a faster virtual table. `awaited` are the stations that were
    connected when an earlier run of the hub ended: nothing is released before they have reported, if they do so soon.
    `stations` are those of the plan: they always have a place. `scales` are sent to each at its birth, so that its
    alerts are in grams.
    """

    def __init__(  # noqa: PLR0913  whose table, where, and the clock it lives by
        self,
        table: str,
        broker: Broker,
        *,
        hub_boot: int,
        now_us: Callable[[], int],
        marks: Marks | None = None,
        lock_step: bool = False,
        pace: float = 1.0,
        awaited: Collection[str] = (),
        stations: Collection[str] = (),
        scales: Scales | None = None,
    ) -> None:
        self.table = table
        self.turned_away = broker.turned_away
        self.registry = Registry(stations)
        self._budgets = Budgets(stations)
        self._reporting = Reporting(self.registry, self._budgets)
        self.notes, self.bad_messages = self._reporting.notes, self._reporting.bad_messages
        self._patience_us = int(ROLL_CALL_S * 1e6 * pace)
        began_us = now_us()
        roll_call = RollCall(awaited, began_us, began_us + self._patience_us) if awaited else None
        self._inbox = Inbox(self.registry, marks, roll_call)
        self._caught_up = asyncio.Event()
        if roll_call is None:
            self._caught_up.set()
        self._hub_boot = hub_boot
        self._lock_step = lock_step
        self._now_us = now_us
        self._pace = pace
        self._window_us, self._owed_us = int(WINDOW_US * pace), int(OWED_US * pace)
        self._scales = scales or {}
        self._born: dict[str, None] = {}
        self._sent: Counter[str] = Counter()
        self._heard: Counter[str] = Counter()
        self._ticks_topic = topics.topic(table, topics.HUB, topics.TICK)
        self._tocks_topic = topics.topic(table, topics.TWIN, topics.TOCK)
        self._batch_was_s = 0.0
        self._stations_changed = False  # from a station, but not about the game: its health, or an unreadable message
        self._flood_log = RefusedNames()
        self._ears = Ears(table, stations, self._budgets, lambda wanted, admits: Ear(broker, wanted, now_us, admits))
        self._mqtt = (PatientConnection if lock_step else MqttConnection)(
            broker,
            _counted(table) if lock_step else (),
            (lambda: 0) if lock_step else now_us,
            will=self._hub_state(online=False),
            greetings=self._greetings,
        )
        self._ears.pour_into(self._mqtt)

    async def __aenter__(self) -> Self:
        if not self._lock_step:
            await self._ears.__aenter__()  # first: stations answer a greeting at once
        try:
            await self._mqtt.__aenter__()
        except BaseException:
            await self._ears.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def stop(self) -> None:
        """Say goodbye and disconnect; `batches` ends."""
        if self._mqtt.connected:
            await self._mqtt.publish(self._hub_state(online=False))
        await self._mqtt.close()  # first: the ears' end wakes the reader, who must find this one closed
        await self._ears.close()

    @property
    def connected(self) -> bool:
        """Report whether there is a broker now."""
        return self._mqtt.connected

    @property
    def answers(self) -> bool:
        """Return whether the broker answers, and every station can be heard through it."""
        return self._mqtt.answers and (self._lock_step or self._ears.listen)

    @property
    def discarded(self) -> int:
        """Return the number of messages that arrived while the hub was too far behind to take them."""
        return self._mqtt.discarded + self._ears.discarded

    @property
    def unsent(self) -> int:
        """Return the number of messages that could not be published because there was no broker."""
        return self._mqtt.unsent

    def sent(self) -> dict[str, int]:
        """Return the number of messages published to each station since the start."""
        return dict(self._sent)

    def health(self) -> tuple[Health, ...]:
        """Return the health of every station, also of those with unreadable messages, for the stations page."""
        return self._reporting.health()

    def standing(self) -> tuple[Standing, ...]:
        """Return the standing of every station: the part of `health` that people see at once."""
        return self._reporting.standing()

    def batches(self) -> AsyncIterator[Batch]:
        """Yield batches until the link is stopped; give each one to `committed` before you ask for the next."""
        return self._ticked() if self._lock_step else self._live()

    async def all_caught_up(self) -> None:
        """Wait until everything from the hub's absence is released, or no longer waited for."""
        await self._caught_up.wait()

    async def committed(self, batch: Batch) -> None:
        """Acknowledge a batch whose effects are safe, ask for clocks, and answer the tick."""
        if batch.is_due and not self._inbox.calls_the_roll:
            self._caught_up.set()
        for safe in self._inbox.committed(batch.received):
            await self._to_station(
                safe.station, topics.ACK, {"type": "ack", "boot": safe.boot, "event_seq": safe.event_seq}
            )
        await self._ask_stations(batch.now_us if self._lock_step else self._now_us())
        if self._inbox.wants_replay():
            await self._ask_for_replay()
        if batch.tick is not None:
            tock = messages.encode({"type": "tock", "n": batch.tick, "sent": self.sent()})
            await self._mqtt.publish(Publication(self._tocks_topic, tock))

    async def _ask_stations(self, now_us: int) -> None:
        born, self._born = self._born, {}
        for station in born:
            scales = [{"spot": spot, "counts_per_g": list(cells)} for spot, cells in self._scales[station]]
            await self._to_station(station, topics.COMMAND, {"type": "scales", "scales": scales})
        for station, question in self.registry.pings_due(now_us):
            await self._to_station(station, topics.PING, {"type": "ping", "id": question})

    async def publish_light(self, station: str, rings: list[dict[str, Any]]) -> bool:
        """Change the named rings; return False if their station is not connected.

        Then send the whole picture when it is back.
        """
        record = self.registry.station(station)
        if record is None or record.dead:
            return False
        return await self._to_station(station, topics.LIGHT, {"type": "light", "rings": rings})

    async def identify(self, station: str, seconds: int) -> bool:
        """Let all lights of a station blink; return False if it is not connected."""
        record = self.registry.station(station)
        if record is None or record.dead:
            return False
        return await self._to_station(station, topics.COMMAND, {"type": "identify", "seconds": seconds})

    async def _to_station(self, station: str, channel: str, message: dict[str, Any]) -> bool:
        topic = topics.topic(self.table, station, channel)
        handed_over = await self._mqtt.publish(Publication(topic, messages.encode(message)))
        if handed_over:
            self._sent[station] += 1
        return handed_over

    def _hub_state(self, *, online: bool) -> Publication:
        state = messages.encode({"type": "hub", "boot": self._hub_boot, "online": online})
        return Publication(topics.topic(self.table, topics.HUB, topics.STATE), state, qos=1, retain=True)

    def _greetings(self) -> tuple[Publication, ...]:
        """Return the hub's first messages at each connection.

        A new boot after the first connection makes stations repeat lost events.
        """
        if self._mqtt.connections > 1:
            self._new_boot()
            self.registry.listen_anew()
        if not self._lock_step and (self._mqtt.connections > 1 or self._inbox.calls_the_roll):
            self._call_the_roll()
        return (self._hub_state(online=True),)

    def _call_the_roll(self) -> None:
        """Wait for stations that were there before: they come back sooner or later, and have seen things meanwhile."""
        began_us = self._now_us()
        self._inbox.call_the_roll(self.registry.present(), began_us, began_us + self._patience_us)
        self._caught_up.clear()

    def _new_boot(self) -> None:
        self._hub_boot = (self._hub_boot + 1) % (1 << 30)

    async def _ask_for_replay(self) -> None:
        self._new_boot()
        await self._mqtt.publish(self._hub_state(online=True))

    def _take(self, arrival: Arrival, arrived_us: int) -> Tick | None:
        """Put one message into the inbox; a tick is returned instead."""
        self._reporting.heard(arrived_us)
        heard = read(arrival.topic, arrival.payload, arrived_us)
        if isinstance(heard, BadMessage):
            self._reporting.note(heard)
            self._inbox.take_unreadable(heard, arrived_us)
            return None
        message = heard.message
        if isinstance(message, Tick):
            return message
        if isinstance(message, Birth) and heard.station in self._scales:
            self._born[heard.station] = None
        if not isinstance(message, HubState):  # our own, coming back
            self._inbox.take(heard.station, message, arrived_us, retained=arrival.retained)
        return None

    def _report_refused(self) -> None:
        if names := self.registry.refused.due(asyncio.get_running_loop().time()):
            _LOGGER.warning(
                "too many stations that are not in the plan: %s are refused. Those of the plan are not affected; "
                "stop what uses these names and remove the births it left at the broker",
                names,
            )

    def _report_floods(self, now_us: int) -> None:
        for name in self._budgets.flooding(now_us):
            self._flood_log.add(name)
        if names := self._flood_log.due(asyncio.get_running_loop().time()):
            self._stations_changed = True
            _LOGGER.warning(
                "%s sends more messages than a station can have to say: what is too much is not read, and nobody else "
                "waits for it; restart that station",
                names,
            )

    async def _live(self) -> AsyncIterator[Batch]:
        loop = asyncio.get_running_loop()
        heard_s = 0.0
        while not self._mqtt.closed:
            await self._mqtt.wait(self._patience_s(loop.time()))
            if loop.time() - heard_s < PERIOD_S:  # the first message after a silence is taken at once
                await self._mqtt.gather(GATHER_S)
            arrivals = self._mqtt.drain()
            heard_s = loop.time() if arrivals else heard_s
            self.registry.listen(self._mqtt.listening.total_us)
            for arrival in arrivals:
                self._take(arrival, arrival.arrived_us)
            self._report_refused()
            now_us = self._now_us()
            self._report_floods(now_us)
            if self._ears.tend(now_us):
                await self._ask_for_replay()
            if fresh := tuple(self._inbox.fresh()):  # shown before anything else happens
                yield Batch(now_us, (), fresh=fresh)
                now_us = self._now_us()
            self._inbox.tend(now_us)
            await self._ask_stations(now_us)
            self._stations_changed |= self.registry.has_grown_late() or (bool(arrivals) and not fresh)
            since_s = loop.time() - self._batch_was_s
            is_time = since_s >= min(PERIOD_S, self._beat_s)  # gathered for a while: each of these costs a round
            received = tuple(self._inbox.release(now_us - self._window_us, self._owed_us)) if is_time else ()
            if received or since_s >= self._beat_s or (is_time and self._stations_changed):
                self._batch_was_s, self._stations_changed = loop.time(), False
                yield Batch(now_us, received, fresh=tuple(self._inbox.fresh()))
        self._caught_up.set()  # nobody will report any more

    @property
    def _beat_s(self) -> float:
        return CALLING_S if self._inbox.calls_the_roll else BEAT_S

    def _patience_s(self, now_s: float) -> float:
        """Return the wall-clock seconds until the first message that is held back may be given out."""
        oldest_us, due_s = self._inbox.oldest_us, self._beat_s
        if oldest_us is not None:
            due_s = (oldest_us + self._window_us - self._now_us()) / 1e6 / self._pace
        if self._stations_changed:
            due_s = 0.0
        return min(max(due_s, self._batch_was_s + PERIOD_S - now_s, LEAST_S), WATCH_S)

    async def _ticked(self) -> AsyncIterator[Batch]:
        held: list[Arrival] = []
        ticks: deque[Tick] = deque()
        last = -1
        while True:
            while not ticks:
                if self._mqtt.closed:
                    return
                await self._mqtt.wait(BEAT_S)
                self._sort_out(held, ticks)
            tick = ticks.popleft()
            if tick.n <= last:
                continue
            last = tick.n
            if not await self._await_counted(tick, held, ticks):
                return
            yield self._tick_batch(tick, held)

    def _sort_out(self, held: list[Arrival], ticks: deque[Tick]) -> None:
        """Sort arrivals: ticks aside, the messages of stations counted and held for the tick."""
        for arrival in self._mqtt.drain():
            if arrival.topic == self._ticks_topic:
                tick = self._take(arrival, 0)
                if tick is not None:
                    ticks.append(tick)
                continue
            held.append(arrival)
            if not arrival.retained:
                self._heard[_sender(arrival.topic)[0]] += 1

    async def _await_counted(self, tick: Tick, held: list[Arrival], ticks: deque[Tick]) -> bool:
        """Wait until everything the tick counts is here; return False when the link was stopped meanwhile."""
        loop = asyncio.get_running_loop()
        deadline_s = loop.time() + PATIENCE_S
        while missing := {name: n for name, n in tick.sent.items() if self._heard[name] < n}:
            if self._mqtt.closed:
                return False
            if loop.time() >= deadline_s:
                reported = ", ".join(f"{name} {self._heard[name]} of {n}" for name, n in sorted(missing.items()))
                raise TickUnmet(f"tick {tick.n}: messages are missing after {PATIENCE_S:g} s ({reported}): start again")
            await self._mqtt.wait(BEAT_S)
            self._sort_out(held, ticks)
        return True

    def _tick_batch(self, tick: Tick, held: list[Arrival]) -> Batch:
        """Take everything held, by station and in each station's order, at the tick's time: two runs are equal."""
        self.registry.listen(tick.t_us)
        for arrival in sorted(held, key=_station_first):
            self._take(arrival, tick.t_us)
        held.clear()
        self._report_refused()
        self._inbox.tend(tick.t_us)
        return Batch(tick.t_us, tuple(self._inbox.release(tick.t_us)), tick.n)


def _station_first(arrival: Arrival) -> tuple[str, bool]:
    return _sender(arrival.topic)[1]


@lru_cache(maxsize=1024)
def _sender(topic: str) -> tuple[str, tuple[str, bool]]:
    """Return the station in a topic, and its place in the order of a tick: station by station, pongs first."""
    station, _, channel = topic.removeprefix(f"{topics.ROOT}/").partition("/")[2].rpartition("/")
    return topic.split("/")[3], (station, channel != topics.PONG)


def _counted(table: str) -> Subscriptions:
    """Return everything in lock-step: a sample that is counted must not be lost."""
    everything = [(text, 1) for text, _ in subscriptions(table, topics.FROM_STATION)]
    return (*everything, (topics.topic(table, topics.HUB, topics.TICK), 1))
