"""What the hub costs, each figure beside a yardstick of the same kind on the same machine in the same run.

- a message of a station to the moment in which the rules are asked what it comes to, beside a bare aiomqtt round trip
  (QoS 1, TCP_NODELAY) on the same broker; and on to the command for the lights back at the station, beside two of them
- a durable entry of the journal beside a bare SQLite commit (WAL, synchronous FULL), and beside one in a thread of its
  own; and many callers at once. `--medium FOLDER` says on which medium: a table's own is the one that counts
- messages a second that the hub takes in before it falls behind, beside a bare subscriber; who sends them shares the
  process with both

What else the machine does lengthens both columns, the longest times most of all.

What tables cost is measured by `tools/bench_tables.py`.

    .venv/bin/python tools/bench_hub.py [--medium FOLDER]
"""

import argparse
import asyncio
import gc
import random
import socket
import sqlite3
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from itertools import permutations
from pathlib import Path
from statistics import median, quantiles

import aiomqtt

from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE, things
from citytable.games.megacity.position import Options
from citytable.hub import begun, running_hub
from citytable.journal.entry import ActionConfirmed, Draft, GameStarted
from citytable.journal.journal import Journal
from citytable.link import table_link
from citytable.link.broker import Broker, find_mosquitto, running_broker
from citytable.link.inbox import Received
from citytable.link.mqtt import MqttConnection, Publication
from citytable.session.play import Play
from citytable.settings import Settings
from citytable.table.fact import Fact
from citytable.table.plan import tag_uid
from citytable.umpire.umpire import Umpire
from tablewire import messages, topics

MESSAGES = 1500
PAUSE_S = 0.08  # a table says a few things a second; what the hub does 50 ms after a message is over by then
ENTRIES = 300
BARE, FAR, OURS = range(3)
TURNS = tuple(permutations((BARE, FAR, OURS)))  # what comes after another finds a warmer processor
AT_ONCE = 100
BURST = 5000
BORN_S = 1.5  # until the hub has asked a new station for its clock
SPOT, STATION, BOOT = "city/0/0", "park", 77
TABLE = "table"


def _us(seconds: list[float]) -> str:
    p99 = quantiles(seconds, n=100)[98]
    return f"p50 {median(seconds) * 1e6:7.0f} us, p99 {p99 * 1e6:7.0f} us, longest {max(seconds) * 1e6:7.0f} us"


def _beside(name: str, ours: list[float], bare: list[float]) -> None:
    print(f"{name:>34}: {_us(ours)}, {median(ours) / median(bare):5.2f} times the yardstick")


def _pair_by_pair(ours: list[float], bare: list[float]) -> None:
    more = median(one - other for one, other in zip(ours, bare, strict=True))
    print(f"{'the same, pair by pair':>34}: p50 {more * 1e6:7.0f} us more than the yardstick beside it")


def _client(broker: Broker) -> aiomqtt.Client:
    nodelay = [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)]
    return aiomqtt.Client(broker.host, broker.port, socket_options=nodelay, max_queued_incoming_messages=0)


@asynccontextmanager
async def bare_round_trip(broker: Broker) -> AsyncIterator[Callable[[], Awaitable[float]]]:
    """What publishes with QoS 1 and waits for the message itself, as simply as can be; seconds."""
    async with _client(broker) as client:
        await client.subscribe("bare", qos=1)
        coming = aiter(client.messages)

        async def once() -> float:
            began = time.perf_counter()
            await client.publish("bare", b"x" * 120, qos=1)
            await anext(coming)
            return time.perf_counter() - began

        yield once


def _message(channel: str, **fields: object) -> Publication:
    return Publication(topics.topic(TABLE, STATION, channel), messages.encode({"boot": BOOT, **fields}), qos=1)


class Station:
    """A park station that talks as the wire asks, and hears its lights."""

    def __init__(self, mqtt: MqttConnection) -> None:
        self._mqtt = mqtt
        self._seq = 0

    def said_last(self, received: Received) -> bool:
        """Whether it is the last tag this station told of."""
        return hasattr(received.message, "here") and received.seq == self._seq

    async def say(self, message: Publication) -> None:
        """Hand a message to the broker."""
        await self._mqtt.publish(message)

    async def born(self) -> None:
        """It is there, and nothing lies on it."""
        sensors = {"spot": SPOT, "cells": 1, "reader": True, "ring": 12, "crane": False}
        await self.say(_message("state", type="birth", kind="park", firmware="bench", at=[0, 1], spots=[sensors]))
        self._seq += 1
        await self.say(_message("event", type="inventory", event_seq=self._seq, at=[0, 2], tags=[]))

    def tag(self, thing: str, *, here: bool) -> Publication:
        """What is to be said: something that does not belong there comes or goes. Its ring changes each time."""
        self._seq += 1
        uid = tag_uid(thing)
        now = time.monotonic_ns() // 1000
        at = list(divmod(now, messages.TICKS_PERIOD))
        return _message("event", type="tag", event_seq=self._seq, at=at, spot=SPOT, uid=uid, here=here)

    async def light(self) -> None:
        """Until its lights are told."""
        async with asyncio.timeout(10):
            while not any(arrival.topic.endswith("/light") for arrival in self._mqtt.drain()):
                await self._mqtt.wait(1)


@asynccontextmanager
async def a_hub(broker: Broker) -> AsyncIterator[Station]:
    """A hub whose game has been dealt, and the one station of its table that is there."""
    with tempfile.TemporaryDirectory(prefix="citytable-bench-") as folder:
        settings = Settings(
            options=Options(players=2),
            twin=False,
            speed=1.0,
            broker_address=f"{broker.host}:{broker.port}",
            journal_path=Path(folder) / "journal.sqlite3",
        )
        await _dealt(settings)
        lights = ((topics.topic(TABLE, STATION, topics.LIGHT), 1),)
        async with running_hub(settings), MqttConnection(broker, lights, lambda: 0) as mqtt:
            station = Station(mqtt)
            await station.born()
            await asyncio.sleep(BORN_S)
            await station.light()  # what it is to show from its start on
            gc.freeze()  # as the command does
            yield station


async def _dealt(settings: Settings) -> None:
    """A journal that holds a game after its set-up."""
    if settings.journal_path is None:
        return
    game = MegaCity(settings.options)
    deal = Dealer(random.Random(1)).outcome(game, next(iter(game.legal_actions)))
    async with Journal.open(settings.journal_path) as journal:
        game_id = (await begun(settings, journal, now_us=7)).game_id
        await journal.commit(game_id, [Draft(8, "player", ActionConfirmed(action=str(deal)))])


async def round_trips(broker: Broker) -> tuple[list[float], list[float], list[float]]:
    """Bare, from a station to the rules, and to the lights back at the station; turn about."""
    glimpse, explain = Play.glimpse, Umpire.glimpse
    asked, awaited = [], False

    def listening(play: Play, fresh: tuple[Received, ...]) -> bool:
        nonlocal awaited
        awaited = any(station.said_last(one) for one in fresh)
        return glimpse(play, fresh)

    def explaining(umpire: Umpire, facts: list[Fact]) -> Umpire:
        nonlocal awaited
        if awaited:
            asked.append(time.perf_counter())
            awaited = False
        return explain(umpire, facts)

    bare, judged, lit = [], [], []
    async with a_hub(broker) as station, bare_round_trip(broker) as once:
        Play.glimpse, Umpire.glimpse = listening, explaining  # type: ignore[method-assign,assignment]
        tiles = [thing for thing in things(HOUSE, 2) if thing.startswith("platform/")]
        try:
            for n in range(MESSAGES):
                await asyncio.sleep(PAUSE_S)
                bare.append(await once())
                await asyncio.sleep(PAUSE_S)
                said = station.tag(tiles[n // 2 % len(tiles)], here=n % 2 == 0)
                began = time.perf_counter()  # a station's own processor writes what it says; the bare one is ready, too
                await station.say(said)
                await station.light()
                lit.append(time.perf_counter() - began)
                judged.append(asked[n] - began)
        finally:
            Play.glimpse, Umpire.glimpse = glimpse, explain  # type: ignore[method-assign]
    return bare, judged, lit


@contextmanager
def bare_sqlite(path: Path) -> Iterator[Callable[[int], object]]:
    """What writes one row in one transaction: WAL, synchronous FULL."""
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("CREATE TABLE entry (n INTEGER PRIMARY KEY, body TEXT NOT NULL)")
        yield lambda n: db.execute("INSERT INTO entry (body) VALUES (?)", (f"p1 take_pieces {n:>100}",))


def _draft(n: int) -> Draft:
    return Draft(n, "sensor", ActionConfirmed(action=f"p1 take_pieces {n:>100}"))


async def entries(folder: Path) -> tuple[list[list[float]], float]:
    """Seconds of bare commits, those in a thread and durable entries, turn about; and entries a second at once."""
    took: list[list[float]] = [[], [], []]
    async with Journal.open(folder / "journal.sqlite3") as journal:
        await journal.commit("g", [Draft(0, "system", GameStarted(game="megacity"))])
        with bare_sqlite(folder / "bare") as write, bare_sqlite(folder / "far") as far, ThreadPoolExecutor(1) as thread:
            for n in range(ENTRIES):
                for kind in TURNS[n % len(TURNS)]:
                    began = time.perf_counter()
                    if kind == BARE:
                        write(n)
                    elif kind == FAR:
                        await asyncio.get_running_loop().run_in_executor(thread, far, n)
                    else:
                        await journal.commit("g", [_draft(n)])
                    took[kind].append(time.perf_counter() - began)

        async def caller() -> None:
            for n in range(ENTRIES // 10):
                await journal.commit("g", [_draft(n)])

        began = time.perf_counter()
        await asyncio.gather(*(caller() for _ in range(AT_ONCE)))
        a_second = AT_ONCE * (ENTRIES // 10) / (time.perf_counter() - began)
    return took, a_second


def _burst() -> list[tuple[str, bytes]]:
    """What a park station says while something moves on it, as fast as one likes."""
    topic = topics.topic(TABLE, STATION, topics.SAMPLES)
    return [
        (topic, messages.encode({
            "type": "samples", "boot": BOOT, "sample_seq": n + 1, "at": [0, 1000 + n * 100_000 % 900_000_000],
            "spot": SPOT, "cell": 0, "dt_us": [12_500] * 7, "counts": [90_000 + k for k in range(8)], "lost": 0,
        }))
        for n in range(BURST)
    ]  # fmt: skip


async def _send_all(broker: Broker, said: list[tuple[str, bytes]]) -> None:
    async with _client(broker) as client:
        for topic, payload in said:
            await client.publish(topic, payload, qos=0)


async def burst_bare(broker: Broker) -> float:
    """Messages a second to a bare subscriber."""
    said = _burst()
    async with _client(broker) as client:
        await client.subscribe(said[0][0])
        began = time.perf_counter()
        sending = asyncio.create_task(_send_all(broker, said))
        coming = aiter(client.messages)
        for _ in said:
            await anext(coming)
        await sending
        return len(said) / (time.perf_counter() - began)


async def burst_hub(broker: Broker) -> float:
    """Messages a second that a hub has sensed, judged and forgotten."""
    said, heard = _burst(), 0
    hear, done = Play.hear, asyncio.Event()

    def counting(play: Play, received: tuple[Received, ...], now_us: int) -> tuple:
        nonlocal heard
        reported = hear(play, received, now_us)
        heard += sum(hasattr(one.message, "counts") for one in received)
        if heard >= len(said):
            done.set()
        return reported

    Play.hear = counting  # type: ignore[method-assign]
    try:
        async with a_hub(broker):
            began = time.perf_counter()
            await _send_all(broker, said)
            await asyncio.wait_for(done.wait(), 60)
            return len(said) / (time.perf_counter() - began - table_link.WINDOW_US / 1e6)
    finally:
        Play.hear = hear  # type: ignore[method-assign]


async def on_the_wire(broker: Broker) -> None:
    """Print what a message takes."""
    bare, judged, lit = await round_trips(broker)
    print(f"over one mosquitto, {MESSAGES} messages each, turn about:")
    _beside("bare round trip, QoS 1", bare, bare)
    _beside("station to rules", judged, bare)
    _pair_by_pair(judged, bare)
    _beside("station to lights at the station", lit, [2 * one for one in bare])


async def on_the_medium(folder: Path) -> None:
    """Print what an entry takes."""
    took, a_second = await entries(folder)
    single = took[BARE]
    print(f"on one medium, {ENTRIES} entries each, turn about:")
    _beside("bare SQLite commit", single, single)
    _beside("the same in a thread of its own", took[FAR], single)
    _beside("durable entry", took[OURS], single)
    _pair_by_pair(took[OURS], single)
    gain = a_second * median(single)
    print(f"{AT_ONCE} callers at once: {a_second:,.0f} entries/s = {gain:.1f} times a bare commit after the other")


async def main(medium: Path | None) -> None:
    """Print the figures; entries are measured on the medium of this folder, or where temporary files are."""
    if find_mosquitto() is None:
        print("mosquitto is missing on this machine (tools/setup.sh system): nothing measured")
        return
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="citytable-bench-", dir=medium))
        broker = await stack.enter_async_context(running_broker(kind="mosquitto"))
        await on_the_wire(broker)
        await on_the_medium(Path(folder))
        subscriber, hub = await burst_bare(broker), await burst_hub(broker)
        print(f"{BURST} messages at once: bare {subscriber:,.0f}/s, hub {hub:,.0f}/s = {hub / subscriber:.2f} of it")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description="What the hub costs, beside yardsticks.")
    arguments.add_argument("--medium", type=Path, help="a folder on the medium that entries are to be written to")
    asyncio.run(main(arguments.parse_args().medium))
