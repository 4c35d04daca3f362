"""Weighing with the eyes of a maker: the cells of one spot, once they are at rest, as the station sums them up."""

from collections import deque

from citytable.doctor.calibration import Rest, Rests
from citytable.doctor.line import Line, NoAnswer, now_us
from citytable.link.wire_in import Quiet, QuietCell, Samples

SUMMARIES = 4
"""Seconds of rest, one after the other, that make a reading."""
PATIENCE_S = 30.0


async def weigh(line: Line, station: str, spot: str, cells: int) -> Rests:
    """Mean and noise of each cell of a spot over the next seconds at rest; raises `NoAnswer` when they do not rest."""
    kept: dict[int, deque[QuietCell]] = {number: deque(maxlen=SUMMARIES) for number in range(cells)}
    begun = False
    began_us = now_us()
    async for told in line.hear(PATIENCE_S):
        if told.station != station or told.arrived_us < began_us:
            continue
        match told.message:
            case Samples() as moving if moving.spot == spot:
                for summaries in kept.values():
                    summaries.clear()
                begun = True
            case Quiet() as quiet:
                begun = _keep(kept, quiet, spot, begun=begun)
        if all(len(summaries) == SUMMARIES for summaries in kept.values()):
            return tuple(_rest(tuple(kept[number])) for number in range(cells))
    silent = ", ".join(str(number) for number, summaries in kept.items() if not summaries)
    if silent:
        raise NoAnswer(
            f"{spot}: nothing at rest from cell {silent} for {PATIENCE_S:.0f} s: run citytable doctor {station}"
        )
    raise NoAnswer(f"{spot} does not come to rest within {PATIENCE_S:.0f} s: keep hands off the table, then try again")


def _keep(kept: dict[int, deque[QuietCell]], quiet: Quiet, spot: str, *, begun: bool) -> bool:
    """Take a second at rest; the first one may have begun before we asked."""
    for cell in quiet.cells:
        if begun and cell.spot == spot and cell.cell in kept:
            kept[cell.cell].append(cell)
    return True


def _rest(summaries: tuple[QuietCell, ...]) -> Rest:
    conversions = sum(summary.n for summary in summaries)
    mean = sum(summary.mean * summary.n for summary in summaries) / conversions
    return Rest(mean, max(summary.spread for summary in summaries))
