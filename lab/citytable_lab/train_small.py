"""Train the trees of the glance, which decides whether the trees that judge in flight are worth asking.

They learn from the results of the shipped trees on drawn traces, so train them again after every change of those.
Needs LightGBM.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec.structs import replace

from citytable.sensing.features import GLANCE, NAMES
from citytable.sensing.trees import Forest, TreeTable, fall_forest
from citytable_lab.looks import Rows, looks_of
from citytable_lab.recording import Recording
from citytable_lab.trace_file import Trace
from citytable_lab.train import Share, table_of, traces_of

KINDS = (
    Share(1, "house", 90, 0.2, blind=True),
    Share(3, "house", 50, 0.1, blind=True),
    Share(3, "heavy", 60, 0.1),
    Share(1, "heavy", 30, 0.1, blind=True),
    Share(3, "heavy", 25, 0.1, blind=True),
    Share(1, "heavy", 20, 0.1),
    Share(3, "house", 20, 0.1),
)
"""The spots that they see; number i is drawn with seed + i."""

COMMON = {
    "feature_fraction": 0.6,
    "lambda_l2": 5.0,
    "verbose": -1,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
}
GLANCING = {
    **COMMON,
    "objective": "cross_entropy",
    "learning_rate": 0.3,
    "num_leaves": 15,
    "max_depth": 7,
    "min_data_in_leaf": 100,
    "feature_fraction": 0.9,
}
GLANCE_TREES = 16


def shortened(table: TreeTable, trees: int) -> TreeTable:
    """Return the first trees of a boosted table: the later ones hardly change what it says."""
    fields = ("feature", "threshold", "left", "right", "leaf")
    first = {field: getattr(table, field)[:trees] for field in fields}
    return replace(table, **first, trained=f"{table.trained}; the first {trees} trees of {len(table.leaf)}")


def trained_glance(seeds: Sequence[int], recordings: Sequence[Recording]) -> TreeTable:
    """Draw traces, and train trees to say from few features what the shipped trees say from all."""
    found = [looks_of(trace).x for trace in _traces(seeds, recordings)]
    return train_glance(np.concatenate([x for x in found if len(x)]), seeds[0], fall_forest())


def train_glance(x: Rows, seed: int, forest: Forest) -> TreeTable:
    """Train on looks with all features, and on the likelihoods by `forest`."""
    import lightgbm  # noqa: PLC0415  it takes long to load

    said = np.array([forest.chance(row) for row in x.tolist()])
    cheap = x[:, [NAMES.index(name) for name in GLANCE]]
    data = lightgbm.Dataset(cheap, label=said, feature_name=list(GLANCE))
    model = lightgbm.train({**GLANCING, "seed": seed}, data, num_boost_round=GLANCE_TREES)
    return table_of(model.dump_model(), GLANCE, f"seed {seed}, {len(x)} looks")


def _traces(seeds: Sequence[int], recordings: Sequence[Recording]) -> Iterator[Trace]:
    for seed in seeds:
        for number, share in enumerate(KINDS):
            yield from traces_of(share, seed + number, recordings)
