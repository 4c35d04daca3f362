"""How soon a venue's desk hears a table, beside one broker's round trip, and how many tables one machine carries.

The road of a table: its mosquitto, the bridge, nats-server, the desk. What tables say is recorded: ten minutes of a
game of four at one hub (`tools/record_venue.py`). In the second part each table says another stretch of it, as fast as
it was said, over a connection of its own to nats-server, as a bridge would. Results are not put into PostgreSQL here:
there are a few of them in an hour.
"""

import argparse
import asyncio
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from statistics import median, quantiles

import msgspec
from msgspec.structs import replace
from record_venue import MINUTES, Said, recorded

from citytable.link.broker import Broker, find_mosquitto
from citytable.link.mqtt import MqttConnection, Publication
from citytable.session.venue import PERIOD_S
from citytable.venue.messages import NOW, TableNow
from citytable.venue_desk.bridge import Node, bridge_configuration, desk_login, nats_configuration
from citytable.venue_desk.hearing import Hearing
from citytable.venue_desk.store import Report
from tablewire import topics

MESSAGES = 400
SECONDS = 5.0
TABLES = (10, 50, 100, 200)
SECRET = "secret"
DESK = desk_login(SECRET)
BRIDGED = ("table-0", "table-1")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def _running(port: int, *command: str) -> Iterator[int]:
    """Run a program that listens on a port; give its process id."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while child.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
        yield child.pid
    finally:
        child.kill()
        child.wait()


@contextmanager
def _mosquitto(folder: Path, name: str, bridge: str = "") -> Iterator[Broker]:
    port, config = _free_port(), folder / f"{name}.conf"
    user = "user root\n" if os.geteuid() == 0 else ""
    config.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\n{user}{bridge}")
    with _running(port, str(find_mosquitto()), "-c", str(config)):
        yield Broker("127.0.0.1", port, "external")


@contextmanager
def _nats(folder: Path, program: str) -> Iterator[tuple[Broker, int]]:
    config, mqtt_port = folder / "nats.conf", _free_port()
    node = Node(folder=folder / "nats", host="127.0.0.1", port=_free_port(), mqtt_port=mqtt_port)
    config.write_text(nats_configuration(node, SECRET, BRIDGED))
    with _running(mqtt_port, program, "--config", str(config)) as pid:
        yield Broker("127.0.0.1", mqtt_port, "external", user=DESK.user, password=DESK.password), pid


def _again(table: str, said: Said) -> Publication:
    """Return what a table said once, said now by this one."""
    now = replace(msgspec.json.decode(said.payload, type=TableNow), t_us=time.time_ns() // 1000)
    return Publication(topics.topic(table, topics.VENUE, NOW), msgspec.json.encode(now), retain=True)


def _of_now() -> list[Said]:
    return [one for one in recorded() if one.channel == NOW]


def _of_tables(count: int) -> list[tuple[float, int, Said]]:
    """Return what so many tables say in `SECONDS`, each at another moment of the recording: when, which, and what."""
    said, length_s = _of_now(), MINUTES * 60
    later = [Said(one.at_s + length_s, one.channel, one.payload) for one in said]
    spoken = []
    for k in range(count):
        from_s = length_s * k / count
        spoken += [(one.at_s - from_s, k, one) for one in (*said, *later) if 0 <= one.at_s - from_s < SECONDS]
    return sorted(spoken)


class Listener:
    """A desk that notes how old each message was when it was heard."""

    def __init__(self) -> None:
        self.desk = Hearing(self._forget)
        self.ages_ms: list[float] = []
        self.heard = asyncio.Event()

    async def _forget(self, _report: Report) -> None:
        """Keep nothing."""

    @asynccontextmanager
    async def at(self, broker: Broker) -> AsyncIterator[None]:
        """Listen while inside."""
        async with self.desk.connection(broker) as mqtt:
            task = asyncio.create_task(self._listen(mqtt))
            yield
            await mqtt.close()
            await task

    async def _listen(self, mqtt: MqttConnection) -> None:
        while not mqtt.closed:
            await mqtt.wait(1)
            for arrival in mqtt.drain():
                now = msgspec.json.decode(arrival.payload, type=TableNow)
                self.ages_ms.append(time.time_ns() / 1e6 - now.t_us / 1000)
                self.heard.set()


async def way(tables: Sequence[Broker], desk: Broker) -> list[float]:
    """Return how old each message of these tables' brokers is at the desk's, in milliseconds, one after the other."""
    listener = Listener()
    async with AsyncExitStack() as stack:
        saying = [await stack.enter_async_context(MqttConnection(broker, (), lambda: 0)) for broker in tables]
        await stack.enter_async_context(listener.at(desk))
        for turn, said in enumerate(_of_now()[:MESSAGES]):
            listener.heard.clear()
            at = turn % len(saying)
            await saying[at].publish(_again(f"table-{at}", said))
            async with asyncio.timeout(20):
                await listener.heard.wait()
    return listener.ages_ms[len(tables) :]  # the first ones may have waited for the bridge


def _used_s(pid: int) -> float:
    words = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


async def say(address: str, count: int) -> None:
    """Be so many tables for a while; this is a process of its own."""
    host, _, port = address.rpartition(":")
    broker = Broker(host, int(port), "external", user=DESK.user, password=DESK.password)
    async with AsyncExitStack() as stack:
        saying = [await stack.enter_async_context(MqttConnection(broker, (), lambda: 0)) for _ in range(count)]
        loop, spoken = asyncio.get_running_loop(), _of_tables(count)
        print("ready", flush=True)
        from_s = loop.time()
        for at_s, k, said in spoken:
            await asyncio.sleep(from_s + at_s - loop.time())
            await saying[k].publish(_again(f"table-{k}", said))
        await asyncio.sleep(PERIOD_S)


async def load(nats: Broker, pid: int, count: int) -> float:
    """Print what so many tables cost the venue's machine; return the share of a processor."""
    listener = Listener()
    async with listener.at(nats):
        words = (sys.executable, __file__, "--say", f"{nats.host}:{nats.port}", "--tables", str(count))
        child = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
        if child.stdout is None:
            raise RuntimeError("a pipe was asked for")
        await child.stdout.readline()
        from_s, nats_s, desk_s = time.monotonic(), _used_s(pid), time.process_time()
        listener.ages_ms.clear()
        await child.wait()
        took_s = time.monotonic() - from_s
        nats_share, desk_share = (_used_s(pid) - nats_s) / took_s, (time.process_time() - desk_s) / took_s
    late_ms = quantiles(listener.ages_ms, n=100)[98]
    print(
        f"{count:4} tables: nats-server {nats_share:6.1%} and the desk {desk_share:6.1%} of one processor; "
        f"heard after {median(listener.ages_ms):5.1f} ms, 99 of 100 within {late_ms:5.1f} ms; "
        f"{len(listener.ages_ms) / SECONDS:.0f} messages/s"
    )
    return nats_share + desk_share


async def main(program: str, counts: Sequence[int]) -> None:
    """Measure both."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="citytable-bench-")))
        nats, pid = stack.enter_context(_nats(folder, program))
        bridges = {name: bridge_configuration(name, [f"{nats.host}:{nats.port}"], SECRET) for name in BRIDGED}
        tables = [stack.enter_context(_mosquitto(folder, name, text)) for name, text in bridges.items()]
        alone = stack.enter_context(_mosquitto(folder, "alone"))
        plain, far = median(await way([alone], alone)), median(await way(tables, nats))
        print(f"one mosquitto, from a table to the desk: {plain:.2f} ms")
        print(f"two tables, each by its mosquitto and a bridge to nats-server: {far:.2f} ms = {far / plain:.1f} times")
        for count in counts:
            share = await load(nats, pid, count)
        print(f"so one of {counts[-1]} tables costs {share / counts[-1]:.2%} of one processor")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, nargs="+", default=list(TABLES))
    parser.add_argument("--say", help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    found = shutil.which("nats-server", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/usr/local/sbin")
    if wanted.say:
        asyncio.run(say(wanted.say, wanted.tables[0]))
    elif found is None or find_mosquitto() is None:
        print("not measured: it takes nats-server and mosquitto (tools/setup.sh system)")
    else:
        asyncio.run(main(found, wanted.tables))
