"""The station program on the real VM, over real TCP and a real broker that dies, freezes, goes deaf and talks nonsense.

Both versions are stations of one table at once, in real time. That the sampler waits for no network is judged by what
piles up meanwhile: a program that waited would take no press. How long its pauses are is the bench's to measure
(tools/bench_station.py), since here they would tell how busy the machine is.
"""

import asyncio
import time
from contextlib import asynccontextmanager

import pytest
from tests.patience import PATIENCE_S

from citytable.journal.entry import Draft, FactNoted, GameStarted
from citytable.journal.journal import Journal
from citytable.link.broker import Broker
from citytable.link.table_link import TableLink
from citytable.link.wire_in import Button
from citytable.table.fact import ButtonPressed

pytestmark = [pytest.mark.broker, pytest.mark.long(10)]

TABLE, GAME = "salon", "evening"
PRESSES = 110
BLOCKED_US = 500_000  # four presses' time: longer than a program pauses that waits for no network
TROUBLES = 4  # that end a connection: killed, deaf, garbled, and the first one
STATION = """
import asyncio
from linked import seat_over_mqtt
async def main():
    await seat_over_mqtt({port}, {name!r}, {presses}).run()
await asyncio.create_task(main())
"""


class Road:
    """Between stations and broker: open, deaf (half-open: everything is taken, nothing arrives), or garbling."""

    def __init__(self, to_port):
        self._to_port = to_port
        self._writers = []
        self._to_stations = []
        self.deaf = False
        self.connections = 0

    async def open(self):
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _carry(self, reader, writer):
        self.connections += 1
        self._writers.append(writer)
        try:
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._to_port)
        except OSError:
            writer.close()
            return
        self._writers.append(there_writer)
        if not self._server.is_serving():  # closed while this station was on its way
            await self.close()
            return
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
        self._server.close()
        for _ in range(3):
            await asyncio.sleep(0)  # who knocked last is still being let in: accepted, connected, served
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*(writer.wait_closed() for writer in self._writers), return_exceptions=True)


class Hub:
    """The hub's own link and journal: every press becomes an entry, and only then the station may forget it.

    An entry's time is the number of its event: so one that is there twice shows.
    """

    def __init__(self, broker_port, journal):
        self._journal = journal
        start_us = time.monotonic_ns() // 1000
        now_us = lambda: time.monotonic_ns() // 1000 - start_us  # noqa: E731
        self.link = TableLink(TABLE, Broker("127.0.0.1", broker_port, "external"), hub_boot=5, now_us=now_us)

    async def presses(self):
        """(seat, event_seq) of every press in the journal."""
        facts = [entry.body.fact for entry in (await self._journal.entries(GAME)).entries[1:]]
        return [(fact.seat, fact.t_us) for fact in facts]

    async def run(self):
        await self._journal.commit(GAME, [Draft(0, "system", GameStarted(game="megacity"))])
        async for batch in self.link.batches():
            drafts = [
                Draft(
                    batch.now_us,
                    "sensor",
                    FactNoted(ButtonPressed(t_us=one.message.event_seq, seat=int(one.station[-1]))),
                )
                for one in batch.received
                if isinstance(one.message, Button)
            ]
            await self._journal.commit(GAME, drafts, batch.high_water)
            await self.link.committed(batch)


@pytest.fixture
async def road(mosquitto):
    road = Road(mosquitto.port)
    await road.open()
    yield road
    await road.close()


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
    await _everybody(stations, lambda line: line["waiting"] >= 4)
    await _everybody(stations, lambda line: not line["up"])
    road.deaf = False
    await _everybody(stations, lambda line: line["up"] and not line["waiting"])
    road.garble()
    await _everybody(stations, lambda line: not line["up"])


async def test_through_all_trouble_samples_go_on_and_every_press_is_in_the_journal_once(
    tmp_path, vms, running, mosquitto, road, caplog
):
    stations = [
        running(vm, STATION.format(port=road.port, name=f"seat-{2 + k}", presses=PRESSES), seed=k)
        for k, vm in enumerate(vms)
    ]
    async with asyncio.timeout(PATIENCE_S), running_hub(mosquitto.port, tmp_path / "journal.sqlite3") as hub:
        for station in stations:
            await station.start()
        await _trouble(stations, mosquitto, road)
        ends = [await station.ended() for station in stations]
        presses = await hub.presses()
        health = {one.station: one for one in hub.link.health()}
    for k, end in enumerate(ends):
        seat = 2 + k
        told = [seq for one, seq in presses if one == seat]
        assert len(told) == len(set(told)) == PRESSES
        assert end["lost"] == 0
        assert end["connections"] >= TROUBLES
        assert all(line["polls"] for line in stations[k].lines[:-1])
        assert 0 < end["dropped"] <= health[f"seat-{seat}"].samples_lost


async def test_the_naive_client_stands_still_while_the_broker_is_frozen(vms, running, mosquitto):
    """What the test above would see if our link waited: it can fail."""
    naive = running(vms[1], f"import naive\nnaive.station('naive', {mosquitto.port}, 8, 1)", net="blocking")
    await naive.start()
    await naive.sees(lambda line: line["pressed"] >= 3)
    mosquitto.freeze()
    await naive.sees(lambda line: line["pause_us"] > BLOCKED_US)
    mosquitto.thaw()
    await naive.ended()
