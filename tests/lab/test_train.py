"""Training: the exported trees answer as the trained ones do, and learn what there is to learn."""

import msgspec
import numpy as np
import pytest

from citytable.sensing.features import NAMES
from citytable.sensing.knock_history import NAMES as HEARD
from citytable.sensing.trees import Forest, TreeTable, fall_forest, heard_forest
from citytable_lab import train as training
from citytable_lab.draw import draw_traces
from citytable_lab.looks import FALLING, HANDLED, looks_of

pytestmark = pytest.mark.long(9)

SHARE = training.Share(1, "heavy", 24, 0.1)


@pytest.fixture(scope="module")
def looks():
    return training.looks_at(SHARE, 3, [])


@pytest.fixture(scope="module")
def table(looks):
    return training.train([looks], 3, "a test", trees=12)


def test_looks_are_the_detectors_own_rows_with_what_was_true(looks):
    assert looks.x.shape == (len(looks.t_us), len(NAMES))
    assert set(np.unique(looks.truth)) == {HANDLED, FALLING}
    fall = next(trace for trace in draw_traces(3, 24, 1, "heavy", []) if trace.scenario == "fall_quick")
    onsets = [event["t_onset_us"] for event in fall.events if event["sub"] == "fall"]
    at = looks_of(fall)
    falling = at.t_us[at.truth == FALLING]
    assert len(falling)
    assert all(any(onset <= t_us <= onset + 2_000_000 for onset in onsets) for t_us in falling.tolist())


@pytest.mark.soak
def test_where_an_accelerometer_listens_what_it_heard_comes_after_the_rest():
    heard = training.looks_at(SHARE._replace(traces=6, heard=True), 3, [])
    deaf = training.looks_at(SHARE._replace(traces=6), 3, [])
    assert heard.x.shape == (len(deaf.t_us), len(NAMES) + len(HEARD))
    assert np.array_equal(heard.x[:, : len(NAMES)], deaf.x)
    assert training.train([heard], 3, "a test", trees=2).features == NAMES + HEARD


def test_the_table_tells_falls_from_hands_and_survives_being_written(looks, table, tmp_path):
    path = tmp_path / "trees.json"
    training.save_trees(path, table)
    again = msgspec.json.decode(path.read_bytes(), type=TreeTable)
    assert again == table
    forest = Forest(again)
    chances = np.array([forest.chance(row) for row in looks.x[::5].tolist()])
    assert chances[looks.truth[::5] == FALLING].mean() > chances[looks.truth[::5] == HANDLED].mean() + 0.2


def test_the_same_seed_trains_the_same_trees(looks, table):
    assert training.train([looks], 3, "a test", trees=12) == table


def test_the_shipped_trees_are_asked_about_the_features_there_are():
    assert fall_forest().features == NAMES
    assert heard_forest().features == NAMES + HEARD
