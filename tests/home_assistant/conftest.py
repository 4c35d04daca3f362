"""Tables as Home Assistant sees them, and a real Home Assistant core without a screen or the internet."""

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlencode

import aiohttp
import msgspec
import pytest
from tests.patience import PATIENCE_S

from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.spots import shared_spots
from citytable.hub import Hub
from citytable.link.broker import Broker, external_broker, find_mosquitto
from citytable.rehearsal.megacity.acts import public, set_up_act, set_up_action
from citytable.rehearsal.twin import Twin
from citytable.settings import Settings
from citytable.table.plan import CellPlan, Plan, SpotPlan, StationPlan, full_plan
from citytable.table.word import Statement
from citytable.views.state import View
from citytable.views.viewer import PUBLIC, Seen, seen_by

HERE = Path(__file__).parent
BLUEPRINTS = HERE.parents[1] / "hub/deploy/home-assistant"
COLUMNS = ("public", "industrial", "commercial", "residential")


@pytest.fixture(scope="session")
def plan() -> Plan:
    """A full table for three."""
    return full_plan("salon", 3, shared_spots(), ())


@pytest.fixture(scope="session")
def small_plan() -> Plan:
    """Central Park with a cell, a hex without one, and a seat."""
    cell = CellPlan(counts_per_g=2147.0, zero_counts=0, capacity_g=1000)
    park = StationPlan("park", "park", (SpotPlan("city/0/0", (cell,), ring_leds=12), SpotPlan("city/1/-1")))
    return Plan("salon", 1, (park, StationPlan("seat-1", "seat", (SpotPlan("seat/1/pad/0", (cell,)),), 1)), {})


@pytest.fixture(scope="session")
def midgame(root: Path) -> View:
    """A game of three, under way."""
    return msgspec.json.decode((root / "tests/views/recorded/midgame.json").read_bytes(), type=View)


@pytest.fixture(scope="session")
def seen() -> Callable[[View], Seen]:
    """What the public sees of a view."""
    return lambda view: seen_by(PUBLIC, view)


@pytest.fixture(scope="session")
def golden() -> Callable[[str, dict[str, bytes]], None]:
    """`golden(name, messages)`: they are what the file has. A wanted change is made by writing the file anew."""

    def compare(name: str, messages: dict[str, bytes]) -> None:
        told: dict[str, Any] = {topic: json.loads(payload) for topic, payload in messages.items()}
        file = HERE / "golden" / name
        assert told == json.loads(file.read_text()), f"{file} has something else"

    return compare


@pytest.fixture
def deal() -> Callable[[Settings, Hub, Twin], Awaitable[None]]:
    """R2-R6 with the hands, and somebody says how it came out."""

    async def dealt(settings: Settings, hub: Hub, twin: Twin) -> None:
        (result,) = await twin.act(set_up_act(settings.options, HOUSE))
        action = str(public(set_up_action(result)))
        await hub.session.say(Statement(action=action, by="table"))
        for _ in range(40):
            if hub.session.play.seat:
                return
            await twin.wait(500)
        pytest.fail(f"the hub does not see the deal: {hub.session.play.umpire.status()}")

    return dealt


@pytest.fixture
def ring() -> Callable[[Twin, str], Awaitable[int]]:
    """How bright the brightest channel of a spot's ring is."""

    async def look(twin: Twin, spot: str) -> int:
        (seen,) = await twin.act({"act": "look", "spot": spot})
        return max(max(pixel) for pixel in seen["pixels"])

    return look


def _ended(process: subprocess.Popen[bytes], number: int) -> None:
    process.send_signal(number)
    try:
        process.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.fixture(scope="session")
def venue(tmp_path_factory: pytest.TempPathFactory, new_port: Callable[[], int]) -> Iterator[Broker]:
    """A broker that outlives every hub, as a house has one."""
    folder = tmp_path_factory.mktemp("venue")
    port = new_port()
    conf = folder / "mosquitto.conf"
    conf.write_text(
        f"listener {port} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\nmax_queued_messages 5000\n"
    )
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([find_mosquitto() or "mosquitto", "-c", conf], stdout=log, stderr=log)
    yield external_broker(f"127.0.0.1:{port}")
    _ended(process, signal.SIGTERM)


CONFIGURATION = """\
homeassistant:
  name: Café
  country: FR
  time_zone: UTC
  unit_system: metric
  latitude: 0
  longitude: 0
http:
  server_host: 127.0.0.1
  server_port: {port}
scene:
input_boolean:
  lamp:
input_number:
  lamp:
    min: 0
    max: 255
light:
  - platform: template
    lights:
      lamp:
        value_template: "{{{{ is_state('input_boolean.lamp', 'on') }}}}"
        level_template: "{{{{ states('input_number.lamp') | int }}}}"
        turn_on:
          service: input_boolean.turn_on
          entity_id: input_boolean.lamp
        turn_off:
          service: input_boolean.turn_off
          entity_id: input_boolean.lamp
        set_level:
          - service: input_number.set_value
            entity_id: input_number.lamp
            data:
              value: "{{{{ brightness }}}}"
          - service: input_boolean.turn_on
            entity_id: input_boolean.lamp
automation:
  - id: flicker
    alias: flicker
    use_blueprint:
      path: citytable/lights_flicker.yaml
      input:
        collapse: event.citytable_flicker_collapse
        lights: [light.lamp]
        times: 2
"""
TOOK_LONG = re.compile(r"Updating state for .* took \d+\.\d+ seconds")
FIRST_WORDS = (
    "Skipping pip installation of required modules",  # all of it is in uv.lock
    "Support for the running Python version",
)


class Core:
    """A running core. `token` opens its API."""

    def __init__(self, folder: Path, broker: Broker, port: int) -> None:
        self.port = port
        self._log = folder / "home-assistant.log"
        (folder / ".storage").mkdir()
        shutil.copytree(BLUEPRINTS, folder / "blueprints/automation/citytable")
        (folder / "configuration.yaml").write_text(CONFIGURATION.format(port=self.port))
        (folder / ".storage/core.config_entries").write_text(json.dumps(_mqtt_entry(broker)))
        program = HERE / ".venv/bin/python"
        with (folder / "stdout").open("wb") as out:
            self._process = subprocess.Popen(
                [program, "-m", "homeassistant", "-c", folder, "--skip-pip"],
                stdout=out,
                stderr=out,
                env={name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ},
            )
        self.token = ""

    def admit(self) -> None:
        """Once it answers, do what its first page does: name an owner, and get a token."""
        me = f"http://127.0.0.1:{self.port}/"
        owner = {"client_id": me, "name": "Host", "username": "host", "password": "host", "language": "en"}
        code = self._post("api/onboarding/users", json.dumps(owner).encode(), "application/json")["auth_code"]
        grant = {"grant_type": "authorization_code", "client_id": me, "code": code}
        form = urlencode(grant).encode()
        self.token = self._post("auth/token", form, "application/x-www-form-urlencoded")["access_token"]

    def _post(self, path: str, body: bytes, kind: str) -> Any:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/{path}", body, {"Content-Type": kind})
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def wait_until_up(self) -> None:
        """Until its first page is there."""
        for _ in range(PATIENCE_S * 10):
            assert self._process.poll() is None, f"Home Assistant ended: {self.complaints()}"
            with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/onboarding", timeout=5):
                return
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(0.1)
        pytest.fail(f"Home Assistant did not come up in {PATIENCE_S} s: {self.complaints()}")

    def complaints(self) -> list[str]:
        """What it warned of, but for the words it always begins with, and how long it took on a busy machine."""
        lines = self._log.read_text().splitlines() if self._log.exists() else ["it wrote no log"]
        return [
            line for line in lines if not any(words in line for words in FIRST_WORDS) and not TOOK_LONG.search(line)
        ]

    def end(self) -> None:
        _ended(self._process, signal.SIGKILL)  # it would take its ten seconds' leave


def _mqtt_entry(broker: Broker) -> dict[str, Any]:
    """The broker, as Home Assistant keeps it when somebody has typed it into its page."""
    entry = {
        "entry_id": "broker",
        "version": 1,
        "minor_version": 1,
        "domain": "mqtt",
        "title": broker.host,
        "data": {"broker": broker.host, "port": broker.port, "discovery": True},
        "options": {},
        "pref_disable_new_entities": False,
        "pref_disable_polling": False,
        "source": "user",
        "unique_id": None,
        "disabled_by": None,
    }
    return {"version": 1, "minor_version": 1, "key": "core.config_entries", "data": {"entries": [entry]}}


@pytest.fixture(scope="session")
def core(venue: Broker, tmp_path_factory: pytest.TempPathFactory, new_port: Callable[[], int]) -> Iterator[Core]:
    """One core for all tests."""
    running = Core(tmp_path_factory.mktemp("core"), venue, new_port())
    try:
        running.wait_until_up()
        running.admit()
        yield running
    finally:
        running.end()


class House:
    """Home Assistant as its own page sees it: all states, kept up to date, and services to call."""

    def __init__(self, socket_: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket_
        self._changed = asyncio.Condition()
        self._answers: dict[int, Any] = {}
        self._asked = 0
        self.states: dict[str, dict[str, Any]] = {}
        self.history: list[tuple[str, dict[str, Any] | None]] = []
        """Every change, in order; None for an entity that went."""

    @classmethod
    @asynccontextmanager
    async def open(cls, core: Core) -> AsyncIterator[Self]:
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(f"http://127.0.0.1:{core.port}/api/websocket", max_msg_size=0) as socket_,
        ):
            await socket_.receive_json()
            await socket_.send_json({"type": "auth", "access_token": core.token})
            assert (await socket_.receive_json())["type"] == "auth_ok"
            house = cls(socket_)
            reader = asyncio.create_task(house._read())
            await house.ask("subscribe_events", event_type="state_changed")
            house.states = {state["entity_id"]: state for state in await house.ask("get_states")} | house.states
            yield house
            reader.cancel()

    async def _read(self) -> None:
        async for message in self._socket:
            told = json.loads(message.data)
            async with self._changed:
                if told["type"] == "result":
                    self._answers[told["id"]] = told
                elif told["type"] == "event":
                    self._take(told["event"]["data"])
                self._changed.notify_all()

    def _take(self, data: dict[str, Any]) -> None:
        entity, state = data["entity_id"], data["new_state"]
        self.history.append((entity, state))
        if state is None:
            self.states.pop(entity, None)
        else:
            self.states[entity] = state

    async def ask(self, kind: str, **fields: Any) -> Any:
        """One request of its WebSocket API, answered."""
        self._asked += 1
        number = self._asked
        await self._socket.send_json({"id": number, "type": kind, **fields})
        await self.until(lambda: number in self._answers)
        answer = self._answers.pop(number)
        assert answer["success"], answer
        return answer["result"]

    async def call(self, service: str, **data: Any) -> None:
        """Press a button of its page."""
        domain, name = service.split(".")
        await self.ask("call_service", domain=domain, service=name, service_data=data)

    async def until(self, there: Callable[[], Any]) -> None:
        """As soon as it holds."""
        async with self._changed:
            try:
                await asyncio.wait_for(self._changed.wait_for(there), PATIENCE_S)
            except TimeoutError:
                pytest.fail(f"it did not come about in {PATIENCE_S} s; the last changes: {self.history[-10:]}")

    def says(self, entity: str) -> str | None:
        """The state of an entity; None if there is no such."""
        state = self.states.get(entity)
        return None if state is None else str(state["state"])

    async def until_says(self, entity: str, *wanted: str) -> None:
        """Until an entity is in one of these states."""
        await self.until(lambda: self.says(entity) in wanted)

    def of(self, table: str) -> dict[str, str]:
        """The states of all entities of a table."""
        ours = f".citytable_{table}_"
        return {entity: state["state"] for entity, state in self.states.items() if ours in entity}


@pytest.fixture
async def house(core: Core) -> AsyncIterator[House]:
    """Home Assistant, which has nothing to complain of at the end."""
    before = len(core.complaints())
    async with House.open(core) as opened:
        yield opened
    assert core.complaints()[before:] == []
