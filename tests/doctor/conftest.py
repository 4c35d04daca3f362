"""Boards that can be looked after: the real station program on a clock that hurries, over a real broker."""

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from tests.patience import PATIENCE_S

from citytable.doctor.line import Line
from citytable.doctor.roll_call import roll_call
from citytable.doctor.signing import SigningKey, kept_or_new_key
from citytable.link.broker import Broker, running_broker
from citytable.link.wire_in import Birth
from tablestation.boards.pins import park, places, seat, sector, supply
from tablestation.care.adoption import Newcomer, is_adopted, load_secrets, names
from tablestation.care.slots import Slots
from tablestation.care.store import Files
from tablestation.care.trust import Trust
from tablestation.care.update import Updates
from tablestation.links.mqtt import Account, MqttLink
from tablestation.seam import Board, SpotBoard
from tablestation.station import Station
from tabletwin.flash import Flash

SPEED = 40
PLANS = {plan.PINS["kind"]: plan.PINS for plan in (sector, park, seat, supply)}


class Port:
    """What the seam asks of a port, SPEED times as fast as the clock on the wall."""

    def __init__(self, tasks: list[asyncio.Task]) -> None:
        self._tasks = tasks
        self._boot = random.randrange(1, 1 << 30)

    def ticks_us(self) -> int:
        return time.monotonic_ns() * SPEED // 1000 & 0x3FFFFFFF

    async def sleep_ms(self, ms: int) -> None:
        await asyncio.sleep(ms / 1000 / SPEED)

    async def within(self, ms: int, work):
        return await asyncio.wait_for(work, ms / 1000)

    def spawn(self, work) -> None:
        self._tasks.append(asyncio.ensure_future(work))

    def random30(self) -> int:
        return self._boot

    def free_bytes(self) -> int:
        return 123_456

    def feed(self) -> None:
        pass


class Ether:
    async def up(self) -> None:
        pass


class DeskBoard:
    """A board on a desk: flash, a program chosen at each start, no sensors. `starts` is how often it began."""

    def __init__(self, broker: Broker, uid: str) -> None:
        self.broker = broker
        self.uid = uid
        self.flash = Flash()
        self.files = Files(self.flash, self.flash.open)
        self.starts = 0
        self.shown: list[int] = []
        self.broken: set[str] = set()  # bundles whose program does not come up
        self.tasks: list[asyncio.Task] = []
        self._again = asyncio.Event()

    def give(self, key: SigningKey, **secrets) -> None:
        """What a maker writes over USB."""
        self.files.write("secrets.json", json.dumps(secrets).encode())
        self.files.write("keys.json", json.dumps([key.public_hex]).encode())

    async def live(self) -> None:
        """For ever: start, and start again when the program asks for it."""
        try:
            while True:
                self._again.clear()
                self.start()
                await self._again.wait()
                self.stop()
        finally:
            self.stop()

    def stop(self) -> None:
        for task in self.tasks:
            task.cancel()
        self.tasks.clear()

    def start(self) -> None:
        self.starts += 1
        secrets = load_secrets(self.files)
        slots = Slots(self.files)
        slots.choose()
        if slots.bundle() in self.broken:
            asyncio.get_running_loop().call_soon(self._again.set)
            return
        port = Port(self.tasks)
        table, name = names(secrets, self.uid)
        account = Account(table, name, self.broker.host, self.broker.port, secrets.get("user"), secrets.get("password"))
        link = MqttLink(account, Ether(), port.random30)
        about = {"hardware": "pico_2_w", "uid": self.uid, "bundle": slots.bundle(), "reset": "power"}
        if is_adopted(secrets):
            program = self._station(port, link, secrets, slots, about)
        else:
            program = Newcomer(port, link, self.files, about, self._fits, self.shown.append, self._again.set)
        port.spawn(link.run(program))

    def _station(self, port: Port, link: MqttLink, secrets: dict, slots: Slots, about: dict) -> Station:
        spots = [SpotBoard(spot) for spot in secrets["spots"]]
        station = Station(port, link, Board(secrets["plan"], spots, seat=secrets["seat"], about=about))
        Updates(port, self.files, slots, self._again.set, Trust(self.files)).attach(station)
        station.start()
        return station

    def _fits(self, plan: str, spots: list[str]) -> None:
        if plan not in PLANS:
            raise ValueError(f"there is no pin plan {plan!r}")
        places(PLANS[plan], spots)


@pytest.fixture
async def broker() -> AsyncIterator[Broker]:
    async with running_broker(kind="mosquitto") as running:
        yield running


@pytest.fixture
def key(tmp_path) -> SigningKey:
    """The owner's key, where the commands look for it."""
    return kept_or_new_key(tmp_path / "citytable/broker")


@pytest.fixture
async def desk(broker, key) -> AsyncIterator[Callable[..., DeskBoard]]:
    """`desk(uid, **secrets)`: a board with these secrets, switched on."""
    lives: list[asyncio.Task] = []

    def switched_on(uid: str = "e66138528355a82f", at: Broker = broker, **secrets) -> DeskBoard:
        board = DeskBoard(at, uid)
        board.give(key, **secrets)
        lives.append(asyncio.ensure_future(board.live()))
        return board

    yield switched_on
    for life in lives:
        life.cancel()
    ends = await asyncio.gather(*lives, return_exceptions=True)
    assert [end for end in ends if not isinstance(end, asyncio.CancelledError)] == []


@pytest.fixture(scope="session")
def come() -> Callable[..., Awaitable[Birth]]:
    """`await come(broker, "cafe", "seat-1")`: as soon as the broker knows of that station."""

    async def wait(broker: Broker, table: str, name: str) -> Birth:
        async with Line(broker, table) as line:
            there = await roll_call(line)
            if name in there:
                return there[name]
            async for told in line.hear(PATIENCE_S):
                if told.station == name and isinstance(told.message, Birth):
                    return told.message
        pytest.fail(f"{name} did not come to table {table!r} in {PATIENCE_S} s")

    return wait


@pytest.fixture
def adopted() -> dict:
    """The secrets of a station that has been adopted."""
    return {
        "table": "cafe",
        "station": "seat-1",
        "plan": "seat",
        "spots": ["seat/1/pad/0"],
        "seat": 1,
        "user": "seat-1",
        "password": "x",
    }
