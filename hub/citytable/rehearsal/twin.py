"""The virtual table as a process of its own: its hands do acts, the wire carries the rest."""

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Self, TypeAlias

import msgspec

from citytable.link.broker import PASSWORD_VARIABLE, Broker
from citytable.link.child import dying_with_us
from citytable.table.plan import Plan

Act: TypeAlias = Mapping[str, Any]
Result: TypeAlias = dict[str, Any]

LINE_BYTES_MAX = 1 << 20
ENDS_IN_S = 5.0


KEYS_VARIABLE = "CITYTABLE_SEAT_KEYS"


class DoorOptions(msgspec.Struct, frozen=True):
    """Where browsers find a virtual table: the address, the port of the hub's pages, and a key for each seat."""

    host: str
    pages_port: int
    keys: Mapping[int, str]


class TwinError(RuntimeError):
    """The virtual table ended, or a hand could not do an act: our fault, told with what was asked."""


class Twin:
    """`async with Twin(...)`: runs while inside. One line of acts at a time; its acts happen at the same time."""

    def __init__(
        self,
        plan: Path,
        game: str,
        broker: Broker,
        seed: int,
        *,
        speed: float | None = None,
        door: DoorOptions | None = None,
    ) -> None:
        """`speed` None is lock-step; else virtual time follows the wall clock times `speed`.

        What the twin complains about is kept beside its plan. With a `door`, which is for real pace, browsers come in.
        """
        self.stations: tuple[str, ...] = ()
        """The names of those in its plan."""
        pace = ("--pace", "lockstep") if speed is None else ("--pace", "real", "--speed", str(speed))
        login = ("--user", broker.user) if broker.user else ()
        self._environment = os.environ | ({PASSWORD_VARIABLE: broker.password} if broker.user else {})
        if door is not None:
            seats = {key: seat for seat, key in door.keys.items()}
            self._environment |= {KEYS_VARIABLE: json.dumps(seats)}
        self._arguments = (
            "-m",
            "tabletwin" if door is None else "tabletwin.visited",
            "--plan",
            str(plan),
            "--game",
            game,
            "--broker",
            f"{broker.host}:{broker.port}",
            "--seed",
            str(seed),
            *pace,
            *login,
            *(() if door is None else ("--door-host", door.host, "--pages-port", str(door.pages_port))),
        )
        self._complaints = plan.with_name(plan.name + ".stderr")
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._id = 0
        self.t_us = 0
        """Virtual time at the end of the last acts."""
        self.acts_done = 0
        """How many acts the hands did."""
        self.door_port: int | None = None
        """Where browsers come in, once it is ready."""

    async def __aenter__(self) -> Self:
        with self._complaints.open("wb") as complaints:
            self._process = await asyncio.create_subprocess_exec(
                *dying_with_us(sys.executable, *self._arguments),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=complaints,
                env=self._environment,
                limit=LINE_BYTES_MAX,
                start_new_session=True,  # Ctrl-C is for the hub, which then ends the twin
            )
        return self

    async def ready(self) -> None:
        """Wait until every station has booted. In lock-step the hub must be answering ticks meanwhile."""
        ready = await self._line("its start")
        self.t_us, self.door_port = ready["t_us"], ready.get("door")

    async def __aexit__(self, failure: object, *_: object) -> None:
        """End the twin, which ends when its stdin does; after a failure nobody waits for what it is doing.

        A hub that is cancelled while it waits leaves no twin behind either.
        """
        process = self._process
        if process is None or process.stdin is None:
            return
        process.stdin.close()
        if failure is not None and process.returncode is None:
            process.kill()
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(ENDS_IN_S):
                    await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    async def act(self, *acts: Act) -> list[Result]:
        """Let the hands do these acts at the same time; raises `TwinError` when one cannot be done."""
        async with self._turn:
            process = self._process
            if process is None or process.stdin is None:
                raise TwinError("the virtual table was not started")
            self._id += 1
            try:
                process.stdin.write(json.dumps({"id": self._id, "acts": list(acts)}).encode() + b"\n")
                await process.stdin.drain()
            except ConnectionError:
                raise await self._ended(str(acts)) from None
            answer = await self._line(str(acts))
        self.t_us = answer["t_us"]
        if "error" in answer:
            raise TwinError(f"{answer['error']} (asked for {list(acts)})")
        self.acts_done += len(acts)
        results: list[Result] = answer["results"]
        return results

    async def wait(self, ms: int) -> None:
        """Let virtual time pass."""
        acts_done = self.acts_done
        await self.act({"act": "wait", "ms": ms})
        self.acts_done = acts_done

    async def _line(self, asked: str) -> dict[str, Any]:
        if self._process is None or self._process.stdout is None:
            raise TwinError("the virtual table was not started")
        line = await self._process.stdout.readline()
        if not line:
            raise await self._ended(asked)
        answer: dict[str, Any] = json.loads(line)
        return answer

    async def _ended(self, asked: str) -> TwinError:
        code = None if self._process is None else await self._process.wait()
        said = self._complaints.read_text(errors="replace").strip().splitlines()
        return TwinError(
            f"the virtual table ended with code {code}, saying {(said[-1] if said else 'nothing')!r}, "
            f"while asked for {asked}"
        )


@asynccontextmanager
async def running_twin(
    plan: Plan, game: str, broker: Broker, seed: int, speed: float | None, door: DoorOptions | None = None
) -> AsyncIterator[Twin]:
    """Run a virtual table of this plan, with this game's hands, at a broker, booted; raises `TwinError`.

    It logs in there as the hub does.
    """
    with tempfile.TemporaryDirectory(prefix="citytable-plan-") as scratch:
        path = Path(scratch) / "plan.json"
        path.write_bytes(msgspec.json.encode(plan))
        async with Twin(path, game, broker, seed, speed=speed, door=door) as twin:
            twin.stations = tuple(station.station for station in plan.stations)
            await twin.ready()
            yield twin
