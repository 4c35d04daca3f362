"""The virtual table's connections: the boards' packets in a loop of its own."""

import os
import signal
import socket
import subprocess
import sys

import pytest

from citytable.link import broker as brokers
from tabletwin import mqtt
from tabletwin.mqtt import Address, Connection, MqttNetwork, NoBroker

pytestmark = pytest.mark.broker


class Broker:
    """A mosquitto of its own, started without asyncio."""

    def __init__(self, folder, port):
        self.port = port
        self._command = [brokers.find_mosquitto(), "-c", str(folder / "mosquitto.conf")]
        (folder / "mosquitto.conf").write_text(brokers.mosquitto_configuration(port, folder, "root"))
        self._process = None

    def start(self):
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            assert self._process.poll() is None

    def signal(self, number):
        os.kill(self._process.pid, number)

    def stop(self):
        self.signal(signal.SIGCONT)
        self._process.kill()
        self._process.wait()


@pytest.fixture
def broker(tmp_path, free_port):
    broker = Broker(tmp_path, free_port).start()
    yield broker
    broker.stop()


@pytest.fixture
def network(broker):
    network = MqttNetwork(Address("127.0.0.1", broker.port), "demo")
    network.open()
    yield network
    network.close()


def test_messages_go_both_ways_in_either_quality(broker):
    heard = []
    one = Connection(Address("127.0.0.1", broker.port), "one", ("a/+",))
    one.on_message = lambda text, payload: heard.append((text, payload))
    one.open()
    while not one.subscribed:
        one.serve(readable=True)
    for n in range(300):  # more than a broker lets be unanswered
        one.publish("a/b", b"%d" % n, n % 2)
    while len(heard) < 300:
        one.serve(readable=True)
    for quality in (0, 1):  # the broker keeps the order of each, not of both together
        assert [payload for _, payload in heard if int(payload) % 2 == quality] == [
            b"%d" % n for n in range(quality, 300, 2)
        ]
    one.close()
    assert one.open_socket() is None


def test_it_comes_back_after_the_broker_was_away(broker, network, monkeypatch):
    monkeypatch.setattr(mqtt, "BACK_OFF_S", 0.05)
    broker.stop()
    network.until(lambda: not network._own.subscribed, "the loss")
    broker.start()
    network.until(lambda: network._own.subscribed, "the return")


def test_a_broker_that_does_not_answer_a_ping_is_left(broker, network, monkeypatch):
    monkeypatch.setattr(mqtt, "KEEPALIVE_S", 0.2)
    monkeypatch.setattr(mqtt, "BACK_OFF_S", 0.05)
    network._own._ping_at = 0.0
    broker.signal(signal.SIGSTOP)
    network.until(lambda: not network._own.subscribed, "the loss")
    broker.signal(signal.SIGCONT)
    monkeypatch.setattr(mqtt, "KEEPALIVE_S", 60)
    network.until(lambda: network._own.subscribed, "the return")


def test_nobody_there_is_said_in_a_sentence(free_port):
    with pytest.raises(NoBroker, match=r"no MQTT broker answers at .*another --broker"):
        MqttNetwork(Address("127.0.0.1", free_port), "demo").open()


async def test_a_table_that_is_not_let_in_says_what_to_check(tmp_path, free_port, caplog):
    credentials = brokers.Credentials(tmp_path / "broker", "demo")
    listener = brokers.station_listener(f"127.0.0.1:{free_port}", credentials)
    async with brokers.running_broker(stations=listener):
        stranger = MqttNetwork(Address("127.0.0.1", free_port, "twin", "guessed"), "demo")
        with pytest.raises(NoBroker, match=r"this user may not log in: check --user .*CITYTABLE_BROKER_PASSWORD"):
            stranger.open()
        stranger.close()
        right = Address("127.0.0.1", free_port, "hub", credentials.login("hub"))
        network = MqttNetwork(right, "demo")
        network.open()
        network.close()


def test_the_password_is_no_word_of_the_command_line():
    told = subprocess.run([sys.executable, "-m", "tabletwin", "--help"], capture_output=True, text=True, check=True)
    assert "CITYTABLE_BROKER_PASSWORD" in told.stdout
    assert "--password" not in told.stdout
