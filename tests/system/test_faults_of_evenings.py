"""What evenings on the level of facts make of a fault is what stations, broker and hub make of it.

The same turn is played over the wire as it is, while the broker is killed, and while the hub is away. The facts of the
first one, given the same fault on paper, are those of the others; and so is what an umpire makes of them.
"""

import os
import random
import signal
from collections.abc import Iterable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.system.conftest import Evening

from citytable.app import running_hub
from citytable.evenings.mortal_door import MortalDoor
from citytable.evenings.performance import Heard
from citytable.evenings.troubles import Trouble
from citytable.evenings.wire import Wire
from citytable.games.megacity.actions import EndTurn, TakeContract, TakePieces
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options
from citytable.games.megacity.table_side import MegaCityTable
from citytable.journal.entry import ActionConfirmed, Entry, FactNoted
from citytable.link import broker as brokers
from citytable.link import registry
from citytable.link.broker import running_broker
from citytable.rehearsal.twin import running_twin
from citytable.settings import Settings
from citytable.table.fact import Fact, MassSettled, StationCame, StationWent, TagCame, TagLeft
from citytable.table.plan import Plan
from citytable.table.word import Statement

pytestmark = [pytest.mark.broker, pytest.mark.long(14)]

SPEED = 10.0
GONE_S = 1.6  # by the wall: longer than the turn takes at this table
QUIET_MS = 20_000
LASTS_US = 20_000_000  # as long as the virtual table takes to come back, and less than hubs wait for stations
Told = tuple[list[tuple[str, ...]], dict[str, list[float]]]


def mosquittos() -> set[int]:
    """The brokers that this process has started."""
    children = [pid for file in Path("/proc/self/task").glob("*/children") for pid in file.read_text().split()]
    return {int(pid) for pid in children if "mosquitto" in Path(f"/proc/{pid}/comm").read_text()}


class Played(NamedTuple):
    """When the turn began, how many entries there were then, all of them, and what is asked in the end."""

    from_us: int
    before: int
    entries: tuple[Entry, ...]
    asked: tuple[str, ...]


async def deal(table) -> None:
    await table.deal()
    await table.twin.wait(3000)


async def turn(table) -> None:
    """A player takes a contract and three pieces, and passes the bag, whether or not somebody sees it."""
    seat, contract = table.game.position.player, table.game.position.columns[0][0]
    await table.do(TakeContract(player=seat, contract=contract))
    await table.do(TakePieces(player=seat))
    table.game.push(EndTurn(player=seat))
    await table.twin.act({"act": "pass_bag", "from": seat, "to": 3 - seat})


async def entries_of(table) -> tuple[Entry, ...]:
    return (await table.hub.journal.entries(table.hub.session.game_id)).entries


async def looked_at(table, from_us: int, before: int) -> Played:
    """Wait until nothing more comes, and look."""
    await table.twin.wait(QUIET_MS)
    asked = tuple(f"{one.prompt} {one.about}" for one in table.hub.session.play.questions)
    return Played(from_us, before, await entries_of(table), asked)


async def with_broker(open_table, *, killed: bool) -> Played:
    """Play while all goes well, or while the broker is killed."""
    others = mosquittos()
    async with open_table(speed=SPEED) as table:
        await deal(table)
        began_us, before = table.hub.session.now_us(), len(await entries_of(table))
        if killed:
            (pid,) = mosquittos() - others
            os.kill(pid, signal.SIGKILL)
        await turn(table)
        return await looked_at(table, began_us, before)


async def without_hub(folder: Path) -> Played:
    """Play while the hub is away."""
    async with running_broker(kind="mosquitto") as broker:
        settings = Settings(
            options=Options(players=2), seed=6, speed=SPEED, twin=False, broker=broker, journal_path=folder / "journal"
        )
        async with AsyncExitStack() as stack:
            async with running_hub(settings) as hub:
                twin = await stack.enter_async_context(
                    running_twin(settings.plan(), settings.box.name, broker, settings.seed, SPEED)
                )
                table = Evening(settings, hub, twin, MegaCity(settings.options, HOUSE))
                await deal(table)
                began_us, before = hub.session.now_us(), len(await entries_of(table))
            await turn(table)
            async with running_hub(settings) as hub:
                table.hub = hub
                return await looked_at(table, began_us, before)


def facts_of(entries: Iterable[Entry]) -> list[Fact]:
    return [entry.body.fact for entry in entries if isinstance(entry.body, FactNoted)]


def told(facts: Iterable[Fact]) -> Told:
    """Return what stations and readers told, and the steps of each scale."""
    stations, scales = list[tuple[str, ...]](), dict[str, list[float]]()
    for fact in facts:
        match fact:
            case TagCame(spot=spot, thing=thing) | TagLeft(spot=spot, thing=thing):
                stations.append((type(fact).__name__, spot, str(thing)))
            case StationCame(station=station) | StationWent(station=station):
                stations.append((type(fact).__name__, station))
            case MassSettled(spot=spot, step_g=step_g) if step_g:
                scales.setdefault(spot, []).append(step_g)
            case _:
                pass
    return stations, scales


def ways(scales: dict[str, list[float]]) -> dict[str, list[bool]]:
    """Return which way the steps of each scale went: other pieces come out of the bag each time."""
    return {spot: [step_g > 0 for step_g in steps] for spot, steps in scales.items()}


def is_of_a_tag(one: tuple[str, ...]) -> bool:
    return one[0].startswith("Tag")


def concluded(
    plan: Plan, entries: Iterable[Entry], heard: list[Heard], away: Trouble | None
) -> tuple[list[str], tuple[str, ...]]:
    """Return what an umpire confirms and asks that has these facts, and what people said; its hub may be `away`."""
    door = MortalDoor(MegaCityTable(HOUSE), MegaCity(Options(players=2), HOUSE).position, plan)
    said = [(entry.at_us, entry.body) for entry in entries if isinstance(entry.body, Statement)]
    for at_us, word in said:
        door.feed(sorted((one.fact for one in heard if one.at_us <= at_us), key=lambda fact: fact.t_us), at_us)
        heard = [one for one in heard if one.at_us > at_us]
        door.judge()
        door.say(word, at_us)
    if away is not None:
        door.feed([one.fact for one in heard if one.at_us < away.from_us], away.from_us)
        heard = [one for one in heard if one.at_us >= away.from_us]
        door.judge()
        door.come_back()
    while heard:
        now_us = heard[0].at_us + 500_000
        door.feed(sorted((one.fact for one in heard if one.at_us <= now_us), key=lambda fact: fact.t_us), now_us)
        heard = [one for one in heard if one.at_us > now_us]
        door.judge()
    return [str(one) for one in door.confirmed], tuple(f"{one.prompt} {one.about}" for one in door.questions())


@pytest.mark.parametrize("kind", ["broker_killed", "hub_killed"])
async def test_a_turn_becomes_by_a_fault_what_evenings_make_of_it(open_table, monkeypatch, tmp_path, kind):
    monkeypatch.setattr(brokers, "RESTART_S", GONE_S)
    monkeypatch.setattr(registry, "SILENT_US", 10 * registry.SILENT_US)  # a busy machine comes back when it can
    well = await with_broker(open_table, killed=False)
    ill = await (with_broker(open_table, killed=True) if kind == "broker_killed" else without_hub(tmp_path))
    trouble = Trouble(kind, well.from_us, well.from_us + LASTS_US)
    plan = well.entries[0].body.plan
    heard = list(Wire(plan, random.Random(1)).heard(facts_of(well.entries), [trouble]))
    went = "StationWent" if kind == "hub_killed" else ""  # which nobody tells a hub that was killed
    stations, scales = told(facts_of(ill.entries[ill.before :]))
    stations = [one for one in stations if one[0] != went]
    on_paper, by_paper = told(one.fact for one in heard if one.at_us > well.from_us)
    assert sorted(on_paper) == sorted(stations)
    assert [one for one in on_paper if one[0].startswith("Tag")] == [
        one for one in stations if one[0].startswith("Tag")
    ]
    assert ways(by_paper) == ways(scales)
    confirmed = [entry.body.action for entry in ill.entries if isinstance(entry.body, ActionConfirmed)]
    away_us = trouble if kind == "hub_killed" else None
    assert concluded(plan, well.entries, heard, away_us) == (confirmed, ill.asked)
