"""Score hours of fresh play in which nothing ever falls, so that every fall that is reported is false.

Each hour is drawn from a seed of its own, so the play of a seed is the same however the work is divided.
"""

import math
from functools import partial
from typing import NamedTuple

from citytable_lab.city import LABELS_OF_GAME, city_stress
from citytable_lab.compose import STRESS_S
from citytable_lab.draw import stress_traces
from citytable_lab.habits import PieceSet
from citytable_lab.score_table import rate_row
from citytable_lab.scoring import MakeDetector, Run, Scored, as_run, score_one, shared

HOURS_MAX = 100_000  # of one seed
GAMES, GAMES_LIMITS = 20, (1, 0.1)


class Play(NamedTuple):
    """Hold what is played: the seed, the hours, and the spot."""

    seed: int
    hours: float
    cells: int
    piece_set: PieceSet
    accelerometer: bool = False
    city: bool = False
    """On a hex of the city, where nobody takes pieces."""


def score_play(make: MakeDetector, play: Play, processes: int) -> Run:
    """Score hours of play. The rows of a table that need a fall are left out."""
    one = partial(_score_hour, make=make, play=play)
    run = _without_falls([scored for hour in shared(one, range(math.ceil(play.hours)), processes) for scored in hour])
    if not play.city:
        return run
    false = sum(len(score.false_alarms) for score in run.scores)
    acts = sum(score.interactions for score in run.scores)
    row = rate_row("false fall alarms per 20 games", false, acts, GAMES_LIMITS, per=GAMES * LABELS_OF_GAME)
    return run._replace(rows=(*run.rows, row))


def _score_hour(hour: int, make: MakeDetector, play: Play) -> list[Scored]:
    seed, hours = play.seed * HOURS_MAX + hour, min(1.0, play.hours - hour)
    if play.city:
        traces = city_stress(seed, hours, play.cells, play.piece_set, STRESS_S)
    else:
        traces = stress_traces(seed, hours, play.cells, play.piece_set, accelerometer=play.accelerometer)
    return [score_one(trace, make) for trace in traces]


def _without_falls(scored: list[Scored]) -> Run:
    run = as_run(scored)
    return run._replace(
        rows=tuple(row for row in run.rows if row.of), reported=tuple(row for row in run.reported if row.of)
    )
