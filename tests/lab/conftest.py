"""Traces made by hand: a load in grams at every sample, weighed by cells without a fault."""

import numpy as np
import pytest

from citytable.sensing.calibration import Cal, Start
from citytable_lab.trace_file import Trace

PERIOD_US = 12_500
SCALES, ZEROS, TILE_G = (800.0, -650.0, 900.0), (1000.0, -2000.0, 3000.0), 30.0


def _weighed(load_g, seed, cells, **fields) -> Trace:
    """`load_g` without the tile, shared by the cells in equal parts, with 20 counts of noise."""
    rng = np.random.default_rng(seed)
    shares = np.repeat((np.asarray(load_g, float)[:, None] + TILE_G) / cells, cells, axis=1)
    counts = shares * SCALES[:cells] + ZEROS[:cells] + rng.normal(0, 20, shares.shape)
    cal = Cal(
        counts_per_g=SCALES[:cells],
        zero_counts=ZEROS[:cells],
        tile_g=TILE_G,
        tile_mm=90.0,
        start=Start(pieces_on=5, mass_g=float(load_g[0])),
    )
    t_us = np.arange(len(load_g), dtype=np.int64) * PERIOD_US
    return Trace(name="by-hand", cal=cal, t_us=t_us, counts=np.rint(counts).astype(np.int32), **fields)


@pytest.fixture
def weighed():
    """`weighed(load_g, seed=1, cells=3, events=..., tof_mm=...)`: a trace of it."""

    def weigh(load_g, seed=1, cells=3, **fields):
        return _weighed(load_g, seed, cells, **fields)

    return weigh


@pytest.fixture
def label():
    """`label("collapse", 2.0, 2.6, ...)`: a label from second to second, as a trace file has it."""

    def write(kind, start_s, end_s, sub="fall", **fields):
        return {"kind": kind, "sub": sub, "t_onset_us": round(start_s * 1e6), "t_end_us": round(end_s * 1e6), **fields}

    return write
