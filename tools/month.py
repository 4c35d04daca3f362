"""Run one table for a month of evenings, 300 game hours, and fail if what it uses grows or anything is lost.

    .venv/bin/python tools/month.py --hours 10

The hub is `citytable run --no-twin`, a process of its own with one journal and a mosquitto. In the first three hours
people play game after game on a virtual table, and what they play is recorded; afterwards these games are played again
(`tapes`). Time passes as fast as the hub keeps up (docs/decisions/0122). Each hour the broker dies, or stands still,
or the disk is full; a day of ten hours ends with a power cut, or with an update to another copy of the program, or
goes on. After each hour the memory, the descriptors and the open files of hub and broker are noted, and what Linux
counts as written; at the end of each game the hub's memory is noted, and the journal's replay is what the people did.
People who are stuck give their game up, as they would, and begin the next one; that is counted, and so are games that
the umpire read otherwise than they were played, which loses nothing.

Everything lies in var/month: run it again, and it goes on where it stopped, until the month is over. A table with a
line for each ten hours is printed at the end. `--anew` forgets what was there.
"""

import argparse
import asyncio
import random
import resource
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from given_time import GivenTime, made
from host_screen import AGAIN_S, Hands, Screen
from hub_process import PLAYERS, Hub, Misread, Mosquitto
from power_cut import Evening, Heard, ended, started
from rich.console import Console
from rich.table import Table
from tapes import Again, GivenTable, RecordedScreen, Recorder, TapeStations, read, truth, written

from citytable.bots.greedy import Greedy
from citytable.games.megacity.box import BOX
from citytable.games.megacity.pieces import HOUSE, things
from citytable.games.megacity.position import Options
from citytable.games.megacity.spots import shared_spots
from citytable.link.broker import Broker, running_broker
from citytable.link.mqtt import MqttConnection
from citytable.rehearsal import company
from citytable.rehearsal.blind import Blind
from citytable.rehearsal.company import Scenery, Stuck
from citytable.rehearsal.megacity.company import MegaCityCompany
from citytable.table.plan import Plan, full_plan

HOURS = 300
LIVE_HOURS = 3
"""The first hours are played on the virtual table and recorded; the others are those games, played again."""
PACE = 20.0  # what the hub waits for on the wall is so much longer by its clock, which is given
ALONE = 10.0  # and by that clock time passes so much faster than on the wall while nobody else moves it
DAY = 10  # hours
HOUR_S = 3600.0
LOOK_S = 0.05
OUTAGE_S = 15.0  # of the clock on the wall: a minute of the table's (rounds.ALONE)
LOOKS = 1200
WHY_MAX = 2000  # characters
EVENING = 8  # games of one hub
EVENING_MORE_MB = 20
"""How much more the hub may use after the last game of an evening than after the second."""
MEMORY_MORE_MB = 40
"""How much more the hub or its broker may use at most in any ten hours than in the first ten."""
DESCRIPTORS_MORE = 8
WRITTEN_TO_KEPT = 10
SPOILT_MAX = 0.2
"""Share of games."""
ROOT = Path(__file__).resolve().parents[1]
FAULTS = ("broker dies", "broker stands still", "disk is full")
ENDINGS = ("power cut", "update", "goes on")


class Used(msgspec.Struct, frozen=True):
    """What a process uses at this moment, and what it has had written to disks since it began."""

    memory_mb: float
    descriptors: int
    files: int
    written_mb: float


class Hour(msgspec.Struct, frozen=True):
    """What one hour left behind. `kept_mb`: journal and traces by then; `written_mb` in this hour alone."""

    hour: int
    games: int
    given_up: int
    misread: int
    faults: tuple[str, ...]
    hub: Used
    broker: Used
    written_mb: float
    kept_mb: float
    after_games_mb: tuple[float, ...] = ()
    """The hub's memory at the end of each game."""
    why: tuple[str, ...] = ()
    """Why games were given up or misread."""


def used(pid: int) -> Used:
    """Return what a process uses (proc_pid_status(5), proc_pid_fd(5), proc_pid_io(5))."""
    process = Path(f"/proc/{pid}")
    status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
    counted = dict(line.split(": ") for line in (process / "io").read_text().splitlines())
    names = []
    for one in (process / "fd").iterdir():
        with suppress(FileNotFoundError):  # it has just been closed
            names.append(str(one.readlink()))
    files = [name for name in names if name.startswith("/") and not name.startswith("/dev/")]
    return Used(
        memory_mb=int(status["VmRSS"].split()[0]) / 1000,
        descriptors=len(names),
        files=len(files),
        written_mb=int(counted["write_bytes"]) / 1e6,
    )


@dataclass
class Month:
    """A table that stays on: the hub, its broker, a screen, and people who play game after game."""

    folder: Path
    plan: Plan
    hub: Hub
    broker: Broker
    wire: MqttConnection
    heard: Heard
    screen: Screen
    given: GivenTime
    """The table's time."""
    mosquitto: Mosquitto
    games: int = 0
    """Played to their end in this hour."""
    given_up: int = 0
    misread: int = 0
    why: list[str] = field(default_factory=list)
    after_games_mb: list[float] = field(default_factory=list)
    written_mb: float = 0.0
    """By hubs that have ended, and by this one before the last hour."""
    live: bool = True
    """Whether people play, or games are played again."""
    moved: bool = False
    """Whether stations move the time that is given."""
    faults: int = 0
    """How many there were."""
    calm: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a table is laid out: stations that begin without a broker give up."""

    async def play_on(self) -> None:
        """Play game after game, until cancelled; raises `Lost`. People who are stuck give their game up."""
        while True:
            try:
                await self.play()
            except (Stuck, TimeoutError) as error:  # stuck, or the table has not been well for PATIENCE_S
                self.given_up += 1
                self.why.append(f"given up: {error}"[:WHY_MAX])
            except Misread as error:
                self.misread += 1
                self.why.append(f"misread: {error}"[:WHY_MAX])
            else:
                self.games += 1
                self.after_games_mb.append(used(self.hub.pid).memory_mb)

    async def play(self) -> None:
        """Clear up, begin the next game with a table fresh from the box, and play it to its end."""
        await (self.play_live() if self.live else self.play_again())

    async def play_live(self) -> None:
        """Play on the virtual table; a game in which no fault fell is recorded."""
        async with AsyncExitStack() as stack:
            async with self.calm:
                self.heard.forget()
                self._let_move(stack)
                seed = self.now_us()  # a station's start must not look like one before
                recorder = Recorder(self.broker, self.plan.table, self.now_us)
                stack.push_async_callback(ended, [asyncio.create_task(recorder.listen())])
                clock = self.folder / "clock"
                twin = await stack.enter_async_context(GivenTable(self.folder / "plan.json", self.broker, seed, clock))
                await twin.ready()
                recorder.mark("begin")
                await self.screen.begin(PLAYERS)
            faults = self.faults
            one = Evening(self.hub, self.heard, self.screen, random.Random(seed))
            door = RecordedScreen(self.screen, recorder)
            rng = random.Random(seed)
            scenery = Scenery(Hands(twin, self.screen), door, rng, Blind(self.plan), recorder.turn)  # type: ignore[arg-type]
            bots = tuple(Greedy() for _ in range(PLAYERS))
            one.people = MegaCityCompany(BOX, Options(players=PLAYERS), bots, scenery)
            await one.people.play()
            one.look()
            one.turn_is_over(one.people.truth().position)
            if faults == self.faults:
                tape = recorder.tape(PLAYERS, [str(action) for action in one.people.intentions])
                written(tape, self.folder / f"tapes/{len(tapes(self.folder)) + 1:02}.json.gz")

    async def play_again(self) -> None:
        """Play one of the recorded games again; they take turns."""
        async with AsyncExitStack() as stack:
            async with self.calm:
                self.heard.forget()
                self._let_move(stack)
                recorded, number = tapes(self.folder), len(self.screen.begun())
                file = recorded[number % len(recorded)]
                stations = TapeStations(file, self.plan.table, self.broker, self.folder / "clock")
                await stack.enter_async_context(stations)
                await stations.ready()
                await stations.act({"act": "on"})
                await self.screen.begin(PLAYERS)
            one = Evening(self.hub, self.heard, self.screen, random.Random(number))
            tape = read(file)
            await Again(tape, Hands(stations, self.screen), self.screen, self.plan).play()
            one.look()
            one.turn_is_over(truth(tape))

    def _let_move(self, stack: AsyncExitStack) -> None:
        """Let stations move the time that is given, until the stack closes."""
        self.moved = True
        stack.callback(setattr, self, "moved", False)

    async def fault(self, kind: str) -> None:
        """Let something go wrong for a while, and wait until the screen says that it is over."""
        async with self.calm:
            self.faults += 1
            await self.screen.is_there()
            match kind:
                case "broker dies":
                    await self._dies()
                case "broker stands still":
                    await self._stands_still()
                case "disk is full":
                    await self._full_disk()
                case "power cut" | "update":
                    await self._begin_anew(kind)
            await self.screen.shows(lambda seen: not seen["troubles"])

    async def _dies(self) -> None:
        before = self.mosquitto.pids()
        self.mosquitto.send(signal.SIGKILL)
        while True:
            await asyncio.sleep(AGAIN_S)
            if self.mosquitto.pids() not in (before, []):
                return

    async def _stands_still(self) -> None:
        self.mosquitto.send(signal.SIGSTOP)
        try:
            await asyncio.sleep(OUTAGE_S)
        finally:
            self.mosquitto.send(signal.SIGCONT)

    async def _full_disk(self) -> None:
        """No file of the hub may grow: what it writes fails as on a full disk (setrlimit(2))."""
        before = resource.prlimit(self.hub.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.hub.pid, resource.RLIMIT_FSIZE, (0, before[1]))
        try:
            await self.screen.shows(lambda seen: "journal" in seen["troubles"])
            await asyncio.sleep(OUTAGE_S)
        finally:
            resource.prlimit(self.hub.pid, resource.RLIMIT_FSIZE, before)

    async def _begin_anew(self, kind: str) -> None:
        self.written_mb += used(self.hub.pid).written_mb
        if kind == "update":
            await self.hub.stop()
            other = "b" if self.hub.release == self.folder / "a" else "a"
            self.hub.release = self.folder / other
        else:
            await self.hub.kill()
        await self.hub.start()

    def now_us(self) -> int:
        """Return the time of the table, since any beginning."""
        return self.given.now_us()

    async def pass_time(self) -> None:
        """Move the time that is given while no stations do: a hub that has begun waits for them, by its clock."""
        while True:
            await asyncio.sleep(LOOK_S)
            if not self.moved:
                self.given.move(int(LOOK_S * ALONE * 1e6))

    async def until(self, us: int) -> None:
        """Wait until the table's time has come so far."""
        while self.now_us() < us:  # noqa: ASYNC110  a file tells nobody that it has changed
            await asyncio.sleep(LOOK_S)

    def noted(self, hour: int, faults: tuple[str, ...]) -> Hour:
        """Return what this hour left behind, and begin to count the next one."""
        hub, broker = used(self.hub.pid), used(*self.mosquitto.pids())
        written, self.written_mb = self.written_mb + hub.written_mb, -hub.written_mb
        games, given_up, misread = self.games, self.given_up, self.misread
        after_games, self.after_games_mb = tuple(self.after_games_mb), []
        why, self.why = tuple(self.why), []
        self.games = self.given_up = self.misread = 0
        return Hour(
            hour=hour,
            games=games,
            given_up=given_up,
            misread=misread,
            faults=faults,
            hub=hub,
            broker=broker,
            written_mb=written,
            kept_mb=sum(file.stat().st_size for file in self.folder.glob("journal*")) / 1e6,
            after_games_mb=after_games,
            why=why,
        )


def tapes(folder: Path) -> list[Path]:
    """Return the games that were recorded, oldest first."""
    return sorted(folder.glob("tapes/*.json.gz"))


def is_live(folder: Path, hour: int) -> bool:
    """Report whether this hour is played on the virtual table."""
    return hour <= LIVE_HOURS or not tapes(folder)


def _releases(folder: Path) -> None:
    """Put two copies of the program beside the journal: an update goes from one to the other."""
    (folder / "tapes").mkdir(parents=True, exist_ok=True)
    for name in ("a", "b"):
        copy = folder / name / "citytable"
        if not copy.exists():
            shutil.copytree(ROOT / "hub/citytable", copy)


@asynccontextmanager
async def month(folder: Path, *, live: bool) -> AsyncIterator[Month]:
    """Start the table of this folder, with the journal that is there."""
    company.PATIENCE = LOOKS
    _releases(folder)
    plan = full_plan("table", PLAYERS, shared_spots(), things(HOUSE, PLAYERS))
    mosquitto = Mosquitto()
    async with running_broker(kind="mosquitto") as broker:
        hub = Hub(folder, plan, broker, PACE)
        hub.several_games, hub.release, hub.clock = True, folder / "a", folder / "clock"
        made(hub.clock)
        async with started(hub, broker, plan) as (wire, heard, screen):
            table = Month(folder, plan, hub, broker, wire, heard, screen, GivenTime(hub.clock), mosquitto, live=live)
            passing = asyncio.create_task(table.pass_time())
            try:
                yield table
            finally:
                await ended([passing])


def faults_of(hour: int) -> tuple[str, ...]:
    """Return what goes wrong in an hour, counted from 1."""
    usual = FAULTS[(hour - 1) % len(FAULTS)]
    if hour % DAY:
        return (usual,)
    return usual, ENDINGS[(hour // DAY - 1) % len(ENDINGS)]


def results(folder: Path) -> list[Hour]:
    """Return the hours that are over."""
    file = folder / "hours.jsonl"
    return [msgspec.json.decode(line, type=Hour) for line in file.read_bytes().splitlines()] if file.exists() else []


async def go_on(folder: Path, hours: int, hour_s: float = HOUR_S) -> None:
    """Play so many hours more; each is noted as soon as it is over. Raises `Lost`."""
    last = len(results(folder)) + hours
    while (hour := len(results(folder)) + 1) <= last:
        live = is_live(folder, hour)
        async with month(folder, live=live) as table:
            playing = asyncio.create_task(table.play_on())
            try:
                while hour <= last and is_live(folder, hour) == live:
                    line = msgspec.json.encode(await _hour(table, playing, hour, hour_s))
                    with (folder / "hours.jsonl").open("ab") as file:
                        file.write(line + b"\n")
                    hour += 1
            finally:
                await ended([playing])


async def _hour(table: Month, playing: asyncio.Task[None], hour: int, hour_s: float) -> Hour:
    """Play for so many seconds of the table's, with the faults of this hour."""
    faults, began_us = faults_of(hour), table.now_us()
    for n, kind in enumerate(faults, 1):
        at_us = began_us + int(n * hour_s * 1e6 / (len(faults) + 1))
        await _unless_ended(playing, table.until(at_us))
        await _unless_ended(playing, table.fault(kind))
    await _unless_ended(playing, table.until(began_us + int(hour_s * 1e6)))
    return table.noted(hour, faults)


async def _unless_ended(playing: asyncio.Task[None], what: Coroutine[Any, Any, None]) -> None:
    """Wait for something, unless play ends: then raise why."""
    waiting = asyncio.ensure_future(what)
    await asyncio.wait({playing, waiting}, return_when=asyncio.FIRST_COMPLETED)
    if playing.done():
        await ended([waiting])
        playing.result()
    waiting.result()


def days(hours: Sequence[Hour]) -> list[list[Hour]]:
    """Return the hours, ten by ten; the last may be fewer."""
    return [list(hours[first : first + DAY]) for first in range(0, len(hours), DAY)]


def wrong(hours: Sequence[Hour]) -> list[str]:
    """Return a sentence for each thing that is beyond its bound; what grows is compared with the first ten hours."""
    first, *others = days(hours) or [[]]
    found = []
    for who in ("hub", "broker"):
        for name, more, unit in (
            ("memory_mb", MEMORY_MORE_MB, "MB of memory"),
            ("descriptors", DESCRIPTORS_MORE, "descriptors"),
            ("files", DESCRIPTORS_MORE, "open files"),
        ):
            most = max((_most(day, who, name) for day in others), default=0)
            if first and most > _most(first, who, name) + more:
                found.append(
                    f"the {who} came to {most:.0f} {unit}, after {_most(first, who, name):.0f} in the first day"
                )
    evening = first_evening(hours)
    if len(evening) == EVENING and evening[-1] > evening[1] + EVENING_MORE_MB:
        found.append(f"after {EVENING} games the hub had {evening[-1]:.0f} MB of memory, after two {evening[1]:.0f}")
    for number, day in enumerate(days(hours)):
        kept = day[-1].kept_mb - (hours[number * DAY - 1].kept_mb if number else 0.0)
        if len(day) == DAY and _written(day) > WRITTEN_TO_KEPT * kept:
            found.append(f"day {number + 1}: {_written(day):.0f} MB were written for {kept:.1f} MB kept")
    spoilt = sum(hour.given_up + hour.misread for hour in hours)
    every = spoilt + sum(hour.games for hour in hours)
    if spoilt > SPOILT_MAX * every:
        found.append(f"{spoilt} games of {every} were given up or misread")
    return found


def first_evening(hours: Sequence[Hour]) -> list[float]:
    """Return the hub's memory after each game of the first evening, in which it does not begin anew."""
    return [memory_mb for hour in hours[:LIVE_HOURS] for memory_mb in hour.after_games_mb][:EVENING]


def _most(day: Sequence[Hour], who: str, name: str) -> float:
    return max(float(getattr(getattr(hour, who), name)) for hour in day)


def _written(day: Sequence[Hour]) -> float:
    return sum(hour.written_mb for hour in day)


def table_of(hours: Sequence[Hour]) -> Table:
    """Return a line for each ten hours: the last reading and, after a stroke, the most."""
    shown = Table(
        "hours",
        "games",
        "given up",
        "misread",
        "hub MB",
        "descriptors",
        "files",
        "broker MB",
        "descriptors",
        "written",
        "journal",
        "faults",
    )
    for day in days(hours):
        last = day[-1]
        shown.add_row(
            f"{day[0].hour}-{last.hour}",
            str(sum(hour.games for hour in day)),
            str(sum(hour.given_up for hour in day)),
            str(sum(hour.misread for hour in day)),
            f"{last.hub.memory_mb:.0f} / {_most(day, 'hub', 'memory_mb'):.0f}",
            f"{last.hub.descriptors} / {_most(day, 'hub', 'descriptors'):.0f}",
            f"{last.hub.files} / {_most(day, 'hub', 'files'):.0f}",
            f"{last.broker.memory_mb:.0f} / {_most(day, 'broker', 'memory_mb'):.0f}",
            f"{last.broker.descriptors} / {_most(day, 'broker', 'descriptors'):.0f}",
            f"{_written(day):.0f} MB",
            f"{last.kept_mb:.0f} MB",
            str(sum(len(hour.faults) for hour in day)),
        )
    return shown


def main() -> int:
    """Play on, print the table, and say what grew."""
    parser = argparse.ArgumentParser(description="one table for a month of evenings")
    parser.add_argument("--hours", type=int, default=HOURS, help="at most so many in this run")
    parser.add_argument("--folder", type=Path, default=ROOT / "var/month")
    parser.add_argument("--anew", action="store_true", help="forget the hours that are there")
    options = parser.parse_args()
    if options.anew:
        shutil.rmtree(options.folder, ignore_errors=True)
    left = min(options.hours, HOURS - len(results(options.folder)))
    if left > 0:
        asyncio.run(go_on(options.folder, left))
    hours = results(options.folder)
    console = Console(width=140)
    console.print(table_of(hours))
    evening = " ".join(f"{memory_mb:.0f}" for memory_mb in first_evening(hours))
    console.print(f"memory of the hub after each game of the first evening, in MB: {evening}")
    found = wrong(hours)
    for sentence in found:
        console.print(f"WRONG: {sentence}", style="bold red")
    console.print(
        f"{len(hours)} of {HOURS} game hours, {sum(hour.games for hour in hours)} games; no game lost anything"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
