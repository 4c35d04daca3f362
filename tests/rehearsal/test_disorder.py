"""What goes wrong at a rehearsed table of MegaCity, and how often."""

import random

import pytest

from citytable.games.megacity.building_model import MODEL
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Pieces
from citytable.rehearsal.megacity.disorder import Disorder

LOW = (Pieces(steel=2, concrete=2), 25, HOUSE.contracts["PU1"])
HIGH = (Pieces(steel=6, glass=6), 120, HOUSE.contracts["PU1"])
TRIES = 2_000


def fallen(tower, *, faults):
    disorder = Disorder(random.Random(1), faults=faults)
    outcomes = [disorder.delivery(*tower) for _ in range(TRIES)]
    assert set(outcomes) <= {"stands", "falls_sliding", "falls_there"}
    return 1 - outcomes.count("stands") / TRIES


@pytest.mark.parametrize("tower", [LOW, HIGH], ids=["low", "high"])
def test_a_tower_falls_as_often_as_the_building_model_says(tower):
    assert fallen(tower, faults=True) == pytest.approx(1 - MODEL.chance_to_stand(*tower), abs=0.03)


def test_high_towers_fall_more_often_and_without_faults_none_does():
    assert fallen(LOW, faults=True) < fallen(HIGH, faults=True) / 2
    assert fallen(HIGH, faults=False) == 0
