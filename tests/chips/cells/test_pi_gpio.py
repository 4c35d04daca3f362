"""The Pi's own station: its configuration, and the whole of it in a process, on fake pins and a real broker."""

import asyncio
import json
import os
import signal
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import aiomqtt
import pytest

from citytable.link.broker import running_broker
from tablestation.boards.pi_gpio import BadConfig, load_config
from tablewire.messages import decode, encode
from tablewire.topics import ACK, COMMAND, split, topic

pytestmark = pytest.mark.long(6)

DEADLINE_S = 40
ON_A_BUSY_MACHINE = """
from tablestation import gate
from tablestation.boards import pi_gpio, pi_gpio_cell

gate.FIRST_US = gate.SILENT_US = pi_gpio_cell.DEADLINE_US = 3_000_000
pi_gpio.main()
"""  # a child that gets no processor for a quarter of a second is not dead; how soon one is, other tests say
WIRED = {
    "host": "127.0.0.1",
    "port": 1883,
    "kind": "park",
    "places": [
        {"spot": "city/*/*", "cells": [{"dout": 5, "sck": 6}], "alert_g": 8},
        {"spot": "seat/*/bag", "cells": [{"dout": 7, "sck": 8}]},
    ],
}
GIVEN = {"table": "corner", "station": "park", "plan": "park", "spots": ["city/0/0", "seat/1/bag"]}


def written(tmp_path, **changes):
    path = tmp_path / "pi.json"
    path.write_text(json.dumps({**WIRED, **changes}))
    return path


def test_a_configuration_is_read(tmp_path):
    assert load_config(written(tmp_path)) == WIRED


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"port": "1883"}, r"config.port: expected int, saw '1883'"),
        ({"places": [7]}, r"config.places\[0\]: expected an object, saw 7"),
        ({"places": [{"spot": "city/0/0", "cells": [{"dout": 5}]}]}, r"cells\[\].sck: expected int, saw None"),
        (
            {"places": [{"spot": "city/0/0", "cells": [{"dout": 5, "sck": 5}]}]},
            "pin 5 of city/0/0: expected 0-27, each only once",
        ),
        (
            {"places": [{"spot": "city/0/0", "cells": [{"dout": 5, "sck": 40}]}]},
            "pin 40 of city/0/0: expected 0-27, each only once",
        ),
        ({"accelerometer": 1}, "config.accelerometer: expected true or false, saw 1"),
        (
            {"places": [{"spot": "city/0/0", "cells": [{"dout": 5, "sck": 3}]}], "accelerometer": True},
            "pin 3 of city/0/0: expected 0-27, each only once",
        ),
    ],
)
def test_what_is_wrong_with_a_configuration_is_said(tmp_path, changes, complaint):
    with pytest.raises(BadConfig, match=complaint):
        load_config(written(tmp_path, **changes))


def test_the_configuration_of_the_guide_is_read(root, tmp_path):
    guide = (root / "docs/howto/cells-on-a-pi.md").read_text("utf-8")
    path = tmp_path / "pi.json"
    path.write_text(guide.partition("<!-- pi-config -->")[2].partition("```json")[2].partition("```")[0])
    assert load_config(path)["places"][0]["cells"] == [{"dout": 5, "sck": 6}]


def test_a_file_that_is_no_json_is_refused(tmp_path):
    path = tmp_path / "pi.json"
    path.write_text("{")
    with pytest.raises(BadConfig, match="no JSON"):
        load_config(path)


class Hub:
    """What the broker hears of the Pi; acknowledges its events."""

    def __init__(self, client):
        self._client = client
        self.heard = []

    async def tell(self, table, station, channel, message):
        await self._client.publish(topic(table, station, channel), encode(message))

    async def until(self, done):
        async with asyncio.timeout(DEADLINE_S):
            async for message in self._client.messages:
                table, station, channel = split(str(message.topic))
                if channel in (ACK, COMMAND) or not message.payload:
                    continue
                told = {**decode(channel, message.payload), "from": (table, station)}
                self.heard.append(told)
                if "event_seq" in told:
                    await self.tell(
                        table, station, ACK, {"type": "ack", "boot": told["boot"], "event_seq": told["event_seq"]}
                    )
                if done(told):
                    return told
        return None


def is_a(kind, **fields):
    return lambda told: told["type"] == kind and all(told[name] == value for name, value in fields.items())


def weighs(spot):
    """A message with conversions of a spot."""
    return lambda told: (
        any(cell["spot"] == spot for cell in told["cells"])
        if told["type"] == "quiet"
        else told["type"] == "samples" and told["spot"] == spot
    )


@asynccontextmanager
async def pi_and_hub(tmp_path, **config):
    """The Pi's program as a process on fake pins, and a hub, both at a broker."""
    fake = Path(__file__).with_name("fake_pi")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(fake), *sys.path]), "FAKE_PI": str(tmp_path)}
    async with running_broker(kind="mosquitto", state_dir=tmp_path / "broker") as broker:
        login = {"username": broker.user or None, "password": broker.password or None}
        path = written(tmp_path, port=broker.port, user=login["username"], password=login["password"], **config)
        async with aiomqtt.Client(broker.host, broker.port, **login) as client:
            await client.subscribe("citytable/1/#", qos=1)
            command = [sys.executable, "-c", ON_A_BUSY_MACHINE, "--config", str(path)]
            process = await asyncio.create_subprocess_exec(*command, env=env)
            try:
                yield process, Hub(client)
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()


@pytest.mark.broker
async def test_a_dead_cell_is_a_fault_until_it_is_back_and_the_other_cell_goes_on(tmp_path):
    async with pi_and_hub(tmp_path, **GIVEN) as (process, hub):
        birth = await hub.until(is_a("birth"))
        assert (birth["kind"], birth["hardware"]) == ("park", "pi")
        await hub.until(weighs("city/0/0"))
        (tmp_path / "5").touch()
        await hub.until(is_a("fault", spot="city/0/0", on=True, what="cell 0 gives no conversions: check its plug"))
        for _ in range(3):
            await hub.until(weighs("seat/1/bag"))
        (tmp_path / "5").unlink()
        await hub.until(is_a("fault", spot="city/0/0", on=False))
        await hub.until(weighs("city/0/0"))
        faults = [(told["spot"], told["on"]) for told in hub.heard if told["type"] == "fault"]
        assert set(faults) == {("city/0/0", True), ("city/0/0", False)}  # on a busy machine its rate is one, too
        assert len({told["boot"] for told in hub.heard}) == 1
        process.send_signal(signal.SIGKILL)
        await process.wait()
        await hub.until(is_a("death", boot=birth["boot"]))


@pytest.mark.broker
async def test_a_newcomer_is_adopted_keeps_its_name_in_its_file_and_restarts_when_asked(tmp_path):
    async with pi_and_hub(tmp_path) as (_, hub):
        newcomer = await hub.until(is_a("birth"))
        assert newcomer["from"] == ("new", newcomer["uid"])
        config = json.loads((tmp_path / "pi.json").read_text())
        login = {name: config[name] or "" for name in ("user", "password")}
        adopt = {"type": "adopt", **GIVEN, **login}
        await hub.tell("new", newcomer["uid"], COMMAND, {**adopt, "plan": "seat"})
        refusal = await hub.until(is_a("log", level="error"))
        assert "this Pi is wired as park, not as seat" in refusal["text"]
        await hub.tell("new", newcomer["uid"], COMMAND, {**adopt, "spots": ["supply/platform/0"]})
        refusal = await hub.until(is_a("log", level="error"))
        assert "supply/platform/0 has no place" in refusal["text"]
        await hub.tell("new", newcomer["uid"], COMMAND, adopt)
        birth = await hub.until(is_a("birth"))
        assert birth["from"] == ("corner", "park")
        assert (birth["uid"], birth["reset"]) == (newcomer["uid"], "soft")
        assert [spot["spot"] for spot in birth["spots"]] == GIVEN["spots"]
        kept = json.loads((tmp_path / "pi.json").read_text())
        assert kept["places"] == WIRED["places"]
        assert (tmp_path / "pi.json").stat().st_mode & 0o777 == 0o600
        await hub.until(weighs("city/0/0"))
        await hub.tell("corner", "park", COMMAND, {"type": "restart", "boot": birth["boot"] + 1})
        await hub.tell("corner", "park", COMMAND, {"type": "restart", "boot": birth["boot"]})
        again = await hub.until(is_a("birth"))
        assert again["boot"] != birth["boot"]
        await hub.until(weighs("city/0/0"))


async def test_a_configuration_that_is_not_there_is_a_sentence(tmp_path):
    command = [sys.executable, "-m", "tablestation.boards.pi_gpio", "--config", str(tmp_path / "none.json")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    station = await asyncio.create_subprocess_exec(*command, env=env, stderr=asyncio.subprocess.PIPE)
    async with asyncio.timeout(DEADLINE_S):
        _, said = await station.communicate()
    assert station.returncode == 1
    assert said.count(b"\n") == 1
    assert b"none.json" in said
