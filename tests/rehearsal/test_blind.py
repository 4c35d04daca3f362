"""A sector that is lost is lost once, and hides what happens on its hexes and nowhere else."""

import random

import pytest
from msgspec.structs import replace

from citytable.games.megacity.actions import (
    Deliver,
    EndTurn,
    PlaceCentralParkMonument,
    PlaceMonument,
    PlacePark,
    Refresh,
    Reorganise,
    Rezone,
    TakeContract,
    TakePlatform,
)
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import TYPES, Building, Face, Options, Pieces
from citytable.rehearsal.blind import MID_GAME, lost_sector, starter
from citytable.table import spot as spots
from citytable.table.hexes import CITY
from citytable.table.plan import full_plan

PLAN = full_plan("salon", 2, TYPES, ())
START = MegaCity(Options(players=2), HOUSE).position


def after(buildings: int):
    """A position with so many buildings."""
    kind = {"face": Face(1, "public"), "owner": 1, "contract": "PU1", "pieces": Pieces(steel=4), "height_mm": 30}
    return replace(START, buildings=tuple(Building(at=cell, **kind) for cell in CITY[:buildings]))


@pytest.fixture
def sector():
    lost = lost_sector(PLAN, random.Random(1))
    (name,) = lost.stations
    there = next(one for one in PLAN.stations if one.station == name)
    return lost, {plan.spot for plan in there.spots}


def test_it_goes_in_mid_game_and_only_once(sector):
    lost, _ = sector
    due = [lost.due(after(buildings)) for buildings in (0, MID_GAME - 1, MID_GAME, MID_GAME + 1)]
    assert due == [False, False, True, False]


def test_of_a_starter_table_only_the_seats_are_left():
    blind = starter(PLAN)
    assert {one.station for one in PLAN.stations} - set(blind.stations) == {"seat-1", "seat-2"}
    assert blind.due(START)
    kind = {"player": 1, "platform": 1}
    hidden = (TakePlatform(**kind), Refresh(player=1), Reorganise(player=1, column="public"))
    assert all(blind.hides(act) for act in (*hidden, PlaceCentralParkMonument(player=1)))
    assert not any(
        blind.hides(act) for act in (TakeContract(player=1, contract="PU1"), Rezone(**kind), EndTurn(player=1))
    )


def test_it_hides_what_happens_on_its_hexes_once_it_is_gone(sector):
    lost, gone = sector
    acts = [
        act
        for cell in CITY
        for act in (
            Deliver(player=1, contract="PU1", platform=1, at=cell, stood=True),
            PlacePark(player=1, at=cell),
            PlaceMonument(player=1, park=cell),
        )
    ]
    assert not any(lost.hides(act) for act in acts)
    assert lost.due(after(MID_GAME))
    assert {spots.city(getattr(act, "at", None) or act.park) for act in acts if lost.hides(act)} == gone
    assert sum(lost.hides(act) for act in acts) == 3 * len(gone)
    assert not lost.hides(EndTurn(player=1))
