"""The calibrations: `citytable calibrate` for a spot or a station, and `calibrate-crane`; and `citytable weigh`.

They ask for one step at a time and read the station meanwhile, beside the hub of a running table.
"""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Annotated

import typer

from citytable.bench import Voice
from citytable.cli_station import HERE, Address, Directory, Reach, User, carry_out, find_table, line_to, today
from citytable.console import Spoken, for_people, say
from citytable.doctor.calibrating import Ask, Calibrating, Things
from citytable.doctor.calibration import BadCalibration, Readings
from citytable.doctor.crane import LOWERINGS, crane_figures
from citytable.doctor.line import Line, NoAnswer
from citytable.doctor.plan_file import change_plan, station_of, with_crane
from citytable.doctor.routine import BLOCKS_MM, SCALE, Progress, Task, Text, tasks_of, weighed_g, weight_line
from citytable.doctor.weighing import weigh
from citytable.languages import ENGLISH
from citytable.table.plan import Misconfigured

BLOCKS = ",".join(f"{block_mm:g}" for block_mm in BLOCKS_MM)


def calibrate(
    where: Annotated[
        str, typer.Argument(help="A station, such as seat-1, or one spot, such as seat/1/pad/0 or city/1/-1.")
    ],
    plan_file: Annotated[Path, typer.Option("--plan", help="Plan file of the table; it is updated.")],
    grams: Annotated[float, typer.Option(help="Mass of the weight in grams.")],
    second: Annotated[float, typer.Option(help="Mass in grams of a second weight, which checks the result.")] = 0,
    blocks: Annotated[
        str, typer.Option(help="Heights in mm of the gauge blocks for a station's cranes, with commas between them.")
    ] = BLOCKS,
    anew: Annotated[bool, typer.Option("--anew", help="Calibrate everything at a station again.")] = False,
    language: Spoken = ENGLISH,
    broker: Address = HERE,
    user: User = "",
    directory: Directory = None,
    yes: Annotated[bool, typer.Option("--yes", help="Update the plan file without asking, for one spot.")] = False,
) -> None:
    """Calibrate a station, scale by scale and crane by crane, or the load cells under one spot."""
    voice = Voice(language)

    def find() -> Reach:
        return find_table(broker, user, directory, plan_file)

    if "/" in where:
        carry_out(_calibrate_spot(where, plan_file, grams, find, voice, yes=yes), voice)
        return
    left: list[Task] = []
    things = Things(grams, second, _heights(blocks))
    carry_out(_calibrate_station(where, things, _calibrating(plan_file, find, voice), left, voice, anew=anew), voice)
    if left:
        raise typer.Exit(1)


def _heights(text: str) -> tuple[float, ...]:
    try:
        return tuple(sorted({float(part) for part in text.split(",") if part.strip()}))
    except ValueError:
        return ()  # refused with the reason when the station is known


class AtTerminal:
    """A maker at a terminal, who presses Enter after each step."""

    def __init__(self, voice: Voice) -> None:
        self._voice = voice

    async def begin(self, number: int, tasks: int, task: Task) -> None:
        """Print which task begins."""
        say(f"[{number}/{tasks}] {_named(task, self._voice)}", "bold")

    async def ask(self, ask: Ask) -> None:
        """Print the next step, and wait for Enter; a lowering needs no Enter."""
        if ask.deed == "lower":
            key = "lower" if ask.block_mm else "lower.bare"
            say(self._voice(key, block_mm=ask.block_mm, spot=ask.spot, times=LOWERINGS))
            return
        await _answer(self._voice(ask.deed, spot=ask.spot, grams=ask.grams))

    def weighed(self, rests: Readings) -> None:
        """Print the readings."""
        for number, rest in enumerate(rests):
            say(f"  {self._voice('rest', cell=number, mean=rest.mean, noise=rest.noise)}")

    def lowered(self, ranges_mm: tuple[float, ...]) -> None:
        """Print the ranges."""
        say("  " + ", ".join(f"{range_mm:.1f}" for range_mm in ranges_mm) + " mm")

    async def again(self, bad: BadCalibration | NoAnswer) -> bool:
        """Print what went wrong, and wait for an answer."""
        say(self._voice("bad", why=self._voice.error(bad)), "bold red")
        later = self._voice("later")
        return await _answer(self._voice("again", later=later)) != later

    def good(self, verdict: Text) -> None:
        """Print the verdict."""
        say(self._voice("good", why=self._voice.of(verdict)), "green")


async def _answer(asked: str) -> str:
    return str(await asyncio.to_thread(typer.prompt, for_people(asked), "", show_default=False)).strip()


def _named(task: Task, voice: Voice) -> str:
    return voice(f"task.{task.what}", spot=task.spot)


def _calibrating(plan_file: Path, find: Callable[[], Reach], voice: Voice) -> Calibrating:
    def line() -> AbstractAsyncContextManager[Line]:
        return line_to(find())

    return Calibrating(line, plan_file, AtTerminal(voice), today)


async def _calibrate_spot(
    spot: str, plan_file: Path, grams: float, find: Callable[[], Reach], voice: Voice, *, yes: bool
) -> None:
    routine = _calibrating(plan_file, find, voice)
    made = await routine.spot(spot, grams)
    cells = find().plan.spot_plans()[spot].cells
    for number, (old, new) in enumerate(zip(cells, made, strict=True)):
        scales = {"before": old.counts_per_g, "now": new.counts_per_g}
        say(voice("found", cell=number, **scales, zero_before=old.zero_counts, zero=new.zero_counts))
    if yes or await asyncio.to_thread(typer.confirm, for_people(voice("write", file=plan_file))):
        routine.write(spot, made)
        say(voice("written", file=plan_file))


async def _calibrate_station(
    name: str, things: Things, routine: Calibrating, left: list[Task], voice: Voice, *, anew: bool
) -> None:
    """Calibrate everything at a station; put skipped tasks into `left`."""
    tasks = tasks_of(routine.checked(name, things))
    if not tasks:
        say(voice("nothing", name=name))
        return
    done = 0 if anew else len(Progress(routine.plan_file, name).done())
    _say_what_is_needed(name, tasks, things, done, voice)
    left += await routine.station(name, things, anew=anew)
    if left:
        say(voice("left", tasks=", ".join(_named(task, voice) for task in left)))
        return
    say(voice("calibrated", name=name, file=routine.plan_file))


def _say_what_is_needed(name: str, tasks: tuple[Task, ...], things: Things, done: int, voice: Voice) -> None:
    blocks = " mm, ".join(f"{block:g}" for block in things.blocks_mm)
    cranes = any(task.what != SCALE for task in tasks)
    say(voice("tasks.done" if done else "tasks", name=name, n=len(tasks), done=done))
    weights = {"first_g": things.first_g, "second_g": things.second_g}
    say(voice("need.blocks" if cranes else "need", **weights, blocks=blocks))


def calibrate_crane(
    spot: Annotated[str, typer.Argument(help="The pad under the crane, such as seat/1/pad/0.")],
    plan_file: Annotated[Path, typer.Option("--plan", help="Plan file of the table; it is updated.")],
    block: Annotated[
        float, typer.Option(min=0, help="Height in mm of the block for the scale; 0 leaves the scale out.")
    ] = 0,
    language: Spoken = ENGLISH,
    broker: Address = HERE,
    user: User = "",
    directory: Directory = None,
    yes: Annotated[bool, typer.Option("--yes", help="Update the plan file without asking.")] = False,
) -> None:
    """Calibrate a crane: lower it three times on the bare platform, and three times on a block of known height."""
    voice = Voice(language)

    def find() -> Reach:
        return find_table(broker, user, directory, plan_file)

    carry_out(_calibrate_crane(spot, plan_file, block, find, voice, yes=yes), voice)


async def _calibrate_crane(
    spot: str, plan_file: Path, block_mm: float, find: Callable[[], Reach], voice: Voice, *, yes: bool
) -> None:
    if spot not in find().plan.spot_plans():
        raise Misconfigured(voice("no_spot", spot=spot))
    routine = _calibrating(plan_file, find, voice)
    bare_mm = await routine.lowerings(spot)
    figures = crane_figures(bare_mm, await routine.lowerings(spot, block_mm) if block_mm else (), block_mm)
    key = "crane.bare" if figures.scale is None else "crane"
    say(voice(key, zero_mm=figures.zero_mm, scale=figures.scale))
    if yes or await asyncio.to_thread(typer.confirm, for_people(voice("write", file=plan_file))):
        change_plan(plan_file, lambda plan: with_crane(plan, spot, *figures))
        say(voice("written", file=plan_file))


def weigh_station(
    name: Annotated[str, typer.Argument(help="Name of the station.")],
    plan_file: Annotated[Path, typer.Option("--plan", help="Plan file of the table, with its calibration.")],
    language: Spoken = ENGLISH,
    broker: Address = HERE,
    user: User = "",
    directory: Directory = None,
) -> None:
    """Print the load on each scale of a station, in grams by its calibration. Changes nothing."""
    voice = Voice(language)
    carry_out(_weigh_station(name, lambda: find_table(broker, user, directory, plan_file), voice), voice)


async def _weigh_station(name: str, find: Callable[[], Reach], voice: Voice) -> None:
    reach = find()
    spots = [spot for spot in station_of(reach.plan, name).spots if spot.cells]
    if not spots:
        raise Misconfigured(voice("weighs_nothing", name=name))
    for spot in spots:
        async with line_to(reach) as line:
            rests = await weigh(line, name, spot.spot, len(spot.cells))
        say(weight_line(spot.spot, weighed_g(spot.cells, rests)))


def add_to(app: typer.Typer) -> None:
    """Add these commands to `citytable`."""
    app.command()(calibrate)
    app.command("weigh")(weigh_station)
    app.command("calibrate-crane")(calibrate_crane)
