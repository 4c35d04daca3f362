"""The Pi's own station: its configuration, and the whole of it in a process, on fake pins and a real broker."""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

import aiomqtt
import pytest

from citytable.link.broker import running_broker
from tablestation.boards.pi_gpio import BadConfig, load_config
from tablewire.messages import decode, encode
from tablewire.topics import ACK, split, topic

DEADLINE_S = 40
CONFIG = {
    "host": "127.0.0.1",
    "port": 1883,
    "table": "corner",
    "station": "park",
    "kind": "park",
    "spots": [
        {"spot": "city/0/0", "cells": [{"dout": 5, "sck": 6}], "alert_counts": 14400},
        {"spot": "seat/1/bag", "cells": [{"dout": 7, "sck": 8}]},
    ],
}


def written(tmp_path, **changes):
    path = tmp_path / "pi.json"
    path.write_text(json.dumps({**CONFIG, **changes}))
    return path


def test_a_configuration_is_read(tmp_path):
    assert load_config(written(tmp_path)) == CONFIG


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"port": "1883"}, r"config.port: expected int, saw '1883'"),
        ({"station": "the park"}, r"config.station: expected 1-32 letters, digits or dashes, saw 'the park'"),
        ({"spots": [7]}, r"config.spots\[0\]: expected an object, saw 7"),
        ({"spots": [{"spot": "city/0/0", "cells": [{"dout": 5}]}]}, r"cells\[\].sck: expected int, saw None"),
        (
            {"spots": [{"spot": "city/0/0", "cells": [{"dout": 5, "sck": 5}]}]},
            "pin 5 of city/0/0: expected 0-27, each only once",
        ),
        (
            {"spots": [{"spot": "city/0/0", "cells": [{"dout": 5, "sck": 40}]}]},
            "pin 40 of city/0/0: expected 0-27, each only once",
        ),
    ],
)
def test_what_is_wrong_with_a_configuration_is_said(tmp_path, changes, complaint):
    with pytest.raises(BadConfig, match=complaint):
        load_config(written(tmp_path, **changes))


def test_a_file_that_is_no_json_is_refused(tmp_path):
    path = tmp_path / "pi.json"
    path.write_text("{")
    with pytest.raises(BadConfig, match="no JSON"):
        load_config(path)


class Hub:
    """What the broker hears of the station; acknowledges its events."""

    def __init__(self, client):
        self._client = client
        self.heard = []

    async def until(self, done):
        async with asyncio.timeout(DEADLINE_S):
            async for message in self._client.messages:
                _, station, channel = split(str(message.topic))
                if station != CONFIG["station"] or channel == ACK:
                    continue
                told = decode(channel, message.payload)
                self.heard.append(told)
                if "event_seq" in told:
                    ack = encode({"type": "ack", "boot": told["boot"], "event_seq": told["event_seq"]})
                    await self._client.publish(topic(CONFIG["table"], station, ACK), ack)
                if done(told):
                    return told
        return None


def is_fault(spot, on):
    return lambda told: told["type"] == "fault" and told["spot"] == spot and told["on"] is on


def weighs(spot):
    """A message with conversions of a spot."""
    return lambda told: (
        any(cell["spot"] == spot for cell in told["cells"])
        if told["type"] == "quiet"
        else told["type"] == "samples" and told["spot"] == spot
    )


@pytest.mark.broker
async def test_a_dead_cell_is_a_fault_until_it_is_back_and_the_other_cell_goes_on(tmp_path):
    fake = Path(__file__).with_name("fake_pi")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(fake), *sys.path]), "FAKE_PI": str(tmp_path)}
    async with running_broker(kind="mosquitto", state_dir=tmp_path / "broker") as broker:
        login = {"username": broker.user or None, "password": broker.password or None}
        config = written(tmp_path, port=broker.port, user=broker.user or None, password=broker.password or None)
        command = [sys.executable, "-m", "tablestation.boards.pi_gpio", "--config", str(config)]
        station = await asyncio.create_subprocess_exec(*command, env=env)
        try:
            async with aiomqtt.Client(broker.host, broker.port, **login) as client:
                await client.subscribe("citytable/1/corner/#", qos=1)
                hub = Hub(client)
                birth = await hub.until(lambda told: told["type"] == "birth")
                assert (birth["kind"], birth["hardware"]) == ("park", "pi")
                await hub.until(weighs("city/0/0"))
                (tmp_path / "5").touch()
                fault = await hub.until(is_fault("city/0/0", True))
                assert fault["what"] == "cell 0 gives no conversions: check its plug"
                for _ in range(3):
                    await hub.until(weighs("seat/1/bag"))
                (tmp_path / "5").unlink()
                await hub.until(is_fault("city/0/0", False))
                await hub.until(weighs("city/0/0"))
                assert [told["spot"] for told in hub.heard if told["type"] == "fault"] == ["city/0/0"] * 2
                assert len({told["boot"] for told in hub.heard}) == 1
                station.send_signal(signal.SIGKILL)
                await station.wait()
                await hub.until(lambda told: told["type"] == "death" and told["boot"] == birth["boot"])
        finally:
            if station.returncode is None:
                station.kill()
                await station.wait()


async def test_a_configuration_that_is_not_there_is_a_sentence(tmp_path):
    command = [sys.executable, "-m", "tablestation.boards.pi_gpio", "--config", str(tmp_path / "none.json")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    station = await asyncio.create_subprocess_exec(*command, env=env, stderr=asyncio.subprocess.PIPE)
    _, said = await station.communicate()
    assert station.returncode == 1
    assert said.count(b"\n") == 1
    assert b"none.json" in said
