"""Without lock-step: hub and virtual table side by side, as `citytable run` has them, only faster."""

import asyncio
import time

import pytest
from tests.patience import PATIENCE_S

from citytable.app import company
from citytable.hub import running_clock
from citytable.rehearsal.megacity.acts import holds

pytestmark = pytest.mark.long(7)

SPEED = 5.0  # a core that others use too keeps up with it; 20 is the most that `citytable run` takes
TURNS = 3  # the set-up and the first two


async def _until_turn(table, turns: int) -> list[tuple[object, object]]:
    """What the people did and what the hub confirmed, after each of so many turns."""
    seen: list[tuple[object, object]] = []
    reached = asyncio.Event()

    def turn(truth) -> None:
        seen.append((truth, table.hub.play.umpire.position))
        if len(seen) == turns:
            reached.set()

    people = asyncio.create_task(company(table.settings, table.hub, table.twin, turn).play())
    waiting = asyncio.create_task(reached.wait())
    await asyncio.wait({people, waiting}, timeout=PATIENCE_S, return_when=asyncio.FIRST_COMPLETED)
    if people.done():
        people.result()
    for task in (people, waiting):
        task.cancel()
    await asyncio.gather(people, waiting, return_exceptions=True)
    return seen


async def _clocks_known(table) -> dict[str, int]:
    """The offset of every station's clock."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            known = {health.station: health.offset_us for health in table.hub.session.view().health}
            if known and None not in known.values():
                return known
            await table.twin.wait(1000)


@pytest.mark.broker
async def test_live_the_hub_confirms_what_the_bots_did(open_table):
    async with open_table(seed=8, speed=SPEED) as table:
        before = await _clocks_known(table)
        seen = await _until_turn(table, TURNS)
        after = await _clocks_known(table)
        assert len(seen) == TURNS
        for truth, confirmed in seen:
            assert holds(confirmed, truth)  # a hand that rests for no sample draws in one grab: one piece or three
        await table.well()
    # two clocks that ran at two speeds would be a minute apart by now
    assert all(abs(after[name] - before[name]) < 5_000_000 for name in before)


@pytest.mark.parametrize("pace", [1.0, 3.0, 20.0])
def test_the_hubs_clock_runs_at_the_pace_of_the_table(monkeypatch, pace):
    now_ns = 5_000_000_000
    monkeypatch.setattr(time, "time_ns", lambda: 1_700_000_000_000_000_000)
    monkeypatch.setattr(time, "monotonic_ns", lambda: now_ns)
    clock = running_clock(pace)
    assert clock() == 1_700_000_000_000_000
    now_ns += 2_000_000_000
    assert clock() == 1_700_000_000_000_000 + 2_000_000 * pace
