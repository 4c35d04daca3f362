"""A recorded game is played again: the stations keep the wire's promises, and the people wait until the hub has come as
far.
"""

import asyncio
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import msgspec
import pytest

from citytable.games.megacity.pieces import HOUSE, things
from citytable.games.megacity.spots import shared_spots
from citytable.link.broker import running_broker
from citytable.link.mqtt import Arrival
from citytable.table.plan import full_plan
from citytable.table.question import Question
from tabletwin.board import Sent
from tablewire.topics import ACK, EVENT, HEALTH, PING, PONG, SAMPLES, STATE

pytestmark = pytest.mark.long(15)

WRAP = 1 << 30
BACKLOG = 5_000  # far more rounds of a loop than pass until somebody asks
BOOT, NEW_BOOT = 5, 9
TAG = {"type": "tag", "spot": "city/0/0", "uid": "04a1", "here": True}


@pytest.fixture(scope="module")
def tapes(load_tool):
    return load_tool("tapes")


@pytest.fixture(scope="module")
def stations(load_tool):
    return load_tool("tape_stations")


def arrival(at_us, channel, *, retained=False, station="park", **message):
    payload = msgspec.json.encode({"boot": BOOT, **message})
    return Arrival(f"citytable/1/table/{station}/{channel}", payload, at_us, retained=retained)


@pytest.fixture
def park(tapes, stations):
    """Return a station that has come, its clock in a list, and what it says."""
    lines = [
        tapes.Line(1_000_000, "park", STATE, {"type": "birth", "boot": BOOT, "at": [0, 7_000_000]}),
        tapes.Line(2_000_000, "park", EVENT, {**TAG, "boot": BOOT, "event_seq": 8, "at": [1, 5]}),
    ]
    clock, said = [0], []
    station = stations.TapeStation(lines, NEW_BOOT, lambda: clock[0], said.append)
    station.link_up()
    return station, clock, said, lines


def words(said, channel):
    return [msgspec.json.decode(one.payload) for one in said if one.channel == channel]


def test_what_a_station_repeated_or_said_in_another_life_is_recorded_once(tapes):
    heard = [
        arrival(1, STATE, type="birth", retained=True),
        arrival(2, EVENT, type="button", event_seq=1),  # from before the recording
        arrival(3, STATE, type="birth"),
        arrival(4, EVENT, type="button", event_seq=1),
        arrival(5, EVENT, type="button", event_seq=1),
        arrival(6, STATE, type="hub", online=True, station="hub"),
        arrival(7, EVENT, type="button", event_seq=2),
    ]
    assert [line.at_us for line in tapes.lines_of(heard)] == [3, 4, 7]


def test_a_line_is_as_old_as_its_station_says_however_late_it_was_read(tapes):
    """On a busy computer whoever recorded read a message up to 3.5 s late, and the tape said it as late again."""
    heard = [
        arrival(1_000_000, STATE, type="birth", at=[0, 7_000_000]),
        arrival(2_100_000, EVENT, type="button", event_seq=1, at=[0, 8_000_000]),
        arrival(5_000_000, SAMPLES, type="samples", sample_seq=1, at=[0, 8_000_000], dt_us=[300_000, 200_000]),
        arrival(5_000_000, STATE, station="mill", type="birth", at=[0, 1]),
        arrival(5_000_001, PONG, type="pong", received=[0, 9_000_000], sent=[0, 9_500_000]),
        arrival(5_000_002, EVENT, type="button", event_seq=2, at=[0, 9_000_000]),
    ]
    lines = tapes.lines_of(heard)
    assert [(line.station, line.at_us) for line in lines] == [
        ("park", 1_000_000),
        ("park", 2_000_000),
        ("park", 2_500_000),
        ("park", 3_500_000),
        ("park", 3_500_000),  # each station's in its order
        ("mill", 5_000_000),
    ]


def test_who_plays_again_knows_how_each_delivery_came_out_when_it_is_asked(tapes):
    """It is asked before the turn is over, and nobody at the table knew what to say."""
    texts = [
        "p1 deliver contract=PU8 platform=2 at=-1/0 stood=yes height=158mm pieces=concrete:3,glass:6 judged=yes",
        "p2 deliver contract=CO4 platform=8 at=-1/1 stood=yes height=87mm pieces=steel:5,glass:2 judged=yes",
    ]
    plan = full_plan("table", 2, shared_spots(), things(HOUSE, 2))
    people = tapes.Again(tapes.Tape(2, [], [], texts), SimpleNamespace(), Mock(), plan)
    for contract, height_mm, glass in (("CO4", 87, 2), ("PU8", 158, 6)):
        asked = Question("", 1, "deliver", {"contract": contract}, (), "")
        known = people._known(asked)
        assert (known["height_mm"], known["glass"]) == (height_mm, glass)


class FakeNetwork:
    """A broker that gives each station's words on when it is served, in order, and after so many rounds."""

    def __init__(self, echo):
        self.echo, self.inbox, self.said, self.away = echo, [], [], False

    def publish(self, message):
        self.said.append(message)

    def serve(self, _timeout_s, _others=()):
        said, self.said = ([], self.said) if self.away else (self.said, [])
        for one in said:
            if one.channel == "echo":
                self.echo.on_message(f"citytable/1/table/{one.station}/echo", one.payload)
        return []


class FakeEcho:
    on_message = None

    def open_socket(self):
        return None

    def come_back(self):
        pass

    def serve(self, *, readable):
        pass


@pytest.fixture
def rounds(load_tool, monkeypatch):
    """Return the rounds of two stations, and their network; the hub reads everything."""
    module = load_tool("rounds")
    monkeypatch.setattr(module, "ROUND_S", 0.05)
    echo = FakeEcho()
    network = FakeNetwork(echo)
    steps = SimpleNamespace(taken=lambda: True)
    stations = [SimpleNamespace(linked=True), SimpleNamespace(linked=True)]
    return module.Rounds(module.Wire(network, echo, steps), stations, lambda _: None), network, stations


def test_only_who_said_something_is_asked_for_an_echo(rounds, monkeypatch):
    going, network, _ = rounds
    asked = []
    publish = network.publish
    monkeypatch.setattr(network, "publish", lambda message: asked.append(message[:2]) or publish(message))
    for said in (["park"], [], ["mill", "mill"]):
        for name in said:
            going.publish(Sent(name, SAMPLES, b"", urgent=False, retain=False))
        going.go_round()
        assert going.taken
    assert asked == [("park", SAMPLES), ("park", "echo"), *[("mill", SAMPLES)] * 2, ("mill", "echo")]


def test_an_echo_of_an_earlier_round_tells_nothing_of_what_was_said_since(rounds):
    going, network, stations = rounds
    going.publish(Sent("park", SAMPLES, b"", urgent=False, retain=False))
    network.away = True
    going.go_round()
    assert not going.taken
    (*_, late) = network.said
    network.said.clear()
    going.publish(Sent("park", SAMPLES, b"", urgent=False, retain=False))
    going.go_round()
    network.echo.on_message("citytable/1/table/park/echo", late.payload)
    going.go_round()
    assert not going.taken
    network.away = False
    going.go_round()
    assert going.taken
    stations[1].linked = False
    going.go_round()
    assert not going.taken, "a station without a broker is not heard"


def test_an_event_is_said_later_by_as_much_as_it_comes_later_and_kept_until_it_is_acknowledged(park):
    station, _, said, lines = park
    station.again(lines[1], 3_000_000)
    station.receive("hub", msgspec.json.encode({"v": 1, "type": "hub", "boot": 1, "online": True}))
    (event,) = words(said, EVENT)
    assert (event["boot"], event["event_seq"], event["at"]) == (NEW_BOOT, 1, [1, 3_000_005])
    station.receive(ACK, msgspec.json.encode({"v": 1, "type": "ack", "boot": NEW_BOOT, "event_seq": 1}))
    assert not len(station.outbox)


def test_a_hub_that_is_new_is_sent_what_waits_and_what_lies_there(park, stations):
    station, _, said, lines = park
    station.again(lines[1], 0)
    for boot in (1, 2):
        hub = {"v": 1, "type": "hub", "boot": boot, "online": True}
        station.receive(stations.HUB_STATE, msgspec.json.encode(hub))
    first, again, lying = words(said, EVENT)
    assert again == first
    assert (lying["type"], lying["tags"]) == ("inventory", [{"spot": "city/0/0", "uid": "04a1"}])


def test_people_look_up_until_the_hub_has_been_there_for_a_while(park, stations):
    station, clock, _, _ = park
    heard = []
    for us, online in ((1, False), (5, True), (9, True), (12, False)):
        clock[0] = us
        hub = {"v": 1, "type": "hub", "boot": 3, "online": online}
        station.receive(stations.HUB_STATE, msgspec.json.encode(hub))
        heard.append(station.heard_for_us)
    assert heard == [0, 0, 4, 0]


def test_pings_are_answered_by_a_clock_that_is_never_behind_what_was_said(park):
    station, clock, said, _ = park
    clock[0] = 2_000_000
    station.receive(PING, msgspec.json.encode({"v": 1, "type": "ping", "id": 4}))
    (pong,) = words(said, PONG)
    assert (pong["id"], pong["sent"]) == (4, [1, 5])


def test_scales_tell_what_rests_on_them_while_the_tape_stands_still(park, tapes):
    station, clock, said, _ = park
    bag = {"spot": "seat/1/bag", "cell": 0, "n": 80, "mean": 7.0, "spread": 1.0, "min": 6, "max": 8, "lost": 0}
    quiet = {"type": "quiet", "boot": BOOT, "sample_seq": 70, "at": [0, 9], "cells": [bag, bag | {"cell": 1}]}
    moving = {"type": "samples", "boot": BOOT, "sample_seq": 71, "at": [0, 9], "spot": "seat/1/bag", "cell": 1}
    for message in (quiet, moving | {"counts": [20, 22], "dt_us": [9], "lost": 0}):
        station.again(tapes.Line(0, "park", SAMPLES, message), 0)
    clock[0] = 900_000
    station.tend(stands_still=True)
    clock[0] = 1_000_000
    station.tend(stands_still=True)
    first, _, again = words(said, SAMPLES)
    assert (first["sample_seq"], again["sample_seq"], again["boot"]) == (1, 3, NEW_BOOT)
    assert again["at"] > first["at"]
    assert [cell["mean"] for cell in again["cells"]] == [7.0, 21.0], "a cell that moved rests on what it felt last"


def test_a_station_of_a_tape_says_how_it_does(park, tapes):
    station, _, said, _ = park
    station.again(tapes.Line(0, "park", HEALTH, {"type": "health", "boot": BOOT, "at": [0, 9]}), 5)
    assert words(said, HEALTH) == [{"v": 1, "type": "health", "boot": NEW_BOOT, "at": [0, 14]}]


def test_the_time_that_is_given_never_goes_back(load_tool, tmp_path):
    """Whoever read it while it was being moved read 0 now and then."""
    given_time = load_tool("given_time")
    given_time.made(clock := tmp_path / "clock")
    moving = f"import sys; sys.path.insert(0, {str(Path(given_time.__file__).parent)!r})\nfrom given_time import *\n"
    moving += f"given = GivenTime(Path({str(clock)!r}))\nfor _ in range(1_000_000):\n    given.move(250_000)"
    given, last_us = given_time.GivenTime(clock), 0
    with subprocess.Popen([sys.executable, "-c", moving]) as process:
        while process.poll() is None:
            for _ in range(1000):
                now_us = given.now_us()
                assert now_us >= last_us
                last_us = now_us
    assert given.now_us() == 250_000_000_000


@pytest.mark.parametrize("hears", [True, False])
async def test_a_step_is_answered_once_the_hub_has_read_all_that_came_and_by_whether_it_hears_everybody(
    load_tool, tmp_path, monkeypatch, hears
):
    """What scales said lay unread for 45 s of a table: a connection reads one message in each round of the loop."""
    given_time = load_tool("given_time")
    monkeypatch.setattr(given_time, "ANSWER_S", 60.0)
    given_time.made(clock := tmp_path / "clock")
    loop, read = asyncio.get_running_loop(), []
    ours, theirs = socket.socketpair()
    with ours, theirs, given_time.answer_steps(clock, lambda: hears) as asked:
        ours.setblocking(False)
        loop.add_reader(ours, lambda: read.append(ours.recv(1)))
        theirs.sendall(bytes(BACKLOG))
        with closing(given_time.Steps(clock)) as steps:
            taken = await asyncio.to_thread(steps.taken)
        loop.remove_reader(ours)
        loop.remove_reader(asked)
    assert (taken, len(read)) == (hears, BACKLOG)


@pytest.mark.broker
async def test_recorded_games_are_played_again_in_the_hours_after_the_first_ones(
    load_tool, tapes, tmp_path, monkeypatch
):
    month = load_tool("month")
    monkeypatch.setattr(tapes, "THINK_MS", 100)
    monkeypatch.setattr(month, "faults_of", lambda hour: ("power cut",))
    plan = full_plan("table", month.PLAYERS, shared_spots(), things(HOUSE, month.PLAYERS))
    lines = [
        tapes.Line(
            0,
            one.station,
            STATE,
            {"type": "birth", "boot": 1, "kind": "park", "firmware": "1", "at": [0, 0], "spots": []},
        )
        for one in plan.stations
    ]
    lines += [
        tapes.Line(9, one.station, EVENT, {"type": "inventory", "boot": 1, "event_seq": 1, "at": [0, 9], "tags": []})
        for one in plan.stations
    ]
    marks = [tapes.Mark(500_000, "begin"), tapes.Mark(1_000_000, "turn"), tapes.Mark(2_000_000, "over")]
    (tmp_path / "tapes").mkdir()
    tapes.written(tapes.Tape(month.PLAYERS, lines, marks, []), tmp_path / "tapes/01.json.gz")
    usual = month.Used(100.0, 30, 9, 0.0)
    before = [month.Hour(n + 1, 1, 0, 0, (), usual, usual, 1.0, 1.0) for n in range(month.LIVE_HOURS)]
    (tmp_path / "hours.jsonl").write_bytes(b"".join(msgspec.json.encode(hour) + b"\n" for hour in before))
    await month.go_on(tmp_path, 1, hour_s=100.0)
    *_, last = month.results(tmp_path)
    assert last.games > 0
    assert (last.given_up, last.misread) == (0, 0)


@pytest.mark.broker
async def test_a_broker_that_ran_before_is_somebody_elses(load_tool):
    """The broker of other tests was counted, and would have been killed with the month's own."""
    async with running_broker(kind="mosquitto"):
        mosquitto = load_tool("hub_process").Mosquitto()
        assert mosquitto.pids() == []
        async with running_broker(kind="mosquitto"):
            assert len(mosquitto.pids()) == 1
