"""The virtual table on a real broker, hand in hand with a small scripted hub."""

import hashlib
import itertools
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from operator import itemgetter

import paho.mqtt.client as paho
import pytest
from tests.patience import PATIENCE_S

from tablewire.messages import decode, encode
from tablewire.topics import FROM_STATION, TICK, split, topic

pytestmark = pytest.mark.long(7)

TABLE = "t"
SYSTEM_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/local/sbin", "/usr/sbin"])


@pytest.fixture
def broker(tmp_path):
    """A mosquitto of our own; gives its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    configuration = tmp_path / "mosquitto.conf"
    configuration.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\n")
    command = [shutil.which("mosquitto", path=SYSTEM_PATH), "-v", "-c", str(configuration)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stderr:
            if "running" in line:
                break
        drain = threading.Thread(target=process.stderr.read, daemon=True)
        drain.start()
        yield ("127.0.0.1", port)
        process.terminate()
        drain.join()


class ScriptedHub:
    """Acknowledges every event, lights the spot of every tag, asks every newborn for its clock, answers every tick."""

    def __init__(self, address, boot=99):
        self.heard = {}
        self.ticks = []
        self._counted, self._sent, self._owed = {}, {}, []
        self._tick = None
        self._client = client = paho.Client(paho.CallbackAPIVersion.VERSION2, client_id="hub")
        client.max_inflight_messages_set(1000)
        client.on_message = self._arrived
        client.on_connect = self._connected
        client.on_socket_open = lambda _c, _u, sock: sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._boot = boot
        client.connect(*address)
        client.loop_start()

    def stop(self):
        self._client.disconnect()
        self._client.loop_stop()

    def _connected(self, client, *_):
        client.subscribe([(topic(TABLE, "+", channel), 1) for channel in (*FROM_STATION, TICK)])
        online = encode({"type": "hub", "boot": self._boot, "online": True})
        client.publish(topic(TABLE, "hub", "state"), online, 1, retain=True)

    def _arrived(self, _client, _userdata, message):
        _, station, channel = split(message.topic)
        told = decode(channel, message.payload)
        if message.retain:  # said before we came: not of this run
            return
        if channel == "tick":
            self._tick = told
        elif station != "hub":
            self.heard.setdefault(station, []).append((channel, message.payload))
            self._counted[station] = self._counted.get(station, 0) + 1
            self._owe(station, told)
        self._answer()

    def _owe(self, station, told):
        if told["type"] == "birth":
            self._owed.append((station, {"type": "ping", "id": len(self.heard[station])}))
        if "event_seq" in told:
            self._owed.append((station, {"type": "ack", "boot": told["boot"], "event_seq": told["event_seq"]}))
        if told["type"] == "tag":
            ring = {"spot": told["spot"], "rgb": [0, 90, 0], "pattern": "solid"}
            self._owed.append((station, {"type": "light", "rings": [ring]}))

    def _answer(self):
        """Everything the tick names is here: send what is owed, station by station, then say so."""
        tick = self._tick
        if tick is None or any(self._counted.get(name, 0) < n for name, n in tick["sent"].items()):
            return
        self._tick = None
        self.ticks.append((tick["t_us"], sorted(tick["sent"].items())))
        for station, message in sorted(self._owed, key=lambda owed: owed[0]):
            self._sent[station] = self._sent.get(station, 0) + 1
            self._client.publish(topic(TABLE, station, message["type"]), encode(message), 1)
        self._owed.clear()
        tock = encode({"type": "tock", "n": tick["n"], "sent": dict(self._sent)})
        self._client.publish(topic(TABLE, "twin", "tock"), tock, 1)

    def digests(self):
        """One fingerprint of everything heard per station; a broker keeps the order only within a channel."""
        in_order = {name: sorted(heard, key=itemgetter(0)) for name, heard in self.heard.items()}
        return {name: hashlib.sha256(repr(heard).encode()).hexdigest() for name, heard in in_order.items()}


class Twin:
    """The program as a process, with its lines."""

    def __init__(self, plan_file, address, *options):
        host, port = address
        command = [sys.executable, "-m", "tabletwin", "--plan", str(plan_file), "--broker", f"{host}:{port}", *options]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen(command, text=True, **pipes)
        self.ready = json.loads(self.process.stdout.readline() or "null")
        self._id = 0

    def act(self, *acts):
        self._id += 1
        self.process.stdin.write(json.dumps({"id": self._id, "acts": acts}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert answer["id"] == self._id
        return answer

    def end(self):
        """Close its stdin: (exit code, what it said on stderr)."""
        _, said = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, said


@pytest.fixture
def start_twin(plan_file):
    """`start_twin(address, *options)`; killed at the end if it still runs."""
    twins = []

    def start(address, *options):
        twins.append(Twin(plan_file, address, *options))
        return twins[-1]

    yield start
    for twin in twins:
        twin.process.kill()
        twin.process.communicate()


@pytest.fixture
def start_hub(broker):
    """`start_hub()`: on our broker; stopped at the end."""
    hubs = []

    def start():
        hubs.append(ScriptedHub(broker))
        return hubs[-1]

    yield start
    for hub in hubs:
        hub.stop()


def played(start_twin, start_hub, address, box):
    """One short game in lock-step; what hub and hands saw of it."""
    hub = start_hub()
    twin = start_twin(address, "--seed", "5", "--pace", "lockstep")
    answers = [twin.ready]
    answers.append(twin.act({"act": "set_up", "players": 3, "deal": 14, "start": 2, **box}))
    supply = answers[-1]["results"][0]["supply"]
    answers.append(
        twin.act(
            {"act": "take_platform", "seat": 2, "platform": supply[0][0]},
            {"act": "take_contract", "seat": 2, "column": "public"},
            {"act": "press_button", "seat": 3},
        )
    )
    answers.append(twin.act({"act": "pass_bag", "from": 2, "to": 3}, {"act": "reboot", "station": "seat-1"}))
    answers.append(twin.act({"act": "take_landmark", "seat": 1, "contract": "L-PU"}))
    answers.append(twin.act({"act": "wait", "ms": 3000}))
    assert twin.end() == (0, "")
    hub.stop()
    return answers, hub


@pytest.mark.broker
def test_two_runs_over_a_real_broker_are_equal_bit_for_bit(broker, start_twin, start_hub, box):
    first_answers, first = played(start_twin, start_hub, broker, box)
    second_answers, second = played(start_twin, start_hub, broker, box)
    assert first_answers == second_answers
    assert first.ticks == second.ticks
    assert first.digests() == second.digests()
    assert len(first.heard) == 11


@pytest.mark.broker
def test_in_lock_step_every_message_named_in_a_tick_is_heard_and_time_never_runs_back(
    broker, start_twin, start_hub, box
):
    answers, hub = played(start_twin, start_hub, broker, box)
    assert [answer["t_us"] for answer in answers] == sorted(answer["t_us"] for answer in answers)
    times = [t_us for t_us, _ in hub.ticks]
    assert times == sorted(times)
    assert max(later - earlier for earlier, later in itertools.pairwise(times)) <= 1_000_000
    counted = dict(hub.ticks[-1][1])
    assert counted == {name: len(heard) for name, heard in hub.heard.items()}


@pytest.mark.broker
def test_a_rebooted_station_dies_by_its_will_and_is_born_again(broker, start_twin, start_hub, box):
    _, hub = played(start_twin, start_hub, broker, box)
    states = [json.loads(payload) for channel, payload in hub.heard["seat-1"] if channel == "state"]
    assert [state["type"] for state in states] == ["birth", "death", "birth"]
    assert states[0]["boot"] == states[1]["boot"] != states[2]["boot"]


@pytest.mark.broker
def test_an_act_that_cannot_be_done_is_answered_with_a_sentence(broker, start_twin, start_hub, box):
    hub = start_hub()
    twin = start_twin(broker, "--seed", "5", "--pace", "lockstep")
    answer = twin.act({"act": "take_contract", "seat": 1, "column": "public"})
    assert answer["error"] == "no card lies in column 'public'"
    assert answer["results"] == [None]
    assert "hands know no act" in twin.act({"act": "fly"})["error"]
    assert twin.end()[0] == 0
    hub.stop()


@pytest.mark.broker
def test_in_real_pace_time_goes_on_by_itself_and_acts_are_answered(broker, start_twin, start_hub, box):
    hub = start_hub()
    twin = start_twin(broker, "--seed", "5", "--pace", "real", "--speed", "40")
    answer = twin.act({"act": "set_up", "players": 3, "deal": 14, "start": 2, **box}, {"act": "wait", "ms": 500})
    assert answer["results"][0]["start"] == 2
    assert answer["t_us"] > twin.ready["t_us"]
    assert twin.act({"act": "press_button", "seat": 1})["results"] == [{}]
    twin.act({"act": "wait", "ms": 2000})
    assert twin.end()[0] == 0
    hub.stop()
    told = [json.loads(payload) for channel, payload in hub.heard["seat-1"] if b'"button"' in payload]
    assert {press["seat"] for press in told} == {1}
    assert len({press["event_seq"] for press in told}) == 1  # told again while a busy hub has not answered


def test_without_a_broker_it_ends_with_one_sentence(start_twin):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = probe.getsockname()
    twin = start_twin(address, "--pace", "lockstep")
    code, said = twin.end()
    assert code == 1
    assert said.startswith(f"tabletwin: no MQTT broker answers at 127.0.0.1:{address[1]}")
    assert said.count("\n") == 1


def test_without_a_plan_it_ends_with_one_sentence(tmp_path):
    twin = Twin(tmp_path / "none.json", ("127.0.0.1", 1))
    code, said = twin.end()
    assert (code, said.count("\n")) == (1, 1)
    assert "none.json" in said
