"""Train trees: looks of many traces in, a table of trees out.

Needs LightGBM. The trees are few on purpose: plain Python walks them forty times a second for each spot while something
moves. Large trees cost little, since each is walked down one path only.
"""

import multiprocessing
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from citytable.sensing.features import NAMES
from citytable.sensing.knock_history import NAMES as HEARD_NAMES
from citytable.sensing.trees import TreeTable
from citytable_lab.compose import blind
from citytable_lab.draw import draw_traces, stress_traces
from citytable_lab.habits import PieceSet
from citytable_lab.looks import FALLING, HANDLED, Looks, looks_of
from citytable_lab.recording import Recording
from citytable_lab.trace_file import Trace

TREES = 400
KEPT = 0.25  # share of the looks at hands that the trees are shown; each then counts for four
SETTINGS = {
    "objective": "binary",
    "learning_rate": 0.1,
    "num_leaves": 255,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.6,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "max_depth": 14,
    "verbose": -1,
    "deterministic": True,
    "force_row_wise": True,
}


class Share(NamedTuple):
    """Describe one kind of spot: how many mixed traces, and how many hours in which nothing falls, the trees see of it.

    A `blind` one has no range sensor over it, as the hexes of the city; a `heard` one has an accelerometer.
    """

    cells: int
    piece_set: PieceSet
    traces: int
    play_hours: float
    blind: bool = False
    heard: bool = False


SHARES = (
    *[Share(3, "heavy", 800, 3.0)] * 9,
    *[Share(1, "heavy", 700, 3.0)] * 7,
    *[Share(1, "heavy", 500, 3.0, blind=True)] * 3,
    *[Share(3, "heavy", 500, 3.0, blind=True)] * 3,
    *[Share(3, "house", 400, 2.0)] * 4,
    *[Share(1, "house", 300, 1.0)] * 3,
)
"""Blocks of one kind are drawn with seeds of their own, so that several processes can share the work."""

HEARD = (
    *[Share(3, "heavy", 800, 3.0, heard=True)] * 5,
    *[Share(1, "heavy", 700, 3.0, heard=True)] * 4,
    *[Share(1, "heavy", 500, 3.0, blind=True, heard=True)] * 2,
    *[Share(3, "heavy", 500, 3.0, blind=True, heard=True)] * 2,
    *[Share(3, "house", 400, 2.0, heard=True)] * 2,
    *[Share(1, "house", 300, 1.0, heard=True)] * 2,
    *[Share(3, "house", 400, 2.0, blind=True, heard=True)] * 3,
    *[Share(1, "house", 300, 1.0, blind=True, heard=True)] * 6,
)
"""The same for the trees that are asked where an accelerometer listens."""


def traces_of(share: Share, seed: int, recordings: Sequence[Recording]) -> Iterator[Trace]:
    """Return the traces of a share; `recordings` are the falls to splice in."""
    mixed = draw_traces(seed, share.traces, share.cells, share.piece_set, recordings, accelerometer=share.heard)
    play = stress_traces(seed, share.play_hours, share.cells, share.piece_set, accelerometer=share.heard)
    for trace in chain(mixed, play):
        yield blind(trace) if share.blind else trace


def looks_at(share: Share, seed: int, recordings: Sequence[Recording]) -> Looks:
    """Return all looks along the traces of a share that count, with hands thinned out."""
    rng = np.random.default_rng(seed)
    x, truth, t_us = [], [], []
    for trace in traces_of(share, seed, recordings):
        looks = looks_of(trace)
        if len(looks.t_us):
            kept = (looks.truth == FALLING) | ((looks.truth == HANDLED) & (rng.random(len(looks.t_us)) < KEPT))
            x.append(looks.x[kept])
            truth.append(looks.truth[kept])
            t_us.append(looks.t_us[kept])
    return Looks(np.concatenate(t_us), np.concatenate(x), np.concatenate(truth))


def all_looks(shares: Sequence[Share], seed: int, recordings: Sequence[Recording], processes: int) -> list[Looks]:
    """Return the looks of all `shares`, block number i drawn with seed + i; the same for any number of processes."""
    look = partial(_look, shares, seed, recordings)
    if processes == 1:
        return [look(number) for number in range(len(shares))]
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        return pool.map(look, range(len(shares)), chunksize=1)


def _look(shares: Sequence[Share], seed: int, recordings: Sequence[Recording], number: int) -> Looks:
    return looks_at(shares[number], seed + number, recordings)


def trained_falls(
    seed: int, recordings: Sequence[Recording], processes: int, *, accelerometer: bool = False
) -> TreeTable:
    """Draw traces, take looks, and train trees to detect falls; with an `accelerometer` from what was heard, too."""
    looks = all_looks(HEARD if accelerometer else SHARES, seed, recordings, processes)
    words = f"seed {seed}, {len(recordings)} recorded episodes, {sum(len(one.t_us) for one in looks)} looks"
    return train(looks, seed, words)


def train(looks: Sequence[Looks], seed: int, trained: str, trees: int = TREES) -> TreeTable:
    """Train trees to distinguish a fall from a hand.

    `trained` is a note for readers of the file on what they learned from.

    The looks are those of `looks_at`: hands count for as many as they were.
    """
    import lightgbm  # noqa: PLC0415  it takes long to load

    x = np.concatenate([one.x for one in looks])
    names = (NAMES + HEARD_NAMES)[: x.shape[1]]
    falling = np.concatenate([one.truth for one in looks]) == FALLING
    weight = np.where(falling, 1.0, 1 / KEPT)
    data = lightgbm.Dataset(x, label=falling.astype(np.int8), weight=weight, feature_name=list(names))
    model = lightgbm.train({**SETTINGS, "seed": seed}, data, num_boost_round=trees)
    return table_of(model.dump_model(), names, trained)


def save_trees(path: Path, table: TreeTable) -> None:
    """Write the table as the senses read it; raise OSError."""
    path.write_bytes(msgspec.json.encode(table) + b"\n")


def table_of(dump: dict[str, Any], names: tuple[str, ...], trained: str) -> TreeTable:
    """Return the trees of LightGBM's model as a table, with features by `names`."""
    grown = [_Flat(tree["tree_structure"]) for tree in dump["tree_info"]]
    return TreeTable(
        features=names,
        base=0.0,
        feature=tuple(tuple(tree.feature) for tree in grown),
        threshold=tuple(tuple(tree.threshold) for tree in grown),
        left=tuple(tuple(tree.left) for tree in grown),
        right=tuple(tuple(tree.right) for tree in grown),
        leaf=tuple(tuple(tree.leaf) for tree in grown),
        trained=trained,
    )


class _Flat:
    """Hold one tree as lists, as `TreeTable` needs them."""

    def __init__(self, root: dict[str, Any]) -> None:
        self.feature: list[int] = []
        self.threshold: list[float] = []
        self.left: list[int] = []
        self.right: list[int] = []
        self.leaf: list[float] = []
        self._add(root)

    def _add(self, node: dict[str, Any]) -> int:
        if "leaf_value" in node:
            self.leaf.append(round(node["leaf_value"], 5))
            return -len(self.leaf)
        at = len(self.feature)
        self.feature.append(node["split_feature"])
        self.threshold.append(float(f"{node['threshold']:.6g}"))
        self.left.append(0)
        self.right.append(0)
        self.left[at] = self._add(node["left_child"])
        self.right[at] = self._add(node["right_child"])
        return at
