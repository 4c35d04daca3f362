"""Score traces: load each, feed it to a fresh detector, and compare with the labels, in one process or several."""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from citytable.sensing.calibration import Cal
from citytable_lab.compose import blind
from citytable_lab.feed import Detecting, Fed, feed, samples
from citytable_lab.one_converter import one_converter
from citytable_lab.score import FALLS, Cost, TraceScore, labels_of, score_trace, total_cost
from citytable_lab.score_table import HOUR_US, Row, accuracy_rows, reported_rows
from citytable_lab.trace_file import BadTrace, Trace, load_trace
from citytable_lab.visible import still_us, visible_us

MakeDetector = Callable[[Cal], Detecting]
Less = Callable[[Trace], Trace]
Item = TypeVar("Item")
Answer = TypeVar("Answer")


class Scored(NamedTuple):
    """Hold one trace's score and its cost."""

    score: TraceScore
    cost: Cost


class Run(NamedTuple):
    """Hold a run over many traces: the rows with requirements, the rows without, and every trace's score in order."""

    rows: tuple[Row, ...]
    reported: tuple[Row, ...]
    scores: tuple[TraceScore, ...]

    @property
    def summary(self) -> str:
        """Return how much was scored."""
        falls = sum(len(score.falls) for score in self.scores)
        interactions = sum(score.interactions for score in self.scores)
        hours = sum(score.play_us for score in self.scores) / HOUR_US
        traces = len(self.scores)
        return f"{traces} traces, {falls} falls, {interactions} other interactions in {hours:.2f} h of dense play"


def traces_in(folder: Path) -> list[Path]:
    """Return the trace files of a folder in order of their names; raise `BadTrace` if there are none."""
    found = sorted(folder.glob("*.npz"))
    if not found:
        raise BadTrace(
            f"{folder}: there is no trace in this folder: give one with .npz files, as `citytable sense draw` writes"
        )
    return found


def score_one(trace: Trace, make: MakeDetector) -> Scored:
    """Score a trace with a fresh detector; raise `BadTrace` where its labels are invalid."""
    try:
        labels_of(trace.events)
    except ValueError as error:
        raise BadTrace(
            f"{trace.name}: events: {error}: label the trace as docs/reference/traces.md describes"
        ) from error
    return score_fed(trace, feed(make(trace.cal), samples(trace)))


def score_fed(trace: Trace, fed: Fed) -> Scored:
    """Score what a detector made of a trace."""
    labels = labels_of(trace.events)
    span_us = (int(trace.t_us[0]), int(trace.t_us[-1])) if len(trace.t_us) else (0, 0)
    visible = [visible_us(trace, label) for label in labels if label.kind in FALLS]
    score = score_trace(trace.name, labels, fed.reported, span_us, visible)
    falls = tuple(replace(fall, t_still_us=still_us(trace, fall.label)) for fall in score.falls)
    score = replace(score, falls=falls)
    return Scored(score, Cost(fed.samples, fed.detector_s, fed.empty_s))


def score_files(
    paths: Sequence[Path],
    make: MakeDetector,
    *,
    cells: int,
    processes: int,
    without_ranges: bool = False,
    less: Less | None = None,
) -> Run:
    """Score files in their order. With `cells` 1 each is measured by one converter; else as it was recorded.

    `less` takes knowledge away from each trace before the detector sees it.
    """
    one = partial(_score_file, make=make, cells=cells, without_ranges=without_ranges, less=less)
    return as_run(shared(one, paths, processes))


def shared(one: Callable[[Item], Answer], items: Sequence[Item], processes: int) -> list[Answer]:
    """Return the answer of `one` to each item, in their order, computed by so many processes."""
    if processes == 1:
        return [one(item) for item in items]
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        return list(pool.map(one, items))


def trace_of(path: Path, cells: int) -> Trace:
    """Load a trace as so many cells measured it."""
    trace = load_trace(path)
    return one_converter(trace) if cells == 1 else trace


def as_run(scored: Sequence[Scored]) -> Run:
    """Combine the scores into one run."""
    scores, cost = tuple(one.score for one in scored), total_cost(one.cost for one in scored)
    return Run(tuple(accuracy_rows(scores, cost)), tuple(reported_rows(scores)), scores)


def _score_file(path: Path, make: MakeDetector, cells: int, *, without_ranges: bool, less: Less | None) -> Scored:
    trace = trace_of(path, cells)
    if less is not None:
        trace = less(trace)
    return score_one(blind(trace) if without_ranges else trace, make)
