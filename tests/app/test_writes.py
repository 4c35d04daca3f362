"""What a playing hub writes to its disk, beside what it keeps: SQLite on real files, as Linux counts it."""

import asyncio
import tempfile
from pathlib import Path

import pytest

SECONDS = 240
RATIO_MAX = 10


@pytest.mark.soak
@pytest.mark.broker
@pytest.mark.parametrize("signals", [True, False])
def test_a_playing_hub_writes_less_than_ten_times_what_it_keeps(root, load_tool, signals):
    bench = load_tool("bench_writes")
    (root / "var").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=root / "var") as folder:
        _, written = asyncio.run(bench.measured(Path(folder) / "journal.sqlite3", SECONDS, signals=signals))
        kept = sum(file.stat().st_size for file in Path(folder).iterdir())
    assert kept > 100_000
    assert written < RATIO_MAX * kept
