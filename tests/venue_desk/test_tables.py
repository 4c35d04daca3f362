"""Tables report to the venue through mosquitto, a bridge and NATS: nothing is lost, and nothing comes twice."""

import asyncio
import os
import subprocess
from contextlib import asynccontextmanager
from dataclasses import replace

import msgspec
import pytest
from tests.patience import PATIENCE_S

from citytable.link import mqtt
from citytable.link.broker import Broker, BrokerUnavailable, external_broker, running_broker
from citytable.link.mqtt import MqttConnection, Publication, ended
from citytable.settings import Settings
from citytable.venue.draw import draw
from citytable.venue.facts import EveningBegun, PlayerCame, TableOpened
from citytable.venue.messages import NOW, GameResult, TableNow, game_channel
from citytable.venue_desk.bridge import Node, bridge_configuration, desk_login, nats_configuration, table_login
from citytable.venue_desk.desk import hearing
from citytable.venue_desk.hearing import Hearing
from citytable.venue_desk.store import StoreUnavailable
from tablewire import topics

pytestmark = [pytest.mark.nats, pytest.mark.postgresql, pytest.mark.long(5)]

REPEAT_S = 10  # a hub lets a minute pass


class Desk(Hearing):
    """A desk that tells the test of each report that it has kept."""

    def __init__(self, store) -> None:
        self._kept = asyncio.Event()
        self.new: list[tuple[str, tuple[int, ...]]] = []
        """The results that changed an evening, in order: game and points."""

        async def keep(report) -> None:
            if await store.report(report) is not None:
                self.new.append((report.game, report.points))
            self._kept.set()

        super().__init__(keep)

    async def until(self, holds) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not await holds():
                await self._kept.wait()
                self._kept.clear()


class Table(MqttConnection):
    """A table that says its results again, as a hub does every minute: the venue's broker loses one now and then.

    Why is known of one that came just after a kill (0094); a test waited in vain for another, about once in 50 runs.
    """

    def __init__(self, *at) -> None:
        super().__init__(*at)
        self.said: dict[str, Publication] = {}

    async def publish(self, message: Publication) -> bool:
        self.said[message.topic] = message
        return await super().publish(message)

    async def repeat(self) -> None:
        while True:
            await asyncio.sleep(REPEAT_S)
            for message in tuple(self.said.values()):
                await super().publish(message)


@asynccontextmanager
async def table_at(server):
    async with table_of(Broker("127.0.0.1", server.port, "external")) as mqtt:
        yield mqtt


@asynccontextmanager
async def table_of(broker):
    async with Table(broker, (), lambda: 0) as mqtt:
        repeating = asyncio.create_task(mqtt.repeat())
        try:
            yield mqtt
        finally:
            await ended(repeating)


@asynccontextmanager
async def desk_at(store, broker):
    desk = Desk(store)
    async with hearing(desk, [broker]):
        yield desk


@pytest.fixture
def hubs_own(new_port, tmp_path, secret):
    """`hubs_own("north", port)`: what a table's own broker is told that bridges to a venue at this port."""

    def listener(table, port):
        file = tmp_path / "venue-bridge.conf"
        file.write_text(bridge_configuration(table, [f"127.0.0.1:{port}"], secret))
        return Settings(listen=f"127.0.0.1:{new_port()}", broker_dir=tmp_path / "broker", venue_bridge=file).stations()

    return listener


async def report(mqtt, table, game, points, ended_us=1):
    result = GameResult(game, "megacity", ended_us, points, ("",) * len(points))
    topic = topics.topic(table, topics.VENUE, game_channel(game))
    assert await mqtt.publish(Publication(topic, msgspec.json.encode(result), qos=1, retain=True))


async def begin(store, *tables):
    await store.begin("friday", "autumn", EveningBegun(2, 2, rounds=3, seed=1))
    names = [f"player {k}" for k in range(2 * len(tables))]
    for fact in (*map(TableOpened, tables), *map(PlayerCame, names)):
        await store.add("friday", lambda _, fact=fact: fact)
    await store.add("friday", draw)


async def test_a_table_that_is_cut_off_catches_up(store, road, table_broker, venue_broker):
    north, south = table_broker("north", road.port), table_broker("south", road.port)
    await begin(store, "north", "south")

    async def is_over(*tables):
        return set((await store.evening("friday")).unfinished()).isdisjoint(tables)

    async with desk_at(store, venue_broker) as desk, table_at(north) as at_north, table_at(south) as at_south:
        await report(at_south, "south", "s1", (1, 2))
        await desk.until(lambda: is_over("south"))
        await road.cut()
        await report(at_north, "north", "n1", (5, 3))  # nobody at the desk hears it
        await report(at_north, "north", "n1", (3, 5), ended_us=2)  # put right meanwhile
        assert not await is_over("north")
        await road.open()
        await desk.until(lambda: is_over("north"))
        await store.add("friday", draw)
        await report(at_north, "north", "n2", (7, 7))
        await desk.until(lambda: is_over("north"))
    evening = await store.evening("friday")
    assert {key: (game.round_no, game.points) for key, game in evening.games.items()} == {
        ("south", "s1"): (1, (1, 2)),
        ("north", "n1"): (1, (3, 5)),
        ("north", "n2"): (2, (7, 7)),
    }


def in_turn(said, minute_s=60):
    """Yield what a hub says in ten minutes of a recording, in which a game ends each minute.

    Each minute all results are said again, and the third is put right in the fifth.
    """
    results, minute = {}, 0
    for one in said:
        while one.at_s >= (minute + 1) * minute_s:
            minute += 1
            results[minute] = GameResult(f"n{minute}", "megacity", minute, (minute, 10), ("", ""))
            if minute == 5:
                results[3] = GameResult("n3", "megacity", minute, (10, 3), ("", ""))
            for result in results.values():
                yield said_by_north(game_channel(result.game_id), result, qos=1)
        yield said_by_north(one.channel, msgspec.Raw(one.payload.encode()), qos=0)


def said_by_north(channel, what, qos):
    topic = topics.topic("north", topics.VENUE, channel)
    return Publication(topic, msgspec.json.encode(what), qos, retain=True)


async def test_what_a_table_says_in_ten_minutes_without_its_venue_is_caught_up(
    store, road, venue_broker, hubs_own, load_tool
):
    await begin(store, "north")
    said = load_tool("record_venue").recorded()
    assert said[-1].at_s > 600
    last = msgspec.json.decode(said[-1].payload, type=TableNow)
    async with (
        running_broker(stations=hubs_own("north", road.port)) as broker,
        desk_at(store, venue_broker) as desk,
        table_of(broker) as north,
    ):
        await report(north, "north", "n0", (0, 10))

        async def has_heard_before():
            return desk.new == [("n0", (0, 10))]

        await desk.until(has_heard_before)
        await road.cut()
        for message in in_turn(said):
            assert await north.publish(message)
        assert await has_heard_before()
        await road.open()

        async def has_caught_up():
            played = {game: one.points for (_, game), one in (await store.evening("friday")).games.items()}
            wanted = {f"n{k}": (k, 10) for k in range(11)} | {"n3": (10, 3)}
            return played == wanted and desk.tables.get("north") == last

        await desk.until(has_caught_up)
    assert len(desk.new) == len(set(desk.new)), "nothing changes an evening twice"


async def test_a_desk_that_was_away_hears_every_game_that_ended_meanwhile(store, nats, table_broker, venue_broker):
    north = table_broker("north", nats.port)
    await begin(store, "north")

    async def games():
        return {game for _, game in (await store.evening("friday")).games}

    async def has(*wanted):
        return await games() == set(wanted)

    async with table_at(north) as at_north:
        await report(at_north, "north", "n1", (5, 3))
        await report(at_north, "north", "n2", (4, 6))
        async with desk_at(store, venue_broker) as desk:
            await desk.until(lambda: has("n1", "n2"))
        nats.kill()
        await report(at_north, "north", "n3", (2, 1))
        nats.start()
        async with desk_at(store, venue_broker) as desk:  # which hears n1 and n2 once more
            await desk.until(lambda: has("n1", "n2", "n3"))
    assert len((await store.evening("friday")).games) == 3


async def test_postgresql_killed_while_tables_report(store, postgresql, nats, table_broker, venue_broker):
    north = table_broker("north", nats.port)
    await begin(store, "north")

    async def is_over():
        return (await store.evening("friday")).unfinished() == ()

    async with desk_at(store, venue_broker) as desk, table_at(north) as at_north:
        postgresql.kill()
        await report(at_north, "north", "n1", (5, 3))
        await asyncio.to_thread(postgresql.start)
        await desk.until(is_over)


ONE_NAME = (
    b'{"game_id":"n0","game":"toy","t_us":1,"turn":1,"seat":1,"over":false,"points":[1,2],"names":["a"],'
    b'"fell":false,"waits":false}'
)
NONSENSE = [
    (game_channel("n0"), b"{"),
    (game_channel("n0"), b'{"game_id":"n0","game":"toy","ended_us":1,"points":[1,9999999999]}'),  # no int of a database
    (game_channel("n0"), b'{"game_id":"n0","game":"toy","ended_us":99999999999999999999,"points":[1,2]}'),
    (game_channel("n0"), b'{"game_id":"n\\u0000","game":"toy","ended_us":1,"points":[1,2]}'),
    (game_channel("n0"), b'{"game_id":"n0","game":"toy","ended_us":1,"points":[1]}'),
    (game_channel("n0"), b'{"game_id":"n0","game":"toy","ended_us":1,"points":[1,2],"names":["a"]}'),
    (NOW, b"[]"),
    (NOW, ONE_NAME),
]


async def test_the_desk_knows_how_a_game_stands_and_shrugs_at_nonsense(store, nats, table_broker, venue_broker, caplog):
    north = table_broker("north", nats.port)
    now = TableNow("n1", "megacity", 5, 3, 1, over=False, points=(4, 2), names=("", ""), fell=True, waits=False)
    await begin(store, "north")

    async def has(game):
        return ("north", game) in (await store.evening("friday")).games

    async with desk_at(store, venue_broker) as desk, table_at(north) as at_north:
        await report(at_north, "north", "first", (5, 3))
        await desk.until(lambda: has("first"))  # it hears now, and not what is retained only
        for channel, payload in (*NONSENSE, (NOW, msgspec.json.encode(now))):
            await at_north.publish(Publication(topics.topic("north", topics.VENUE, channel), payload, 1, retain=True))
        await report(at_north, "north", "last", (5, 3))
        await desk.until(lambda: has("last"))
        assert desk.tables == {"north": now}
    assert caplog.text.count("a table sent what makes no sense") == len(NONSENSE)


async def test_the_hubs_own_broker_bridges_too(store, nats, venue_broker, hubs_own):
    await begin(store, "north")

    async def is_over():
        return (await store.evening("friday")).unfinished() == ()

    async with (
        running_broker(stations=hubs_own("north", nats.port)) as broker,
        desk_at(store, venue_broker) as desk,
        MqttConnection(broker, (), lambda: 0) as hub,
    ):
        await report(hub, "north", "n1", (5, 3))
        await desk.until(is_over)


@pytest.mark.parametrize(("text", "why"), [(None, "cannot be read"), ("listener 1883", "describes no bridge")])
def test_a_file_that_is_no_bridge_is_refused(tmp_path, text, why):
    file = tmp_path / "venue-bridge.conf"
    if text is not None:
        file.write_text(text)
    with pytest.raises(BrokerUnavailable, match=why):
        Settings(listen="127.0.0.1:1883", broker_dir=tmp_path, venue_bridge=file).stations()


async def test_a_desk_that_is_there_before_its_broker_waits_for_it(store, nats, table_broker, venue_broker, caplog):
    nats.kill()
    north = table_broker("north", nats.port)
    await begin(store, "north")
    desk = Desk(store)

    async def is_over():
        return (await store.evening("friday")).unfinished() == ()

    async with hearing(desk, [venue_broker]), table_at(north) as at_north:
        await report(at_north, "north", "n1", (5, 3))
        await asyncio.to_thread(nats.start)
        await desk.until(is_over)


async def test_a_store_that_is_gone_for_good_ends_the_desk(store, nats, table_broker, venue_broker):
    async def fail(_report):
        raise StoreUnavailable("gone")

    async def evening():
        async with hearing(Hearing(fail), [venue_broker]), table_at(north) as at_north:
            await report(at_north, "north", "n1", (5, 3))
            async with asyncio.timeout(PATIENCE_S):
                await asyncio.Event().wait()

    north = table_broker("north", nats.port)
    with pytest.raises(StoreUnavailable, match="gone"):
        await evening()


async def test_a_table_reports_for_itself_only_and_hears_nothing(store, nats, table_broker, venue_broker, secret):
    await begin(store, "north", "south")
    login = table_login(secret, "south")
    assert secret not in login.password
    own = Broker("127.0.0.1", nats.port, "external", user=login.user, password=login.password)
    everything = (("#", 0), ("citytable/1/+/venue/+", 1))

    async def has(game):
        return ("south", game) in (await store.evening("friday")).games

    async with desk_at(store, venue_broker) as desk, MqttConnection(own, everything, lambda: 0) as south:
        topic = topics.topic("north", topics.VENUE, game_channel("n1"))
        forged = GameResult("n1", "megacity", 1, (9, 0), ("", ""))
        await south.publish(Publication(topic, msgspec.json.encode(forged), qos=1, retain=True))
        await report(south, "south", "s1", (1, 2))
        await desk.until(lambda: has("s1"))
        assert south.drain() == []
    assert {table for table, _ in (await store.evening("friday")).games} == {"south"}


async def test_nobody_else_is_let_in_at_the_venue(nats):
    stranger = Broker("127.0.0.1", nats.port, "external", user="desk", password="guessed")
    with pytest.raises(BrokerUnavailable):
        async with MqttConnection(stranger, (), lambda: 0):
            pass


@pytest.fixture
def over_tls(tmp_path, root, serve, new_port, secret):
    """The venue's broker with a certificate, as the desk reaches it, and a table's broker that bridges to it."""
    command = ["sh", str(root / "hub/deploy/certificate.sh"), str(tmp_path / "tls"), "127.0.0.1"]
    subprocess.run(command, check=True, capture_output=True)
    certificate, port, table_port = tmp_path / "tls/citytable.crt", new_port(), new_port()
    node = Node(
        folder=tmp_path / "kept",
        host="127.0.0.1",
        port=new_port(),
        mqtt_port=port,
        certificate=certificate,
        key=certificate.with_suffix(".key"),
    )
    (tmp_path / "venue.conf").write_text(nats_configuration(node, secret, ["north"]))
    serve(port, "nats-server", "--config", str(tmp_path / "venue.conf"))
    bridge = bridge_configuration("north", [f"127.0.0.1:{port}"], secret, certificate)
    user = "user root\n" if os.geteuid() == 0 else ""
    (tmp_path / "north.conf").write_text(f"listener {table_port} 127.0.0.1\nallow_anonymous true\n{user}{bridge}")
    login = desk_login(secret)
    broker = external_broker(f"127.0.0.1:{port}", login.user, login.password, certificate)
    return broker, serve(table_port, "mosquitto", "-c", str(tmp_path / "north.conf"))


async def test_reports_and_passwords_are_encrypted_on_their_way_to_the_venue(store, over_tls, monkeypatch):
    """The table and the desk trust the venue's certificate alone; whoever speaks in clear is not listened to."""
    broker, north = over_tls
    await begin(store, "north")

    async def is_over():
        return not (await store.evening("friday")).unfinished()

    async with desk_at(store, broker) as desk, table_at(north) as at_north:
        await report(at_north, "north", "n1", (5, 3))
        await desk.until(is_over)
    monkeypatch.setattr(mqtt, "CONNECT_S", 0.5)
    in_clear = MqttConnection(replace(broker, certificate=None), (), lambda: 0)
    with pytest.raises(BrokerUnavailable):
        await in_clear.__aenter__()


def test_a_certificate_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BrokerUnavailable, match="copy the venue's certificate"):
        external_broker("127.0.0.1:1883", certificate=tmp_path / "none.crt")
