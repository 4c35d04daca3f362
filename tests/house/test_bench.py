"""The bench leaves nothing behind, and says what was said once."""

import random
import tempfile

import aiohttp
import msgspec
import pytest

from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.link.broker import find_mosquitto, running_broker
from citytable.views.state import View


@pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto is missing: tools/setup.sh system")
async def test_the_folders_of_hubs_that_are_killed_are_gone_too(load_tool, tmp_path, monkeypatch, capsys):
    bench = load_tool("bench_tables")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    async with running_broker(kind="mosquitto") as broker:
        before = sorted(tmp_path.iterdir())
        game = MegaCity(bench.FULL)
        deal = Dealer(random.Random(1)).outcome(game, next(iter(game.legal_actions)))
        said = [bench.Said(0.0, "citytable/1/table/park/samples", b"{}")]
        await bench.tables(broker, bench.Record(said, str(deal), acts=1), 1)
        assert sorted(tmp_path.iterdir()) == before
    assert "1 tables:" in capsys.readouterr().out


def test_each_table_of_a_venue_says_another_stretch_of_what_was_recorded(load_tool):
    bench, recorded = load_tool("bench_venue"), load_tool("record_venue").recorded()
    spoken = bench._of_tables(4)
    assert spoken == sorted(spoken)
    for k in range(4):
        from_s = 150 * k
        stretch = [one for one in recorded if from_s <= one.at_s < from_s + bench.SECONDS]
        assert [said.payload for _, of, said in spoken if of == k] == [one.payload for one in stretch]


async def test_a_wall_that_a_bench_opens_is_told_of_no_tremor(load_tool):
    bench = load_tool("bench_feed")
    view = msgspec.json.decode(bench.RECORDED.read_bytes(), type=View)
    async with bench.served(view) as (port, _), aiohttp.ClientSession() as page:
        answer = await page.get(f"http://127.0.0.1:{port}/api/tremor")
        assert (answer.status, (await answer.json())["curves"]) == (200, [])
