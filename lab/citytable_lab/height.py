"""Score heights: the error of every source, whether its interval holds the truth, and what a crane does about slips.

A tower is built in two stages with a lowering after each, so that the crane knows something of it. Some lowerings slip:
the paddle lands beside the top, or on a hand. Where the crane doubts a lowering, it is repeated.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from citytable.sensing.crane import Crane
from citytable.sensing.height import Interval, about, overhead_interval
from citytable.table.fact import HeightMeasured, MassSettled
from citytable_lab.height_sensors import Carriage, Overhead, Paddle, Tower, draw_tower, height_mm
from citytable_lab.score_table import Row, quantile_row, share_row

SPOT = "seat/1/pad/0"
SLIPS = 0.06
LOWERINGS = 4
REQUIRED_MM = 15.0  # so near to the truth lies the height that is asked for, either way
SLIP_MM = 5.0
RULER_ERROR_MM = 1.0  # a person reads whole millimetres
CARRIAGE_MM = 0.6  # as promised for a carriage: guide, beam, scale and zero, root of squares, twice


class Lowered(NamedTuple):
    """Hold the result of measuring one tower: the last answer, and how often it was lowered, slipped, doubted."""

    reported: Interval | None
    good_doubted: int
    good: int
    slips_noticed: int
    slips: int


class Case(NamedTuple):
    """Hold one tower with the answer of every source, and the height that a rule asks of it."""

    truth_mm: float
    crane: Lowered
    crane_scaled: Lowered
    carriage: Lowered
    overhead: Interval | None
    zones: Interval | None
    ruler: Interval
    least_mm: float


def draw_case(seed: int, number: int) -> Case:
    """Draw one tower and every sensor, with parameters of their own; a seed and number always give the same."""
    rng = np.random.default_rng((seed, number))
    tower = draw_tower(rng)
    truth_mm = height_mm(tower)
    overhead = Overhead(rng)
    return Case(
        truth_mm=truth_mm,
        crane=_lowered(rng, tower),
        crane_scaled=_lowered(rng, tower, scaled=True),
        carriage=_carried(rng, truth_mm),
        overhead=overhead_interval(overhead.single(tower), None, overhead.sensor_mm),
        zones=overhead_interval(overhead.single(tower), overhead.zones(tower), overhead.sensor_mm),
        ruler=about(round(truth_mm + rng.normal(0, 0.3)), RULER_ERROR_MM),
        least_mm=truth_mm + rng.uniform(-REQUIRED_MM, REQUIRED_MM),
    )


def _lowered(rng: np.random.Generator, tower: Tower, *, scaled: bool = False) -> Lowered:
    paddle = Paddle(rng)
    crane = Crane(SPOT, paddle.zero_mm, paddle.scale if scaled else None)
    half = len(tower) // 2
    crane.mind(_step(30.0))  # the platform
    for _ in tower[:half]:
        crane.mind(_step(9.0))
    _measure(rng, paddle, crane, tower[half - 1].z[1])
    for _ in tower[half:]:
        crane.mind(_step(9.0))
    return _measure(rng, paddle, crane, height_mm(tower))


def _step(grams: float) -> MassSettled:
    return MassSettled(t_us=0, spot=SPOT, mass_g=grams, step_g=grams, error_g=0.1)


def _measure(rng: np.random.Generator, paddle: Paddle, crane: Crane, truth_mm: float) -> Lowered:
    """Lower the paddle until a height is reported, or patience ends."""
    good_doubted = good = slips = slips_noticed = 0
    for t_us in range(LOWERINGS):
        at_mm = _slipped(rng, truth_mm) if rng.random() < SLIPS else truth_mm
        slipped = abs(at_mm - truth_mm) > SLIP_MM
        facts = crane.measure(paddle.read(t_us, SPOT, at_mm))
        reported = next((fact for fact in facts if isinstance(fact, HeightMeasured)), None)
        good, slips = good + (not slipped), slips + slipped
        if reported is not None:
            interval = Interval(reported.low_mm, reported.high_mm)
            return Lowered(interval, good_doubted, good, slips_noticed + slipped, slips)
        good_doubted += not slipped
    return Lowered(None, good_doubted, good, slips_noticed, slips)


def _carried(rng: np.random.Generator, truth_mm: float) -> Lowered:
    """Lower a carriage until two lowerings agree, or patience ends. A hand is over the tower as often as slips are."""
    carriage = Carriage(rng)
    good_doubted = good = slips = slips_noticed = 0
    for _ in range(LOWERINGS):
        hand_mm = truth_mm + rng.uniform(8, 45) if rng.random() < SLIPS else None
        height = carriage.height(truth_mm, hand_mm)
        good, slips = good + (hand_mm is None), slips + (hand_mm is not None)
        if height is not None:
            unnoticed = slips_noticed + (hand_mm is not None)
            return Lowered(about(height, CARRIAGE_MM), good_doubted, good, unnoticed, slips)
        good_doubted += hand_mm is None
    return Lowered(None, good_doubted, good, slips_noticed, slips)


def _slipped(rng: np.random.Generator, truth_mm: float) -> float:
    """Return the height of a slip: beside the top, or on a hand under the paddle."""
    return rng.uniform(0, truth_mm) if rng.random() < 0.7 else min(235.0, truth_mm + rng.uniform(8, 45))


def height_rows(cases: list[Case]) -> list[Row]:
    """Return the rows of a table about heights, source by source."""
    rows: list[Row] = []
    for name, lowered in (
        ("crane", [(case.truth_mm, case.crane) for case in cases]),
        ("crane of known scale", [(case.truth_mm, case.crane_scaled) for case in cases]),
    ):
        steady = [(truth_mm, one.reported) for truth_mm, one in lowered if not one.slips]
        rows += _source(name, steady, (2.5, 1.5), (0.95, 0.99))
    for name, reported in (
        ("carriage with a beam", [(case.truth_mm, case.carriage.reported) for case in cases]),
        ("ruler", [(case.truth_mm, case.ruler) for case in cases]),
        ("overhead, one beam", [(case.truth_mm, case.overhead) for case in cases]),
        ("overhead, 8x8", [(case.truth_mm, case.zones) for case in cases]),
    ):
        rows += _source(name, reported)
    return [*rows, *_slips(cases), *_verdicts(cases)]


def _source(
    name: str,
    reported: Sequence[tuple[float, Interval | None]],
    error: tuple[float, float] | None = None,
    covers: tuple[float, float] | None = None,
) -> list[Row]:
    """Return rows for the error of the middle, the truth in the interval, and its width.

    Open intervals have no middle.
    """
    seen = [(truth_mm, interval) for truth_mm, interval in reported if interval is not None]
    closed = [(truth_mm, interval) for truth_mm, interval in seen if np.isfinite(interval.high_mm)]
    errors = [abs((interval.low_mm + interval.high_mm) / 2 - truth_mm) for truth_mm, interval in closed]
    held = sum(interval.low_mm <= truth_mm <= interval.high_mm for truth_mm, interval in seen)
    return [
        quantile_row(f"{name}: error p50, mm", errors, 0.50, None, 1),
        quantile_row(f"{name}: error p95, mm", errors, 0.95, error, 1),
        quantile_row(f"{name}: width of the interval p50, mm", [one.width_mm for _, one in closed], 0.50, None, 1),
        share_row(f"{name}: interval holds the truth", held, len(seen), covers),
    ]


def _slips(cases: list[Case]) -> list[Row]:
    rows: list[Row] = []
    for name, lowered in (
        ("crane", [case.crane for case in cases]),
        ("carriage with a beam", [case.carriage for case in cases]),
    ):
        slips, good = sum(one.slips for one in lowered), sum(one.good for one in lowered)
        rows.append(share_row(f"{name}: slips noticed", slips - sum(one.slips_noticed for one in lowered), slips))
        rows.append(share_row(f"{name}: good lowerings doubted", sum(one.good_doubted for one in lowered), good))
    return rows


def _verdicts(cases: list[Case]) -> list[Row]:
    """Return rows for a rule that asks for a height near the truth.

    How often the crane decides it, and how often wrongly.
    """
    rows: list[Row] = []
    for name, some in (
        ("crane", [case for case in cases if not case.crane.slips]),
        ("crane, slips and all", cases),
    ):
        reported = [(case, case.crane.reported) for case in some if case.crane.reported is not None]
        verdicts = [(case.truth_mm >= case.least_mm, interval.decides(case.least_mm)) for case, interval in reported]
        decided = [(high, verdict) for high, verdict in verdicts if verdict != "measure"]
        wrong = sum((verdict == "pass") != high for high, verdict in decided)
        rows.append(share_row(f"{name}: decides a height asked within {REQUIRED_MM:g} mm", len(decided), len(verdicts)))
        rows.append(share_row(f"{name}: of these wrongly", wrong, len(decided)))
    return rows
