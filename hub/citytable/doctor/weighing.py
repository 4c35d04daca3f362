"""Read the cells of one spot at rest, from the summaries that the station sends once a second."""

from collections import deque

from citytable.doctor.calibration import Reading, Readings
from citytable.doctor.line import Line, NoAnswer, now_us
from citytable.link.wire_in import Quiet, QuietCell, Samples

SUMMARIES = 4
"""The number of summaries, one a second and without a movement between them, that make a reading."""
PATIENCE_S = 30.0


async def weigh(line: Line, station: str, spot: str, cells: int) -> Readings:
    """Return mean and noise of each cell of a spot over the next seconds at rest; raise `NoAnswer` without rest."""
    kept: dict[int, deque[QuietCell]] = {number: deque(maxlen=SUMMARIES) for number in range(cells)}
    begun = False
    began_us = now_us()
    async for heard in line.hear(PATIENCE_S):
        if heard.station != station or heard.arrived_us < began_us:
            continue
        match heard.message:
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
        raise NoAnswer.of("cell_silent", spot=spot, cell=silent, seconds=PATIENCE_S, station=station)
    raise NoAnswer.of("no_rest", spot=spot, seconds=PATIENCE_S)


def _keep(kept: dict[int, deque[QuietCell]], quiet: Quiet, spot: str, *, begun: bool) -> bool:
    """Add a second at rest, except the first one, which may have begun before we asked."""
    for cell in quiet.cells:
        if begun and cell.spot == spot and cell.cell in kept:
            kept[cell.cell].append(cell)
    return True


def _rest(summaries: tuple[QuietCell, ...]) -> Reading:
    conversions = sum(summary.n for summary in summaries)
    mean = sum(summary.mean * summary.n for summary in summaries) / conversions
    return Reading(mean, max(summary.spread for summary in summaries))
