"""The broker is killed, or stands still, while people play: every screen says so, and nothing is lost."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from citytable.games.megacity.actions import TakeContract
from citytable.link import broker as brokers
from citytable.link import mqtt
from citytable.rehearsal.megacity.acts import holds

pytestmark = [pytest.mark.broker, pytest.mark.long(9)]

SPEED = 10.0
GONE_S = 1.0  # by the wall: ten seconds at this table
COMES_BACK_MS = 40_000  # the virtual table tries again after a second by the wall


async def until(condition) -> None:
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110  what is waited for tells nobody
            await asyncio.sleep(0.01)


def mosquittos() -> list[int]:
    """The brokers that this process has started."""
    children = [pid for file in Path("/proc/self/task").glob("*/children") for pid in file.read_text().split()]
    return [int(pid) for pid in children if "mosquitto" in Path(f"/proc/{pid}/comm").read_text()]


@pytest.fixture
def quick(monkeypatch):
    """What takes a second of the wall, as fast as this table lives."""
    for name, seconds in (("PROBE_S", 0.02), ("ANSWER_S", 0.05)):
        monkeypatch.setattr(mqtt, name, seconds)
    monkeypatch.setattr("citytable.session.session.LOOK_S", 0.01)
    monkeypatch.setattr("citytable.session.troubles.SLOW_LOOKS", 200)
    monkeypatch.setattr(brokers, "RESTART_S", GONE_S)


@pytest.mark.parametrize("trouble", [signal.SIGKILL, signal.SIGSTOP])
async def test_what_is_done_while_the_broker_is_away_is_known_afterwards(open_table, quick, trouble):
    others = set(mosquittos())
    async with open_table(speed=SPEED) as table:
        await table.deal()
        (pid,) = set(mosquittos()) - others
        os.kill(pid, trouble)
        await until(lambda: table.views[-1].troubles == ("broker",))
        seat, contract = table.game.position.player, table.game.position.columns[0][0]
        await table.do(TakeContract(player=seat, contract=contract))
        assert table.views[-1].troubles == ("broker",)
        if trouble == signal.SIGSTOP:
            os.kill(pid, signal.SIGCONT)
        await until(lambda: table.views[-1].troubles == ())
        await table.twin.wait(COMES_BACK_MS)
        await table.pass_bag()
        assert holds(table.confirmed.position, table.game.position)
        health = table.hub.session.view().health
        assert [(one.online, one.events_lost) for one in health] == [(True, 0)] * len(health)
