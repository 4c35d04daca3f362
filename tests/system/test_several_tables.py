"""Several tables in one hub process, at one broker: each plays as if it were alone."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from citytable.app import company, running_hub, virtual_table
from citytable.games.megacity.position import Options
from citytable.journal.export import write_export
from citytable.link.broker import running_broker
from citytable.rehearsal.megacity.acts import holds
from citytable.settings import Settings

pytestmark = [pytest.mark.broker, pytest.mark.long(20)]

SEEDS = {"salon": 21, "terrace": 22}


class EnoughTurns(Exception):
    """The evening may end here."""


async def _play(settings, hub, twin, export, count):
    """So many turns; the journal of them as a file's bytes."""
    turns = []

    def on_turn(truth):
        assert holds(hub.play.umpire.position, truth)
        turns.append(truth)
        if len(turns) == count:
            raise EnoughTurns

    with pytest.raises(EnoughTurns):
        await company(settings, hub, twin, on_turn).play()
    write_export(export, hub.game_id, (await hub.journal.entries(hub.game_id)).entries)
    return export.read_bytes()


def _settings(table, broker):
    address = f"{broker.host}:{broker.port}"
    return Settings(options=Options(players=2), seed=SEEDS[table], table=table, broker_address=address)


@pytest.mark.parametrize("turns", [2, pytest.param(6, marks=pytest.mark.soak)])
async def test_two_tables_in_one_process_write_what_each_writes_alone(tmp_path, turns):
    alone = {}
    async with running_broker(kind="mosquitto") as broker:
        for table in SEEDS:
            settings = _settings(table, broker)
            async with running_hub(settings) as hub, virtual_table(settings, hub) as twin:
                alone[table] = await _play(settings, hub, twin, tmp_path / f"{table}-alone", turns)
    async with running_broker(kind="mosquitto") as broker, AsyncExitStack() as stack:
        playing = []
        for table in SEEDS:
            settings = _settings(table, broker)
            hub = await stack.enter_async_context(running_hub(settings))
            twin = await stack.enter_async_context(virtual_table(settings, hub))
            playing.append(_play(settings, hub, twin, tmp_path / f"{table}-beside", turns))
        beside = dict(zip(SEEDS, await asyncio.gather(*playing), strict=True))
    assert beside == alone
    assert alone["salon"] != alone["terrace"]
