"""Record what a full table says to its venue in ten minutes of play, message by message.

    .venv/bin/python tools/record_venue.py

A virtual table of four is played on by bots at the pace of life. Its hub reports to the venue through its own broker,
and what it says there goes to tests/venue_desk/ten_minutes.jsonl.gz: a line for each message, with the seconds since
the recording began, the channel and the payload. The tests of a table that is cut off and tools/bench_venue.py say it
again, for other tables.
"""

import argparse
import asyncio
import gzip
import time
from pathlib import Path
from typing import NamedTuple

import msgspec

from citytable.app import company, virtual_table
from citytable.at_venue import at_venue
from citytable.games import NAMES, box_of
from citytable.hub import running_hub
from citytable.link.mqtt import Arrival, MqttConnection, ended
from citytable.settings import Settings
from tablewire import topics

FILE = Path(__file__).resolve().parents[1] / "tests/venue_desk/ten_minutes.jsonl.gz"
MINUTES = 10.0
TABLE = "table"


class Said(NamedTuple):
    """A message of a table to its venue, and when it was said: seconds since the recording began."""

    at_s: float
    channel: str
    payload: str


def recorded(file: Path = FILE) -> list[Said]:
    """Return what is in a file, in the order in which it was said."""
    return [msgspec.json.decode(line, type=Said) for line in gzip.decompress(file.read_bytes()).splitlines()]


def write(said: list[Said], file: Path) -> None:
    """Write messages to a file, the same ones always to the same bytes."""
    lines = b"".join(msgspec.json.encode(one) + b"\n" for one in said)
    file.write_bytes(gzip.compress(lines, mtime=0))


async def record(seconds: float, players: int = 4, speed: float = 1.0) -> list[Said]:
    """Play for so long and return what the hub said to the venue."""
    box = box_of(NAMES[0])
    settings = Settings(box=box, options=box.options(players), seed=3, speed=speed)
    wanted = ((topics.topic(TABLE, topics.VENUE, "#"), 1),)
    began_us = time.monotonic_ns() // 1000
    async with (
        running_hub(settings) as hub,
        MqttConnection(hub.broker, wanted, lambda: time.monotonic_ns() // 1000 - began_us) as wire,
        at_venue(settings, hub),
        virtual_table(settings, hub) as twin,
    ):
        playing = asyncio.create_task(company(settings, hub, twin, lambda _: None).play())
        await asyncio.sleep(seconds)
        await ended(playing)
        return [_said(one) for one in wire.drain()]


def _said(arrival: Arrival) -> Said:
    return Said(round(arrival.arrived_us / 1e6, 2), arrival.topic.rpartition("/")[2], arrival.payload.decode())


def main() -> None:
    """Record, write, and say how much it was."""
    parser = argparse.ArgumentParser(description="what a full table says to its venue")
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--file", type=Path, default=FILE)
    options = parser.parse_args()
    said = asyncio.run(record(options.minutes * 60))
    write(said, options.file)
    size = sum(len(one.payload) for one in said)
    print(
        f"{len(said)} messages of {size / max(1, len(said)):.0f} bytes in {options.minutes:g} minutes: {options.file}"
    )


if __name__ == "__main__":
    main()
