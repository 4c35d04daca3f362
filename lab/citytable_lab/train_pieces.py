"""Train the trees that detect pieces: looks at changes of many traces in, a table of trees out. Needs LightGBM."""

import multiprocessing
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from citytable.sensing.change import NAMES
from citytable.sensing.trees import TreeTable
from citytable_lab.draw import draw_traces
from citytable_lab.habits import PieceSet
from citytable_lab.piece_looks import PieceLooks, piece_looks_of
from citytable_lab.recording import Recording
from citytable_lab.train import SETTINGS, table_of


class Growth(NamedTuple):
    """Describe the trees: the features they ask for, how many they are, with how many leaves, how fast they learn."""

    names: tuple[str, ...]
    trees: int
    leaves: int
    rate: float


GROWTH = Growth(NAMES, trees=250, leaves=127, rate=0.06)  # there is less to learn than about falls


class Block(NamedTuple):
    """Describe a number of traces of one kind of spot."""

    cells: int
    piece_set: PieceSet
    traces: int


BLOCKS = (
    *[Block(3, "heavy", 300)] * 8,
    *[Block(1, "heavy", 300)] * 8,
    *[Block(3, "house", 300)] * 4,
    *[Block(1, "house", 300)] * 4,
)
"""Drawn with seeds of their own, so that several processes can share the work."""


def trained_pieces(seed: int, recordings: Sequence[Recording], processes: int) -> TreeTable:
    """Draw traces, take looks, and train trees to detect pieces."""
    looks = all_piece_looks(seed, recordings, processes)
    return train_pieces(looks, seed, f"seed {seed}, {len(recordings)} recorded episodes, {len(looks.x)} looks")


def all_piece_looks(
    seed: int, recordings: Sequence[Recording], processes: int, blocks: Sequence[Block] = BLOCKS
) -> PieceLooks:
    """Return the looks of all blocks, number i drawn with seed + i; the same for any number of processes."""
    numbered = [(seed + number, block) for number, block in enumerate(blocks)]
    look = partial(_looks_of_block, recordings)
    if processes == 1:
        looks = [look(one) for one in numbered]
    else:
        with multiprocessing.get_context("spawn").Pool(processes) as pool:
            looks = pool.map(look, numbered, chunksize=1)
    return joined(looks)


def _looks_of_block(recordings: Sequence[Recording], numbered: tuple[int, Block]) -> PieceLooks:
    seed, block = numbered
    rng = np.random.default_rng(seed)
    traces = draw_traces(seed, block.traces, block.cells, block.piece_set, recordings)
    return joined([piece_looks_of(trace, rng) for trace in traces])


def joined(looks: Sequence[PieceLooks]) -> PieceLooks:
    """Return the looks of several traces as one."""
    return PieceLooks(np.concatenate([one.x for one in looks]), np.concatenate([one.right for one in looks]))


def train_pieces(looks: PieceLooks, seed: int, trained: str, growth: Growth = GROWTH) -> TreeTable:
    """Train trees to distinguish a piece from any other change; `trained` is a note for readers of the file."""
    import lightgbm  # noqa: PLC0415  it takes long to load

    names = growth.names
    data = lightgbm.Dataset(looks.x[:, : len(names)], label=looks.right.astype(np.int8), feature_name=list(names))
    settings = {**SETTINGS, "num_leaves": growth.leaves, "learning_rate": growth.rate, "seed": seed}
    model = lightgbm.train(settings, data, num_boost_round=growth.trees)
    return table_of(model.dump_model(), names, trained)
