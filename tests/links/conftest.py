"""A station on asyncio, a hub that hears it, and a line between them on which everything can happen."""

import asyncio
import os
import pty
import time
import tty
from contextlib import asynccontextmanager

import pytest
from tests.patience import PATIENCE_S

from citytable.link import broker as brokers
from citytable.link.broker import running_broker
from citytable.link.table_link import TableLink
from citytable.link.wire_in import Button as Pressed
from citytable.link.wire_in import Quiet
from tablestation.links import mqtt
from tablestation.links.mqtt import Account, MqttLink
from tablestation.seam import Board
from tablestation.station import Station
from tablewire.messages import encode
from tablewire.topics import SAMPLES

TABLE, NAME = "demo", "park"


class Port:
    """The clock on the wall, and asyncio."""

    def __init__(self, boot=4711):
        self._boot = boot
        self._tasks = []

    def ticks_us(self):
        return time.monotonic_ns() // 1000 % (1 << 30)

    async def sleep_ms(self, ms):
        await asyncio.sleep(ms / 1000)

    async def within(self, ms, work):
        try:
            return await asyncio.wait_for(work, ms / 1000)
        except TimeoutError as late:
            raise OSError(110) from late

    def spawn(self, work):
        self._tasks.append(asyncio.ensure_future(work))

    def random30(self):
        return self._boot

    def free_bytes(self):
        return None

    def feed(self):
        pass

    async def stop(self):
        waiting = self._tasks
        while waiting:  # once is not enough where `wait_for` swallows a cancellation
            for task in waiting:
                task.cancel()
            _, waiting = await asyncio.wait(waiting, timeout=1)
        for task in self._tasks:
            if not task.cancelled():
                task.result()


class Network:
    """A network that is always there."""

    async def up(self):
        pass


class Button:
    """Is pressed so many times."""

    def __init__(self):
        self.waiting = 0

    def take(self):
        if not self.waiting:
            return False
        self.waiting -= 1
        return True


class Bench:
    """A station with a button, and something that samples beside it and counts its turns."""

    def __init__(self, link, port):
        self.link, self.port, self.button = link, port, Button()
        self.station = Station(port, link, Board("seat", [], self.button, 1))
        self.turns = 0
        self.pressed = 0
        self.sample_seq = 0

    def start(self):
        self.station.start()
        self.port.spawn(self.link.run(self.station))
        self.port.spawn(self._sample())

    def press(self, n):
        self.button.waiting += n
        self.pressed += n

    async def _sample(self):
        while True:
            await asyncio.sleep(0.01)
            self.turns += 1
            self.sample_seq += 1
            quiet = {"type": "quiet", "boot": self.station.boot, "sample_seq": self.sample_seq, "at": [0, 0]}
            cell = {"spot": "city/0/0", "cell": 0, "n": 80, "mean": 5.5, "spread": 1, "min": 3, "max": 8, "lost": 0}
            self.link.publish(SAMPLES, encode({**quiet, "cells": [cell]}), False)


class Receiver:
    """The hub's own link, committing whatever it hears at once."""

    def __init__(self, broker):
        self.link = TableLink(TABLE, broker, hub_boot=1, now_us=lambda: time.time_ns() // 1000)
        self.received = []

    async def run(self):
        async for batch in self.link.batches():
            self.received += batch.received
            await self.link.committed(batch)

    @property
    def events(self):
        return [heard.seq for heard in self.received if hasattr(heard.message, "event_seq")]

    @property
    def presses(self):
        return sum(isinstance(heard.message, Pressed) for heard in self.received)

    @property
    def quiet(self):
        return [heard.seq for heard in self.received if isinstance(heard.message, Quiet)]

    @property
    def samples_lost(self):
        record = self.link.registry.station(NAME)
        return record.samples_lost if record is not None else 0

    @property
    def online(self):
        record = self.link.registry.station(NAME)
        return record is not None and record.online


class Plug:
    """The station's end of a cable: a stream as a board hands it in. It can garble and swallow what goes out."""

    def __init__(self, master):
        self._master = master
        self._out = b""
        self.spoil = self.spoil_read = lambda data: data
        self.pulled = False

    async def read(self, n):
        if self.pulled:
            await asyncio.Event().wait()
        loop, readable = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self._master, readable.set)
        try:
            await readable.wait()
        finally:
            loop.remove_reader(self._master)
        return self.spoil_read(os.read(self._master, n))

    def write(self, data):
        self._out += self.spoil(data)

    async def drain(self):
        out, self._out = self._out, b""
        while out:
            try:
                out = out[os.write(self._master, out) :]
            except BlockingIOError:
                await asyncio.sleep(0.005)


class Desk:
    """Where cables are plugged in and pulled out: ports appear in a folder under the names they have on a Pi."""

    def __init__(self, folder):
        self._folder = folder
        self._open = {}
        self.pattern = str(folder / "ttyACM*")

    def plug_in(self, name="ttyACM0"):
        master, slave = pty.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        (self._folder / name).symlink_to(os.ttyname(slave))
        self._open[name] = (master, slave)
        return Plug(master)

    def port(self, name="ttyACM0"):
        return str(self._folder / name)

    def pull(self, name="ttyACM0"):
        (self._folder / name).unlink()
        for end in self._open.pop(name):
            os.close(end)

    def clear(self):
        for name in list(self._open):
            self.pull(name)


async def until(condition):
    """As soon as it holds, or fail."""
    deadline = asyncio.get_running_loop().time() + PATIENCE_S
    while not (result := condition()):
        assert asyncio.get_running_loop().time() < deadline, f"it did not come about in {PATIENCE_S} s"
        await asyncio.sleep(0.005)
    return result


@pytest.fixture(scope="session", name="until")
def until_fixture():
    return until


@pytest.fixture
def quick(monkeypatch):
    """Ping and retry at the pace of a test."""
    monkeypatch.setattr(brokers, "RESTART_S", 0.3)  # long enough to be noticed
    monkeypatch.setattr(mqtt, "PING_S", 0.3)
    monkeypatch.setattr(mqtt, "BACK_OFF_MS", (20, 40, 80, 160))


@pytest.fixture
def pids(monkeypatch):
    """The process numbers of brokers, in the order they are started."""
    started = []
    launch = asyncio.create_subprocess_exec

    async def remember(*command, **how):
        child = await launch(*command, **how)
        started.append(child.pid)
        return child

    monkeypatch.setattr(asyncio, "create_subprocess_exec", remember)
    return started


@pytest.fixture
def network():
    return Network()


@pytest.fixture
def account():
    return lambda door, **more: Account(TABLE, NAME, door.host, door.port, **more)


@pytest.fixture
def port_and_bench():
    """`port_and_bench(boot)`: a port, and what makes a bench of a link on it."""

    def made(boot):
        port = Port(boot)
        return port, lambda link: Bench(link, port)

    return made


@pytest.fixture
def bench_at():
    """`async with bench_at(door) as bench`: a station on MQTT at that door."""

    @asynccontextmanager
    async def running(door, **how):
        port = Port()
        bench = Bench(MqttLink(Account(TABLE, NAME, door.host, door.port, **how), Network(), port.random30), port)
        bench.start()
        try:
            yield bench
        finally:
            await port.stop()

    return running


@pytest.fixture
def hub_at():
    """`async with hub_at(broker) as receiver`."""

    @asynccontextmanager
    async def running(broker):
        receiver = Receiver(broker)
        async with receiver.link:
            task = asyncio.create_task(receiver.run())
            yield receiver
            await receiver.link.stop()
            await task

    return running


@pytest.fixture
def desk(tmp_path):
    desk = Desk(tmp_path)
    yield desk
    desk.clear()


@pytest.fixture
async def line(pids, relay_to):
    """A broker, and a line to it: (broker, line, door)."""
    async with running_broker(kind="mosquitto") as broker:
        line = relay_to(broker)
        door = await line.start()
        yield broker, line, door
        await line.stop()
