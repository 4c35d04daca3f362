"""One station floods a running hub: what another station feels is shown all the same, and the flooder is named."""

import asyncio
import contextlib
import hashlib
import os
import signal
import subprocess
import sys
import time

import aiohttp
import aiomqtt
import pytest
from tests.patience import PATIENCE_S

from tablewire import messages, topics

pytestmark = [pytest.mark.broker, pytest.mark.long(4)]

TABLE, GOOD, FLOODER = "table", "sector-1", "sector-2"
RUN = ("run", "--no-twin", "--no-open", "--port", "0", "--serial", "", "--broker-port")
UID = "04" + hashlib.sha256(b"platform/7/public").hexdigest()[:12]  # as the virtual table makes it
HZ = 5000
SHOWN_MAX_S = 0.5
FLOOD = """
import sys, threading, time
import paho.mqtt.client as paho
from tablewire import messages
port, topic, hz = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
client = paho.Client(paho.CallbackAPIVersion.VERSION2)
client.connect("127.0.0.1", port)
client.loop_start()
start_s, n, tick = time.time(), 0, threading.Event()
while True:
    now_s = time.time() - start_s
    while n < now_s * hz:
        n += 1
        at = list(divmod(int(now_s * 1e6), messages.TICKS_PERIOD))
        said = {"type": "samples", "boot": 9, "sample_seq": n, "at": at, "spot": "city/-1/1", "cell": 0}
        client.publish(topic, messages.encode(said | {"dt_us": [12500] * 7, "counts": [n % 9] * 8, "lost": 0}))
    tick.wait(0.002)
"""


class Station:
    """A station that speaks as messages are defined."""

    def __init__(self, client, name, spot, boot):
        self._client, self._name, self._spot, self._boot = client, name, spot, boot
        self._start_s, self.seq = time.monotonic(), 0

    async def say(self, channel, **fields):
        at = list(divmod(int((time.monotonic() - self._start_s) * 1e6), messages.TICKS_PERIOD))
        said = messages.encode({"boot": self._boot, "at": at} | fields)
        await self._client.publish(
            topics.topic(TABLE, self._name, channel), said, qos=1, retain=channel == topics.STATE
        )

    async def born(self):
        sensors = {"spot": self._spot, "cells": 1, "reader": True, "ring": 12, "crane": False}
        await self.say(topics.STATE, type="birth", kind="sector", firmware="0.1.0", spots=[sensors])
        await self.event(type="inventory", tags=[])

    async def event(self, **fields):
        self.seq += 1
        await self.say(topics.EVENT, event_seq=self.seq, **fields)


@contextlib.contextmanager
def flooding(port):
    topic = topics.topic(TABLE, FLOODER, topics.SAMPLES)
    process = subprocess.Popen([sys.executable, "-c", FLOOD, str(port), topic, str(HZ)])
    try:
        yield
    finally:
        process.kill()
        process.wait()


async def warned_of_flood(running):
    """Wait in a thread, while no feed is open: the hub hangs up on one that answers no ping meanwhile."""
    await asyncio.to_thread(running.says, f"{FLOODER}.*sends more messages than a station can have to say")


async def shown_after_s(station, feed, *, here):
    """Seconds from an event of the good station until a screen shows it."""
    before_s = time.monotonic()
    await station.event(type="tag", spot="city/1/0", uid=UID, here=here)
    async with asyncio.timeout(PATIENCE_S):
        while True:
            live = (await feed.receive_json())["data"].get("live")
            if live is not None and here == any(one["spot"] == "city/1/0" and one["thing"] for one in live):
                return time.monotonic() - before_s


async def shown_one_by_one(station, web, pages, numbers):
    async with web.ws_connect(f"{pages}/feed", max_msg_size=0) as feed:
        return [await shown_after_s(station, feed, here=bool(n % 2)) for n in numbers]


async def tags_while_flooded(running, count, flood=flooding):
    """How long each tag took to be shown, from the flood's first moment to after its end; then the stations page."""
    _, port = running.broker()
    pages = running.says(r"display  (http://\S+)/display")[1]
    async with aiomqtt.Client("127.0.0.1", int(port), timeout=60) as client, aiohttp.ClientSession() as web:
        good, bad = Station(client, GOOD, "city/1/0", 7), Station(client, FLOODER, "city/-1/1", 9)
        for station in (good, bad):
            await station.born()
        with flood(int(port)):
            took_s = await shown_one_by_one(good, web, pages, range(1, count // 2))
            await warned_of_flood(running)
            took_s += await shown_one_by_one(good, web, pages, range(count // 2, count))
        took_s += await shown_one_by_one(good, web, pages, range(count, count + 1))
        async with web.get(f"{pages}/api/stations") as answer:
            stations = {one["station"]: one for one in (await answer.json())["stations"]}
    return took_s, stations


async def test_a_tag_is_shown_beside_a_flood_and_who_floods_is_named(started, free_port):
    running = started(*RUN, str(free_port))
    took_s, stations = await tags_while_flooded(running, 4)
    assert len(took_s) == 4
    assert "sends too many messages" in stations[FLOODER]["faults"][0]["en"]
    assert stations[FLOODER]["samples_lost"] > 0
    assert stations[GOOD]["events_lost"] == 0
    # that it has no accelerometer, as the plan says it should, is said of it in time
    assert not [one for one in stations[GOOD]["faults"] if "accelerometer" not in one["en"]]
    assert running.end(signal.SIGINT) == 0
    assert running.said.count("sends more messages") == 1


@contextlib.contextmanager
def flooding_with_events(port):
    """A program that is not ours sends lines as fast as it can."""
    topic = topics.topic(TABLE, FLOODER, topics.EVENT)
    command = ("mosquitto_pub", "-h", "127.0.0.1", "-p", str(port), "-t", topic, "-l")
    with (
        subprocess.Popen(("yes", '{"type":"tag","boot":9}'), stdout=subprocess.PIPE) as lines,
        subprocess.Popen(command, stdin=lines.stdout) as flood,
    ):
        try:
            yield
        finally:
            flood.kill()
            lines.kill()


async def test_events_do_not_wait_behind_a_flood_of_events(started, free_port):
    running = started(*RUN, str(free_port))
    took_s, stations = await tags_while_flooded(running, 5, flooding_with_events)
    assert len(took_s) == 5, "none of them is lost"
    assert "sends too many messages" in stations[FLOODER]["faults"][0]["en"]
    assert stations[GOOD]["events_lost"] == 0
    # that it has no accelerometer, as the plan says it should, is said of it in time
    assert not [one for one in stations[GOOD]["faults"] if "accelerometer" not in one["en"]]
    assert running.end(signal.SIGINT) == 0
    assert running.said.count("sends more messages") == 1


@contextlib.contextmanager
def core_shared_with(count):
    """Programs that would use up the first core alone."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        for one in busy:
            os.sched_setaffinity(one.pid, {0})
        yield
    finally:
        for one in busy:
            one.kill()
            one.wait()


@pytest.mark.soak
@pytest.mark.parametrize("flood", [flooding, flooding_with_events])
async def test_on_a_quarter_of_a_processor_every_tag_is_shown_in_time(started, flood, free_port):
    running = started(*RUN, str(free_port))
    os.sched_setaffinity(running.process.pid, {0})  # before it starts its broker, which inherits it
    with core_shared_with(3):
        took_s, _ = await tags_while_flooded(running, 60, flood)
    assert max(took_s) < SHOWN_MAX_S
