"""Train the trees of the second look: whether something fell in a motion that ended, and whether that was a collapse.

They learn from the results of the shipped trees on drawn traces, so train them again after every change of those. Half
of the blocks are rich in falls, which a minute of drawing shows more of; hands then count for more, so that a fall is
as likely as in the mix. Nobody tells the heaviest piece of every second spot. Needs LightGBM.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from citytable.sensing.second_look import NAMES
from citytable.sensing.trees import TreeTable
from citytable_lab.compose import Family, blind, compose
from citytable_lab.draw import MIX, draw_family
from citytable_lab.habits import PieceSet
from citytable_lab.recording import Recording
from citytable_lab.rest_looks import RestLooks, joined, rest_looks_of
from citytable_lab.trace_file import Trace
from citytable_lab.train import table_of
from citytable_lab.train_small import COMMON

FALLING: dict[Family, float] = {"fall": 0.45, "fall_quick": 0.22, "fall_soft": 0.18, "sweep": 0.1, "fall_on": 0.05}


class Block(NamedTuple):
    """Describe one kind of spot, how many traces are drawn of it, and whether all of them hold falls.

    A `blind` one has no range sensor.
    """

    cells: int
    piece_set: PieceSet
    traces: int
    blind: bool = False
    falling: bool = False


BLOCKS = (
    Block(1, "house", 250, blind=True, falling=True),
    Block(1, "house", 250, blind=True),
    Block(3, "house", 80, blind=True, falling=True),
    Block(3, "heavy", 80, falling=True),
    Block(1, "heavy", 50, blind=True, falling=True),
    Block(3, "house", 80, blind=True),
    Block(3, "heavy", 80),
    Block(3, "heavy", 40, blind=True),
    Block(1, "heavy", 40),
    Block(1, "heavy", 40, blind=True),
    Block(3, "house", 40),
)
"""The spots that the trees see; number i is drawn with seed + i."""

RESTING = {
    **COMMON,
    "objective": "binary",
    "learning_rate": 0.04,
    "num_leaves": 20,
    "min_data_in_leaf": 15,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
}
REST_TREES, COLLAPSE_TREES = 300, 60
HANDS = 1.6  # so much a hand counts: falls are drawn so much more often than in the mix


def trained_rests(seeds: Sequence[int], recordings: Sequence[Recording]) -> tuple[TreeTable, TreeTable]:
    """Draw traces, and train the trees of the second look: whether something fell, and whether it was a collapse."""
    found = [rest_looks_of(trace) for trace in _traces(seeds, recordings)]
    return train_rests(joined([one for one in found if len(one.x)]), seeds[0])


def train_rests(looks: RestLooks, seed: int) -> tuple[TreeTable, TreeTable]:
    """Train on motions that ended, and what happened in them."""
    import lightgbm  # noqa: PLC0415  it takes long to load

    words = f"seed {seed}, {len(looks.x)} motions, {int(looks.fell.sum())} falls"
    tables, seen = [], looks.x[:, : len(NAMES)]
    for x, right, weight, trees in (
        (seen, looks.fell, np.where(looks.fell, 1.0, HANDS), REST_TREES),
        (seen[looks.fell], looks.whole[looks.fell], None, COLLAPSE_TREES),
    ):
        data = lightgbm.Dataset(x, label=right.astype(np.int8), weight=weight, feature_name=list(NAMES))
        model = lightgbm.train({**RESTING, "seed": seed}, data, num_boost_round=trees)
        tables.append(table_of(model.dump_model(), NAMES, words))
    return tables[0], tables[1]


def _traces(seeds: Sequence[int], recordings: Sequence[Recording]) -> Iterator[Trace]:
    for seed in seeds:
        for number, block in enumerate(BLOCKS):
            yield from _drawn(block, seed + number, recordings)


def _drawn(block: Block, seed: int, recordings: Sequence[Recording]) -> Iterator[Trace]:
    mix = FALLING if block.falling else MIX
    for number in range(block.traces):
        rng = np.random.default_rng([seed, number])
        trace = compose(rng, draw_family(rng, mix), block.cells, block.piece_set, list(recordings))
        seen = blind(trace) if block.blind else trace
        yield replace(seen, cal=replace(seen.cal, heaviest_g=0.0)) if number % 2 else seen
