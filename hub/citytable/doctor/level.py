"""Check a whole table: listen to all its scales for a few seconds, and put the answers into words."""

from collections import defaultdict
from statistics import fmean, pstdev
from typing import TypeAlias

from citytable.doctor.line import Line
from citytable.languages import Language
from citytable.languages.sentences import Sentences
from citytable.link.wire_in import Quiet, QuietCell, Samples
from citytable.sensing.level import Level, Listened, Stretch
from citytable.table.plan import Plan
from citytable.table.spot import Spot

_SENTENCES = Sentences(__package__, "level.json")
Heard: TypeAlias = dict[tuple[Spot, int], list[Stretch]]


async def listen(line: Line, plan: Plan, seconds: float) -> tuple[Listened, ...]:
    """Listen for some seconds and return what all scales of the plan sent, spot by spot in the plan's order."""
    station_of = plan.station_of()
    heard: Heard = defaultdict(list)
    async for said in line.hear(seconds):
        match said.message:
            case Quiet(cells=cells, at=at):
                for cell in cells:
                    if cell.n and station_of.get(cell.spot) == said.station:
                        heard[cell.spot, cell.cell].append(_second(cell, at.total_us))
            case Samples(spot=spot, cell=number, counts=counts, at=at) if (
                counts and station_of.get(spot) == said.station
            ):
                heard[spot, number].append(_samples(counts, at.total_us))
            case _:
                pass
    return tuple(
        Listened(spot, sensors.cells, tuple(tuple(heard[spot, number]) for number in range(len(sensors.cells))))
        for spot, sensors in plan.spot_plans().items()
        if sensors.cells
    )


def sentence_of(level: Level, station: str, language: Language) -> str:
    """Return an answer as a sentence, with what to do about it."""
    return words_of(level, station)[language]


def words_of(level: Level, station: str) -> dict[str, str]:
    """Return an answer as a sentence in every language, with what to do about it."""
    grams = "" if level.grams is None else f"{abs(level.grams):.1f}"
    words = {"cell": level.cell, "grams": grams, "station": station}
    return _SENTENCES.text(level.answer, **words)


def _second(cell: QuietCell, t_us: int) -> Stretch:
    return Stretch(t_us, cell.n, cell.mean, cell.spread, cell.min, cell.max)


def _samples(counts: tuple[int, ...], t_us: int) -> Stretch:
    return Stretch(t_us, len(counts), fmean(counts), pstdev(counts), min(counts), max(counts))
