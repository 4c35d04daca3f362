"""Training the trees that tell pieces: looks with the labels' answer, trees that have learnt it."""

import numpy as np
import pytest

from citytable.sensing.change import NAMES
from citytable.sensing.pieces import KEPT_NAMES
from citytable.sensing.trees import Forest, piece_forest
from citytable_lab import train_kept_pieces as kept
from citytable_lab import train_pieces as training
from citytable_lab.draw import draw_traces
from citytable_lab.piece_looks import piece_looks_of
from citytable_lab.train_kept import Block

pytestmark = pytest.mark.long(6)

FEW = training.GROWTH._replace(trees=12)
BLOCKS = (training.Block(3, "heavy", 6), training.Block(1, "house", 6))
STEP = NAMES.index("step")


@pytest.fixture(scope="module")
def looks():
    return training.all_piece_looks(3, [], 1, BLOCKS)


@pytest.fixture(scope="module")
def table(looks):
    return training.train_pieces(looks, 3, "a test", growth=FEW)


def test_a_look_is_right_while_the_load_is_off_by_the_labelled_piece():
    trace = next(trace for trace in draw_traces(3, 40, 3, "heavy", []) if trace.scenario == "play")
    x, right = piece_looks_of(trace, np.random.default_rng(0))
    masses = [event["mass_after_g"] - event["mass_before_g"] for event in trace.events if "piece_g" in event]
    assert x.shape[1] == len(KEPT_NAMES)
    assert right.any()
    assert not right.all()
    sums = [sum(masses[i:j]) for i in range(len(masses)) for j in range(i + 1, len(masses) + 1)]
    assert all(min(abs(step - one) for one in sums) < max(0.5, 0.05 * abs(step)) for step in x[right, STEP].tolist())


def test_the_trees_tell_pieces_from_hands(looks, table):
    forest = Forest(table)
    chances = np.array([forest.chance(row) for row in looks.x[::3].tolist()])
    right = looks.right[::3]
    assert chances[right].mean() > chances[~right].mean() + 0.3


def test_the_same_seed_trains_the_same_trees(looks, table):
    assert training.train_pieces(looks, 3, "a test", growth=FEW) == table
    again = training.all_piece_looks(3, [], 1, BLOCKS)
    assert np.array_equal(again.x, looks.x)


def test_the_shipped_trees_are_asked_about_the_features_there_are():
    assert piece_forest().features == NAMES


def test_the_trees_of_the_city_learn_that_pieces_come_after_a_fall():
    table = kept.trained_kept_pieces(5, [], (Block(1, "house", 20),))
    assert table.features == KEPT_NAMES
    asked = {table.features[feature] for tree in table.feature for feature in tree}
    assert "fallen" in asked
    assert len(table.leaf) == kept.GROWTH.trees
