"""What a hostile or crowded room does to a running hub is over within two seconds of its end.

How long that takes is a matter of the machine, so only a soak asserts it; the attacks themselves run in every build
(`test_flood`, `test_crowded_broker`, `tests/views/test_listener.py`).
"""

import asyncio
import contextlib
import os
import resource
import signal
import socket
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp
import aiomqtt
import pytest
from tests.patience import PATIENCE_S

pytestmark = [pytest.mark.broker, pytest.mark.soak]

GOOD, FLOODER = "sector-1", "sector-2"
OVER_S = 2.0
FILES = 256  # that the hub may open
RUN = ("run", "--no-twin", "--no-open", "--port", "0", "--serial", "", "--broker-port")


class At(NamedTuple):
    """A running hub, and where it is reached; `flood` is the module with its stations."""

    running: Any
    pages: str
    port: int
    flood: Any


async def troubled(running, kind):
    """Wait until the screens say that something keeps the hub from its work."""
    async with asyncio.timeout(PATIENCE_S):
        while kind not in (await asyncio.to_thread(running.view))["troubles"]:
            pass


@contextlib.asynccontextmanager
async def half_open_requests(at):
    """330 requests that are never finished, where the hub may open 256 files."""
    host, _, port = at.pages.rpartition("/")[2].partition(":")
    with contextlib.ExitStack() as held:
        for _ in range(330):
            one = held.enter_context(socket.socket())
            one.settimeout(PATIENCE_S)
            with contextlib.suppress(OSError):
                one.connect((host, int(port)))
                one.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        yield


@contextlib.asynccontextmanager
async def samples(at):
    """A station sends 5000 messages a second."""
    with at.flood.flooding(at.port):
        await at.flood.warned_of_flood(at.running)
        yield


@contextlib.asynccontextmanager
async def events(at):
    """A program sends events as fast as it can."""
    with at.flood.flooding_with_events(at.port):
        await at.flood.warned_of_flood(at.running)
        yield


@contextlib.asynccontextmanager
async def invented_names(at):
    """More stations that are in no plan than there are places for."""
    async with aiomqtt.Client("127.0.0.1", at.port, timeout=PATIENCE_S) as client:
        for n in range(100):
            await at.flood.Station(client, f"junk-{n}", "city/9/9", 3).born()
        await asyncio.to_thread(at.running.says, "junk-")
        yield


@contextlib.asynccontextmanager
async def idle_connections(at):
    """1,200 connections at the broker that say nothing."""
    with contextlib.ExitStack() as held:
        for _ in range(1200):
            held.enter_context(socket.create_connection(("127.0.0.1", at.port), PATIENCE_S))
        yield


@contextlib.asynccontextmanager
async def full_disk(at):
    """No file of the hub can grow."""
    before = resource.prlimit(at.running.process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    async with aiomqtt.Client("127.0.0.1", at.port, timeout=PATIENCE_S) as client:
        await at.flood.Station(client, "sector-3", "city/1/1", 5).born()  # something to write
        await troubled(at.running, "journal")
        yield
    resource.prlimit(at.running.process.pid, resource.RLIMIT_FSIZE, before)


def brokers_of(pid):
    """The process of a hub's mosquitto, in a list."""
    lists = [(task / "children").read_text().split() for task in Path(f"/proc/{pid}/task").glob("*")]
    children = [int(child) for one in lists for child in one]
    return [child for child in children if "mosquitto" in Path(f"/proc/{child}/comm").read_text()]


async def shows_station(running, name):
    """Wait until a page that is opened anew shows a station."""
    while True:
        view = await asyncio.to_thread(running.view)
        if any(one["station"] == name and one["online"] for one in view["stations"]):
            return


@contextlib.asynccontextmanager
async def frozen_broker(at):
    """The broker stands still."""
    brokers = brokers_of(at.running.process.pid)
    for pid in brokers:
        os.kill(pid, signal.SIGSTOP)
    await troubled(at.running, "broker")
    yield
    for pid in brokers:
        os.kill(pid, signal.SIGCONT)


ATTACKS = (half_open_requests, samples, events, invented_names, idle_connections, full_disk, frozen_broker)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
async def test_two_seconds_after_its_end_a_tag_is_shown_on_a_page_that_is_opened_anew(
    started, tmp_path, root, load_file, free_port, attack
):
    flood = load_file("flood", root / "tests/app/test_flood.py")
    running = started(*RUN, str(free_port), "--journal", str(tmp_path / "journal.sqlite3"))
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.prlimit(running.process.pid, resource.RLIMIT_NOFILE, (FILES, most))
    at = At(running, running.says(r"display  (http://\S+)/display")[1], int(running.broker()[1]), flood)
    async with aiomqtt.Client("127.0.0.1", at.port, timeout=PATIENCE_S) as client:
        good, other = flood.Station(client, GOOD, "city/1/0", 7), flood.Station(client, FLOODER, "city/-1/1", 9)
        for station in (good, other):
            await station.born()
        async with aiohttp.ClientSession() as web:
            await flood.shown_one_by_one(good, web, at.pages, (1,))
        async with attack(at):
            pass
        async with asyncio.timeout(OVER_S), aiohttp.ClientSession() as web:
            await flood.shown_one_by_one(good, web, at.pages, (2,))
            await flood.Station(client, "sector-4", "city/2/0", 11).born()
            await shows_station(running, "sector-4")
    assert running.end(signal.SIGINT) == 0
