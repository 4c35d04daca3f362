"""Lead somebody through the calibration of a spot or of a whole station, one thing after the other.

This is the routine behind `citytable calibrate` and behind the stations page. They differ in how they ask (`Person`).
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from datetime import date
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, TypeAlias

import msgspec

from citytable.doctor.calibration import BadCalibration, Readings, calibrated, check_empty, check_weight
from citytable.doctor.crane import check_alike, lowered_ranges
from citytable.doctor.line import Line, NoAnswer
from citytable.doctor.plan_file import change_plan, station_of, with_cells, with_crane
from citytable.doctor.routine import (
    SCALE,
    Progress,
    Task,
    Text,
    check_blocks,
    check_weights,
    crane_on_blocks,
    second_weight,
    tasks_of,
)
from citytable.doctor.weighing import weigh
from citytable.table.plan import CellPlan, Misconfigured, StationPlan, load_plan

Deed: TypeAlias = Literal["empty", "put", "swap", "empty_again", "lower"]


class Ask(msgspec.Struct, frozen=True):
    """Something that a person is asked to do at a spot.

    Take everything off it, `put` a weight of so many `grams` in its middle, `swap` that for another, take everything
    off again; or `lower` the paddle of its crane on a block of so many `block_mm`, 0 for the bare platform.
    """

    deed: Deed
    spot: str
    grams: float = 0.0
    block_mm: float = 0.0


class Things(NamedTuple):
    """Hold the person's tools: two weights, and gauge blocks."""

    first_g: float
    second_g: float = 0.0
    blocks_mm: tuple[float, ...] = ()


class Person(Protocol):
    """A person who is guided through a calibration."""

    async def begin(self, number: int, tasks: int, task: Task) -> None:
        """Show which task begins, and how many there are."""

    async def ask(self, ask: Ask) -> None:
        """Ask for something. Return when it is done, a lowering at once: it is measured while it is done."""

    def weighed(self, rests: Readings) -> None:
        """Show the readings of the cells at rest after a step."""

    def lowered(self, ranges_mm: tuple[float, ...]) -> None:
        """Show the ranges at which the paddle came to rest."""

    async def again(self, bad: BadCalibration | NoAnswer) -> bool:
        """Show why a task failed; return whether to do it again, or else to leave it for later."""

    def good(self, verdict: Text) -> None:
        """Show that the task is good, and written."""


class Calibrating:
    """One person at the stations of one table. `line` opens a line to them; the plan file is read again each time."""

    def __init__(
        self,
        line: Callable[[], AbstractAsyncContextManager[Line]],
        plan_file: Path,
        person: Person,
        today: Callable[[], date],
    ) -> None:
        self._line = line
        self.plan_file = plan_file
        self._person = person
        self._today = today

    async def spot(self, spot: str, grams: float) -> tuple[CellPlan, ...]:
        """Return the cells of a spot with new figures, which are not written; raise `BadCalibration`, `NoAnswer`."""
        cells = self._cells(spot)
        check_weight(cells, grams)
        empty, loaded, after = await self._weigh(spot, cells, Ask("empty", spot), Ask("put", spot, grams))
        return self._dated(calibrated(cells, empty, loaded, after, grams))

    def write(self, spot: str, cells: tuple[CellPlan, ...]) -> None:
        """Write the cells of a spot into the plan file; raise `Misconfigured`."""
        change_plan(self.plan_file, lambda plan: with_cells(plan, spot, cells))

    async def station(self, name: str, things: Things, *, anew: bool = False) -> tuple[Task, ...]:
        """Calibrate everything at a station that is not done yet; return the skipped tasks.

        Each good result is written at once. Raises `BadCalibration` for weights or blocks that do not suit the station.
        """
        station = self.checked(name, things)
        progress, tasks = Progress(self.plan_file, name), tasks_of(station)
        if anew:
            progress.forget()
        done, left = progress.done(), []
        for number, task in enumerate(tasks, 1):
            if task in done:
                continue
            await self._person.begin(number, len(tasks), task)
            if await self._until_good(task, things):
                progress.add(task)
            else:
                left.append(task)
        if not left:
            progress.forget()
        return tuple(left)

    def checked(self, name: str, things: Things) -> StationPlan:
        """Return the station, for which these things are right; raise `BadCalibration`, `Misconfigured`."""
        station = station_of(load_plan(self.plan_file), name)
        check_weights(station, things.first_g, things.second_g)
        check_blocks(things.blocks_mm)
        return station

    async def lowerings(self, spot: str, block_mm: float = 0.0) -> tuple[float, ...]:
        """Ask for the paddle to be lowered, and return the ranges; raise `BadCalibration`, `NoAnswer`."""
        plan = load_plan(self.plan_file)
        async with self._line() as line:
            await self._person.ask(Ask("lower", spot, block_mm=block_mm))
            beam = plan.spot_plans()[spot].crane_beam
            ranges_mm = await lowered_ranges(line, plan.station_of()[spot], spot, beam=beam)
        self._person.lowered(ranges_mm)
        check_alike(ranges_mm)
        return ranges_mm

    def _cells(self, spot: str) -> tuple[CellPlan, ...]:
        plans = load_plan(self.plan_file).spot_plans()
        if spot not in plans:
            raise Misconfigured(f"the plan has no spot {spot!r}: see docs/reference/plan.md for the names of spots")
        return plans[spot].cells

    def _dated(self, cells: tuple[CellPlan, ...]) -> tuple[CellPlan, ...]:
        return tuple(msgspec.structs.replace(cell, calibrated=self._today()) for cell in cells)

    async def _until_good(self, task: Task, things: Things) -> bool:
        """Do a task until its result is good, and write it; report False if the person leaves it for later."""
        while True:
            try:
                do = self._scale if task.what == SCALE else self._crane
                verdict = await do(task.spot, things)
            except (BadCalibration, NoAnswer) as bad:
                if not await self._person.again(bad):
                    return False
            else:
                self._person.good(verdict)
                return True

    async def _scale(self, spot: str, things: Things) -> Text:
        """Calibrate one scale with two weights, write it and return the verdict."""
        cells = self._cells(spot)
        asks = (Ask("empty", spot), Ask("put", spot, things.first_g), Ask("swap", spot, things.second_g))
        empty, loaded, second, after = await self._weigh(spot, cells, *asks)
        made = calibrated(cells, empty, loaded, after, things.first_g)
        verdict = second_weight(made, second, things.second_g)
        self.write(spot, self._dated(made))
        return verdict

    async def _weigh(self, spot: str, cells: tuple[CellPlan, ...], *asks: Ask) -> list[Readings]:
        """Return how the cells rest after each of these, and after everything was taken off again."""
        station = load_plan(self.plan_file).station_of()[spot]
        rests: list[Readings] = []
        for ask in (*asks, Ask("empty_again", spot)):
            await self._person.ask(ask)
            async with self._line() as line:
                rests.append(await weigh(line, station, spot, len(cells)))
            self._person.weighed(rests[-1])
            if ask.deed == "empty":
                check_empty(rests[-1])
        return rests

    async def _crane(self, spot: str, things: Things) -> Text:
        """Calibrate one crane with gauge blocks, write it and return the verdict."""
        bare_mm = await self.lowerings(spot)
        on_blocks: Mapping[float, tuple[float, ...]] = {
            block_mm: await self.lowerings(spot, block_mm) for block_mm in things.blocks_mm
        }
        figures, verdict = crane_on_blocks(bare_mm, on_blocks)
        change_plan(self.plan_file, lambda plan: with_crane(plan, spot, *figures))
        return verdict
