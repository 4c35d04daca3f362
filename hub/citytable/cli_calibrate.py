"""The calibrations: `citytable calibrate` for a spot or a station, and `calibrate-crane`; and `citytable weigh`.

They ask for one thing at a time and read the station meanwhile, beside the hub of a running table.
"""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Annotated

import typer

from citytable.cli_station import HERE, Address, Directory, Reach, User, carry_out, find_table, line_to, today
from citytable.console import for_people, say
from citytable.doctor.calibrating import Ask, Calibrating, Things
from citytable.doctor.calibration import BadCalibration, Readings
from citytable.doctor.crane import LOWERINGS, crane_figures
from citytable.doctor.line import Line, NoAnswer
from citytable.doctor.plan_file import change_plan, station_of, with_crane
from citytable.doctor.routine import BLOCKS_MM, SCALE, Progress, Task, Text, tasks_of, weighed_g
from citytable.doctor.weighing import weigh
from citytable.table.plan import Misconfigured

LATER = "later"
HOW_TO_LOWER = "let it rest for a second each time, and raise it by a hand's breadth in between"
BLOCKS = ",".join(f"{block_mm:g}" for block_mm in BLOCKS_MM)


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


class AtTerminal:
    """A maker at a terminal, who presses Enter when a thing is done."""

    async def begin(self, number: int, tasks: int, task: Task) -> None:
        """Print which task begins."""
        say(f"[{number}/{tasks}] {task}", "bold")

    async def ask(self, ask: Ask) -> None:
        """Print what is to be done, and wait for Enter; for a lowering nobody presses anything."""
        if ask.deed == "lower":
            on = f"block of {ask.block_mm:g} mm" if ask.block_mm else f"bare platform on {ask.spot}"
            say(f"lower the paddle on the {on} {LOWERINGS} times: {HOW_TO_LOWER}")
            return
        wanted = {
            "empty": f"take everything but the weight-holder off {ask.spot}",
            "put": f"put {ask.grams:g} g in the middle of {ask.spot}",
            "swap": f"put {ask.grams:g} g in its place",
            "empty_again": f"take everything but the weight-holder off {ask.spot} again",
        }
        await _answer(f"{wanted[ask.deed]}, then press Enter")

    def weighed(self, rests: Readings) -> None:
        """Print the readings."""
        for number, rest in enumerate(rests):
            say(f"  cell {number}: {rest.mean:.0f} counts, noise {rest.noise:.0f}")

    def lowered(self, ranges_mm: tuple[float, ...]) -> None:
        """Print the ranges."""
        say("  " + ", ".join(f"{range_mm:.1f}" for range_mm in ranges_mm) + " mm")

    async def again(self, bad: BadCalibration | NoAnswer) -> bool:
        """Print what is wrong, and wait for an answer."""
        say(f"not good: {bad}", "bold red")
        return await _answer(f"press Enter to do it again, or type {LATER}") != LATER

    def good(self, verdict: Text) -> None:
        """Print the verdict."""
        say(f"good: {verdict['en']}", "green")


async def _answer(asked: str) -> str:
    return str(await asyncio.to_thread(typer.prompt, for_people(asked), "", show_default=False)).strip()


def _calibrating(plan_file: Path, find: Callable[[], Reach]) -> Calibrating:
    def line() -> AbstractAsyncContextManager[Line]:
        return line_to(find())

    return Calibrating(line, plan_file, AtTerminal(), today)


async def _calibrate_spot(spot: str, plan_file: Path, grams: float, find: Callable[[], Reach], *, yes: bool) -> None:
    routine = _calibrating(plan_file, find)
    made = await routine.spot(spot, grams)
    cells = find().plan.spot_plans()[spot].cells
    for number, (old, new) in enumerate(zip(cells, made, strict=True)):
        say(
            f"cell {number}: {old.counts_per_g:g} -> {new.counts_per_g:g} counts per gram, "
            f"zero {old.zero_counts} -> {new.zero_counts}"
        )
    if yes or await asyncio.to_thread(typer.confirm, for_people(f"write this to {plan_file}?")):
        routine.write(spot, made)
        say(f"{plan_file} is updated; a hub that runs on it takes it up in a moment")


async def _calibrate_station(
    name: str, plan_file: Path, things: Things, find: Callable[[], Reach], left: list[Task], *, anew: bool
) -> None:
    """Walk through everything at a station; put what was left out into `left`."""
    routine = _calibrating(plan_file, find)
    tasks = tasks_of(routine.checked(name, things))
    if not tasks:
        say(f"{name} has nothing to calibrate")
        return
    done = 0 if anew else len(Progress(plan_file, name).done())
    _say_what_is_needed(name, tasks, things, done)
    left += await routine.station(name, things, anew=anew)
    if left:
        say(f"left out: {', '.join(map(str, left))}. The same command goes on there")
        return
    say(f"{name} is calibrated; a hub that runs on {plan_file} takes it up in a moment")


def _say_what_is_needed(name: str, tasks: tuple[Task, ...], things: Things, done: int) -> None:
    blocks = " mm, ".join(f"{block:g}" for block in things.blocks_mm)
    cranes = any(task.what != SCALE for task in tasks)
    things_there = "one thing" if len(tasks) == 1 else f"{len(tasks)} things"
    say(f"{name} has {things_there} to calibrate" + (f", {done} already done" if done else ""))
    say(f"you need {things.first_g:g} g and {things.second_g:g} g" + (f", and blocks of {blocks} mm" if cranes else ""))


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
    if spot not in find().plan.spot_plans():
        raise Misconfigured(f"the plan has no spot {spot!r}: see docs/reference/plan.md for the names of spots")
    routine = _calibrating(plan_file, find)
    bare_mm = await routine.lowerings(spot)
    figures = crane_figures(bare_mm, await routine.lowerings(spot, block_mm) if block_mm else (), block_mm)
    say(f"zero {figures.zero_mm:g} mm, scale {'not measured' if figures.scale is None else figures.scale}")
    if yes or await asyncio.to_thread(typer.confirm, for_people(f"write this to {plan_file}?")):
        change_plan(plan_file, lambda plan: with_crane(plan, spot, *figures))
        say(f"{plan_file} is updated; a hub that runs on it takes it up in a moment")


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
