"""One table's wire, over a real broker: batches in, acknowledgements, lights and tocks out."""

import asyncio
import json
from itertools import count

import pytest

from citytable.link import registry, reporting, table_link
from citytable.link.broker import Broker, running_broker
from citytable.link.mqtt import MqttConnection, Publication, ended
from citytable.link.table_link import TableLink, TickUnmet
from tablewire import messages, topics

pytestmark = [pytest.mark.broker, pytest.mark.long(6)]


@pytest.fixture(params=["mosquitto", "embedded"])
async def broker(request):
    async with running_broker(kind=request.param) as running:
        yield running


class Clock:
    now_us = 1_000_000

    def __call__(self) -> int:
        return self.now_us


class Table:
    """The other end: says what stations say, hears what the hub says to them."""

    def __init__(self, connection: MqttConnection) -> None:
        self._connection = connection
        self._n = 0
        self.heard: list[tuple[str, dict]] = []

    async def say(self, said: tuple[str, bytes], *, retain: bool = False) -> None:
        topic, payload = said
        assert await self._connection.publish(Publication(topic, payload, qos=1, retain=retain))

    async def tick(self, t_us: int, **sent: int) -> int:
        self._n += 1
        names = {name.replace("_", "-"): n for name, n in sent.items()}
        payload = messages.encode({"type": "tick", "n": self._n, "t_us": t_us, "sent": names})
        await self.say((topics.topic("demo", topics.HUB, topics.TICK), payload))
        return self._n

    def look(self) -> None:
        """Hear what has arrived."""
        for arrival in self._connection.drain():
            station, channel = arrival.topic.split("/")[3:]
            if channel in (*topics.TO_STATION, topics.TOCK) or station == topics.HUB:
                self.heard.append((station, json.loads(arrival.payload)))

    async def hear(self, kind: str) -> tuple[str, dict]:
        while True:
            self.look()
            for n, (station, message) in enumerate(self.heard):
                if message["type"] == kind:
                    del self.heard[n]
                    return station, message
            assert await self._connection.wait(10) or self._connection.drain() == []


@pytest.fixture
async def table(broker):
    filters = tuple((f"citytable/1/demo/+/{channel}", 1) for channel in (*topics.TO_STATION, topics.TOCK, topics.STATE))
    async with MqttConnection(broker, filters, lambda: 0) as connection:
        yield Table(connection)


async def test_live_what_happened_comes_as_a_batch_and_is_acknowledged_when_committed(broker, table, fake_station):
    clock, station = Clock(), fake_station()
    async with asyncio.timeout(60), TableLink("demo", broker, hub_boot=5, now_us=clock) as link:
        await table.say(station.birth(clock_us=0))
        await table.say(station.tag(1, clock_us=10))
        seen = []
        async for batch in link.batches():
            clock.now_us += 100_000
            seen += [type(received.message).__name__ for received in batch.received]
            await link.committed(batch)
            if "TagSeen" in seen:
                assert batch.high_water == {("park", 7): 1}
                break
        station_name, ack = await table.hear("ack")
        assert (station_name, ack["boot"], ack["event_seq"]) == ("park", 7, 1)
        assert (await table.hear("ping"))[0] == "park"
    assert seen == ["Birth", "TagSeen"]


async def test_live_time_passes_even_when_nothing_happens(broker, monkeypatch):
    monkeypatch.setattr(table_link, "BEAT_S", 0.01)
    clock = Clock()
    async with asyncio.timeout(60), TableLink("demo", broker, hub_boot=5, now_us=clock) as link:
        batches = link.batches()
        clock.now_us = 7_000_000
        batch = await anext(batches)
        assert (batch.now_us, batch.received, batch.tick) == (7_000_000, (), None)


async def test_a_hub_that_comes_back_gives_nothing_out_before_a_station_has_told(broker, table, fake_station):
    """The clock question goes out although nothing is given out; the answer to it ends the call."""
    clock, station = Clock(), fake_station()
    clock.now_us = 100_000_000
    inventory = station.say(type="inventory", event_seq=5, at=station.at(60_000_000), tags=[])
    await table.say(station.birth(), retain=True)
    link = TableLink("demo", broker, hub_boot=5, now_us=clock, marks={("park", 7): 3}, awaited=["park"])
    async with asyncio.timeout(60), link:
        await table.say(station.tag(4, clock_us=50_000_000))
        await table.say(inventory)
        batches, waiting = link.batches(), asyncio.create_task(link.all_caught_up())
        while not (pinged := [message for _, message in table.heard if message["type"] == "ping"]):
            batch = await anext(batches)
            assert batch.received == ()
            await link.committed(batch)
            table.look()
        assert not waiting.done()
        await table.say(station.pong(pinged[0]["id"], 60_000_000, 60_000_000))
        seen = []
        while not waiting.done():
            clock.now_us += 100_000
            batch = await anext(batches)
            seen += [received.seq for received in batch.received]
            await link.committed(batch)
            await asyncio.sleep(0)
    assert seen == [4, 0, 5]  # what it saw, that it is there, and what lies there now


@pytest.mark.parametrize("pace", [1, 10])
async def test_live_messages_may_overtake_each_other_as_long_by_the_wall_at_any_pace(
    broker, table, fake_station, monkeypatch, pace
):
    monkeypatch.setattr(table_link, "BEAT_S", 0.01)
    clock, step_us = Clock(), 20_000
    async with asyncio.timeout(60), TableLink("demo", broker, hub_boot=5, now_us=clock, pace=pace) as link:
        await table.say(fake_station().birth())
        async for batch in link.batches():
            if batch.received:
                held_us = batch.now_us - batch.received[0].t_us
                break
            clock.now_us += step_us
    assert held_us >= table_link.WINDOW_US * pace
    assert held_us <= table_link.WINDOW_US * pace + 2 * step_us


async def test_live_what_has_come_is_fresh_at_once_and_received_in_order_when_its_time_has_come(
    broker, table, fake_station
):
    clock, park, seat = Clock(), fake_station("park"), fake_station("seat-1", boot=8)
    async with asyncio.timeout(60), TableLink("demo", broker, hub_boot=5, now_us=clock) as link:
        batches, fresh, received = link.batches(), [], []

        async def told() -> None:
            batch = await anext(batches)
            fresh.extend((one.station, one.seq) for one in batch.fresh if one.seq)
            received.extend((one.station, one.seq) for one in batch.received if one.seq)
            await link.committed(batch)

        await table.say(park.birth())
        await table.say(seat.birth())
        while len(link.health()) < 2:
            await told()
        clock.now_us += 20_000
        for late, station, clock_us in ((1, seat, 10_000), (2, park, 5_000)):
            await table.say(station.tag(1, clock_us=clock_us))
            while len(fresh) < late:
                await told()
            assert received == []
        clock.now_us += table_link.WINDOW_US
        while len(received) < 2:
            await told()
    assert (fresh, received) == ([("seat-1", 1), ("park", 1)], [("park", 1), ("seat-1", 1)])


async def test_live_what_has_come_is_given_out_before_clocks_are_asked_for(broker, table, fake_station):
    async with asyncio.timeout(60), TableLink("demo", broker, hub_boot=5, now_us=Clock()) as link:
        await table.say(fake_station().birth())
        async for batch in link.batches():
            if batch.fresh:
                break
        assert link.sent() == {}
        await link.committed(batch)
        assert link.sent() == {"park": 1}


async def test_a_station_blinks_if_it_is_there(broker, table, fake_station):
    async with asyncio.timeout(60), TableLink("demo", broker, hub_boot=5, now_us=Clock(), lock_step=True) as link:
        assert not await link.identify("park", 10)
        await table.say(fake_station().birth())
        await table.tick(1_000, park=1)
        await anext(link.batches())
        assert await link.identify("park", 10)
        station, command = await table.hear("identify")
        assert (station, command["seconds"]) == ("park", 10)


async def test_live_what_a_station_cannot_say_is_told_before_the_next_beat(broker, table, fake_station, monkeypatch):
    monkeypatch.setattr(table_link, "BEAT_S", 100.0)
    async with asyncio.timeout(60), TableLink("demo", broker, hub_boot=5, now_us=Clock()) as link:
        batches = link.batches()
        first = await anext(batches)
        await link.committed(first)
        await table.say((fake_station().tag(1)[0], b"{"))
        batch = await anext(batches)
        assert (batch.received, batch.fresh, batch.is_due) == ((), (), True)
        assert "no JSON" in link.health()[0].faults[0]["en"]


async def test_the_hub_announces_itself_and_says_goodbye(broker, table):
    async with asyncio.timeout(60):
        async with TableLink("demo", broker, hub_boot=5, now_us=Clock()):
            _, hello = await table.hear("hub")
            assert (hello["boot"], hello["online"]) == (5, True)
        _, goodbye = await table.hear("hub")
        assert (goodbye["boot"], goodbye["online"]) == (5, False)


async def test_lights_go_to_their_station_if_it_is_there(broker, table, fake_station):
    rings = [{"spot": "city/0/0", "rgb": [1, 2, 3], "pattern": "solid"}]
    async with asyncio.timeout(60), TableLink("demo", broker, hub_boot=5, now_us=Clock(), lock_step=True) as link:
        assert not await link.publish_light("park", rings)
        await table.say(fake_station().birth())
        await table.tick(1_000, park=1)
        await anext(link.batches())
        assert await link.publish_light("park", rings)
        station, light = await table.hear("light")
        assert (station, light["rings"]) == ("park", rings)
        assert link.sent() == {"park": 1}


async def test_a_station_is_sent_its_calibration_at_its_birth(broker, table, fake_station):
    scales = {"park": [("city/0/0", (2140.5,))]}
    async with (
        asyncio.timeout(60),
        TableLink("demo", broker, hub_boot=5, now_us=Clock(), lock_step=True, scales=scales) as link,
    ):
        await table.say(fake_station().birth())
        await table.say(fake_station("supply", boot=8).birth())
        await table.tick(1_000, park=1, supply=1)
        await link.committed(await anext(link.batches()))
        station, message = await table.hear("scales")
        assert (station, message["scales"]) == ("park", [{"spot": "city/0/0", "counts_per_g": [2140.5]}])
        assert link.sent()["park"] == 2  # and a ping


async def test_in_lock_step_a_tick_waits_for_every_message_it_counts(broker, table, fake_station):
    park, seat = fake_station("park"), fake_station("seat-1", boot=8)
    async with asyncio.timeout(60), TableLink("demo", broker, hub_boot=5, now_us=Clock(), lock_step=True) as link:
        batches = link.batches()
        await table.tick(50_000, park=2, seat_1=3)
        waiting = asyncio.ensure_future(anext(batches))
        for said in (
            park.birth(),
            park.samples(1, n=1),
            seat.birth(),
            seat.tag(1, clock_us=40),
            seat.tag(2, clock_us=30),
        ):
            assert not waiting.done()
            await table.say(said)
        batch = await waiting
        assert (batch.now_us, batch.tick) == (50_000, 1)
        assert [(one.station, one.boot, one.seq) for one in batch.received] == [
            ("park", 7, 0),
            ("park", 7, 1),
            ("seat-1", 8, 0),
            ("seat-1", 8, 1),
            ("seat-1", 8, 2),
        ]
        await link.committed(batch)
        _, tock = await table.hear("tock")
        assert (tock["n"], tock["sent"]) == (1, {"park": 1, "seat-1": 2})  # a ping each, and an ack


async def test_in_lock_step_there_is_one_batch_for_every_tick(broker, table):
    async with asyncio.timeout(60), TableLink("demo", broker, hub_boot=5, now_us=Clock(), lock_step=True) as link:
        batches = link.batches()
        for n in range(1, 6):
            await table.tick(n * 1_000)
            batch = await anext(batches)
            assert (batch.now_us, batch.tick, batch.received) == (n * 1_000, n, ())
            await link.committed(batch)
            _, tock = await table.hear("tock")
            assert tock["n"] == n


async def test_what_was_retained_before_is_not_counted_by_the_tick(broker, table, fake_station):
    station = fake_station()
    await table.say(station.birth(), retain=True)
    async with asyncio.timeout(60), TableLink("demo", broker, hub_boot=5, now_us=Clock(), lock_step=True) as link:
        await table.tick(1_000, park=1)
        waiting = asyncio.ensure_future(anext(link.batches()))
        await table.say(station.tag(1))
        assert [one.seq for one in (await waiting).received] == [0, 1]


async def test_a_last_will_is_counted_by_the_tick_as_a_message_of_its_station(broker, table, fake_station):
    station = fake_station()
    async with asyncio.timeout(60), TableLink("demo", broker, hub_boot=5, now_us=Clock(), lock_step=True) as link:
        for said in (station.birth(), station.tag(1)):
            await table.say(said)
        await table.tick(1_000, park=3)
        waiting = asyncio.ensure_future(anext(link.batches()))
        await table.say(station.death())
        told = [type(one.message).__name__ for one in (await waiting).received]
        assert told == ["Birth", "TagSeen", "Death"]


async def test_a_tick_whose_messages_never_come_names_them(broker, table, fake_station, monkeypatch):
    monkeypatch.setattr(table_link, "PATIENCE_S", 0.05)
    monkeypatch.setattr(table_link, "BEAT_S", 0.01)
    async with asyncio.timeout(60), TableLink("demo", broker, hub_boot=5, now_us=Clock(), lock_step=True) as link:
        await table.say(fake_station().birth())
        await table.tick(1_000, park=2)
        with pytest.raises(TickUnmet, match=r"tick 1: messages are missing .*\(park 1 of 2\)"):
            await anext(link.batches())


async def test_garbled_messages_are_counted_and_stop_nothing(broker, table, fake_station, changed):
    station = fake_station()
    topic, payload = station.tag(1)
    garbled = (b"", b"{", payload[:-5], changed(payload, v=9), b"x" * 9_000)
    async with asyncio.timeout(60), TableLink("demo", broker, hub_boot=5, now_us=Clock(), lock_step=True) as link:
        await table.say(station.birth())
        for bad in garbled:
            await table.say((topic, bad))
        await table.say((topic.replace("/1/", "/2/", 1), payload))
        await table.say((topic, payload))
        await table.tick(1_000, park=len(garbled) + 2)
        batch = await anext(link.batches())
        assert [one.seq for one in batch.received] == [0, 1]
        assert sum(link.bad_messages.values()) == len(garbled) + 1
        assert {note.topic for note in link.notes} == {topic, topic.replace("/1/", "/2/", 1)}


async def test_the_stations_page_tells_who_speaks_so_that_nobody_can_read_it_for_a_while(
    broker, table, fake_station, changed
):
    station, stranger = fake_station(), fake_station("sector-9")
    async with asyncio.timeout(60), TableLink("demo", broker, hub_boot=5, now_us=Clock(), lock_step=True) as link:
        batches = link.batches()
        await table.say(station.birth())
        await table.say((station.tag(1)[0], b"{"))
        topic, payload = stranger.birth()
        await table.say((topic.replace("/1/", "/2/", 1), changed(payload, v=2)))
        await table.tick(1_000, park=2, sector_9=1)
        await anext(batches)
        park, other = link.health()
        (fault,) = park.faults
        assert (park.station, park.online) == ("park", True)
        assert fault["en"].startswith(
            "1 of its messages could not be read, the last one on citytable/1/demo/park/event: no JSON"
        )
        assert (other.station, other.online) == ("sector-9", False)
        assert "speaks wire version '2', this hub speaks 1: update" in other.faults[0]["en"]
        await table.say(station.quiet(1, clock_us=10))
        await table.tick(1_001 + reporting.BAD_SHOWN_US, park=3, sector_9=1)
        await anext(batches)
        (park,) = link.health()
        assert (park.station, park.faults) == ("park", ())


async def test_a_hole_makes_the_hub_announce_itself_anew_so_that_stations_repeat(broker, table, fake_station):
    station = fake_station()
    async with asyncio.timeout(60), TableLink("demo", broker, hub_boot=5, now_us=Clock(), lock_step=True) as link:
        batches = link.batches()
        await table.hear("hub")
        await table.say(station.birth())
        await table.say(station.tag(2))
        for t_us in (0, 2_000_000):
            await table.tick(t_us, park=2)
            await link.committed(await anext(batches))
        _, again = await table.hear("hub")
        assert (again["boot"], again["online"]) == (6, True)


async def test_stopping_ends_the_batches(broker):
    link = TableLink("demo", broker, hub_boot=5, now_us=Clock(), lock_step=True)
    async with asyncio.timeout(60), link:

        async def collect():
            return [batch async for batch in link.batches()]

        running = asyncio.create_task(collect())
        await asyncio.sleep(0)
        await link.stop()
        assert await running == []


@pytest.mark.parametrize("turned", [False, True])
async def test_runs_are_equal_whatever_order_the_messages_take(broker, table, fake_station, turned):
    park, seat = fake_station("park"), fake_station("seat-1", boot=8)
    async with asyncio.timeout(60), TableLink("demo", broker, hub_boot=5, now_us=Clock(), lock_step=True) as link:
        batches = link.batches()
        await table.say(park.birth())
        await table.tick(1_000, park=1)
        await link.committed(await anext(batches))
        _, ping = await table.hear("ping")
        said = [park.pong(ping["id"], received_us=900, sent_us=900), park.tag(1, 300), seat.birth(5), seat.tag(1, 5)]
        for one in said if not turned else [*said[2:], said[1], said[0]]:
            await table.say(one)
        await table.tick(2_000, park=3, seat_1=2)
        batch = await anext(batches)
    assert [(one.t_us, one.station, one.seq) for one in batch.received] == [
        (1_000, "park", 1),  # by the clock the pong set, not by the rough one of the birth
        (2_000, "seat-1", 0),
        (2_000, "seat-1", 1),
    ]


async def test_after_a_lost_connection_the_hub_announces_itself_anew_so_that_stations_repeat(broker, table, relay_to):
    relay = relay_to(broker)
    async with asyncio.timeout(60), TableLink("demo", await relay.start(), hub_boot=5, now_us=Clock()):
        assert (await table.hear("hub"))[1]["boot"] == 5
        relay.cut()
        states = [(await table.hear("hub"))[1] for _ in range(2)]
        assert [(state["boot"], state["online"]) for state in states] == [(5, False), (6, True)]
    await relay.stop()


async def test_after_a_lost_connection_nothing_is_given_out_before_every_station_has_told(
    broker, table, fake_station, relay_to, monkeypatch
):
    """The seat comes back first, and the park saw something before it; both clocks began with the hub's."""
    monkeypatch.setattr(table_link, "BEAT_S", 0.01)
    relay, clock, park, seat = relay_to(broker), Clock(), fake_station("park"), fake_station("seat-1", boot=8)
    async with asyncio.timeout(60), TableLink("demo", await relay.start(), hub_boot=5, now_us=clock) as link:
        batches, said = link.batches(), {}
        for station in (park, seat):
            await table.say(station.birth(clock_us=clock.now_us))
        while len(said) < 2:
            await link.committed(await anext(batches))
            table.look()
            said |= {name: message["id"] for name, message in table.heard if message["type"] == "ping"}
        for station in (park, seat):
            await table.say(station.pong(said[station.station], clock.now_us, clock.now_us))
        while any(one.offset_us is None for one in link.health()):
            await link.committed(await anext(batches))
        relay.cut()
        await table.hear("hub")
        while (await table.hear("hub"))[1]["boot"] != 6:
            pass
        clock.now_us = 5_000_000
        seen = []
        for station, seen_us in ((seat, 3_000_000), (park, 2_000_000)):
            assert seen == []
            await table.say(station.tag(1, clock_us=seen_us))
            at = station.at(4_000_000)
            await table.say(station.say(type="inventory", event_seq=2, at=at, tags=[]))
            for _ in range(20) if station is seat else count():
                batch = await anext(batches)
                seen += [(received.station, received.seq) for received in batch.received if received.seq]
                await link.committed(batch)
                if len(seen) == 4:
                    break
        assert seen == [("park", 1), ("seat-1", 1), ("park", 2), ("seat-1", 2)]
    await relay.stop()


async def test_an_overlong_list_of_garbled_names_is_counted_without_growing(broker, table, fake_station, monkeypatch):
    monkeypatch.setattr(registry, "STRANGERS_MAX", 2)
    names = [f"liar-{n}" for n in range(4)]
    async with asyncio.timeout(60), TableLink("demo", broker, hub_boot=5, now_us=Clock(), lock_step=True) as link:
        for name in names:
            topic, _ = fake_station(name).tag(1)
            await table.say((topic, b"?"))
        await table.tick(1_000, **{name.replace("-", "_"): 1 for name in names})
        await anext(link.batches())
        assert link.bad_messages == {"liar-0": 1, "liar-1": 1, "": 2}


async def test_junk_names_that_lie_at_the_broker_lock_no_station_of_the_plan_out(
    broker, table, fake_station, monkeypatch, caplog
):
    monkeypatch.setattr(registry, "STRANGERS_MAX", 2)
    for n in range(4):
        await table.say(fake_station(f"junk-{n}").birth(), retain=True)
    link = TableLink("demo", broker, hub_boot=5, now_us=Clock(), lock_step=True, stations=["park"])
    async with asyncio.timeout(60), link:
        await table.say(fake_station("park").birth())
        await table.tick(1_000, park=1)
        await anext(link.batches())
        assert {health.station for health in link.health()} == {"junk-0", "junk-1", "park"}
        assert link.registry.station("park").online
    assert [record.getMessage().partition(". ")[0] for record in caplog.records] == [
        "too many stations that are not in the plan: 'junk-2', 'junk-3' are refused"
    ]


@pytest.mark.parametrize(("lock_step", "keepalive_s"), [(True, 0), (False, 5)])
async def test_only_in_lock_step_a_hub_may_be_silent_for_as_long_as_it_is_starved(lock_step, keepalive_s):
    connects: asyncio.Queue[bytes] = asyncio.Queue()

    async def listen(reader, writer):
        await connects.put(await reader.readexactly(12))
        writer.close()

    async with asyncio.timeout(60), await asyncio.start_server(listen, "127.0.0.1", 0) as server:
        silent = Broker("127.0.0.1", server.sockets[0].getsockname()[1], "external")
        link = TableLink("demo", silent, hub_boot=5, now_us=Clock(), lock_step=lock_step)
        opening = asyncio.create_task(link.__aenter__())
        packet = await connects.get()
        await ended(opening)
    after_name = packet.index(b"MQTT") + 4
    _level, _flags, *keepalive = packet[after_name : after_name + 4]
    assert int.from_bytes(bytes(keepalive)) == keepalive_s  # MQTT 3.1.1, section 3.1.2.10
