"""The bench leaves nothing behind."""

import importlib.util
import random
import tempfile
from pathlib import Path

import pytest

from citytable.games.megacity.game import MegaCity
from citytable.link.broker import find_mosquitto, running_broker
from citytable.rehearsal.selfplay import Dealer

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto is missing: tools/setup.sh system")
async def test_the_folders_of_hubs_that_are_killed_are_gone_too(tmp_path, monkeypatch, capsys):
    spec = importlib.util.spec_from_file_location("bench_tables", ROOT / "tools/bench_tables.py")
    bench = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bench)
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
