"""Stations on cables: station program, serial link, a real pseudo-terminal, the hub's bridge and the real broker."""

import asyncio
import fcntl
import os
import signal
import sys
from asyncio.subprocess import PIPE
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from citytable.link import port_lock, serial_bridge
from citytable.link.broker import running_broker
from citytable.link.mqtt import MqttConnection, Publication
from citytable.link.serial_bridge import serial_stations
from tablestation.links import serial
from tablestation.links.serial import SerialLink
from tablewire import messages
from tablewire.lines import LINK, LineReader, LineWriter
from tablewire.topics import EVENT, STATE, topic

pytestmark = [pytest.mark.broker, pytest.mark.long(5)]


@pytest.fixture
async def broker():
    async with running_broker(kind="mosquitto") as running:
        yield running


@pytest.fixture(autouse=True)
def _quick(monkeypatch, tmp_path):
    (tmp_path / "locks").mkdir()
    monkeypatch.setattr(port_lock, "LOCKS", tmp_path / "locks")
    monkeypatch.setattr(serial_bridge, "SCAN_S", 0.05)
    monkeypatch.setattr(serial_bridge, "WHO_S", 0.1)
    monkeypatch.setattr(serial_bridge, "HERE_MS", 100)
    monkeypatch.setattr(serial, "HELLO_MS", 100)
    monkeypatch.setattr(serial, "GONE_MS", 600)


@asynccontextmanager
async def bridging(desk, broker, table="demo"):
    async with serial_stations(desk.pattern, broker, table):
        yield


@pytest.fixture
def bench_on(port_and_bench):
    """`async with bench_on(plug) as bench`: a station at the end of a cable."""

    @asynccontextmanager
    async def running(plug, table="demo", station="park", boot=4711):
        port, bench_of = port_and_bench(boot)
        bench = bench_of(SerialLink(table, station, plug, plug))
        bench.start()
        try:
            yield bench
        finally:
            plug.pulled = True
            await port.stop()

    return running


async def test_a_station_on_a_cable_is_a_station_like_any_other(desk, broker, bench_on, hub_at, until):
    async with hub_at(broker) as hub, bench_on(desk.plug_in()) as bench, bridging(desk, broker):
        await until(lambda: hub.online)
        bench.press(5)
        await until(lambda: hub.presses == 5)
        await until(lambda: not len(bench.station.outbox))
        await until(lambda: len(hub.quiet) >= 5)
        await until(lambda: bench.station._hub_boot == 1)
        assert hub.events == list(range(1, len(hub.events) + 1))
        assert bench.link.bad == 0


async def test_a_pulled_cable_is_a_death_and_another_port_is_found(desk, broker, bench_on, hub_at, until):
    async with hub_at(broker) as hub, bridging(desk, broker):
        async with bench_on(desk.plug_in()):
            await until(lambda: hub.online)
        desk.pull()
        await until(lambda: hub.link.registry.station("park").dead)
        async with bench_on(desk.plug_in("ttyACM1"), boot=4712):
            await until(lambda: hub.online)
            assert hub.link.registry.station("park").boot == 4712


async def test_birth_and_death_are_retained(desk, broker, bench_on, hub_at, until):
    async def retained():
        async with MqttConnection(broker, ((topic("demo", "park", STATE), 1),), lambda: 0) as late:
            assert await late.wait(10)
            return [messages.decode(STATE, arrival.payload)["type"] for arrival in late.drain() if arrival.retained]

    async with hub_at(broker) as hub, bridging(desk, broker):
        async with bench_on(desk.plug_in()):
            await until(lambda: hub.online)
            assert await retained() == ["birth"]
        desk.pull()
        await until(lambda: not hub.online)
        assert await retained() == ["death"]


async def test_a_hub_that_stops_leaves_no_living_stations_behind(desk, broker, bench_on, hub_at, until):
    async with hub_at(broker) as hub, bench_on(desk.plug_in()) as bench:
        async with bridging(desk, broker):
            await until(lambda: hub.online)
        await until(lambda: not hub.online)
        await until(lambda: not bench.link.up)
        assert bench.link.trouble == "the hub is silent"
        async with bridging(desk, broker):
            bench.press(3)
            await until(lambda: hub.presses == 3 and hub.online)
            await until(lambda: not len(bench.station.outbox))


SPOILS = {
    "a line is garbled": lambda data: data.replace(b"button", b"bottom"),
    "a line is cut": lambda data: data[: len(data) // 2] + b"\n",
    "a line never comes": lambda data: b"",
    "somebody prints": lambda data: b"Traceback (most recent call last):\n" + data,
}


@pytest.mark.parametrize("spoil", SPOILS)
async def test_whatever_happens_on_the_cable_events_arrive_exactly_once(spoil, desk, broker, bench_on, hub_at, until):
    plug = desk.plug_in()
    async with hub_at(broker) as hub, bench_on(plug) as bench, bridging(desk, broker):
        await until(lambda: hub.online and bench.link.up)
        hit = []

        def once(data):
            if b" event " not in data or hit:
                return data
            hit.append(data)
            return SPOILS[spoil](data)

        plug.spoil = once
        bench.press(5)
        await until(lambda: hub.presses == 5)
        await until(lambda: not len(bench.station.outbox))
        assert hit
        assert hub.events == list(range(1, len(hub.events) + 1))
        assert bench.link.connections > 1


async def test_a_station_that_hears_nonsense_begins_anew(desk, broker, bench_on, hub_at, until):
    plug = desk.plug_in()
    async with hub_at(broker) as hub, bench_on(plug) as bench, bridging(desk, broker):
        await until(lambda: hub.online and bench.link.up and not len(bench.station.outbox))
        hit = []

        def once(data):
            if b" ack " not in data or hit:
                return data
            hit.append(data)
            return data.replace(b"ack", b"act")

        plug.spoil_read = once
        bench.press(1)
        await until(lambda: hit)
        await until(lambda: not len(bench.station.outbox))  # it was not acknowledged, and said again
        assert bench.link.connections > 1
        assert bench.link.bad


async def test_the_hubs_broker_may_be_away_for_a_while(desk, pids, bench_on, hub_at, until, quick):
    async with (
        running_broker(kind="mosquitto") as broker,
        hub_at(broker) as hub,
        bench_on(desk.plug_in()) as bench,
        bridging(desk, broker),
    ):
        await until(lambda: hub.online)
        os.kill(pids[0], signal.SIGKILL)
        bench.press(5)
        await until(lambda: len(pids) > 1)
        bench.press(5)
        await until(lambda: hub.presses == 10)
        await until(lambda: not len(bench.station.outbox))
        assert hub.events == list(range(1, len(hub.events) + 1))


async def test_nothing_is_said_to_what_does_not_speak_our_language(desk, broker, until):
    plug = desk.plug_in()
    async with bridging(desk, broker):
        for _ in range(20):
            plug.write(b"start\r\necho:Marlin 2.0\nok T:21.3\n")
            await plug.drain()
        plug.write(LineWriter().line(LINK, b"{}"))  # and now something that looks like it
        await plug.drain()
        plug.write(b"ok\n")
        await plug.drain()
        reading = asyncio.create_task(plug.read(1))
        await asyncio.wait([reading], timeout=0.3)
        assert not reading.done()
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)


async def said(plug, lines, *, until):
    """The first answer, while the station says `until` again and again: opening a port empties it."""
    reading = None
    while True:
        plug.write(until)
        await plug.drain()
        reading = reading or asyncio.create_task(plug.read(100))
        if (await asyncio.wait([reading], timeout=0.05))[0]:
            lines.feed(reading.result())
            return lines.take()


async def test_a_station_that_was_running_before_the_hub_is_asked_who_it_is(desk, broker):
    plug = desk.plug_in()
    async with bridging(desk, broker):
        assert await said(plug, LineReader(), until=LineWriter().line(EVENT, b"{}")) == (LINK, b"who", False)


async def test_commands_reach_the_cable_and_foreign_channels_do_not_leave_it(desk, broker, bench_on, hub_at, until):
    plug, pen, lines = desk.plug_in(), LineWriter(), LineReader()
    everything = (("citytable/#", 1),)
    async with MqttConnection(broker, everything, lambda: 0) as receiver, bridging(desk, broker):
        hello = pen.line(LINK, b'{"table": "new", "station": "e661", "will": "{}"}')
        assert await said(plug, lines, until=hello) == (LINK, b"here", False)
        await receiver.publish(Publication(topic("new", "e661", "command"), b'{"a": 1}', qos=1))
        while (line := lines.take()) is None or line[0] == LINK:
            lines.feed(await plug.read(100))
        assert line == ("command", b'{"a": 1}', False)
        await until(receiver.drain)
        plug.write(pen.line("ack", b"{}") + pen.line("hub", b"{}", True) + pen.line(EVENT, b"{}"))
        await plug.drain()
        assert await receiver.wait(10)
        assert [arrival.topic for arrival in receiver.drain()] == [topic("new", "e661", EVENT)]


async def test_a_station_of_another_table_is_told_of(desk, broker, bench_on, until, caplog):
    async with bench_on(desk.plug_in(), table="other"), bridging(desk, broker):
        await until(lambda: "belongs to table 'other', and this is table 'demo'" in caplog.text)


async def test_a_port_is_let_go_for_whoever_locks_it_and_taken_again(desk, broker, bench_on, hub_at, until):
    async with hub_at(broker) as hub, bench_on(desk.plug_in()), bridging(desk, broker):
        await until(lambda: hub.online)
        code = "import sys; from citytable.link import port_lock as p; p.LOCKS = p.Path(sys.argv[2])\n"
        code += "with p.locked(sys.argv[1]) as free:\n    print(free, flush=True)\n    sys.stdin.read()"
        flasher = await asyncio.create_subprocess_exec(
            sys.executable, "-c", code, desk.port(), port_lock.LOCKS, stdin=PIPE, stdout=PIPE
        )
        assert await flasher.stdout.readline() == b"True\n"
        await until(lambda: not hub.online)
        flasher.stdin.close()
        await flasher.wait()
        await until(lambda: hub.online)
        assert list(port_lock.LOCKS.iterdir()) == []


def test_a_lock_of_a_program_that_died_counts_for_nothing(desk):
    lock = port_lock.LOCKS / "LCK..ttyACM0"
    assert not port_lock.is_locked("/dev/ttyACM0")
    for nobody in ("", "nonsense", f"{2**22 + 1:>10}\n", f"{2**70}", f"{os.getpid()}"):
        lock.write_text(nobody)
        assert not port_lock.is_locked("/dev/ttyACM0")
    lock.write_text("         1\n")
    assert port_lock.is_locked("/dev/ttyACM0")


def test_a_port_that_is_not_let_go_is_told_of(desk, monkeypatch):
    monkeypatch.setattr(port_lock, "PATIENCE_S", 0.0)
    desk.plug_in()
    with Path(desk.port()).open("rb", buffering=0) as theirs:
        fcntl.flock(theirs, fcntl.LOCK_EX)
        with port_lock.locked(desk.port()) as free:
            assert not free


async def test_a_port_that_somebody_else_has_is_told_of_once(desk, broker, until, caplog, tmp_path):
    (tmp_path / "ttyACM7").touch()
    async with bridging(desk, broker):
        await until(lambda: "ttyACM7 cannot be used" in caplog.text)
        desk.plug_in()
        await until(lambda: True)
    assert caplog.text.count("ttyACM7") == 1
