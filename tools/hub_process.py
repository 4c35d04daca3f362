"""The hub of a table and its broker as processes that can be killed: for `tools/power_cut.py` and `tools/month.py`."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from citytable.journal.entry import Entry
from citytable.journal.store import Store
from citytable.link.broker import Broker
from citytable.table.plan import Plan
from citytable.views.keys import Keys, beside, kept_secret
from citytable.views.viewer import HOST

PLAYERS = 2
LAST_WORDS = 2000  # characters of a hub's output that are shown when it ends by itself


class Lost(AssertionError):
    """A power cut lost something, or made it happen twice: what, and where to look."""


class Misread(Lost):
    """Nothing was lost, and the umpire made something else of it than the people did."""


class Hub:
    """`citytable run` for a table that stays on; started and killed as often as one likes."""

    def __init__(self, folder: Path, plan: Plan, broker: Broker, speed: float) -> None:
        self.journal = folder / "journal.sqlite3"
        self._log = folder / "hub.log"
        plan_path = folder / "plan.json"
        plan_path.write_bytes(msgspec.json.encode(plan))
        self.port = _free_port()
        keys = Keys(kept_secret(beside(self.journal)), plan.table, "")
        self.host = {"Cookie": f"{keys.cookie_name(HOST)}={keys.key(HOST)}"}
        """What the host's browser sends."""
        words = {"--players": PLAYERS, "--plan": plan_path, "--broker": f"{broker.host}:{broker.port}"}
        words |= {"--journal": self.journal, "--port": self.port, "--speed": speed, "--serial": ""}
        self._words = ["run", "--no-twin", "--no-open", *(str(word) for pair in words.items() for word in pair)]
        self._process: asyncio.subprocess.Process | None = None
        self.starts = 0
        self.release: Path | None = None
        """Where another copy of the program lies, which the next start takes."""
        self.several_games = False
        self.clock: Path | None = None
        """The file with its time, where that is given (`tools/given_time.py`)."""

    async def start(self) -> None:
        """A new process; it has not done anything yet."""
        self.starts += 1
        environment = os.environ | ({} if self.release is None else {"PYTHONPATH": str(self.release)})
        program: tuple[Path | str, ...] = (Path(sys.executable).parent / "citytable",)
        if self.clock is not None:
            program = (sys.executable, Path(__file__).with_name("given_time.py"), self.clock)
        with self._log.open("wb") as log:
            self._process = await asyncio.create_subprocess_exec(
                *program, *self._words, stdout=log, stderr=log, env=environment
            )

    @property
    def pid(self) -> int:
        """Of the process that runs."""
        if self._process is None:
            raise LookupError("the hub was not started")
        return self._process.pid

    async def kill(self) -> None:
        """The plug is pulled; raises `Lost` when the hub had ended by itself."""
        await self._end(signal.SIGKILL, -signal.SIGKILL)

    async def stop(self) -> None:
        """It is ended as systemd ends it; raises `Lost` when it ended otherwise."""
        await self._end(signal.SIGINT, 0)

    async def _end(self, how: signal.Signals, code: int) -> None:
        if (process := self._process) is None:
            return
        if process.returncode is None:
            process.send_signal(how)
        await process.wait()
        self._process = None
        if process.returncode != code:
            raise Lost(f"the hub ended by itself with code {process.returncode}, saying\n{self.said()}")

    async def or_its_end(self, what: Coroutine[Any, Any, None]) -> None:
        """Wait for something of which nothing comes once the hub has ended."""
        waiting = asyncio.ensure_future(what)
        ending = asyncio.ensure_future(self._process.wait() if self._process else asyncio.sleep(0))
        await asyncio.wait({waiting, ending}, return_when=asyncio.FIRST_COMPLETED)
        ending.cancel()
        if waiting.done():
            waiting.result()
        waiting.cancel()

    def said(self) -> str:
        """Its last words."""
        return self._log.read_text(errors="replace")[-LAST_WORDS:]

    def entries(self) -> tuple[tuple[Entry, ...], Mapping[tuple[str, int], int]]:
        """What its journal holds of the game that was begun last, and how far the stations were heard."""
        if not self.journal.exists():
            return (), {}
        with Store.read(self.journal) as store:
            marks, game, games = store.marks(), store.latest(), store.ids()
            if len(games) > 1 and not self.several_games:
                raise Lost(f"another game was begun: {games}")
            sound = store.entries(game.id) if game else None
        if sound is None:
            return (), marks
        if sound.damage:
            raise Lost(sound.damage)
        return sound.entries, marks


class Mosquitto:
    """The process of the next broker of this one, to be killed; `running_broker` starts it again."""

    def __init__(self) -> None:
        """Take every broker that runs by now for somebody else's."""
        self._others = frozenset(_mosquittos())

    def send(self, what: signal.Signals) -> None:
        """Send it a signal: SIGKILL ends it at once, SIGSTOP freezes it until SIGCONT."""
        for pid in self.pids():
            os.kill(pid, what)

    def pids(self) -> list[int]:
        """Return what runs: one, but none in the moment of a start."""
        return [pid for pid in _mosquittos() if pid not in self._others]


def _mosquittos() -> list[int]:
    """Return the brokers that this process has started."""
    children = [one.read_text().split() for one in Path("/proc/self/task").glob("*/children")]
    return [pid for pids in children for pid in map(int, pids) if _is_mosquitto(pid)]


def _is_mosquitto(pid: int) -> bool:
    with suppress(OSError):  # it has just gone
        status = Path(f"/proc/{pid}/status").read_text()
        return status.startswith("Name:\tmosquitto\n") and "VmRSS" in status
    return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
