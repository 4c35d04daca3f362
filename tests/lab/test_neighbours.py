"""Spots that share a table: what moves one moves the others, and they hear it."""

import numpy as np
import pytest
from msgspec.structs import replace

from citytable.sensing.calibration import Start
from citytable_lab import neighbours
from citytable_lab.cells import draw_cells
from citytable_lab.compose import measure
from citytable_lab.habits import draw_habits
from citytable_lab.neighbours import Table, judged, score_tables, table_of
from citytable_lab.plate import draw_plate
from citytable_lab.stage import Piece, Stage

TABLE = Table(3, "house", ())


@pytest.fixture(scope="module")
def scored():
    return score_tables(TABLE, 1, 1)


def test_the_same_table_is_drawn_again_and_another_number_is_another():
    first, again, other = table_of(TABLE, 0), table_of(TABLE, 0), table_of(TABLE, 1)
    assert len(first) == neighbours.SPOTS
    assert all(np.array_equal(one.counts, two.counts) for one, two in zip(first, again, strict=True))
    assert [trace.scenario for trace in first] != [trace.scenario for trace in other] or any(
        len(one.t_us) != len(two.t_us) for one, two in zip(first, other, strict=True)
    )
    assert all(not trace.cal.tof_height_mm for trace in first)


def stage_of(rng):
    stage = Stage(rng, draw_habits(rng, "house"), draw_plate(rng, 1), [Piece(5.0, 0.0, 0.0, 10.0)])
    stage.now_ms = 4000
    return stage


def test_what_shakes_the_table_under_one_spot_is_felt_by_the_next():
    rng = np.random.default_rng(1)
    stages = [stage_of(rng), stage_of(rng)]
    stages[0].shake(1000, np.ones((500, 1)) * np.array([20.0, 0.0, 0.0]))
    neighbours._feel(rng, stages)
    felt = np.abs(stages[1].shaken_mg())
    assert felt[1000:1500].min() > 0
    assert felt[:1000].max() == 0


class Told:
    """A detector that begins to move after as many seconds as its tile has grams, and notes what it is told."""

    def __init__(self, cal):
        self.told, self.moves = [], False
        self._begins_us = 1_000_000 * cal.tile_g

    def update(self, t_us, *_):
        self.moves = t_us > self._begins_us
        return []

    def neighbour_moved(self, t_us):
        self.told.append(t_us)


@pytest.mark.parametrize("hear", [True, False])
def test_each_spot_is_told_once_when_another_begins_to_move(monkeypatch, hear):
    rng = np.random.default_rng(2)
    made = []
    monkeypatch.setattr(neighbours, "Detector", lambda cal: made.append(Told(cal)) or made[-1])
    trace = measure(rng, stage_of(rng), Start(), draw_cells(rng, 1), "play")
    judged([replace(trace, cal=replace(trace.cal, tile_g=tile_g)) for tile_g in (1.0, 2.0)], hear=hear)
    assert [len(one.told) for one in made] == ([1, 1] if hear else [0, 0])
    if hear:
        assert made[1].told[0] - made[0].told[0] == pytest.approx(-1_000_000, abs=50_000)


def test_both_ways_are_printed_side_by_side(scored):
    alone, heard = scored
    assert alone.summary == heard.summary
    assert alone.rows[0].of == heard.rows[0].of
