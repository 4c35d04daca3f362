"""Neighbours: what the facts of all hexes tell of the loads beside one."""

import pytest

from citytable.sensing.neighbours import Neighbours
from citytable.table.fact import MassMoving, MassSettled, SensorFault, StationWent

MIDDLE, EAST, WEST, FAR = "city/0/0", "city/1/0", "city/-1/0", "city/2/0"
SPOTS = (MIDDLE, EAST, WEST, FAR, "seat/1/pad/0")


def moving(spot):
    return MassMoving(t_us=0, spot=spot)


def rests(spot):
    return MassSettled(t_us=0, spot=spot, mass_g=0.0, step_g=0.0, error_g=0.1)


@pytest.fixture
def resting():
    """All hexes have been heard, and rest."""
    neighbours = Neighbours(SPOTS)
    for spot in SPOTS:
        list(neighbours.mind(rests(spot)))
    return neighbours


def test_a_hex_hears_when_a_load_beside_it_moves_and_rests(resting):
    assert dict(resting.mind(moving(EAST))) == {MIDDLE: True, FAR: True}
    assert dict(resting.mind(moving(WEST))) == {MIDDLE: True}
    assert dict(resting.mind(rests(EAST))) == {MIDDLE: True, FAR: False}
    assert dict(resting.mind(rests(WEST))) == {MIDDLE: False}


def test_what_is_said_again_is_no_news_and_pads_have_no_neighbours(resting):
    assert list(resting.mind(rests(EAST))) == []
    assert list(resting.mind(moving("seat/1/pad/0"))) == []


def test_until_all_beside_it_were_heard_a_hex_knows_only_what_moves():
    neighbours = Neighbours(SPOTS)
    assert dict(neighbours.mind(rests(EAST))) == {MIDDLE: None, FAR: False}
    assert dict(neighbours.mind(moving(WEST))) == {MIDDLE: True}
    assert dict(neighbours.mind(rests(WEST))) == {MIDDLE: False}


@pytest.mark.parametrize(
    "fact",
    [
        SensorFault(t_us=0, spot=EAST, sensor="cell", what="cell 0: stuck", on=True),
        StationWent(t_us=0, station="sector-1", spots=(EAST,)),
    ],
)
def test_a_hex_at_fault_or_whose_station_went_tells_nothing(resting, fact):
    assert dict(resting.mind(fact)) == {MIDDLE: None, FAR: None}
    assert dict(resting.mind(rests(EAST))) == {MIDDLE: False, FAR: False}


def test_a_reader_at_fault_and_a_fault_that_ends_change_nothing(resting):
    assert list(resting.mind(SensorFault(t_us=0, spot=EAST, sensor="reader", what="silent", on=True))) == []
    assert list(resting.mind(SensorFault(t_us=0, spot=EAST, sensor="cell", what="cell 0: stuck", on=False))) == []
