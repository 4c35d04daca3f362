"""Print what the doctor says of a healthy station of a kind: `python tools/doctor_of_models.py seat`.

A board of models (`tabletwin.desk`), with every part that the kind's pin plan has, is adopted at a broker of its own.
Then `citytable doctor` looks at it for ten seconds. `tools/write_printed.py` puts that into the guides of the stations.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from citytable.games.megacity.spots import shared_spots
from citytable.link.broker import running_broker
from citytable.table.plan import full_plan
from tablestation.boards.pins import KINDS

BIN = Path(sys.executable).parent
UID = "e661640843123456"
TRIES = 20  # a board needs seconds until it is heard
LOOKS = 5  # a machine that is busy answers late, and the doctor says so


def name_of(kind: str) -> str:
    """Return the name that the guide gives a station of this kind."""
    stations = full_plan("cafe", 2, shared_spots(), ()).stations
    return next(one.station for one in stations if one.kind == kind)


async def _ran(*words: str) -> tuple[int, str, str]:
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(BIN / "citytable", *words, stdout=pipe, stderr=pipe)
    said, complained = await child.communicate()
    return child.returncode or 0, said.decode(), complained.decode()


@asynccontextmanager
async def adopted_board(kind: str) -> AsyncIterator[tuple[str, ...]]:
    """Yield the options `--plan` and `--broker` of a table that has such a board; raise RuntimeError without one."""
    with tempfile.TemporaryDirectory() as folder:
        async with running_broker() as broker:
            at = ("--broker", f"{broker.host}:{broker.port}")
            pipe = asyncio.subprocess.PIPE
            board = await asyncio.create_subprocess_exec(
                *(BIN / "python", "-m", "tabletwin.desk", "--kind", kind, "--uid", UID, *at), stdin=pipe, stdout=pipe
            )
            table = ("--plan", f"{folder}/cafe.json", *at)
            try:
                await _adopt(name_of(kind), table)
                yield table
            finally:
                await board.communicate(b"")  # it ends with its input


async def _adopt(name: str, table: tuple[str, ...]) -> None:
    for _ in range(TRIES):
        code, _, why = await _ran("station", "adopt", UID, "--name", name, "--table", "cafe", *table)
        if code == 0:
            return
    raise RuntimeError(f"the board of models was not adopted: {why}")


async def findings(kind: str) -> str:
    """Return the doctor's lines; raise RuntimeError where the board is not adopted or not well."""
    async with adopted_board(kind) as table:
        for _ in range(LOOKS):
            code, said, why = await _ran("doctor", name_of(kind), *table)
            if code == 0:
                return said.split("\n", 1)[1]  # the first line asks for patience
    raise RuntimeError(f"the board of models is not well, is this machine busy? {said}{why}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="What the doctor says of a healthy station.")
    parser.add_argument("kind", choices=KINDS)
    sys.stdout.write(asyncio.run(findings(parser.parse_args().kind)))
