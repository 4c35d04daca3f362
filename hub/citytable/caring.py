"""Looks after the stations of a running hub for its stations page: adopts, calibrates, examines and updates them.

It does one job at a time, as the commands do. The job runs beside the game, over a separate connection to the broker,
and the host's page polls it. Changes to the plan file take effect after the job (`plan_watch.py`).
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from citytable.doctor.adopting import Logins, NoLogins, NotAdopted, all_spots, join, places, template
from citytable.doctor.bundle import Bundle, NoBundle, build_bundle
from citytable.doctor.calibrating import Ask, Calibrating, Things
from citytable.doctor.calibration import BadCalibration, Readings
from citytable.doctor.diagnosis import diagnose
from citytable.doctor.examining import examine
from citytable.doctor.level import listen, words_of
from citytable.doctor.line import Line, NoAnswer
from citytable.doctor.plan_file import change_plan, station_of, with_station
from citytable.doctor.roll_call import present, roll_call
from citytable.doctor.routine import CRANE, Progress, Text, tasks_of
from citytable.doctor.routine import Task as Calibration
from citytable.doctor.signing import SigningKey
from citytable.doctor.told import SENTENCES, Told
from citytable.doctor.updating import Updating
from citytable.hub import Hub
from citytable.link.broker import Broker, BrokerUnavailable
from citytable.link.credentials import Credentials, default_directory
from citytable.link.wire_in import Birth
from citytable.rules.errors import LocalisedError
from citytable.sensing.level import judged
from citytable.settings import Settings
from citytable.table.plan import CellPlan, Misconfigured, Plan, check_calibrated, load_plan
from citytable.views.care import (
    NO_CARE,
    Adopt,
    Bench,
    Blink,
    Calibrate,
    Care,
    CareDoor,
    CareWish,
    CheckLevel,
    Examine,
    Found,
    Good,
    Newcomer,
    Place,
    Rest,
    Running,
    Step,
    Stop,
    Tap,
    Update,
    Work,
)
from tablewire import topics

BLINK_S = 10
LEVEL_S = 6.0
EXAMINE_S = 10.0
FAILURES = (Told, Misconfigured, BrokerUnavailable, NoBundle)
"""Failures whose text is a sentence for people."""


class AtPage:
    """A host at the stations page, who sees the state of the job and taps when a step is done."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self._taps: asyncio.Queue[bool] = asyncio.Queue()

    def tap(self, no: int, *, later: bool) -> None:
        """Answer the step of this number; an answer to another step is a repetition, and is dropped."""
        if self.work.state in {"asks", "refuses"} and no == self.work.no:
            self.turn(state="runs", why={})
            self._taps.put_nowait(not later)

    def turn(self, **changes: Any) -> None:
        """Set the state of the job from now on."""
        self.work = replace(self.work, **changes)

    async def _wait(self, **changes: Any) -> bool:
        self.turn(no=self.work.no + 1, **changes)
        return await self._taps.get()

    async def begin(self, number: int, tasks: int, task: Calibration) -> None:
        """Show which task begins."""
        self.turn(number=number, tasks=tasks, what=task.what, spot=task.spot)

    async def ask(self, ask: Ask) -> None:
        """Show the next step, and wait for a tap; a lowering needs no tap."""
        step = Step(ask.deed, ask.spot, ask.grams, ask.block_mm)
        if ask.deed == "lower":
            self.turn(state="runs", step=step)
        else:
            await self._wait(state="asks", step=step)

    async def agrees(self, spot: str, figures: tuple[str, ...]) -> None:
        """Show the new figures of a spot, and wait until they may be written."""
        await self._wait(state="asks", step=Step("write", spot), figures=figures)

    def weighed(self, rests: Readings) -> None:
        """Do nothing: the page shows the load beside the station."""

    def lowered(self, ranges_mm: tuple[float, ...]) -> None:
        """Do nothing: the verdict is enough."""

    async def again(self, bad: BadCalibration | NoAnswer) -> bool:
        """Show what went wrong, and wait for a tap."""
        return await self._wait(state="refuses", why=_text(bad))

    def good(self, verdict: Text) -> None:
        """Show the verdict."""
        self.turn(good=(*self.work.good, Good(self.work.what, self.work.spot, verdict)), step=None)


class Owned(NamedTuple):
    """The owner's things for a table: its plan file, its broker's logins, and the folder of the key for bundles.

    Without a plan file it is a virtual table, whose scales and stations can only be levelled and examined.
    """

    plan_file: Path | None
    logins: Logins | None
    keys: Path


class Caring:
    """The care of one table. `times_s`: for how long scales and stations are measured."""

    def __init__(
        self,
        broker: Broker,
        hub: Hub,
        owned: Owned,
        *,
        times_s: tuple[float, float] = (LEVEL_S, EXAMINE_S),
        before: Work | None = None,
    ) -> None:
        self._broker = broker
        self._hub = hub
        self._plan_file, self._logins, self._keys = owned
        self._level_s, self._examine_s = times_s
        self._bundle: Bundle | None = None
        self._is_built = False
        self._host = AtPage(before or Work("level", ""))
        self._shown = before is not None  # there is a job to show: under way, or not closed yet
        self._task: asyncio.Task[None] | None = None
        self._newcomers: Mapping[str, Birth] = {}

    async def care(self) -> Care:
        """Return the possible jobs and the current one; raises `ValueError` with a sentence."""
        work = self.work
        if self._plan_file is None:
            return Care(can=("level", "examine"), running=self._running(), work=work)
        try:
            plan = await asyncio.to_thread(load_plan, self._plan_file)
            if not self.at_work:  # a slow broker must not hide the question to the host
                self._newcomers = await self._ask_for_newcomers()
        except FAILURES as error:
            raise _refusal(error) from error
        return Care(
            can=("adopt", "calibrate", "level", "examine", "update"),
            newcomers=tuple(Newcomer(uid, one.hardware, one.firmware) for uid, one in self._newcomers.items()),
            places=self._free(plan),
            benches=tuple(self._benches(plan, self._plan_file)),
            running=await self._compared(),
            work=work,
            by_the_file=replace(plan, tags={}) == replace(self._hub.plan, tags={}),
        )

    async def do(self, wish: CareWish) -> None:
        """Begin a job, answer its step, or end it; raises `ValueError` with a sentence if that is impossible."""
        match wish:
            case Tap(no=no, later=later):
                self._host.tap(no, later=later)
            case Stop() if self.at_work and self._host.work.task == "adopt":
                raise _refusal(Told.of("adopting_ends", uid=self._host.work.about))
            case Stop():
                await self.stop()
            case Blink(uid=uid):
                await self._blink(uid)
            case Adopt(uid=uid, station=station):
                self._begin(Work("adopt", uid, name=station), self._adopt(uid, station, self._file()))
            case Calibrate(where=where):
                self._begin(Work("calibrate", where), self._calibrate(wish, self._file()))
            case CheckLevel():
                self._begin(Work("level", ""), self._check_level())
            case Examine(station=station):
                self._begin(Work("examine", station), self._examine(station))
            case Update(station=station):
                self._file()  # a virtual table runs the program of its hub
                self._begin(Work("update", station), self._update(station))

    async def stop(self) -> None:
        """End the job, if there is one."""
        task, self._task, self._shown = self._task, None, False
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    @property
    def work(self) -> Work | None:
        """Return the latest job, until somebody closes it."""
        return self._host.work if self._shown else None

    @property
    def at_work(self) -> bool:
        """Return whether a job is under way."""
        return self._task is not None and not self._task.done()

    def _begin(self, work: Work, job: Coroutine[Any, Any, None]) -> None:
        if self.at_work:
            job.close()
            raise _refusal(Told.of("busy", task=self._host.work.task))
        self._host, self._shown = AtPage(work), True
        self._task = asyncio.create_task(self._see_through(job), name=f"care: {work.task}")

    async def _see_through(self, job: Coroutine[Any, Any, None]) -> None:
        try:
            await job
        except FAILURES as error:
            self._host.turn(state="failed", step=None, why=_text(error))
        else:
            self._host.turn(state="done", step=None)

    def _file(self) -> Path:
        if self._plan_file is None:
            raise _refusal(Told.of("no_plan_file"))
        return self._plan_file

    def _plan(self) -> Plan:
        """Return the plan from its file, or the hub's plan if there is no file."""
        return self._hub.play.plan if self._plan_file is None else load_plan(self._plan_file)

    def _line(self) -> Line:
        return Line(self._broker, self._hub.play.plan.table)

    def _new_line(self) -> Line:
        return Line(self._broker, topics.NEWCOMERS)

    async def _ask_for_newcomers(self) -> dict[str, Birth]:
        async with self._new_line() as line:
            return await roll_call(line)

    async def _blink(self, uid: str) -> None:
        try:
            async with self._new_line() as line:
                await present(line, uid)
                await line.ask(uid, "identify", seconds=BLINK_S)
        except FAILURES as error:
            raise _refusal(error) from error

    def _free(self, plan: Plan) -> tuple[Place, ...]:
        here = {one.station for one in self._hub.session.view().health if one.online}
        planned = {one.station for one in plan.stations}
        return tuple(
            Place(one.station, one.kind, tuple(spot.spot for spot in one.spots), one.station in planned)
            for one in places(plan, all_spots())
            if one.station not in here
        )

    def _benches(self, plan: Plan, plan_file: Path) -> list[Bench]:
        benches = []
        for station in plan.stations:
            tasks = tasks_of(station)
            scales = tuple(spot.spot for spot in station.spots if spot.cells)
            cranes = sum(task.what == CRANE for task in tasks)
            done = len(Progress(plan_file, station.station).done())
            benches.append(Bench(station.station, scales, cranes, len(tasks), done))
        return [bench for bench in benches if bench.tasks]

    async def _adopt(self, uid: str, name: str, plan_file: Path) -> None:
        if self._logins is None:
            raise NotAdopted.of("broker_elsewhere", uid=uid, name=name)
        plan = load_plan(plan_file)
        placed = template(plan, name, all_spots())
        async with self._new_line() as new, self._line() as table:
            _, planned = await join(uid, placed, plan, (new, table), self._logins, lambda _: None)
        mine = next(one for one in planned.stations if one.station == name)
        change_plan(plan_file, lambda now: with_station(now, mine))

    async def _calibrate(self, wish: Calibrate, plan_file: Path) -> None:
        host, routine = self._host, Calibrating(self._line, plan_file, self._host, today)
        if "/" in wish.where:
            before = load_plan(plan_file).spot_plans().get(wish.where)
            made = await routine.spot(wish.where, wish.first_g)
            await host.agrees(wish.where, tuple(_figures(before.cells if before else (), made)))
            routine.write(wish.where, made)
            return
        things = Things(wish.first_g, wish.second_g, tuple(sorted(set(wish.blocks_mm))))
        left = await routine.station(wish.where, things, anew=wish.anew)
        host.turn(left=tuple(task.spot for task in left))

    async def _check_level(self) -> None:
        plan = self._plan()
        check_calibrated(plan, self._plan_file)
        async with self._line() as line:
            heard = await listen(line, plan, self._level_s)
        station_of = plan.station_of()
        rests = (Rest(one.spot, one.answer == "rests", words_of(one, station_of[one.spot])) for one in judged(heard))
        self._host.turn(rests=tuple(rests))

    async def _examine(self, station: str) -> None:
        planned = station_of(self._plan(), station)
        async with self._line() as line:
            measured = await examine(line, station, self._examine_s)
        found = (
            Found(one.spot, one.cell, one.what, one.seen, one.check) for one in diagnose(planned, measured, today())
        )
        self._host.turn(found=tuple(found))

    async def _update(self, station: str) -> None:
        host, bundle = self._host, await self._ours()
        seal = SigningKey(self._keys).seal(bundle)
        async with self._line() as line:
            await present(line, station)
            await Updating(line, station, bundle, seal, lambda says: host.turn(says=says)).run()

    async def _ours(self) -> Bundle:
        """Return the program that is installed beside this hub; it is built once."""
        if self._bundle is None:
            self._bundle = await asyncio.to_thread(build_bundle)
        return self._bundle

    async def _compared(self) -> tuple[Running, ...]:
        """Return the connected stations, and whether they run the program of this hub."""
        if not self._is_built:
            self._is_built = True  # do not try again at every look to build a bundle that cannot be built now
            with contextlib.suppress(NoBundle):
                await self._ours()
        return self._running()

    def _running(self) -> tuple[Running, ...]:
        """Return the connected stations. A station flashed by USB has no bundle, so its program is unknown."""
        here = (one for one in self._hub.session.view().health if one.online)
        ours = None if self._bundle is None else self._bundle.name
        return tuple(Running(one.station, one.firmware, one.bundle, newest=one.bundle == ours) for one in here)


def _figures(before: tuple[CellPlan, ...], made: tuple[CellPlan, ...]) -> list[str]:
    return [f"{old.counts_per_g:g} → {new.counts_per_g:g}" for old, new in zip(before, made, strict=True)]


def _text(error: Exception) -> Text:
    """Return the sentence of a failure; errors of a broker or a plan file are quoted in English."""
    if isinstance(error, LocalisedError) and error.text:
        return error.text
    quoting: dict[type[Exception], str] = {
        BrokerUnavailable: "broker_wrong",
        NoBundle: "bundle_wrong",
    }
    return SENTENCES.text(quoting.get(type(error), "plan_wrong"), seen=error)


def _refusal(error: Exception) -> Told:
    return Told(str(error), _text(error))


def today() -> date:
    """Return today's date here."""
    return datetime.now().astimezone().date()


@asynccontextmanager
async def caring(settings: Settings, hub: Hub) -> AsyncIterator[CareDoor]:
    """Yield the door through which pages look after the stations of a hub; the current job ends with it."""
    if hub.wire is None:
        yield NO_CARE
        return
    before = None if settings.sitting is None else settings.sitting.work
    logins = _logins(settings, hub.wire)
    owned = Owned(settings.plan_path, logins, settings.broker_dir or default_directory())
    care = Caring(hub.wire, hub, owned, before=before)
    try:
        yield care
    finally:
        await care.stop()


def _logins(settings: Settings, broker: Broker) -> Logins | None:
    """Return the store of the logins of the table's broker, or None if somebody else keeps them."""
    if settings.listen is not None:
        return Credentials(settings.broker_dir or default_directory(), settings.plan().table)
    return None if broker.user else NoLogins()
