"""Score hours of fresh play in which nothing ever falls, so that every fall that is reported is false.

Each hour is drawn from a seed of its own, so the play of a seed is the same however the work is divided.
"""

import math
from functools import partial
from typing import NamedTuple

from citytable_lab.draw import stress_traces
from citytable_lab.habits import PieceSet
from citytable_lab.scoring import MakeDetector, Run, Scored, as_run, score_one, shared

HOURS_MAX = 100_000  # of one seed


class Play(NamedTuple):
    """Hold what is played: the seed, the hours, and the spot."""

    seed: int
    hours: float
    cells: int
    piece_set: PieceSet
    accelerometer: bool = False


def score_play(make: MakeDetector, play: Play, processes: int) -> Run:
    """Score hours of play. The rows of a table that need a fall are left out."""
    one = partial(_score_hour, make=make, play=play)
    return _without_falls([scored for hour in shared(one, range(math.ceil(play.hours)), processes) for scored in hour])


def _score_hour(hour: int, make: MakeDetector, play: Play) -> list[Scored]:
    seed, hours = play.seed * HOURS_MAX + hour, min(1.0, play.hours - hour)
    traces = stress_traces(seed, hours, play.cells, play.piece_set, accelerometer=play.accelerometer)
    return [score_one(trace, make) for trace in traces]


def _without_falls(scored: list[Scored]) -> Run:
    run = as_run(scored)
    return run._replace(
        rows=tuple(row for row in run.rows if row.of), reported=tuple(row for row in run.reported if row.of)
    )
