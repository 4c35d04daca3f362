"""Stress: hours of play in which nothing ever falls, drawn afresh, so that every fall that is told is false.

Each hour is drawn from a seed of its own, so the play of a seed is the same whoever shares the work.
"""

import math
from functools import partial

from citytable.lab.draw import stress_traces
from citytable.lab.habits import PieceSet
from citytable.lab.scoring import MakeDetector, Run, Scored, as_run, score_one, shared

HOURS_MAX = 100_000  # of one seed


def score_play(
    make: MakeDetector,
    seed: int,
    hours: float,
    *,
    cells: int,
    piece_set: PieceSet,
    processes: int,
) -> Run:
    """Score `hours` of play. The rows of a table that need a fall are left out."""
    one = partial(_score_hour, make=make, seed=seed, hours=hours, cells=cells, piece_set=piece_set)
    return _without_falls([scored for hour in shared(one, range(math.ceil(hours)), processes) for scored in hour])


def _score_hour(
    hour: int, make: MakeDetector, seed: int, hours: float, cells: int, piece_set: PieceSet
) -> list[Scored]:
    play = stress_traces(seed * HOURS_MAX + hour, min(1.0, hours - hour), cells, piece_set)
    return [score_one(trace, make) for trace in play]


def _without_falls(scored: list[Scored]) -> Run:
    run = as_run(scored)
    return run._replace(
        rows=tuple(row for row in run.rows if row.of), reported=tuple(row for row in run.reported if row.of)
    )
