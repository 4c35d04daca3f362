"""Boards fall silent without a goodbye: it is shown soon, what lies there is unknown later, and it heals by itself."""

import asyncio
import os
import signal

import pytest

from citytable.games.megacity.actions import TakePieces
from citytable.link import registry
from citytable.rehearsal.megacity.acts import holds

pytestmark = [pytest.mark.broker, pytest.mark.long(4)]

SPEED = 5.0
STATUS = "station_silent"


async def until(condition) -> None:
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110  what is waited for tells nobody
            await asyncio.sleep(0.01)


@pytest.fixture
def quick(monkeypatch):
    """What takes seconds of the wall, in tenths of them."""
    for name in ("ASK_US", "ANSWER_US", "LATE_US", "GONE_US"):
        monkeypatch.setattr(registry, name, getattr(registry, name) // 5)


async def test_stations_that_stand_still_are_shown_and_known_again_when_they_go_on(open_table, quick):
    """All stations of a virtual table are one process: it stands still as if somebody had pulled all plugs."""
    async with open_table(speed=SPEED) as table:
        await table.deal()
        session = table.hub.session
        everybody = {one.station for one in session.view().health}

        def shown(view) -> set[str]:
            return {one.station for one in view.health if not one.online}

        def unknown(status) -> set[str]:
            return {one.thing for one in status.disagreements if one.kind == STATUS}

        os.kill(table.twin._process.pid, signal.SIGSTOP)
        await until(lambda: unknown(session.play.umpire.status()) == everybody)
        first = next(view for view in table.views if shown(view))
        assert unknown(first.status) == set()  # a network that stalls is no reason to forget anything
        assert table.views[-1].troubles == ()  # it is not the broker's fault
        os.kill(table.twin._process.pid, signal.SIGCONT)
        await until(lambda: shown(table.views[-1]) == set() and session.play.umpire.status().agrees)
        await table.do(TakePieces(player=table.game.position.player))
        await table.pass_bag()
        assert holds(table.confirmed.position, table.game.position)
