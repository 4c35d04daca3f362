"""Whatever is said on the broker, the game goes on, and the stations page names who said what."""

import asyncio
import json
from typing import Any

import pytest

from citytable.games.megacity.actions import TakeContract, TakePieces
from citytable.link.mqtt import MqttConnection, Publication
from citytable.link.registry import SILENT_US
from citytable.rehearsal.megacity.acts import holds
from tablewire import messages, topics

pytestmark = [pytest.mark.broker, pytest.mark.long(9)]

TABLE = "table"
CARD = "04aabbccddeeff"
SPEED = 5.0


def _tag(boot: int = 1, seq: int = 1, **fields: Any) -> bytes:
    said = {"boot": boot, "event_seq": seq, "at": [0, 5], "spot": "seat/1/card/0", "uid": CARD, "here": True}
    return messages.encode({"type": "tag", **said, **fields})


def _birth(name: str, boot: int) -> tuple[str, bytes]:
    sensors = {"spot": "seat/1/pad/0", "cells": 3, "reader": True, "ring": 12, "crane": True}
    said = {"type": "birth", "boot": boot, "kind": "seat", "firmware": "0.0.1", "at": [0, 0], "spots": [sensors]}
    return topics.topic(TABLE, name, topics.STATE), messages.encode(said)


def _nonsense() -> list[tuple[str, bytes]]:
    event = topics.topic(TABLE, "seat-1", topics.EVENT)
    samples = topics.topic(TABLE, "sector-1", topics.SAMPLES)
    counts = {"type": "samples", "boot": 1, "sample_seq": 1, "spot": "city/1/0", "cell": 0, "at": [0, 1], "lost": 0}
    return [
        (event, b""),
        (event, b"\xff\xfe\x00"),
        (event, _tag()[:-9]),
        (event, b"[" * 8000),
        (event, b'{"type": "tag", "uid": "' + b"x" * 20_000 + b'"}'),
        (event, json.dumps({**json.loads(_tag()), "v": 2}).encode()),
        (event, _tag(spot="city/9/9")),
        (event, _tag(seq=-4)),
        (event, _tag(uid=17)),
        (event, messages.encode({"type": "teleport", "boot": 1})),
        (event.replace("/1/", "/2/", 1), _tag()),
        (samples, messages.encode({**counts, "counts": [1, 2, 3], "dt_us": [5]})),
        (samples, messages.encode({**counts, "counts": [1 << 60], "dt_us": []})),
        (topics.topic(TABLE, "seat-1", topics.PONG), messages.encode({"type": "pong", "boot": 1, "id": 9})),
        (topics.topic(TABLE, "seat-1", topics.STATE), b"online"),
        (topics.topic(TABLE, "hub", topics.STATE), b"null"),
        (topics.topic(TABLE, "$ys", topics.EVENT), _tag()),
        (topics.topic(TABLE, "a b", topics.STATE), _birth("seat-1", boot=3)[1]),
        _birth("sector-77", boot=5),
        (topics.topic(TABLE, "sector-77", topics.EVENT), _tag(boot=5)),
        (topics.topic(TABLE, "sector-77", "gossip"), b"not for us"),
        (topics.topic("othertable", "seat-1", topics.EVENT), _tag()),
        ("somewhere/else", b"not for us"),
        (topics.topic(TABLE, "seat-2", topics.LIGHT), b'{"v": 1, "type": "light", "rings": 3}'),
        (topics.topic(TABLE, "seat-2", topics.ACK), b"all of it"),
    ]


async def _shout(broker, said: list[tuple[str, bytes]]) -> None:
    async with MqttConnection(broker, (), lambda: 0) as stranger:
        for topic, payload in said:
            assert await stranger.publish(Publication(topic, payload, qos=1))


def _health(table, name: str):
    return next(health for health in table.hub.session.view().health if health.station == name)


def _faults(table, name: str) -> list[str]:
    return [fault["en"] for fault in _health(table, name).faults]


async def _until(table, condition) -> None:
    """Until it holds, while the table lives on."""
    async with asyncio.timeout(60):
        while not condition():
            await table.twin.wait(500)


@pytest.mark.parametrize(
    "speed", [pytest.param(None, id="lock-step"), pytest.param(SPEED, id="live", marks=pytest.mark.soak)]
)
async def test_nonsense_from_everywhere_stops_nothing_and_is_named(open_table, speed):
    async with open_table(speed=speed) as table:
        await _shout(table.hub.broker, _nonsense())
        await table.deal()
        for _ in range(3):
            await _shout(table.hub.broker, _nonsense())
            await table.do(TakePieces(player=table.game.position.player))
            await table.pass_bag()
            assert holds(table.hub.play.umpire.position, table.game.position)
        (fault,) = _faults(table, "seat-1")
        assert "of its messages could not be read, the last one on citytable/1/table/seat-1/state" in fault
        assert "no JSON: b'online'" in fault
        (fault,) = _faults(table, "sector-1")
        assert "citytable/1/table/sector-1/samples" in fault
        assert str(1 << 60)[:12] in fault
        assert "the plan does not have seat/1/card/0" in _faults(table, "sector-77")[0]
        assert table.hub.session.play.umpire.status().agrees
        assert _health(table, "seat-1").online


async def test_two_stations_with_one_name_are_told_apart_and_the_game_goes_on_when_one_is_gone(open_table):
    async with open_table(speed=SPEED) as table:
        await table.deal()
        player = table.game.position.player
        mine = f"seat-{player}"
        boot = _health(table, mine).boot
        await _shout(table.hub.broker, [_birth(mine, boot=12345)])
        await _until(table, lambda: any("two stations have the name" in one for one in _faults(table, mine)))
        (fault,) = [one for one in _faults(table, mine) if "two stations" in one]
        assert repr(mine) in fault
        assert {"12345", str(boot)} <= set(fault.replace(")", " ").split())
        await table.do(TakeContract(player=player, contract=table.game.position.columns[2][0]))
        await table.twin.wait(SILENT_US // 1000)
        await _until(table, lambda: _health(table, mine).boot == boot)
        await table.pass_bag()
        assert holds(table.hub.play.umpire.position, table.game.position)
        assert _health(table, mine).faults == ()
