"""Somebody opens connections at a running hub's broker and says nothing: stations come in all the same."""

import contextlib
import json
import resource
import signal
import socket

import aiomqtt
import pytest

pytestmark = pytest.mark.broker

FILES = 400  # that the hub may open; its broker may open as many as the system allows
IDLE = 1200
OWN_FILES = 2 * IDLE
RUN = ("run", "--no-twin", "--no-open", "--port", "0", "--serial", "", "--broker-dir")


@contextlib.contextmanager
def idle_connections(port, count):
    usual, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.ExitStack() as stack:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(usual, OWN_FILES), most))
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (usual, most))
        for _ in range(count):
            stack.enter_context(socket.create_connection(("127.0.0.1", port), 60))
        yield


async def test_a_station_joins_beside_hundreds_of_idle_connections_and_who_opens_them_is_named(
    started, tmp_path, free_port, until
):
    running = started(*RUN, str(tmp_path / "broker"), "--listen", f"127.0.0.1:{free_port}")
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.prlimit(running.process.pid, resource.RLIMIT_NOFILE, (FILES, most))  # before it starts its broker
    running.says("Ctrl-C ends everything")
    password = json.loads((tmp_path / "broker/logins.json").read_text())["new"]
    with idle_connections(free_port, IDLE):
        running.says(r"127\.0\.0\.1 opens connections at the broker and does not log in")
        async with aiomqtt.Client("127.0.0.1", free_port, username="new", password=password, timeout=60) as station:
            await station.publish("citytable/1/new/04a1/state", b"{}", qos=1)
    assert running.end(signal.SIGINT) == 0
    assert running.said.count("does not log in") == 1


@pytest.mark.parametrize(
    ("words", "waits_for"),
    [
        (("--seed", "1"), "seed"),
        (("--table", "salon", "--table", "terrace"), "seed"),
        (("--no-twin", "--serial", ""), "the table waits for its stations"),
    ],
)
async def test_a_broker_at_a_port_that_nobody_chose_lets_no_other_program_in(started, words, waits_for):
    running = started("run", "--no-open", "--port", "0", *words)
    host, port = running.broker()
    running.says(waits_for)
    with pytest.raises(aiomqtt.MqttError, match=r"(?i)not authori[sz]ed"):
        async with aiomqtt.Client(host, int(port), timeout=60):
            pass
    assert running.view()["table"]
    assert running.end(signal.SIGINT) == 0


@pytest.mark.parametrize("words", [("--seed", "1"), ("--no-twin", "--serial", "")])
async def test_a_broker_at_a_port_that_somebody_chose_asks_nobody_and_says_so(started, free_port, words):
    running = started("run", "--no-open", "--port", "0", "--broker-port", str(free_port), *words)
    assert running.says("asks nobody on this computer for a login")
    async with aiomqtt.Client("127.0.0.1", free_port, timeout=60):
        pass
    assert running.end(signal.SIGINT) == 0
