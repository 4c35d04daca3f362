"""Train the trees that detect pieces where nobody takes any: after a fall people put them back, or gather what is left.

They learn from hexes of the city as they are drawn for scores, with all that the detector reports of falls there: so
they are trained again after the trees of the second look. Needs LightGBM.
"""

from collections.abc import Sequence

import numpy as np

from citytable.sensing.pieces import KEPT_NAMES
from citytable.sensing.trees import TreeTable
from citytable_lab.piece_looks import PieceLooks, piece_looks_of
from citytable_lab.recording import Recording
from citytable_lab.train_kept import Block, traces_of
from citytable_lab.train_pieces import Growth, joined, train_pieces

GROWTH = Growth(KEPT_NAMES, trees=150, leaves=15, rate=0.05)
BLOCKS = (Block(1, "house", 1200), Block(1, "house", 1200), Block(1, "heavy", 200))
"""The hexes that the trees see; number i is drawn with seed + i."""


def trained_kept_pieces(seed: int, recordings: Sequence[Recording], blocks: Sequence[Block] = BLOCKS) -> TreeTable:
    """Draw traces of the city, take looks, and train the trees."""
    looks = joined([looks_of_block(block, seed + number, recordings) for number, block in enumerate(blocks)])
    words = f"seed {seed}, {len(recordings)} recorded episodes, {len(looks.x)} looks, {int(looks.right.sum())} right"
    return train_pieces(looks, seed, words, GROWTH)


def looks_of_block(block: Block, seed: int, recordings: Sequence[Recording]) -> PieceLooks:
    """Return the looks at the hexes of a block."""
    rng = np.random.default_rng(seed)
    return joined([piece_looks_of(trace, rng, falling=True) for trace in traces_of(block, seed, recordings)])
