"""Train the trees of the second look where nobody takes pieces: whether something fell in a motion that ended.

They learn from hexes of the city. What hands do there after a fall is left out: by then the detector expects them, and
asks the trees that know hands. In half of the blocks things fall in most traces, which a minute of drawing shows more
of; all else then counts for more, so that a fall is as likely as in the mix. Needs LightGBM.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from citytable.sensing.second_look import KEPT_NAMES
from citytable.sensing.trees import TreeTable
from citytable_lab.city import LENGTH_S, QUIET, city_trace
from citytable_lab.habits import PieceSet
from citytable_lab.recording import Recording
from citytable_lab.rest_looks import RestLooks, joined, rest_looks_of
from citytable_lab.trace_file import Trace
from citytable_lab.train import table_of
from citytable_lab.train_rests import RESTING

TREES = 300
SHORT_S, CALM = (25.0, 60.0), 0.2  # of traces with many falls: how long they are, and the share without any
HANDS = 2.4  # so much a motion without a fall counts there
KEEPING = {**RESTING, "feature_fraction": 0.5}


class Block(NamedTuple):
    """Describe one kind of hex, how many traces are drawn of it, and whether they are rich in falls."""

    cells: int
    piece_set: PieceSet
    traces: int
    falling: bool = False


BLOCKS = (
    Block(1, "house", 1600),
    Block(1, "house", 3100, falling=True),
    Block(1, "heavy", 500, falling=True),
)
"""The hexes that the trees see; number i is drawn with seed + i."""


def trained_kept(seed: int, recordings: Sequence[Recording], blocks: Sequence[Block] = BLOCKS) -> TreeTable:
    """Draw traces of the city, and train the trees."""
    looks, weights = [], []
    for number, block in enumerate(blocks):
        found = [rest_looks_of(trace, righting=False) for trace in traces_of(block, seed + number, recordings)]
        looks.append(joined([one for one in found if len(one.x)]))
        weights.append(np.where(looks[-1].fell | (not block.falling), 1.0, HANDS))
    return train_kept(joined(looks), np.concatenate(weights), seed)


def train_kept(looks: RestLooks, weights: np.ndarray[tuple[int], np.dtype[np.float64]], seed: int) -> TreeTable:
    """Train on motions that ended, and whether something fell in them."""
    import lightgbm  # noqa: PLC0415  it takes long to load

    data = lightgbm.Dataset(looks.x, label=looks.fell.astype(np.int8), weight=weights, feature_name=list(KEPT_NAMES))
    model = lightgbm.train({**KEEPING, "seed": seed}, data, num_boost_round=TREES)
    words = f"seed {seed}, {len(looks.x)} motions, {int(looks.fell.sum())} falls"
    return table_of(model.dump_model(), KEPT_NAMES, words)


def traces_of(block: Block, seed: int, recordings: Sequence[Recording]) -> Iterator[Trace]:
    """Yield the traces of hexes with a building.

    Nobody tells the heaviest piece of every second one, nor what moves beside every third one.
    """
    length_s, quiet = (SHORT_S, CALM) if block.falling else (LENGTH_S, QUIET)
    for number in range(block.traces):
        rng = np.random.default_rng([seed, number])
        seconds = float(rng.uniform(*length_s))
        trace = city_trace(rng, block.cells, block.piece_set, recordings, seconds, falls=rng.random() >= quiet)
        if trace.cal.kept:
            cal = replace(trace.cal, heaviest_g=0.0) if number % 2 else trace.cal
            yield replace(trace, cal=cal, beside=None if number % 3 == 0 else trace.beside)
