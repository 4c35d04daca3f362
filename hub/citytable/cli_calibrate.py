"""The calibrations: `citytable calibrate` for a spot or a station, and `calibrate-crane`; and `citytable weigh`.

They ask for one thing at a time and read the station meanwhile, beside the hub of a running table.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec
import typer

from citytable.cli_station import (
    HERE,
    Address,
    Directory,
    Reach,
    User,
    carry_out,
    find_table,
    line_to,
    station_of,
    today,
)
from citytable.console import for_people, say
from citytable.doctor.calibration import BadCalibration, Readings, calibrated, check_empty, check_weight
from citytable.doctor.crane import LOWERINGS, check_alike, crane_figures, lowered_ranges
from citytable.doctor.line import NoAnswer
from citytable.doctor.plan_file import with_cells, with_crane, write_plan
from citytable.doctor.routine import (
    BLOCKS_MM,
    SCALE,
    Progress,
    Task,
    check_blocks,
    check_weights,
    crane_on_blocks,
    second_weight,
    tasks_of,
    weighed_g,
)
from citytable.doctor.weighing import weigh
from citytable.table.plan import CellPlan, Misconfigured, load_plan

LATER = "later"
BLOCKS = ",".join(f"{block_mm:g}" for block_mm in BLOCKS_MM)


class Things(NamedTuple):
    """Hold what the maker has at hand: two weights, and gauge blocks."""

    first_g: float
    second_g: float
    blocks_mm: tuple[float, ...]


def calibrate(
    where: Annotated[
        str, typer.Argument(help="A station, such as seat-1, or one spot, such as seat/1/pad/0 or city/1/-1.")
    ],
    plan_file: Annotated[Path, typer.Option("--plan", help="Plan file of the table; it is updated.")],
    grams: Annotated[float, typer.Option(help="Mass of the weight.")],
    second: Annotated[float, typer.Option(help="Mass of a second weight, with which a station is checked.")] = 0,
    blocks: Annotated[
        str, typer.Option(help="Heights in mm of the gauge blocks for a station's cranes, with commas between them.")
    ] = BLOCKS,
    anew: Annotated[bool, typer.Option("--anew", help="Do everything at a station again.")] = False,
    broker: Address = HERE,
    user: User = "",
    directory: Directory = None,
    yes: Annotated[bool, typer.Option("--yes", help="Update the plan file without asking, for one spot.")] = False,
) -> None:
    """Calibrate a station, scale by scale and crane by crane, or the load cells under one spot."""

    def find() -> Reach:
        return find_table(broker, user, directory, plan_file)

    if "/" in where:
        carry_out(_calibrate_spot(where, plan_file, grams, find, yes=yes))
        return
    left: list[Task] = []
    carry_out(_calibrate_station(where, plan_file, Things(grams, second, _heights(blocks)), find, left, anew=anew))
    if left:
        raise typer.Exit(1)


def _heights(text: str) -> tuple[float, ...]:
    try:
        return tuple(sorted({float(part) for part in text.split(",") if part.strip()}))
    except ValueError:
        return ()  # refused with the reason when the station is known


class Bench:
    """A maker at one station: does what is asked for, while the station is read."""

    def __init__(self, find: Callable[[], Reach], station: str) -> None:
        self._find = find
        self._station = station

    async def rests(self, asked: str, spot: str, cells: tuple[CellPlan, ...]) -> Readings:
        """Ask for something to be done to a spot, and return how its cells rest then."""
        await _answer(f"{asked}, then press Enter")
        async with line_to(self._find()) as line:
            rests = await weigh(line, self._station, spot, len(cells))
        for number, rest in enumerate(rests):
            say(f"  cell {number}: {rest.mean:.0f} counts, noise {rest.noise:.0f}")
        return rests

    async def lowerings(self, on: str, spot: str) -> tuple[float, ...]:
        """Ask for the paddle to be lowered, and return the ranges."""
        say(f"lower the paddle on {on} {LOWERINGS} times, and raise it after each")
        async with line_to(self._find()) as line:
            beam = self._find().plan.spot_plans()[spot].crane_beam
            ranges_mm = await lowered_ranges(line, self._station, spot, beam=beam)
        say("  " + ", ".join(f"{range_mm:.1f}" for range_mm in ranges_mm) + " mm")
        check_alike(ranges_mm)
        return ranges_mm


async def _answer(asked: str) -> str:
    return str(await asyncio.to_thread(typer.prompt, for_people(asked), "", show_default=False)).strip()


def _dated(cells: tuple[CellPlan, ...]) -> tuple[CellPlan, ...]:
    return tuple(msgspec.structs.replace(cell, calibrated=today()) for cell in cells)


async def _calibrate_spot(spot: str, plan_file: Path, grams: float, find: Callable[[], Reach], *, yes: bool) -> None:
    plan = find().plan
    spots = plan.spot_plans()
    if spot not in spots:
        raise Misconfigured(f"the plan has no spot {spot!r}: see docs/reference/plan.md for the names of spots")
    cells, bench = spots[spot].cells, Bench(find, plan.station_of()[spot])
    check_weight(cells, grams)
    empty = await bench.rests(f"take everything off {spot}", spot, cells)
    check_empty(empty)
    loaded = await bench.rests(f"put {grams:g} g in the middle of {spot}", spot, cells)
    after = await bench.rests(f"take everything off {spot} again", spot, cells)
    made = _dated(calibrated(cells, empty, loaded, after, grams))
    for number, (old, new) in enumerate(zip(cells, made, strict=True)):
        say(
            f"cell {number}: {old.counts_per_g:g} -> {new.counts_per_g:g} counts per gram, "
            f"zero {old.zero_counts} -> {new.zero_counts}"
        )
    if yes or await asyncio.to_thread(typer.confirm, for_people(f"write this to {plan_file}?")):
        write_plan(plan_file, with_cells(load_plan(plan_file), spot, made))
        say(f"{plan_file} is updated; the hub reads it at its next start")


async def _calibrate_station(
    name: str, plan_file: Path, things: Things, find: Callable[[], Reach], left: list[Task], *, anew: bool
) -> None:
    """Walk through everything at a station; put what was left out into `left`."""
    station = station_of(find().plan, name)
    check_weights(station, things.first_g, things.second_g)
    check_blocks(things.blocks_mm)
    progress, tasks = Progress(plan_file, name), tasks_of(station)
    if anew:
        progress.forget()
    done = progress.done()
    _say_what_is_needed(name, tasks, things, len(done))
    for number, task in enumerate(tasks, 1):
        if task in done:
            continue
        say(f"[{number}/{len(tasks)}] {task}", "bold")
        if await _until_good(Bench(find, name), task, plan_file, things):
            progress.add(task)
        else:
            left.append(task)
    if left:
        say(f"left out: {', '.join(map(str, left))}. The same command goes on there")
        return
    progress.forget()
    say(f"{name} is calibrated; the hub reads {plan_file} at its next start")


def _say_what_is_needed(name: str, tasks: tuple[Task, ...], things: Things, done: int) -> None:
    blocks = " mm, ".join(f"{block:g}" for block in things.blocks_mm)
    cranes = any(task.what != SCALE for task in tasks)
    things_there = "one thing" if len(tasks) == 1 else f"{len(tasks)} things"
    say(f"{name} has {things_there} to calibrate" + (f", {done} already done" if done else ""))
    say(f"you need {things.first_g:g} g and {things.second_g:g} g" + (f", and blocks of {blocks} mm" if cranes else ""))


async def _until_good(bench: Bench, task: Task, plan_file: Path, things: Things) -> bool:
    """Do a task until its result is good, and write it; report False if the maker leaves it for later."""
    while True:
        try:
            if task.what == SCALE:
                verdict = await _do_scale(bench, task.spot, plan_file, things)
            else:
                verdict = await _do_crane(bench, task.spot, plan_file, things)
        except (BadCalibration, NoAnswer) as bad:
            say(f"not good: {bad}", "bold red")
            if await _answer(f"press Enter to do it again, or type {LATER}") == LATER:
                return False
        else:
            say(f"good: {verdict}", "green")
            return True


async def _do_scale(bench: Bench, spot: str, plan_file: Path, things: Things) -> str:
    """Calibrate one scale with two weights, write it and return the verdict."""
    cells = load_plan(plan_file).spot_plans()[spot].cells
    empty = await bench.rests(f"take everything off {spot}", spot, cells)
    check_empty(empty)
    loaded = await bench.rests(f"put {things.first_g:g} g in the middle of {spot}", spot, cells)
    second = await bench.rests(f"put {things.second_g:g} g in its place", spot, cells)
    after = await bench.rests(f"take everything off {spot} again", spot, cells)
    made = calibrated(cells, empty, loaded, after, things.first_g)
    verdict = second_weight(made, second, things.second_g)
    write_plan(plan_file, with_cells(load_plan(plan_file), spot, _dated(made)))
    return verdict


async def _do_crane(bench: Bench, spot: str, plan_file: Path, things: Things) -> str:
    """Calibrate one crane with gauge blocks, write it and return the verdict."""
    bare_mm = await bench.lowerings(f"the bare platform on {spot}", spot)
    on_blocks = {block: await bench.lowerings(f"the block of {block:g} mm", spot) for block in things.blocks_mm}
    figures, verdict = crane_on_blocks(bare_mm, on_blocks)
    write_plan(plan_file, with_crane(load_plan(plan_file), spot, *figures))
    return verdict


def calibrate_crane(
    spot: Annotated[str, typer.Argument(help="The pad under the crane, such as seat/1/pad/0.")],
    plan_file: Annotated[Path, typer.Option("--plan", help="Plan file of the table; it is updated.")],
    block: Annotated[
        float, typer.Option(min=0, help="Height in mm of the block for the scale; 0 leaves the scale out.")
    ] = 0,
    broker: Address = HERE,
    user: User = "",
    directory: Directory = None,
    yes: Annotated[bool, typer.Option("--yes", help="Update the plan file without asking.")] = False,
) -> None:
    """Calibrate a crane: lower it three times on the bare platform, and three times on a block of known height."""
    carry_out(_calibrate_crane(spot, plan_file, block, lambda: find_table(broker, user, directory, plan_file), yes=yes))


async def _calibrate_crane(
    spot: str, plan_file: Path, block_mm: float, find: Callable[[], Reach], *, yes: bool
) -> None:
    name = find().plan.station_of().get(spot)
    if name is None:
        raise Misconfigured(f"the plan has no spot {spot!r}: see docs/reference/plan.md for the names of spots")

    bench = Bench(find, name)
    bare_mm = await bench.lowerings(f"the bare platform on {spot}", spot)
    figures = crane_figures(bare_mm, await bench.lowerings("the block", spot) if block_mm else (), block_mm)
    say(f"zero {figures.zero_mm:g} mm, scale {'not measured' if figures.scale is None else figures.scale}")
    if yes or await asyncio.to_thread(typer.confirm, for_people(f"write this to {plan_file}?")):
        write_plan(plan_file, with_crane(load_plan(plan_file), spot, *figures))
        say(f"{plan_file} is updated; the hub reads it at its next start")


def weigh_station(
    name: Annotated[str, typer.Argument(help="Name of the station.")],
    plan_file: Annotated[Path, typer.Option("--plan", help="Plan file of the table, with its calibration.")],
    broker: Address = HERE,
    user: User = "",
    directory: Directory = None,
) -> None:
    """Say what lies on each scale of a station, in grams of its calibration; nothing is changed."""
    carry_out(_weigh_station(name, lambda: find_table(broker, user, directory, plan_file)))


async def _weigh_station(name: str, find: Callable[[], Reach]) -> None:
    reach = find()
    spots = [spot for spot in station_of(reach.plan, name).spots if spot.cells]
    if not spots:
        raise Misconfigured(f"{name} weighs nothing: no spot of it has load cells in the plan")
    for spot in spots:
        async with line_to(reach) as line:
            rests = await weigh(line, name, spot.spot, len(spot.cells))
        say(f"{spot.spot:16} {weighed_g(spot.cells, rests):8.1f} g")


def add_to(app: typer.Typer) -> None:
    """Add these commands to `citytable`."""
    app.command()(calibrate)
    app.command("weigh")(weigh_station)
    app.command("calibrate-crane")(calibrate_crane)
