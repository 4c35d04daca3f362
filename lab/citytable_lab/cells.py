"""Model load cells and their converters, from grams to the raw counts of a trace, with all that goes wrong."""

from typing import Literal, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from citytable_lab.plate import RATE_HZ, Floats

RAIL = 2**23
# Cells of 1, 3 and 5 kg, and their shares. `draw_cells` varies them by 0.6 to 1.3: from 0.5 to 1.1 mV/V. By the data
# sheets 1 mV/V is 2147, 716 and 429; the forests were trained on what is drawn here.
COUNTS_PER_G, BUILT_IN = (1800.0, 600.0, 360.0), (0.5, 0.25, 0.25)
SPIKE_MS = 15  # within which a row comes
FaultKind: TypeAlias = Literal["disconnect", "stuck", "spike", "rail"]
Fault: TypeAlias = tuple[FaultKind, int, int, int]  # what, cell, from ms, to ms


class Cells(msgspec.Struct, frozen=True):
    """Hold the cells under one platform as they really are, and as their calibration describes them.

    One entry for each cell.
    """

    counts_per_g: tuple[float, ...]
    zero_counts: tuple[float, ...]
    gain_error: tuple[float, ...]  # true scale over the calibrated one, less 1
    zero_error_g: tuple[float, ...]
    noise_counts: tuple[float, ...]
    drift_g_per_h: tuple[float, ...]
    drift_swing_g: tuple[float, ...]  # amplitude of the drift that comes and goes with temperature
    swing_s: float
    creep: float  # share of a load that comes late
    creep_s: float
    cross_talk: float
    mains_counts: float
    mains_hz: float  # as it is folded down by the conversions
    rate_hz: float
    clock_error: tuple[float, ...]  # of each cell's own clock; all 0 if they share one
    late: float  # share of rows that come late
    lost: float  # share of rows that are lost
    stall_per_h: float
    spike_per_h: float


def draw_cells(rng: np.random.Generator, cells: int) -> Cells:
    """Draw cells, converters and a host as varied as any that may be met."""
    sign = -1.0 if rng.random() < 0.3 else 1.0
    usual = COUNTS_PER_G[int(rng.choice(len(COUNTS_PER_G), p=BUILT_IN))]
    scale = sign * usual * np.exp(rng.uniform(np.log(0.6), np.log(1.3))) * rng.normal(1, 0.02, cells)
    own_clock = rng.random() < 0.3
    noise = np.exp(rng.uniform(np.log(30), np.log(160), cells))
    loud = 0.3 * abs(float(scale[0])) / noise.max()  # a cell too coarse for its converter is not built in
    drift_g_per_h = 6.0 if rng.random() < 0.15 else 1.5
    return Cells(
        counts_per_g=_each(scale),
        zero_counts=_each(rng.normal(0, 6e4, cells)),
        gain_error=_each(rng.normal(0, 0.002, cells).clip(-0.005, 0.005)),
        zero_error_g=_each(rng.normal(0, 0.3, cells)),
        noise_counts=_each(noise * min(1.0, loud)),
        drift_g_per_h=_each(rng.normal(0, drift_g_per_h, cells).clip(-6, 6)),
        drift_swing_g=_each(np.abs(rng.normal(0, 0.15, cells))),
        swing_s=float(rng.uniform(60, 900)),
        creep=float(np.exp(rng.uniform(np.log(0.0003), np.log(0.003)))),
        creep_s=float(rng.uniform(5, 90)),
        cross_talk=float(rng.uniform(0, 0.004)),
        mains_counts=float(rng.exponential(12)) if rng.random() < 0.4 else 0.0,
        mains_hz=float(rng.uniform(2, 38)),
        rate_hz=round(float(rng.uniform(70, 95)), 2),
        clock_error=_each(rng.normal(0, 0.01, cells)) if own_clock else (0.0,) * cells,
        late=float(rng.uniform(0, 0.02)),
        lost=float(rng.uniform(0, 0.006)),
        stall_per_h=float(rng.uniform(0, 60)) if rng.random() < 0.3 else 0.0,
        spike_per_h=float(rng.uniform(5, 120)) if rng.random() < 0.2 else 0.0,
    )


def _each(values: Floats) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


def convert(
    rng: np.random.Generator, cells: Cells, loads: Floats, faults: list[Fault]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the rows of a trace from `loads` [n, cells] in g at 1 kHz, already filtered by the converters.

    (t_us, counts).
    """
    period_ms = 1000 / cells.rate_hz
    ready_ms = np.arange(rng.uniform(0, period_ms), len(loads) - 1, period_ms)
    ready_ms = ready_ms + rng.normal(0, 0.02, len(ready_ms))
    ready_ms = ready_ms.clip(0, len(loads) - 2)
    grams = np.stack(
        [_sample(loads[:, cell], _own_clock(rng, ready_ms, error)) for cell, error in enumerate(cells.clock_error)], 1
    )
    counts = _to_counts(rng, cells, grams, ready_ms)
    misread = _fail(rng, counts, ready_ms, faults)
    return _rows(rng, cells, ready_ms, counts.clip(-RAIL, RAIL - 1).astype(np.int32), misread)


def _own_clock(rng: np.random.Generator, ready_ms: Floats, error: float) -> Floats:
    """Return when the value of a row read at `ready_ms` was ready, for a cell whose clock is `error` too fast."""
    if not error:
        return ready_ms
    period_ms = float(np.median(np.diff(ready_ms))) / (1 + error) if len(ready_ms) > 1 else 12.5
    offset = rng.uniform(0, period_ms)
    held: Floats = np.floor((ready_ms - offset) / period_ms) * period_ms + offset
    return held.clip(0)


def _sample(load: Floats, at_ms: Floats) -> Floats:
    below = at_ms.astype(np.intp)
    share = at_ms - below
    values: Floats = load[below] * (1 - share) + load[below + 1] * share
    return values


def _to_counts(rng: np.random.Generator, cells: Cells, grams: Floats, ready_ms: Floats) -> Floats:
    n, width = grams.shape
    t_s = ready_ms / RATE_HZ
    felt = grams + cells.creep * _late(grams, cells.creep_s * cells.rate_hz)
    felt += cells.cross_talk * (felt.sum(axis=1, keepdims=True) - felt)
    swing = np.sin(2 * np.pi * (t_s[:, None] / cells.swing_s + rng.random(width)))
    felt += np.array(cells.drift_g_per_h) * t_s[:, None] / 3600 + np.array(cells.drift_swing_g) * (swing - swing[:1])
    felt = felt * (1 + np.array(cells.gain_error)) + np.array(cells.zero_error_g)
    noise = rng.standard_normal((n, width)) * np.array(cells.noise_counts)
    mains = cells.mains_counts * np.sin(2 * np.pi * (cells.mains_hz * t_s + rng.random()))
    counts: Floats = np.rint(felt * np.array(cells.counts_per_g) + np.array(cells.zero_counts) + noise + mains[:, None])
    return counts


def _late(grams: Floats, tau_rows: float) -> Floats:
    """Return the creep since the start: a first-order lag, taken in blocks of a fraction of its time constant."""
    block = max(1, int(tau_rows / 25))
    n = len(grams)
    pad = np.pad(grams, ((0, -n % block), (0, 0)), mode="edge") - grams[0]
    means = pad.reshape(-1, block, grams.shape[1]).mean(axis=1)
    keep = np.exp(-block / tau_rows)
    lag = np.empty_like(means)
    level = np.zeros(grams.shape[1])
    for i, mean in enumerate(means):
        level = level * keep + mean * (1 - keep)
        lag[i] = level
    centres = (np.arange(len(lag)) + 1) * block
    return np.stack([np.interp(np.arange(n), centres, lag[:, cell], left=0.0) for cell in range(grams.shape[1])], 1)


def misreads(rng: np.random.Generator, cells: Cells, length_ms: int) -> list[Fault]:
    """Misread rows of one cell as often as these cells and this host do."""
    times = np.sort(rng.uniform(0, length_ms, rng.poisson(cells.spike_per_h * length_ms / 3.6e6)))
    return [spike(int(rng.integers(len(cells.counts_per_g))), int(at_ms)) for at_ms in times]


def spike(cell: int, at_ms: int) -> Fault:
    """Misread the first row of a cell after `at_ms`."""
    return "spike", cell, at_ms, at_ms + SPIKE_MS


def _misread(rng: np.random.Generator, counts: float) -> float:
    """Lose bits on the way: return 0, a negative, twice as much, or 2**k - 1."""
    match rng.integers(6):
        case 0:
            return 0.0
        case 1:
            return -1.0
        case 2:
            return -counts
        case 3:
            return float(int(counts) << 1)
        case _:
            return float(2 ** int(rng.integers(12, 24)) - 1)


def _fail(rng: np.random.Generator, counts: Floats, ready_ms: Floats, faults: list[Fault]) -> NDArray[np.bool_]:
    """Put `faults` into `counts`; return which rows are misread."""
    misread = np.zeros(len(counts), dtype=np.bool_)
    for what, cell, start_ms, end_ms in faults:
        rows = np.flatnonzero((ready_ms >= start_ms) & (ready_ms < end_ms))
        if not len(rows):
            continue
        match what:
            case "stuck":
                counts[rows, cell] = counts[rows[0], cell]
            case "rail":
                counts[rows, cell] = RAIL - 1 if rng.random() < 0.5 else -RAIL
            case "disconnect":
                counts[rows, cell] = _floating(rng, len(rows))
            case "spike":
                counts[rows[0], cell] = _misread(rng, counts[rows[0], cell])
                misread[rows[0]] = True
    return misread


def _floating(rng: np.random.Generator, rows: int) -> Floats:
    """Return the counts of an unconnected input.

    At a rail, wandering between both, at -1 (a chip without power), or at 0.
    """
    match rng.integers(5):
        case 0:
            return np.full(rows, float(RAIL - 1))
        case 1:
            return np.full(rows, float(-RAIL))
        case 2:
            return np.full(rows, -1.0)
        case 3:
            return rng.normal(0, 10 ** rng.uniform(4, 6.5), rows)
        case _:
            walk = np.cumsum(rng.normal(0, 10 ** rng.uniform(4, 6), rows))
            return walk + float(rng.choice([-1.0, 1.0])) * rng.uniform(1e5, 6e6)


def _rows(
    rng: np.random.Generator, cells: Cells, ready_ms: Floats, counts: NDArray[np.int32], misread: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the rows that a host has: read a little late, sometimes very late, some lost, some in a stall.

    Whatever delayed a misread row delays the next one, too.
    """
    n = len(ready_ms)
    read_ms = ready_ms + np.abs(rng.normal(0, 0.15, n))
    late = (rng.random(n) < cells.late) | np.roll(misread, 1)
    read_ms[late] += rng.uniform(1, 12, int(late.sum()))
    keep = (rng.random(n) >= cells.lost) | misread
    for start in rng.uniform(0, ready_ms[-1], rng.poisson(cells.stall_per_h * ready_ms[-1] / 3.6e6)):
        keep &= (ready_ms < start) | (ready_ms >= start + rng.uniform(40, 400))
    t_us = np.maximum.accumulate((read_ms[keep] * 1000).astype(np.int64))
    t_us = t_us + np.arange(len(t_us))  # no two rows at one microsecond
    return t_us, counts[keep]
