"""The ears: each station of the plan is heard over a connection of its own, and whoever floods loses it for a while."""

import asyncio

import pytest

from citytable.link import ears as listening
from citytable.link.broker import Broker, running_broker
from citytable.link.budgets import OTHERS_BURST, PRESSING_US, Budgets
from citytable.link.ears import Ears
from citytable.link.mqtt import MqttConnection, Publication
from citytable.link.table_link import TableLink
from tablewire import topics

PLAN = ("park", "quay")


class Ear:
    discarded = 0

    def __init__(self, subscriptions, admits):
        self.filters, self.admits = {text for text, _ in subscriptions}, admits
        self.is_open, self.was_away, self.connected = True, False, True

    @property
    def listens(self):
        return self.connected or not self.is_open

    def shut(self):
        self.is_open = False

    def open(self):
        self.was_away |= not self.is_open
        self.is_open = True

    def hears(self, station, channel):
        wanted = {f"citytable/+/salon/{station}/{channel}", f"citytable/+/salon/+/{channel}"}
        admitted = self.admits(topics.topic("salon", station, channel), 0)
        return self.is_open and bool(self.filters & wanted) and admitted


def eared(stations=PLAN):
    budgets, made = Budgets(stations), []

    def make(subscriptions, admits):
        made.append(Ear(subscriptions, admits))
        return made[-1]

    return Ears("salon", stations, budgets, make), budgets, made


def flood(budgets, station, channel=topics.EVENT, now_us=0):
    while budgets.admits(topics.topic("salon", station, channel), now_us):
        pass


def heard_by(made, station, channel=topics.EVENT):
    return [n for n, ear in enumerate(made) if ear.hears(station, channel)]


def test_each_station_of_the_plan_is_heard_by_an_ear_of_its_own_and_strangers_by_one_together():
    _, _, made = eared()
    assert [heard_by(made, name) for name in ("park", "quay", "junk", "gull")] == [[0], [1], [2], [2]]
    assert heard_by(made, "park", topics.SAMPLES) == heard_by(made, "junk", topics.SAMPLES) == [3]


def test_who_floods_with_events_loses_their_ear_and_no_other_station_does():
    ears, budgets, made = eared()
    flood(budgets, "park")
    assert ears.tend(1) is False
    assert (made[0].is_open, heard_by(made, "quay")) == (False, [1])
    assert not made[2].is_open, "it hears the flood as well"
    assert made[3].is_open, "samples are shed by themselves"


def test_who_is_calm_is_heard_again_and_asked_once_for_what_they_said_meanwhile():
    ears, budgets, made = eared()
    flood(budgets, "park")
    assert not ears.tend(PRESSING_US - 1)
    assert ears.tend(PRESSING_US)
    assert all(ear.is_open for ear in made)
    assert not ears.tend(PRESSING_US + 1)


def test_the_ears_listen_when_all_do_that_are_not_shut():
    ears, budgets, made = eared()
    made[3].connected = False
    assert not ears.listen, "nobody hears what the scales say"
    made[3].connected = True
    flood(budgets, "park")
    ears.tend(1)
    made[0].connected = False
    assert ears.listen


def test_an_ear_listens_once_it_is_connected_or_has_been_shut():
    ear = listening.Ear(Broker("127.0.0.1", 1, "external"), (), lambda: 0, lambda _topic, _now_us: True)
    heard = [ear.listens]
    ear.shut()
    heard.append(ear.listens)
    ear.open()
    assert [*heard, ear.listens] == [False, True, False]


def test_while_invented_names_flood_only_the_plan_is_heard():
    ears, budgets, made = eared()
    flood(budgets, "junk")
    ears.tend(1)
    assert [ear.is_open for ear in made] == [True, True, False, True]


def test_a_flood_of_samples_and_a_table_without_a_plan_change_nothing():
    ears, budgets, made = eared()
    flood(budgets, "park", topics.SAMPLES)
    ears.tend(1)
    assert all(ear.is_open for ear in made)
    ears, budgets, made = eared(())
    flood(budgets, "park")
    ears.tend(1)
    assert all(ear.is_open for ear in made)


class Clock:
    now_us = 1_000_000

    def __call__(self):
        return self.now_us


@pytest.mark.broker
async def test_a_tag_overtakes_the_flood_that_lies_at_the_broker_before_it(fake_station, relay_to):
    clock, quay = Clock(), fake_station("quay")
    tag = Publication(*quay.tag(1), qos=1)
    async with (
        asyncio.timeout(60),
        running_broker() as broker,
        MqttConnection(broker, ((tag.topic, 1),), clock) as world,
    ):
        await world.publish(Publication(*quay.birth(), qos=1, retain=True))
        relay = relay_to(broker)
        async with TableLink("demo", await relay.start(), hub_boot=5, now_us=clock, stations=PLAN) as link:
            relay.freeze()
            for _ in range(2 * int(OTHERS_BURST)):
                await world.publish(Publication(topics.topic("demo", "park", topics.EVENT), b"{}"))
            await world.publish(tag)
            assert await world.wait(50)  # the broker has sent it to whoever wants it
            relay.thaw()
            async for batch in link.batches():
                await link.committed(batch)
                if any(one.station == "quay" and one.seq == 1 for one in batch.fresh):
                    break
            assert link.bad_messages["park"] < OTHERS_BURST
        await relay.stop()
