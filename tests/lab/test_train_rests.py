"""The trees of the second look: they learn what there is to learn, also where the heaviest piece is not known."""

import numpy as np
import pytest

from citytable.sensing.second_look import KEPT_NAMES, NAMES
from citytable.sensing.trees import Forest
from citytable_lab import train_rests
from citytable_lab.draw import draw_traces
from citytable_lab.rest_looks import joined, rest_looks_of
from citytable_lab.score import FALLS
from citytable_lab.train_rests import FALLING, Block

pytestmark = pytest.mark.long(8)


@pytest.fixture(scope="module")
def looks():
    traces = [trace for trace in draw_traces(5, 30, 1, "heavy", []) if trace.scenario != "play"]
    return joined([rest_looks_of(trace) for trace in traces])


def test_the_second_look_learns_from_the_motions_of_traces(looks):
    assert looks.x.shape[1] == len(KEPT_NAMES)
    assert 0 < looks.whole.sum() <= looks.fell.sum() < len(looks.fell)
    rest, collapse = train_rests.train_rests(looks, 1)
    assert (rest.features, collapse.features) == (NAMES, NAMES)
    forest = Forest(rest)
    chances = np.array([forest.chance(row) for row in looks.x.tolist()])
    assert chances[looks.fell].mean() > chances[~looks.fell].mean() + 0.3


def test_a_block_of_falls_holds_nothing_else_and_every_second_spot_does_not_know_its_heaviest_piece(monkeypatch):
    drawn = []
    monkeypatch.setattr(train_rests, "BLOCKS", (Block(1, "house", 4, blind=True, falling=True),))
    monkeypatch.setattr(train_rests, "rest_looks_of", lambda trace: drawn.append(trace) or rest_looks_of(trace))
    train_rests.trained_rests([7], [])
    assert [trace.cal.heaviest_g > 0 for trace in drawn] == [True, False, True, False]
    assert all(trace.scenario in FALLING and not trace.cal.tof_height_mm for trace in drawn)
    assert all(any(event["kind"] in FALLS for event in trace.events) for trace in drawn)
