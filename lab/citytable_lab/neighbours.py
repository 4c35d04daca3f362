"""Score spots that share a table: what moves one of them moves others, and each hears that its neighbours moved.

Three spots have people and cells of their own. What shakes the table under one is felt by all, now and then somebody
leans across two of them, and a hand that reaches over brushes one on its way to another. The same traces are judged
twice: each spot for itself, and as a table judges, where a spot that leaves its rest is a neighbour that moved.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import msgspec
import numpy as np

from citytable.sensing.spot_detector import Detector
from citytable_lab.cells import draw_cells
from citytable_lab.compose import blind, enact, measure
from citytable_lab.draw import MIX, draw_family
from citytable_lab.feed import Fed, samples
from citytable_lab.habits import PieceSet
from citytable_lab.plate import draw_plate
from citytable_lab.recording import Recording
from citytable_lab.score import Reported
from citytable_lab.scoring import Run, Scored, as_run, score_fed, shared
from citytable_lab.stage import Stage
from citytable_lab.touch import ramp, restless, spread
from citytable_lab.trace_file import Trace

SPOTS = 3
FELT = (0.3, 1.0)  # of what shakes the table under one spot, the next one feels so much
ACROSS_S = (8.0, 30.0)  # from one act across two spots to the next
ACROSS_G = (4.0, 600.0)
LATER_MS = 120  # the second of two spots is touched so much later at most


class Table(NamedTuple):
    """Hold what is drawn: a seed, and what stands on one converter each."""

    seed: int
    piece_set: PieceSet
    recordings: Sequence[Recording]


def table_of(table: Table, number: int) -> list[Trace]:
    """Draw the spots of table `number`, without range sensors."""
    rng = np.random.default_rng([table.seed, number, SPOTS])
    families = [draw_family(rng, MIX) for _ in range(SPOTS)]
    plates = [draw_plate(rng, 1) for _ in families]
    begun = [
        enact(rng, family, plate, table.piece_set, list(table.recordings))
        for family, plate in zip(families, plates, strict=True)
    ]
    stages = [stage for stage, _ in begun]
    _feel(rng, stages)
    _reach_across(rng, stages)
    name = f"table-{table.piece_set}-{table.seed}-{number:04d}"
    return [
        msgspec.structs.replace(blind(measure(rng, stage, start, draw_cells(rng, 1), family)), name=f"{name}-{spot}")
        for spot, ((stage, start), family) in enumerate(zip(begun, families, strict=True))
    ]


def _feel(rng: np.random.Generator, stages: Sequence[Stage]) -> None:
    """Let every spot feel what shakes the table under the others."""
    shaken = [stage.shaken_mg() / 1000 for stage in stages]
    for here, stage in enumerate(stages):
        for there, felt in enumerate(shaken):
            if here != there:
                n = min(len(felt), stage.now_ms)
                wrench = np.array([1.0, *rng.normal(0, 6, 2)]) * (stage.habits.inertia_g + stage.mass_g)
                stage.shake(0, rng.uniform(*FELT) * felt[:n, None] * wrench)


def _reach_across(rng: np.random.Generator, stages: Sequence[Stage]) -> None:
    """Let arms lie on two spots at once, or brush one on their way to the other, as long as both are there."""
    end_ms = min(stage.now_ms for stage in stages)
    at_ms = int(1000 * rng.uniform(*ACROSS_S))
    while at_ms < end_ms - 8000:
        force = _arm(rng)
        for number, spot in enumerate(rng.choice(len(stages), 2, replace=False).tolist()):
            stage, begins_ms = stages[spot], at_ms + number * int(rng.integers(0, LATER_MS))
            share = rng.uniform(0.3, 1.0) if number == 0 or rng.random() < 0.5 else rng.uniform(0.03, 0.2)
            stage.push(begins_ms, share * force, *rng.normal(0, 28, 2))
            stage.disturbed("lean", begins_ms, begins_ms + len(force))
        at_ms += len(force) + int(1000 * rng.uniform(*ACROSS_S))


def _arm(rng: np.random.Generator) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the force of an arm that comes, lies there for a while, and goes."""
    up, stay, down = (int(np.exp(rng.uniform(*np.log(ms)))) for ms in ((25, 1500), (60, 4000), (10, 900)))
    level = np.concatenate([ramp(rng, up), np.ones(stay), 1 - ramp(rng, down)])
    level *= 1 + rng.uniform(0.01, 0.15) * restless(rng, len(level), 0.4, 4)
    return np.asarray(min(spread(rng, 40, 1.2), ACROSS_G[1]) * level)


def judged(traces: Sequence[Trace], *, hear: bool) -> list[Fed]:
    """Feed the spots of one table in order of time; where they `hear`, each hears when another begins to move."""
    detectors = [Detector(trace.cal) for trace in traces]
    rows = sorted(
        ((row[0], spot, row) for spot, trace in enumerate(traces) for row in samples(trace)), key=lambda one: one[:2]
    )
    reported: list[list[Reported]] = [[] for _ in traces]
    for t_us, spot, row in rows:
        moved = detectors[spot].moves
        reported[spot] += [Reported(t_us, event) for event in detectors[spot].update(*row)]
        if hear and detectors[spot].moves and not moved:
            for other in detectors:
                if other is not detectors[spot]:
                    other.neighbour_moved(t_us)
    return [Fed(tuple(events), len(trace.t_us), 0.0, 0.0) for events, trace in zip(reported, traces, strict=True)]


def score_tables(table: Table, tables: int, processes: int) -> tuple[Run, Run]:
    """Score so many tables, each spot for itself and with its neighbours."""
    scored = shared(partial(_score, table), range(tables), processes)
    return as_run([one for alone, _ in scored for one in alone]), as_run([one for _, heard in scored for one in heard])


def _score(table: Table, number: int) -> tuple[list[Scored], list[Scored]]:
    traces = table_of(table, number)
    alone, heard = (
        [score_fed(trace, fed) for trace, fed in zip(traces, judged(traces, hear=hear), strict=True)]
        for hear in (False, True)
    )
    return alone, heard
