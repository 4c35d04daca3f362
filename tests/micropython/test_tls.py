"""A Pico's own program with TLS, on MicroPython's unix port, at a real mosquitto. The other VM has no TLS.

The hub is on the broker's other door and hears what the station says.
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from tests.patience import PATIENCE_S

from citytable.doctor.pinning import pinned
from citytable.link.broker import running_broker, station_listener
from citytable.link.credentials import Credentials
from citytable.link.mqtt import MqttConnection

pytestmark = [pytest.mark.broker, pytest.mark.long(6)]

HERE = Path(__file__).parent
MICROPYTHON = shutil.which("micropython", path=str(Path(sys.executable).parent))
LIFE_S = 60


@pytest.fixture(autouse=True, scope="module")
def _micropython_is_there():
    if MICROPYTHON is None:
        reason = "MicroPython's unix port is missing: its package is for Linux on x86-64 only"
        if os.environ.get("CI"):
            pytest.fail(f"{reason}, and in CI no test may be skipped", pytrace=False)
        pytest.skip(reason)


@pytest.fixture
def certificate(tmp_path, root):
    """`certificate(name, address)`: a certificate as the script for table owners makes it."""

    def make(name="tls", address="127.0.0.1"):
        command = ["sh", root / "hub/deploy/certificate.sh", tmp_path / name, address]
        subprocess.run(command, check=True, capture_output=True)
        return tmp_path / name / "citytable.crt"

    return make


class Board:
    """A board whose program runs beside the test; `lines` grows with what it says at its USB port."""

    def __init__(self, process):
        self._process = process
        self.lines = []
        self._reading = asyncio.create_task(self._read())

    async def _read(self):
        async for line in self._process.stdout:
            self.lines.append(line.decode().strip())

    async def says(self, text):
        async with asyncio.timeout(PATIENCE_S):
            while not any(text in line for line in self.lines):
                assert not self._reading.done(), self.lines
                await asyncio.sleep(0.02)

    async def stop(self):
        self._process.kill()
        await self._process.wait()
        await self._reading


@pytest.fixture
async def board(tmp_path, root, free_port, sector_secrets):
    """`board(trusted)`: a board that was flashed with this certificate, or with none."""
    boards = []

    async def start(trusted):
        flash = tmp_path / "flash"
        flash.mkdir()
        (flash / "secrets.json").write_text(json.dumps(sector_secrets | {"port": free_port}))
        if trusted is not None:
            told = pinned(trusted, "", datetime.now(UTC))
            (flash / "tls.json").write_bytes(msgspec.json.encode(told))
        program = HERE / "on_unix/secured_board.py"
        process = await asyncio.create_subprocess_exec(
            *(MICROPYTHON, program, root / "firmware", HERE / "on_board", f"{flash}/", str(LIFE_S)),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        boards.append(Board(process))
        return boards[-1]

    yield start
    for one in boards:
        await one.stop()


@pytest.fixture
def door(tmp_path, free_port):
    """`door(certificate)`: the hub's own broker, with TLS for stations, and their logins."""

    def open_door(certificate):
        credentials = Credentials(tmp_path / "broker", "cafe")
        credentials.prepare()
        credentials.add("north", "x")
        return running_broker(
            stations=station_listener(
                f"127.0.0.1:{free_port}", credentials, certificate, certificate.with_suffix(".key")
            )
        )

    return open_door


async def heard(hub, kind):
    """The next message of a kind that the hub hears from the station."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            await hub.wait(1)
            for arrival in hub.drain():
                message = json.loads(arrival.payload or b"{}")
                if message.get("type") == kind:
                    return message


def hub_at(broker):
    return MqttConnection(broker, [("citytable/1/cafe/north/#", 1)], lambda: 0)


async def test_a_station_with_its_brokers_certificate_joins_over_tls(certificate, door, board):
    own = certificate()
    async with door(own) as broker, hub_at(broker) as hub:
        station = await board(own)
        assert (await heard(hub, "birth"))["kind"] == "sector"
        assert (await heard(hub, "health"))["type"] == "health"
        assert station.lines == []


async def test_a_broker_with_another_certificate_is_refused_and_the_program_goes_on(certificate, door, board):
    async with door(certificate()):
        station = await board(certificate("stranger"))
        await station.says("no link: the broker's certificate is not the one for 127.0.0.1 that this board trusts: ")
        assert station.lines[-1].endswith("is not correctly signed by the trusted CA: flash it again")


async def test_a_certificate_for_another_address_is_refused(certificate, door, board):
    other = certificate("other", "10.0.0.1")
    async with door(other):
        station = await board(other)
        await station.says("does not match with the expected CN: flash it again")


async def test_a_broker_without_tls_gets_no_password_and_later_the_hub_hears_why(
    certificate, door, board, mosquitto, free_port
):
    own = certificate()
    station = await board(own)
    await station.says("no link: no TLS with the broker: ")
    assert mosquitto.port == free_port
    await mosquitto.kill()
    async with door(own) as broker, hub_at(broker) as hub:
        line = await heard(hub, "log")
    assert line["level"] == "warning"
    assert line["text"].startswith("no link: ")


async def test_a_board_without_a_certificate_at_a_listener_for_tls_says_what_is_missing(certificate, door, board):
    async with door(certificate()):
        station = await board(None)
        await station.says("does its listener ask for TLS?")
