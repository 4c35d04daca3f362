"""The broker runs as long as the hub, and not a moment longer."""

import asyncio
import os
import signal
import socket
import stat
import sys

import pytest

from citytable.link import broker as brokers
from citytable.link import mqtt as connections
from citytable.link.broker import BrokerUnavailable, external_broker, find_mosquitto, running_broker
from citytable.link.mqtt import MqttConnection, Publication
from citytable.session import troubles

HUB = """
import asyncio, sys
from citytable.link.broker import running_broker

async def hub():
    async with running_broker(kind="mosquitto") as broker:
        print(broker.port, flush=True)
        await asyncio.Event().wait()

asyncio.run(hub())
"""


def answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.broker
async def test_mosquitto_answers_inside_the_block_and_is_gone_after_it(tmp_path):
    async with running_broker(state_dir=tmp_path / "state") as broker:
        assert broker.kind == "mosquitto"
        assert "asks nobody on this computer for a login" in broker.notice
        assert answers(broker.port)
    assert not answers(broker.port)


@pytest.mark.broker
async def test_mosquitto_dies_with_a_hub_that_is_killed(until):
    hub = await asyncio.create_subprocess_exec(sys.executable, "-c", HUB, stdout=asyncio.subprocess.PIPE)
    assert hub.stdout is not None
    port = int(await hub.stdout.readline())
    assert answers(port)
    hub.send_signal(signal.SIGKILL)
    await hub.wait()
    await until(lambda: not answers(port))


@pytest.fixture
def pids(monkeypatch):
    """The process numbers of children, in the order they are started."""
    started = []
    launch = asyncio.create_subprocess_exec

    async def remember(*command, **how):
        child = await launch(*command, **how)
        started.append(child.pid)
        return child

    monkeypatch.setattr(asyncio, "create_subprocess_exec", remember)
    return started


@pytest.mark.broker
async def test_ctrl_c_in_the_terminal_does_not_reach_mosquitto(pids):
    async with running_broker():
        assert os.getsid(pids[0]) == pids[0] != os.getsid(0)


@pytest.mark.broker
async def test_a_mosquitto_that_is_killed_is_started_again_and_the_hub_finds_it(pids, monkeypatch, until):
    monkeypatch.setattr(brokers, "RESTART_S", 0.0)
    async with running_broker() as broker, MqttConnection(broker, (("a", 1),), lambda: 0) as connection:
        os.kill(pids[0], signal.SIGKILL)
        await until(lambda: connection.connections == 2)
        assert len(pids) == 2
        assert await connection.publish(Publication("a", b"still here", qos=1))
        assert await connection.wait(10)
        assert [arrival.payload for arrival in connection.drain()] == [b"still here"]


@pytest.mark.broker
async def test_a_mosquitto_that_stands_still_is_noticed_and_when_it_goes_on_nothing_was_lost(pids, monkeypatch, until):
    for name, seconds in (("PROBE_S", 0.01), ("ANSWER_S", 0.05)):
        monkeypatch.setattr(connections, name, seconds)
    async with running_broker() as broker, MqttConnection(broker, (("a", 1),), lambda: 0) as connection:
        assert connection.answers
        os.kill(pids[0], signal.SIGSTOP)
        await until(lambda: not connection.answers)
        said = asyncio.create_task(connection.publish(Publication("a", b"are you there?", qos=1)))
        os.kill(pids[0], signal.SIGCONT)
        assert await said
        await until(lambda: connection.answers)
        assert (connection.connections, [arrival.payload for arrival in connection.drain()]) == (1, [b"are you there?"])


@pytest.mark.broker
async def test_a_mosquitto_that_never_goes_on_is_given_up(pids, monkeypatch, until):
    for name, seconds in (("PROBE_S", 0.01), ("ANSWER_S", 0.05), ("CONNECT_S", 0.2)):
        monkeypatch.setattr(connections, name, seconds)
    async with running_broker() as broker, MqttConnection(broker, (), lambda: 0) as connection:
        os.kill(pids[0], signal.SIGSTOP)
        await until(lambda: not connection.connected)
        os.kill(pids[0], signal.SIGCONT)
        await until(lambda: connection.connections == 2)


def test_people_hear_of_a_broker_that_stands_still_within_two_seconds():
    assert connections.PROBE_S + connections.LOOK_S + connections.ANSWER_S + troubles.LOOK_S < 2


@pytest.mark.broker
async def test_a_given_port_is_used():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = probe.getsockname()[1]
    async with running_broker(port=free) as broker:
        assert broker.port == free


@pytest.mark.broker
async def test_a_free_port_that_is_taken_meanwhile_is_replaced_by_another(monkeypatch, new_port, free_port):
    with socket.socket() as other:
        other.bind(("127.0.0.1", free_port))  # and connects to somebody: it does not answer there
        ports = [free_port, new_port()]
        monkeypatch.setattr(brokers, "_bound", lambda _port: ports.pop(0))
        async with running_broker(kind="mosquitto") as broker:
            assert broker.port != free_port
            assert answers(broker.port)


@pytest.mark.broker
async def test_a_port_that_was_asked_for_is_not_replaced(monkeypatch, free_port):
    with socket.socket() as other:
        other.bind(("127.0.0.1", free_port))
        monkeypatch.setattr(brokers, "_bound", lambda port: port)
        with pytest.raises(BrokerUnavailable, match="Address already in use"):
            async with running_broker(kind="mosquitto", port=free_port):
                pass


@pytest.mark.parametrize("kind", ["mosquitto", "embedded"])
async def test_a_busy_port_is_said_in_a_sentence(kind):
    if kind == "mosquitto" and find_mosquitto() is None:
        kind = "embedded"
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(BrokerUnavailable, match=f"port {port} cannot be used .*choose another port"):
            async with running_broker(port=port, kind=kind):
                pass


async def test_without_mosquitto_the_embedded_broker_answers_and_says_so(monkeypatch):
    monkeypatch.setattr(brokers, "find_mosquitto", lambda: None)
    async with running_broker() as broker:
        assert broker.kind == "embedded"
        assert "mosquitto is not installed" in broker.notice
        async with MqttConnection(broker, (), lambda: 0) as connection:
            assert connection.connected
    assert not answers(broker.port)


async def test_without_any_broker_the_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr(brokers, "find_mosquitto", lambda: None)
    monkeypatch.setattr(brokers.embedded, "is_installed", lambda: False)
    with pytest.raises(BrokerUnavailable, match=r"apt-get install mosquitto.*its extra `demo`"):
        async with running_broker():
            pass


async def test_a_mosquitto_that_dies_at_its_start_is_quoted(monkeypatch, tmp_path):
    broken = tmp_path / "mosquitto"
    broken.write_text("#!/bin/sh\necho no such option >&2\nexit 3\n")
    broken.chmod(broken.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(brokers, "find_mosquitto", lambda: str(broken))
    with pytest.raises(BrokerUnavailable, match="ended at once with code 3, saying 'no such option'"):
        async with running_broker():
            pass


ONE_AFTER_THE_OTHER = """#!{python}
import re, socket, sys

conf = open(sys.argv[2]).read()
first, second = (int(port) for port in re.findall("listener ([0-9]+)", conf))
with socket.create_server(("127.0.0.1", first)) as inside:
    inside.accept()
    inside.settimeout(0.2)
    try:
        inside.accept()
    except TimeoutError:
        pass  # the hub believes that everything is open
    with socket.create_server(("127.0.0.1", second)) as outside:
        outside.accept()
        sys.stdin.read()
        socket.create_server(("127.0.0.1", 0)).accept()
"""


async def test_the_broker_is_ready_when_the_stations_listener_is_too(monkeypatch, tmp_path, free_port):
    """mosquitto opens the hub's first; on a busy machine a station that came then was refused."""
    slow = tmp_path / "mosquitto"
    slow.write_text(ONE_AFTER_THE_OTHER.format(python=sys.executable))
    slow.chmod(slow.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(brokers, "find_mosquitto", lambda: str(slow))
    credentials = brokers.Credentials(tmp_path / "broker", "demo")
    async with running_broker(stations=brokers.station_listener(f"0.0.0.0:{free_port}", credentials)):
        assert answers(free_port)


async def test_a_state_directory_that_cannot_be_made_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(brokers, "find_mosquitto", lambda: "/usr/sbin/mosquitto")
    (tmp_path / "file").touch()
    with pytest.raises(BrokerUnavailable, match=r"directory .*file/state cannot be made"):
        async with running_broker(state_dir=tmp_path / "file" / "state"):
            pass


async def test_an_address_is_taken_as_it_is():
    async with running_broker(external=external_broker("venue.local:1884")) as broker:
        assert (broker.host, broker.port, broker.kind) == ("venue.local", 1884, "external")


@pytest.mark.parametrize("address", ["venue.local", ":1883", "venue:port", "venue:0", "venue:70000"])
def test_an_address_that_is_none_is_quoted(address):
    with pytest.raises(BrokerUnavailable, match="is not host:port"):
        external_broker(address)


def test_the_configuration_lets_nobody_in_from_the_network(tmp_path):
    lines = brokers.mosquitto_configuration(1883, tmp_path, None).splitlines()
    assert [line for line in lines if line.startswith("listener")] == ["listener 1883 127.0.0.1"]
    assert "set_tcp_nodelay true" in lines
    assert "per_listener_settings true" not in lines
    assert not [line for line in lines if line.startswith("user")]


def test_the_broker_does_not_stand_still_to_save_with_every_message(tmp_path):
    """Saved by changes, it wrote its file between a tag and the lights that answer it: a millisecond, often ten."""
    lines = brokers.mosquitto_configuration(1883, tmp_path, None).splitlines()
    assert "autosave_on_changes true" not in lines
    assert f"autosave_interval {brokers.SAVED_EVERY_S}" in lines
