"""The boards' MQTT link against the real broker, which dies and freezes, over lines that lie."""

import asyncio
import os
import signal
from contextlib import asynccontextmanager, suppress

import pytest

from citytable.link import broker as brokers
from citytable.link.mqtt import MqttConnection, Publication
from tablestation.links import packets
from tablestation.links.mqtt import MqttLink
from tablestation.links.send_queue import SAMPLES_BYTES_MAX, URGENT_MAX
from tablewire.topics import EVENT, SAMPLES, STATE, topic

pytestmark = [pytest.mark.broker, pytest.mark.long(7)]
NONSENSE = b"\xff\xfe\x00GET / HTTP/1.1\r\n\r\n"


@asynccontextmanager
async def serving(serve):
    """A broker that is this function of a reader and a writer. When it is over, everybody has hung up."""
    at_work = set()

    async def connected(reader, writer):
        at_work.add(asyncio.current_task())
        with suppress(ConnectionError):
            await serve(reader, writer)
        writer.transport.abort()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    yield brokers.Broker(*server.sockets[0].getsockname()[:2], "external")
    server.close()
    await asyncio.gather(*at_work)
    await asyncio.sleep(0)  # a socket is closed after what ends its transport


async def kill(_line, pids):
    os.kill(pids[-1], signal.SIGKILL)


async def freeze(_line, pids):
    os.kill(pids[-1], signal.SIGSTOP)


async def thaw(_line, pids):
    os.kill(pids[-1], signal.SIGCONT)


async def hold(line, _pids):
    line.freeze()


async def go_on(line, _pids):
    line.cut()  # what was held belongs to connections that are over
    line.thaw()


async def cut(line, _pids):
    line.cut()


async def garble_back(line, _pids):
    line.garble("back", NONSENSE)


async def garble_there(line, _pids):
    line.garble("there", NONSENSE)


async def nothing(_line, _pids):
    pass


FAULTS = {
    "the broker is killed": (kill, nothing),
    "the broker freezes": (freeze, thaw),
    "the connection is half open": (hold, go_on),
    "the connection is cut": (cut, nothing),
    "the station hears nonsense": (garble_back, nothing),
    "the broker hears nonsense": (garble_there, nothing),
}


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("fault", FAULTS)
async def test_events_arrive_exactly_once_and_samples_lost_are_counted(fault, line, bench_at, hub_at, pids, until):
    breaks, mends = FAULTS[fault]
    broker, wire, door = line
    async with hub_at(broker) as hub, bench_at(door) as bench:
        await until(lambda: hub.online)
        bench.press(5)
        await until(lambda: hub.presses == 5)
        await breaks(wire, pids)
        bench.press(5)
        await until(lambda: bench.link.connections > 1 or not bench.link.up)
        turns = bench.turns
        bench.press(5)
        await until(lambda: bench.turns >= turns + 20)  # it goes on while there is no network
        await mends(wire, pids)
        bench.press(5)
        await until(lambda: bench.link.up and bench.link.connections > 1)
        await until(lambda: hub.presses == 20)
        await until(lambda: not len(bench.station.outbox))
        last = bench.sample_seq
        await until(lambda: hub.quiet and hub.quiet[-1] > last)
        assert hub.events == list(range(1, len(hub.events) + 1))
        assert hub.presses == bench.pressed
        assert bench.link.trouble
        assert len(hub.quiet) + hub.samples_lost == hub.quiet[-1]
        assert bench.link.dropped > 0


async def test_the_broker_tells_of_a_station_that_is_gone(line, bench_at, hub_at, until, quick):
    broker, wire, door = line
    async with hub_at(broker) as hub:
        async with bench_at(door):
            await until(lambda: hub.online)
            await wire.stop()
            await until(lambda: not hub.online)
        assert hub.link.registry.station("park").dead


async def test_a_hub_that_comes_later_hears_who_is_there(line, bench_at, hub_at, until):
    broker, _, door = line
    async with bench_at(door) as bench:
        await until(lambda: bench.link.up)
        bench.press(2)
        async with hub_at(broker) as hub:
            await until(lambda: hub.presses == 2)
            await until(lambda: not len(bench.station.outbox))
            assert hub.events == list(range(1, len(hub.events) + 1))


async def test_nobody_answering_is_tried_again_and_told(line, bench_at, until, quick):
    _, wire, door = line
    await wire.stop()
    async with bench_at(door) as bench:
        await until(lambda: bench.link.trouble)
        assert "refused" in bench.link.trouble.lower() or "connect" in bench.link.trouble.lower()
        assert not bench.link.publish(SAMPLES, b"{}", False)
        assert bench.link.dropped


async def test_a_broker_that_says_nothing_is_not_waited_for(bench_at, until, quick, monkeypatch):
    monkeypatch.setattr("tablestation.links.mqtt.CONNECT_S", 0.2)
    silent = []

    async def serve(reader, writer):
        silent.append(await reader.read(100))
        await reader.read()

    async with serving(serve) as door, bench_at(door) as bench:
        await until(lambda: len(silent) > 1)
        assert bench.link.trouble == "no answer in time"
        assert all(b"MQTT" in said for said in silent)


CONNACK = b"\x20\x02\x00\x00"


async def suback(reader, codes=None):
    """The answer to the subscription that comes; `codes` instead of one for each topic."""
    await reader.read(1000)  # the login
    said = await reader.read(1000)
    start = 2 if said[1] < 128 else 3
    topics_there = 5 if codes is None else codes
    return b"\x90" + bytes([2 + topics_there]) + said[start : start + 2] + b"\x01" * topics_there


@pytest.fixture
def answering(bench_at):
    """`answering(serve)`: a bench at a broker that is this function."""

    @asynccontextmanager
    async def at(serve):
        async with serving(serve) as door, bench_at(door) as bench:
            yield bench

    return at


async def test_a_subscription_that_is_never_confirmed_ends_the_connection(answering, until, quick, monkeypatch):
    monkeypatch.setattr("tablestation.links.mqtt.CONNECT_S", 0.3)

    async def serve(reader, writer):
        writer.write(CONNACK)
        while not reader.at_eof():
            writer.write(b"\xd0\x00")  # pings are answered
            await writer.drain()
            await reader.read(1000)

    async with answering(serve) as bench:
        await until(lambda: bench.link.trouble)
        assert bench.link.trouble == "no answer in time"
        assert not bench.link.connections


@pytest.mark.parametrize("codes", [1, 7])
async def test_a_subscription_confirmed_for_other_topics_ends_the_connection(answering, until, quick, codes):
    async def serve(reader, writer):
        writer.write(CONNACK)
        writer.write(await suback(reader, codes))
        await reader.read()

    async with answering(serve) as bench:
        await until(lambda: bench.link.trouble)
        assert f"a SUBACK of {codes} codes" in bench.link.trouble


async def test_what_a_broker_sends_before_it_confirms_the_subscription_is_taken(answering, until, quick):
    async def serve(reader, writer):
        writer.write(CONNACK)
        confirmed = await suback(reader)
        writer.write(packets.publish(topic("demo", "park", "ack"), b"{}") + confirmed)
        await reader.read()

    async with answering(serve) as bench:
        await until(lambda: bench.link.connections)
        await until(lambda: bench.station.refused == 1)


async def test_a_broker_that_talks_and_never_confirms_the_subscription_is_left(answering, until, quick):
    async def serve(reader, writer):
        writer.write(CONNACK)
        while not reader.at_eof():
            writer.write(packets.publish(topic("demo", "park", "ack"), b"{}"))
            await writer.drain()
            await asyncio.sleep(0)

    async with answering(serve) as bench:
        await until(lambda: bench.link.trouble)
        assert "before the SUBACK" in bench.link.trouble


async def test_a_broker_that_talks_but_does_not_listen_is_left(bench_at, until, quick):
    async def serve(reader, writer):
        writer.write(CONNACK)
        writer.write(await suback(reader))
        while not reader.at_eof():
            writer.write(packets.publish(topic("demo", "park", "ack"), b"{}"))
            await writer.drain()
            with suppress(TimeoutError):
                await asyncio.wait_for(reader.read(1000), 0.02)

    async with serving(serve) as door, bench_at(door) as bench:
        await until(lambda: bench.link.connections > 1)
        assert "did not answer a ping" in bench.link.trouble
        assert bench.station.refused  # it was heard all the time


async def test_a_wrong_password_is_told_with_what_to_do(tmp_path, bench_at, until, quick, caplog, free_port):
    credentials = brokers.Credentials(tmp_path / "broker", "demo")
    door = brokers.Broker("127.0.0.1", free_port, "external")
    listener = brokers.station_listener(f"127.0.0.1:{free_port}", credentials)
    async with brokers.running_broker(stations=listener), bench_at(door, user="park", password="guessed") as bench:
        await until(lambda: bench.link.trouble)
        assert bench.link.trouble.endswith("this user may not log in: adopt this station again")
        credentials.add("park", "guessed")
        credentials.reload()
        await until(lambda: bench.link.up)


class Deaf:
    """A station that only counts."""

    def __init__(self):
        self.calls = []

    def will(self):
        return b"{}"

    def connected(self):
        self.calls.append("connected")

    def disconnected(self):
        self.calls.append("disconnected")

    def receive(self, channel, payload):
        self.calls.append((channel, payload))


@pytest.fixture
async def clogged(line, account, network, until):
    """A link that is up, whose writer never gets its turn: (link, its station)."""
    _, _, door = line
    link, station = MqttLink(account(door), network, lambda: 1), Deaf()
    task = asyncio.create_task(link.run(station))
    await until(lambda: link.up)
    yield link, station
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_samples_make_room_for_newer_ones_and_are_counted(clogged):
    link, _ = clogged
    many = SAMPLES_BYTES_MAX // 1000 + 10
    for n in range(many):
        assert link.publish(SAMPLES, b"%1000d" % n, False)
    assert link.dropped == many - SAMPLES_BYTES_MAX // 1000
    assert link.publish(EVENT, b"{}", True)


async def test_what_is_urgent_overtakes_samples(clogged):
    link, _ = clogged
    link.publish(SAMPLES, b"sample", False)
    link.publish(EVENT, b"event", True)
    first = link._next_bytes()
    assert first.index(b"event") < first.index(b"sample")


async def test_more_urgent_messages_than_there_is_room_for_are_not_taken(clogged, until):
    link, station = clogged
    assert sum(link.publish(EVENT, b"{}", True) for _ in range(URGENT_MAX + 10)) == URGENT_MAX
    assert link.dropped == 0
    await until(lambda: link.publish(EVENT, b"{}", True))
    assert station.calls == ["connected"]


async def test_what_is_not_for_this_station_is_not_handed_on(clogged, line, until):
    link, _ = clogged
    link._channels[topic("demo", "seat-1", "ack")] = "ack"
    assert link.strangers == 0
    link._take(Deaf(), (3, topic("demo", "seat-2", "ack"), b"", 0, False, 0))
    assert link.strangers == 1


async def test_a_station_hears_its_channels_and_the_hubs_state(line, hub_at, bench_at, until):
    broker, _, door = line
    async with hub_at(broker) as hub, bench_at(door) as bench:
        await until(lambda: hub.online)
        await until(lambda: bench.station._hub_boot == 1)


async def test_only_state_is_retained_on_the_broker(line, hub_at, bench_at, until):
    broker, _, door = line
    async with bench_at(door) as bench:
        await until(lambda: bench.link.up)
        bench.press(1)
        async with hub_at(broker) as hub:
            await until(lambda: hub.presses == 1)
        async with MqttConnection(broker, (("citytable/#", 1), ("end", 1)), lambda: 0) as late:
            await late.publish(Publication("end", b"", qos=1))
            arrivals = []
            while not any(one.topic == "end" for one in arrivals):
                assert await late.wait(10)
                arrivals += late.drain()
            retained = {one.topic for one in arrivals if one.retained}
        assert retained == {topic("demo", "park", STATE), topic("demo", "hub", STATE)}
