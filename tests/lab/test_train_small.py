"""The small trees: they learn what there is to learn, and are asked about the features there are."""

import numpy as np
import pytest

from citytable.sensing.features import GLANCE
from citytable.sensing.trees import Forest, fall_forest
from citytable_lab import train_rests, train_small
from citytable_lab.draw import draw_traces
from citytable_lab.looks import looks_of
from citytable_lab.rest_looks import joined, rest_looks_of

pytestmark = pytest.mark.long(7)


@pytest.fixture(scope="module")
def traces():
    return [trace for trace in draw_traces(5, 30, 1, "heavy", []) if trace.scenario != "play"]


@pytest.mark.soak
def test_a_glance_says_roughly_what_all_features_say(traces):
    x = np.concatenate([looks_of(trace).x for trace in traces])
    table = train_small.train_glance(x, 1, fall_forest())
    assert table.features == GLANCE
    glance, large = Forest(table), fall_forest()
    cheap = x[:, [train_small.NAMES.index(name) for name in GLANCE]]
    likely = np.array([large.chance(row) for row in x[::10].tolist()])
    seen = np.array([glance.chance(row) for row in cheap[::10].tolist()])
    assert seen[likely > 0.5].mean() > seen[likely < 0.01].mean() + 0.2


def test_a_table_is_shortened_to_its_first_trees(traces):
    looks = joined([rest_looks_of(trace) for trace in traces])
    table, _ = train_rests.train_rests(looks, 1)
    short = train_small.shortened(table, 7)
    assert short.leaf == table.leaf[:7]
    assert len(short.feature) == len(short.threshold) == len(short.left) == len(short.right) == 7
    assert "7 trees" in short.trained
