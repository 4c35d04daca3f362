"""What tables cost a hub: processor and memory of one process with 1, 10 and 50 full tables in play.

A virtual table of four is played on by bots and its wire recorded. Every table of the hub is dealt as that one was and
is fed the same, as fast as it was said, and its game must come as far as the recorded one. What a hub costs is the
processor time of its process until then, for the time that was played, so what else the machine does hardly matters.

    .venv/bin/python tools/bench_tables.py [--tables 1 10 50]
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple

from citytable.app import company, virtual_table
from citytable.games.megacity.position import Options
from citytable.hub import Hub, begun, running_hub
from citytable.journal.entry import ActionConfirmed, Draft
from citytable.journal.journal import Journal
from citytable.link.broker import Broker, find_mosquitto, running_broker
from citytable.link.mqtt import MqttConnection, Publication
from citytable.settings import Settings
from tablewire import topics

FULL = Options(players=4)
SPEED = 5.0  # of the recorded table
PLAY_S = 10.0  # of its time, from the deal on
BEFORE_S = 3.0  # until then it was set up, of which only the events are fed, at once: a scale tells every second
PATIENCE_S = 60.0  # for tables that are behind
TABLE = "table"


class Said(NamedTuple):
    """A message, and when it was said: seconds of the table's time after the deal."""

    at_s: float
    topic: str
    payload: bytes


class Record(NamedTuple):
    """What a table said, the action it was dealt by, and how many actions its hub knew of at the end."""

    said: list[Said]
    deal: str
    acts: int


def _acts(hub: Hub) -> int:
    """Confirmed or not."""
    return len(hub.play.actions) + len(hub.session.view().provisional)


async def record() -> Record:
    """A full table, from its birth until it has been played on for a while."""
    settings = Settings(options=FULL, seed=3, speed=SPEED)
    filters = tuple((f"citytable/1/{TABLE}/+/{channel}", 1) for channel in topics.FROM_STATION)
    async with (
        running_hub(settings) as hub,
        MqttConnection(hub.broker, filters, lambda: time.monotonic_ns() // 1000) as wire,
        virtual_table(settings, hub) as twin,
    ):
        playing = asyncio.create_task(company(settings, hub, twin, lambda _: None).play())
        while not hub.play.actions:  # noqa: ASYNC110  what is waited for tells nobody
            await asyncio.sleep(0.01)
        dealt_us = time.monotonic_ns() // 1000
        await asyncio.sleep(PLAY_S / SPEED)
        deal, acts = str(hub.play.actions[0]), _acts(hub)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        arrivals = [one for one in wire.drain() if "/hub/" not in one.topic]
    said = [Said((one.arrived_us - dealt_us) / 1e6 * SPEED, one.topic, one.payload) for one in arrivals]
    return Record([one for one in said if one.at_s <= PLAY_S], deal, acts)


async def hubs(address: str, count: int, deal: str, folder: str) -> None:
    """The process that is measured: so many dealt tables. Each line of input is answered by how far they have come."""
    async with AsyncExitStack() as stack:
        running = []
        for n in range(count):
            path = Path(folder) / f"t{n}.sqlite3"
            settings = Settings(
                options=FULL, twin=False, speed=1.0, table=f"t{n}", broker_address=address, journal_path=path
            )
            async with Journal.open(path) as journal:
                game_id = (await begun(settings, journal, now_us=7)).game_id
                await journal.commit(game_id, [Draft(8, "player", ActionConfirmed(action=deal))])
            running.append(await stack.enter_async_context(running_hub(settings)))
        while await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline):
            print(json.dumps([_acts(hub) for hub in running]), flush=True)


def _used(pid: int) -> tuple[float, float]:
    """Processor seconds and megabytes of a process."""
    words = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE") / 1e6


class Fed(NamedTuple):
    """How many messages were fed in how long."""

    messages: int
    took_s: float


async def _feed(wire: MqttConnection, said: list[Said], count: int, from_s: float) -> Fed:
    """To so many tables alike, as it was said from `from_s` on; what was said before, at once."""
    loop = asyncio.get_running_loop()
    start_s = loop.time()
    for one in said:
        await asyncio.sleep(max(0.0, one.at_s - from_s - (loop.time() - start_s)))
        qos = int(not one.topic.endswith(f"/{topics.SAMPLES}"))
        reported = [Publication(one.topic.replace(f"/{TABLE}/", f"/t{n}/", 1), one.payload, qos) for n in range(count)]
        await asyncio.gather(*(wire.publish(publication) for publication in reported))
    return Fed(count * len(said), loop.time() - start_s)


async def _come(process: Process) -> list[int]:
    """How far its tables have come."""
    if process.stdin is None or process.stdout is None:
        return []
    process.stdin.write(b"\n")
    come: list[int] = json.loads(await process.stdout.readline())
    return come


async def _caught_up(process: Process, acts: int) -> tuple[float, list[int]]:
    """How many seconds it took until all of its tables had come so far, and how far they have come."""
    loop = asyncio.get_running_loop()
    start_s = loop.time()
    while min(come := await _come(process)) < acts and loop.time() - start_s < PATIENCE_S:  # noqa: ASYNC110  it is asked
        await asyncio.sleep(0.1)
    return loop.time() - start_s, come


async def tables(broker: Broker, recorded: Record, count: int) -> None:
    """One process with so many tables, each fed the same; what that costs it."""
    samples = f"/{topics.SAMPLES}"
    set_up = [one for one in recorded.said if one.at_s < 0 and (one.at_s > -BEFORE_S or samples not in one.topic)]
    play = [one for one in recorded.said if one.at_s >= 0]
    with tempfile.TemporaryDirectory(prefix="citytable-bench-") as folder:
        address = f"{broker.host}:{broker.port}"
        command = (sys.executable, __file__, "hubs", address, str(count), recorded.deal, folder)
        nothing_left = {**os.environ, "TMPDIR": folder}  # it is killed, and clears nothing up
        process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, env=nothing_left)
        try:
            async with MqttConnection(broker, (), lambda: 0) as wire:
                await _come(process)  # they are there
                await _feed(wire, set_up, count, -BEFORE_S)
                before_s, _ = _used(process.pid)
                fed = await _feed(wire, play, count, 0.0)
                late_s, come = await _caught_up(process, recorded.acts)
            after_s, megabytes = _used(process.pid)
        finally:
            process.kill()
            await process.wait()
    behind = sum(acts < recorded.acts for acts in come)
    lost = f"; {behind} of them never came so far" if behind else ""
    slow = f"; fed slower than life ({fed.took_s:.0f} s for {PLAY_S:.0f} s)" if fed.took_s > PLAY_S * 1.1 else ""
    late = f"; {late_s:.0f} s behind" if late_s >= 1 else ""
    load = (after_s - before_s) / PLAY_S
    print(
        f"{count:>4} tables: {load:6.1%} of one processor, {megabytes:5.0f} MB, "
        f"{fed.messages / fed.took_s:6.0f} messages/s{slow}{late}{lost}",
        flush=True,
    )


async def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="what tables cost a hub")
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 10, 50])
    options = parser.parse_args()
    if find_mosquitto() is None:
        print("mosquitto is missing on this machine (tools/setup.sh system): nothing measured")
        return
    async with running_broker(kind="mosquitto") as broker:
        recorded = await record()
        print(
            f"tables of {FULL.players}, {PLAY_S:.0f} s of play, until each shows {recorded.acts} actions:",
            flush=True,
        )
        for count in options.tables:
            await tables(broker, recorded, count)


if __name__ == "__main__":
    if sys.argv[1:2] == ["hubs"]:
        asyncio.run(hubs(sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5]))
    else:
        asyncio.run(main())
