"""Measure what a playing hub writes to its disk, beside what it keeps: `python tools/bench_writes.py`.

Bots play on a virtual table at the pace of `make run`. Bytes written are those that Linux counts for the hub's process,
and for its broker, which has ended (`write_bytes` of proc_pid_io(5)); bytes kept are the journal and its traces then.
"""

import argparse
import asyncio
import tempfile
from contextlib import nullcontext
from pathlib import Path
from unittest.mock import patch

from citytable import app as wiring
from citytable.hub import running_hub
from citytable.journal.traces import Traces
from citytable.settings import Settings

PACE = 3.0
IO = Path("/proc/self/io")


def written_bytes() -> int:
    """Return what this process has had written to disks."""
    lines = IO.read_text("ascii").splitlines()
    return int(dict(line.split(": ") for line in lines)["write_bytes"])


async def measured(journal: Path, seconds: float, *, signals: bool) -> tuple[float, int]:
    """Play for so long, and keep signals or not; return hours of the hub's clock and bytes written."""
    with nullcontext() if signals else patch.object(Traces, "keep", lambda *_: None):
        return await _measured(journal, seconds)


async def _measured(journal: Path, seconds: float) -> tuple[float, int]:
    settings = Settings(seed=5, speed=PACE, journal_path=journal)
    before = written_bytes()
    async with running_hub(settings) as hub, wiring.virtual_table(settings, hub) as twin:
        began_us = hub.session.now_us()
        playing = asyncio.create_task(wiring.company(settings, hub, twin, lambda _: None).play())
        await asyncio.wait([playing], timeout=seconds)
        hours = (hub.session.now_us() - began_us) / 3.6e9
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
    return hours, written_bytes() - before


def main() -> None:
    """Print a line with the signals that a hub keeps, and one without."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    scratch = Path("var")  # a folder in memory would count nothing
    scratch.mkdir(exist_ok=True)
    for what, signals in (("with signals", True), ("without signals", False)):
        with tempfile.TemporaryDirectory(dir=scratch) as folder:
            hours, written = asyncio.run(measured(Path(folder) / "journal.sqlite3", options.seconds, signals=signals))
            kept = sum(file.stat().st_size for file in Path(folder).iterdir())
        print(
            f"{what:>15}: in {hours * 60:.1f} minutes of play {written / 1e6:.1f} MB written, "
            f"{kept / 1e6:.2f} MB kept, {written / kept:.1f} to 1, {written / hours / 1e6:.0f} MB an hour"
        )


if __name__ == "__main__":
    main()
