"""The level check of a whole table: listening to all its scales for a few seconds, and the answers in words."""

from collections import defaultdict
from functools import cache
from pathlib import Path
from statistics import fmean, pstdev
from typing import Literal, TypeAlias

import msgspec

from citytable.doctor.line import Line
from citytable.link.wire_in import Quiet, QuietCell, Samples
from citytable.sensing.level import Level, Listened, Stretch
from citytable.table.plan import Plan
from citytable.table.spot import Spot

Language: TypeAlias = Literal["en", "fr"]
Heard: TypeAlias = dict[tuple[Spot, int], list[Stretch]]


async def listen(line: Line, plan: Plan, seconds: float) -> tuple[Listened, ...]:
    """What all scales of the plan told for so long, spot by spot in the plan's order."""
    station_of = plan.station_of()
    heard: Heard = defaultdict(list)
    async for told in line.hear(seconds):
        match told.message:
            case Quiet(cells=cells, at=at):
                for cell in cells:
                    if cell.n and station_of.get(cell.spot) == told.station:
                        heard[cell.spot, cell.cell].append(_second(cell, at.total_us))
            case Samples(spot=spot, cell=number, counts=counts, at=at) if (
                counts and station_of.get(spot) == told.station
            ):
                heard[spot, number].append(_samples(counts, at.total_us))
            case _:
                pass
    return tuple(
        Listened(spot, sensors.cells, tuple(tuple(heard[spot, number]) for number in range(len(sensors.cells))))
        for spot, sensors in plan.spot_plans().items()
        if sensors.cells
    )


def worded(level: Level, station: str, language: Language) -> str:
    """An answer as a sentence, with what to do where something is to be done."""
    sentence = _words()[language][level.answer]
    grams = "" if level.grams is None else f"{abs(level.grams):.1f}"
    return sentence.format(cell=level.cell, grams=grams, station=station)


@cache
def _words() -> dict[str, dict[str, str]]:
    return msgspec.json.decode(Path(__file__).with_name("level.json").read_bytes(), type=dict[str, dict[str, str]])


def _second(cell: QuietCell, t_us: int) -> Stretch:
    return Stretch(t_us, cell.n, cell.mean, cell.spread, cell.min, cell.max)


def _samples(counts: tuple[int, ...], t_us: int) -> Stretch:
    return Stretch(t_us, len(counts), fmean(counts), pstdev(counts), min(counts), max(counts))
