"""Who may log in at the hub's own broker, tried on the real one."""

import asyncio
import os
import shutil
import socket
import ssl
import stat
import subprocess
from base64 import b64decode

import aiomqtt
import pytest

from citytable.link.broker import (
    Broker,
    BrokerUnavailable,
    external_broker,
    find_mosquitto,
    running_broker,
    station_listener,
)
from citytable.link.credentials import HOME_USER, HUB_USER, NEWCOMER_USER, Credentials, access_list, password_hash
from citytable.link.mqtt import MqttConnection, Publication
from tablewire import topics

NOT_LET_IN = r"(?i)not authorized"

EVERYTHING = (("#", 1),)


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def credentials(tmp_path):
    return Credentials(tmp_path / "broker", "demo")


@pytest.fixture
async def hub_broker(credentials, free_port):
    """The hub's own broker with a door for stations: (what the hub is given, the stations' door)."""
    async with running_broker(stations=station_listener(f"127.0.0.1:{free_port}", credentials)) as broker:
        yield broker, Broker("127.0.0.1", free_port, "external")


@pytest.fixture
def self_signed(tmp_path, root):
    """A certificate and its key, as the script for table owners makes them."""
    command = ["sh", root / "hub/deploy/certificate.sh", tmp_path / "tls", "127.0.0.1"]
    subprocess.run(command, check=True, capture_output=True)
    return tmp_path / "tls/citytable.crt", tmp_path / "tls/citytable.key"


def client(door, user, password, identifier="", **how):
    return aiomqtt.Client(
        door.host, door.port, username=user, password=password, identifier=identifier, timeout=60, **how
    )


async def heard_from(hub, *speakers):
    """What the hub hears of messages said by clients, up to the hub's own last word."""
    for speaker, topic in speakers:
        await speaker.publish(topic, b"{}", qos=1)
    await hub.publish(Publication("end", b"", qos=1))
    topics = []
    while "end" not in topics:
        assert await hub.wait(60)
        topics += [arrival.topic for arrival in hub.drain()]
    return topics[:-1]


@pytest.mark.broker
async def test_a_station_speaks_as_itself_and_as_nobody_else(hub_broker, credentials):
    own, door = hub_broker
    credentials.add("seat-1", "secret")
    assert credentials.reload()
    async with MqttConnection(own, EVERYTHING, lambda: 0) as hub, client(door, "seat-1", "secret") as seat:
        heard = await heard_from(
            hub,
            (seat, "citytable/1/demo/seat-2/event"),
            (seat, "citytable/1/other/seat-1/event"),
            (seat, "citytable/1/demo/hub/state"),
            (seat, "citytable/1/demo/seat-1/ack"),
            (seat, "homeassistant/status"),
            (seat, "citytable/1/demo/seat-1/event"),
            (seat, "citytable/1/demo/seat-1/state"),
        )
    assert heard == ["citytable/1/demo/seat-1/event", "citytable/1/demo/seat-1/state"]


@pytest.mark.broker
async def test_a_station_hears_what_is_for_it_and_nothing_else(hub_broker, credentials):
    own, door = hub_broker
    credentials.add("seat-1", "secret")
    credentials.reload()
    async with MqttConnection(own, (), lambda: 0) as hub, client(door, "seat-1", "secret") as seat:
        await seat.subscribe("citytable/#", qos=1)
        for topic in ("seat-2/command", "seat-2/event", "seat-1/command", "hub/state"):
            await hub.publish(Publication(f"citytable/1/demo/{topic}", b"{}", qos=1))
        heard = [str((await anext(seat.messages)).topic) for _ in range(2)]
    assert heard == ["citytable/1/demo/seat-1/command", "citytable/1/demo/hub/state"]


@pytest.mark.broker
async def test_home_assistant_hears_of_the_table_and_asks_for_light_and_that_is_all(hub_broker, credentials):
    own, door = hub_broker
    password = credentials.login(HOME_USER)
    async with MqttConnection(own, EVERYTHING, lambda: 0) as hub, client(door, HOME_USER, password) as house:
        await house.subscribe([("citytable/#", 1), ("homeassistant/#", 1)])
        for topic in ("seat-2/event", "seat-1/command", "hub/state", "home/table"):
            await hub.publish(Publication(f"citytable/1/demo/{topic}", b"{}", qos=1))
        await hub.publish(Publication("homeassistant/sensor/citytable-demo/turn/config", b"{}", qos=1))
        heard = [str((await anext(house.messages)).topic) for _ in range(3)]
        said = await heard_from(
            hub,
            (house, "citytable/1/demo/home/table"),
            (house, "citytable/1/demo/park/light"),
            (house, "citytable/1/demo/hub/state"),
            (house, "citytable/1/demo/home/lights-set"),
            (house, "homeassistant/status"),
        )
    assert heard == [
        "citytable/1/demo/hub/state",
        "citytable/1/demo/home/table",
        "homeassistant/sensor/citytable-demo/turn/config",
    ]
    assert said[-2:] == ["citytable/1/demo/home/lights-set", "homeassistant/status"]
    assert said.count("citytable/1/demo/home/table") == 1, "the hub's own"
    assert "citytable/1/demo/park/light" not in said


@pytest.mark.broker
async def test_newcomers_share_a_login_and_each_speaks_under_its_own_id(hub_broker, credentials):
    own, door = hub_broker
    password = credentials.login(NEWCOMER_USER)
    async with (
        MqttConnection(own, EVERYTHING, lambda: 0) as hub,
        client(door, NEWCOMER_USER, password, "e66138935f1a") as newcomer,
    ):
        heard = await heard_from(
            hub,
            (newcomer, "citytable/1/new/other/state"),
            (newcomer, "citytable/1/demo/new/state"),
            (newcomer, "citytable/1/demo/seat-1/state"),
            (newcomer, "citytable/1/new/e66138935f1a/state"),
        )
    assert heard == ["citytable/1/new/e66138935f1a/state"]


@pytest.mark.broker
async def test_a_wrong_password_is_refused_and_told_of(hub_broker, credentials, caplog, until):
    own, door = hub_broker
    for _ in range(3):  # a station tries again and again
        with pytest.raises(aiomqtt.MqttError, match=NOT_LET_IN):
            async with client(door, HUB_USER, "guessed"):
                pass
    await until(lambda: caplog.records)
    credentials.add("park", "secret")
    credentials.reload()
    async with client(door, "park", "secret"):
        pass
    assert caplog.text.count("did not let 127.0.0.1 in: wrong user or password") == 1
    assert own.turned_away() == ("127.0.0.1",)
    assert "guessed" not in caplog.text


@pytest.mark.broker
async def test_nobody_comes_in_without_a_login_not_even_from_this_machine(hub_broker, caplog):
    own, door = hub_broker
    for port in (own.port, door.port):
        with pytest.raises(aiomqtt.MqttError, match=NOT_LET_IN):
            async with aiomqtt.Client("127.0.0.1", port):
                pass


@pytest.mark.broker
async def test_who_is_removed_is_thrown_out_and_others_stay(hub_broker, credentials, caplog):
    _, door = hub_broker
    for user in ("seat-1", "seat-2"):
        credentials.add(user, "secret")
    credentials.reload()
    async with client(door, "seat-2", "secret") as stays:
        with pytest.raises(aiomqtt.MqttError):  # noqa: PT012  it is in, and then it is not
            async with client(door, "seat-1", "secret") as leaves:
                assert credentials.remove("seat-1")
                assert credentials.reload()
                await anext(leaves.messages)
        with pytest.raises(aiomqtt.MqttError, match=NOT_LET_IN):
            async with client(door, "seat-1", "secret"):
                pass
        await stays.publish("citytable/1/demo/seat-2/event", b"{}", qos=1)


@pytest.mark.broker
async def test_logins_outlast_the_hub(credentials, new_port):
    for _ in range(2):
        port = new_port()
        async with running_broker(stations=station_listener(f"127.0.0.1:{port}", credentials)) as broker:
            if not credentials.users():
                credentials.add("park", "secret")
                credentials.reload()
            first = broker.password
    async with running_broker(stations=station_listener(f"127.0.0.1:{port}", credentials)) as broker:
        assert broker.password == first
        async with client(Broker("127.0.0.1", port, "external"), "park", "secret"):
            pass
    assert not credentials.reload()


@pytest.mark.broker
async def test_the_hub_logs_in_at_a_broker_it_is_given(hub_broker, credentials):
    own, _ = hub_broker
    given = external_broker(f"{own.host}:{own.port}", HUB_USER, credentials.login(HUB_USER))
    async with MqttConnection(given, (), lambda: 0) as connection:
        assert connection.connected


@pytest.mark.broker
async def test_a_hub_that_is_not_let_in_says_so_at_once_and_keeps_its_password(hub_broker, caplog):
    own, _ = hub_broker
    given = external_broker(f"{own.host}:{own.port}", "cafe", "guessed")
    with pytest.raises(BrokerUnavailable, match=r"does not let the user 'cafe' in .*CITYTABLE_BROKER_PASSWORD") as told:
        async with MqttConnection(given, (), lambda: 0):
            pass
    assert "guessed" not in str(told.value) + repr(given)


@pytest.mark.broker
async def test_stations_may_be_asked_for_tls(credentials, self_signed, free_port):
    certificate, key = self_signed
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    listener = station_listener(f"127.0.0.1:{free_port}", credentials, certificate, key)
    door = Broker("127.0.0.1", free_port, "external")
    credentials.directory.mkdir()
    credentials.add("park", "secret")
    async with running_broker(stations=listener) as own:
        trusting = ssl.create_default_context(cafile=str(certificate))
        async with MqttConnection(own, EVERYTHING, lambda: 0) as hub:
            async with client(door, "park", "secret", tls_context=trusting) as park:
                assert await heard_from(hub, (park, "citytable/1/demo/park/event")) == ["citytable/1/demo/park/event"]
            with pytest.raises(ssl.SSLCertVerificationError):
                await asyncio.open_connection("127.0.0.1", free_port, ssl=ssl.create_default_context())


async def test_a_listener_that_cannot_work_is_refused_in_a_sentence(credentials, tmp_path):
    with pytest.raises(BrokerUnavailable, match=r"'1883' is not host:port.*0\.0\.0\.0:1883"):
        station_listener("1883", credentials)
    with pytest.raises(BrokerUnavailable, match="give both, or neither"):
        station_listener("0.0.0.0:1883", credentials, certificate=tmp_path / "a.crt")
    with pytest.raises(BrokerUnavailable, match=r"a\.crt cannot be read: hub/deploy/certificate\.sh"):
        station_listener("0.0.0.0:1883", credentials, tmp_path / "a.crt", tmp_path / "a.key")
    with pytest.raises(BrokerUnavailable, match="need mosquitto"):
        async with running_broker(kind="embedded", stations=station_listener("127.0.0.1:1", credentials)):
            pass


@pytest.mark.broker
async def test_a_folder_that_cannot_hold_the_logins_is_named(tmp_path, free_port):
    (tmp_path / "file").touch()
    listener = station_listener(f"127.0.0.1:{free_port}", Credentials(tmp_path / "file/broker", "demo"))
    with pytest.raises(BrokerUnavailable, match="file/broker cannot be made"):
        async with running_broker(stations=listener):
            pass


@pytest.mark.broker
def test_the_hash_is_the_one_mosquittos_own_program_makes(tmp_path):
    program = shutil.which("mosquitto_passwd")
    assert program is not None
    file = tmp_path / "passwords"
    subprocess.run([program, "-b", "-c", file, "park", "secret"], check=True, capture_output=True)
    theirs = file.read_text("ascii").strip().partition(":")[2]
    _, kind, rounds, salt, digest = theirs.split("$")
    ours = password_hash("secret", b64decode(salt), int(rounds))
    assert (kind, ours) == ("7", theirs), digest


@pytest.mark.parametrize("name", ["", "hub", "new", "twin", "seat 1", "a" * 33, "seat-1:x\nhub"])
def test_a_name_that_would_open_another_door_is_refused(credentials, name):
    credentials.prepare()
    with pytest.raises(ValueError, match="cannot be a station's user"):
        credentials.add(name, "secret")


def test_passwords_are_for_their_owners_eyes_only(credentials):
    credentials.prepare()
    credentials.add("park", "secret")
    assert {stat.S_IMODE(file.stat().st_mode) for file in credentials.directory.iterdir()} == {0o600}
    assert "secret" not in credentials.passwords.read_text()
    assert credentials.users() == ("park",)
    assert not credentials.remove("seat-1")
    assert not credentials.remove("hub")


def test_without_a_running_broker_there_is_nobody_to_tell(credentials):
    credentials.prepare()
    assert not credentials.reload()
    credentials.pid_file.write_text("1")  # somebody else's process now
    assert not credentials.reload()


def test_the_access_list_names_no_table_but_its_own_and_the_newcomers():
    lines = access_list("demo", ("park",)).splitlines()
    tables = {line.split("/")[2] for line in lines if "citytable/" in line}
    assert tables == {"demo", "new"}


def test_the_example_for_a_broker_of_ones_own_gives_every_channel_its_way(root):
    lines = (root / "hub/deploy/mosquitto.acl").read_text("utf-8").splitlines()
    for who in ("new/%c", "demo/%u"):
        told = {line for line in lines if f"/{who}/" in line}
        assert told == {f"pattern write citytable/1/{who}/{channel}" for channel in topics.FROM_STATION} | {
            f"pattern read citytable/1/{who}/{channel}" for channel in topics.TO_STATION
        }


@pytest.mark.broker
async def test_the_example_for_a_broker_of_ones_own_works(root, tmp_path, until, new_port):
    ports = new_port(), new_port()
    credentials = Credentials(tmp_path, "demo")
    credentials.prepare()
    credentials.add("park", "secret")
    text = (root / "hub/deploy/mosquitto.conf").read_text("utf-8")
    for theirs, ours in {
        "/etc/mosquitto/citytable.passwd": credentials.passwords,
        "/etc/mosquitto/citytable.acl": root / "hub/deploy/mosquitto.acl",
        "/var/lib/mosquitto/": f"{tmp_path}/",
        "listener 1884 127.0.0.1": f"listener {ports[0]} 127.0.0.1",
        "listener 1883 192.168.50.1": f"listener {ports[1]} 127.0.0.1",
    }.items():
        assert theirs in text
        text = text.replace(theirs, str(ours))
    (tmp_path / "example.conf").write_text(text + ("\nuser root\n" if os.geteuid() == 0 else ""))
    quiet = asyncio.subprocess.DEVNULL
    program = await asyncio.create_subprocess_exec(
        find_mosquitto() or "", "-c", tmp_path / "example.conf", stdout=quiet, stderr=quiet
    )
    await until(lambda: answers(ports[1]))
    given = external_broker(f"127.0.0.1:{ports[0]}", HUB_USER, credentials.login(HUB_USER))
    door = Broker("127.0.0.1", ports[1], "external")
    async with MqttConnection(given, EVERYTHING, lambda: 0) as hub, client(door, "park", "secret") as park:
        heard = await heard_from(
            hub,
            (park, "citytable/1/demo/seat-1/event"),
            (park, "citytable/1/demo/park/event"),
            (park, "citytable/1/new/x"),
        )
    assert heard == ["citytable/1/demo/park/event"]
    program.kill()
    await program.wait()
