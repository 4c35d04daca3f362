"""The station program on the real VM, over real TCP and a real broker that dies, freezes, goes deaf and talks nonsense.

Both versions are stations of one table at once, in real time. How long the sampler pauses is judged by what the VM
computes between two looks, so that a busy machine changes nothing; that it waits for nothing else, by the clock.
"""

import asyncio
import json
import signal
import time
from contextlib import asynccontextmanager

import pytest

from citytable.journal.entry import Draft, FactNoted, GameStarted
from citytable.journal.journal import Journal
from citytable.link.broker import Broker, find_mosquitto
from citytable.link.table_link import TableLink
from citytable.link.wire_in import Button
from citytable.table.fact import ButtonPressed

pytestmark = pytest.mark.broker

TABLE, GAME = "salon", "evening"
PRESSES = 110
TWO_PERIODS_US = 25_000  # of an HX711 at 80 samples a second
POLL_US = 4000  # the wait that the sampler asks for
BLOCKED_US = 500_000  # more than the busiest machine makes of it, less than anything that waits for a network
PATIENCE_S = 90
TROUBLES = 4  # that end a connection: killed, deaf, garbled, and the first one
STATION = """
import asyncio
from linked import seat_over_mqtt
async def main():
    await seat_over_mqtt({port}, {name!r}, {presses}).run()
await asyncio.create_task(main())
"""


class Mosquitto:
    """A broker that can be killed and frozen; it keeps its port, and forgets everything when it dies."""

    def __init__(self, folder, port):
        self._configuration = folder / "mosquitto.conf"
        self._configuration.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
        self.port = port

    async def start(self):
        self._process = await asyncio.create_subprocess_exec(
            find_mosquitto(), "-c", self._configuration, stderr=asyncio.subprocess.DEVNULL
        )
        async with asyncio.timeout(PATIENCE_S):
            while not await _answers(self.port):  # noqa: ASYNC110 (no event tells when a stranger listens)
                await asyncio.sleep(0.01)

    async def kill(self):
        self._process.kill()
        await self._process.wait()

    def freeze(self):
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self._process.send_signal(signal.SIGCONT)


async def _answers(port):
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


class Road:
    """Between stations and broker: open, deaf (half-open: everything is taken, nothing arrives), or garbling."""

    def __init__(self, port):
        self._port = port
        self._writers = []
        self._to_stations = []
        self.deaf = False
        self.connections = 0

    async def open(self):
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        return self._server.sockets[0].getsockname()[1]

    async def _carry(self, reader, writer):
        self.connections += 1
        try:
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._port)
        except OSError:
            writer.close()
            return
        self._writers += [writer, there_writer]
        self._to_stations.append(writer)
        await asyncio.gather(self._pump(reader, there_writer), self._pump(there_reader, writer))

    async def _pump(self, reader, writer):
        try:
            while piece := await reader.read(4096):
                if not self.deaf:
                    writer.write(piece)
        except OSError:
            pass
        if not self.deaf:
            writer.close()

    def garble(self):
        """Bytes that are no MQTT to everybody who listens."""
        for writer in self._to_stations:
            if not writer.is_closing():
                writer.write(bytes(range(0xF0, 0x100)) * 8)

    async def close(self):
        for writer in self._writers:
            writer.close()
        self._server.close()


class Hub:
    """The hub's own link and journal: every press becomes an entry, and only then the station may forget it."""

    def __init__(self, broker_port, journal):
        self._journal = journal
        start_us = time.monotonic_ns() // 1000
        now_us = lambda: time.monotonic_ns() // 1000 - start_us  # noqa: E731
        self.link = TableLink(TABLE, Broker("127.0.0.1", broker_port, "external"), hub_boot=5, now_us=now_us)

    async def entries(self):
        return (await self._journal.entries(GAME)).entries

    async def run(self):
        await self._journal.commit(GAME, [Draft(0, "system", GameStarted(game="megacity"))])
        async for batch in self.link.batches():
            drafts = [
                Draft(batch.now_us, "sensor", FactNoted(ButtonPressed(t_us=one.t_us, seat=int(one.station[-1]))))
                for one in batch.received
                if isinstance(one.message, Button)
            ]
            await self._journal.commit(GAME, drafts, batch.high_water)
            await self.link.committed(batch)


class Station:
    """A VM in a process of its own; `lines` grows while it runs."""

    def __init__(self, vm, name, port):
        self._command = vm.command
        main = STATION.format(port=port, name=name, presses=PRESSES)
        self._job = json.dumps(vm.job(main, clock="real", net="streams", seed=port + ord(name[-1])))
        self.lines = []
        self._grew = asyncio.Condition()

    async def start(self):
        pipe = asyncio.subprocess.PIPE
        self.process = await asyncio.create_subprocess_exec(*self._command, stdin=pipe, stdout=pipe, stderr=pipe)
        self.process.stdin.write(self._job.encode())
        self.process.stdin.close()
        self._reading = asyncio.create_task(self._read())

    async def _read(self):
        async for line in self.process.stdout:
            async with self._grew:
                self.lines.append(json.loads(line))
                self._grew.notify_all()
        async with self._grew:
            self._grew.notify_all()

    async def sees(self, condition):
        """As soon as the condition holds for its newest line."""
        async with asyncio.timeout(PATIENCE_S), self._grew:
            await self._grew.wait_for(lambda: self._reading.done() or (self.lines and condition(self.lines[-1])))
        assert not self._reading.done(), (await self.process.stderr.read()).decode()

    async def ended(self):
        await self._reading
        assert await self.process.wait() == 0, (await self.process.stderr.read()).decode()
        return self.lines[-1]


@asynccontextmanager
async def running_hub(port, path):
    async with Journal.open(path) as journal:
        hub = Hub(port, journal)
        async with hub.link:
            work = asyncio.create_task(hub.run())
            yield hub
            await hub.link.stop()
            await work


async def _everybody(stations, condition):
    for station in stations:
        await station.sees(condition)


async def _trouble(stations, mosquitto, road):
    """Everything that can happen to a connection, one after another; each is over when all have got over it."""
    await _everybody(stations, lambda line: line["pressed"] >= 8 and not line["waiting"])
    await mosquitto.kill()
    await _everybody(stations, lambda line: line["waiting"] >= 8)
    await mosquitto.start()
    await _everybody(stations, lambda line: line["up"] and not line["waiting"])
    mosquitto.freeze()
    await _everybody(stations, lambda line: line["waiting"] >= 12)
    mosquitto.thaw()
    await _everybody(stations, lambda line: line["up"] and not line["waiting"])
    road.deaf = True
    await _everybody(stations, lambda line: not line["up"])
    road.deaf = False
    await _everybody(stations, lambda line: line["up"] and not line["waiting"])
    road.garble()
    await _everybody(stations, lambda line: not line["up"])


async def test_through_all_trouble_samples_go_on_and_every_press_is_in_the_journal_once(
    tmp_path, vms, unused_tcp_port, caplog
):
    mosquitto, road = Mosquitto(tmp_path, unused_tcp_port), Road(unused_tcp_port)
    await mosquitto.start()
    port = await road.open()
    stations = [Station(vm, f"seat-{2 + k}", port) for k, vm in enumerate(vms)]
    try:
        async with asyncio.timeout(PATIENCE_S), running_hub(unused_tcp_port, tmp_path / "journal.sqlite3") as hub:
            for station in stations:
                await station.start()
            await _trouble(stations, mosquitto, road)
            ends = [await station.ended() for station in stations]
            presses = [
                (entry.body.fact.seat, entry.body.fact.t_us)
                for entry in await hub.entries()
                if isinstance(entry.body, FactNoted)
            ]
            health = {one.station: one for one in hub.link.health()}
    finally:
        mosquitto.thaw()
        await mosquitto.kill()
        await road.close()
    for k, end in enumerate(ends):
        seat = 2 + k
        assert end["lost"] == 0
        assert end["connections"] >= TROUBLES
        told = [t_us for one, t_us in presses if one == seat]
        assert len(told) == len(set(told)) == PRESSES
        assert POLL_US + max(line["busy_us"] for line in stations[k].lines[:-1]) <= TWO_PERIODS_US
        assert max(line["pause_us"] for line in stations[k].lines[:-1]) <= BLOCKED_US
        assert 0 < end["dropped"] <= health[f"seat-{seat}"].samples_lost
