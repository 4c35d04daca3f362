"""A plan hides what it has no sensor for; a sector that is lost is lost once, and hides what happens on its hexes."""

import random

import pytest
from msgspec.structs import replace

from citytable.games.megacity.actions import (
    Deliver,
    EndTurn,
    PlaceCentralParkMonument,
    PlaceMonument,
    PlacePark,
    Recycle,
    Refresh,
    Reorganise,
    ReturnPieces,
    Rezone,
    TakeContract,
    TakePieces,
    TakePlatform,
)
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Building, Face, Options, Pieces
from citytable.games.megacity.spots import CITY, shared_spots
from citytable.rehearsal.blind import Blind, lost_sector
from citytable.rehearsal.megacity.traces import MID_GAME, hides, is_mid_game
from citytable.table import spot as spots
from citytable.table.plan import full_plan, starter_plan

PLAN = full_plan("salon", 2, shared_spots(), ())
START = MegaCity(Options(players=2), HOUSE).position


def after(buildings: int):
    """A position with so many buildings."""
    kind = {"face": Face(1, "public"), "owner": 1, "contract": "PU1", "pieces": Pieces(steel=4), "height_mm": 30}
    return replace(START, buildings=tuple(Building(at=cell, **kind) for cell in CITY[:buildings]))


@pytest.fixture
def sector():
    lost = lost_sector(PLAN, random.Random(1))
    (name,) = lost.lost
    there = next(one for one in PLAN.stations if one.station == name)
    return lost, {plan.spot for plan in there.spots}


def test_it_goes_in_mid_game_and_only_once(sector):
    lost, _ = sector
    (name,) = lost.lost
    assert not lost.is_off(name)
    due = [lost.due(mid_game=is_mid_game(after(buildings))) for buildings in (0, MID_GAME - 1, MID_GAME, MID_GAME + 1)]
    assert due == [False, False, True, False]
    assert lost.is_off(name)
    assert not lost.is_off("seat-1")


ACTS = (
    Deliver(player=1, contract="PU1", platform=1, at=CITY[1], stood=True),
    PlacePark(player=1, at=CITY[1]),
    PlaceMonument(player=1, park=CITY[1]),
    PlaceCentralParkMonument(player=1),
    TakePlatform(player=1, platform=1),
    Rezone(player=1, platform=1),
    TakeContract(player=1, contract="PU1"),
    Refresh(player=1),
    Reorganise(player=1, column="public"),
    TakePieces(player=1),
    ReturnPieces(player=1),
    Recycle(player=1),
    EndTurn(player=1),
)


def without_cells(plan):
    stations = [replace(one, spots=tuple(replace(spot, cells=()) for spot in one.spots)) for one in plan.stations]
    return replace(plan, stations=tuple(stations))


@pytest.mark.parametrize(
    ("plan", "hidden"),
    [
        (PLAN, set()),
        (
            starter_plan("salon", 2, ()),
            {Deliver, PlacePark, PlaceMonument, PlaceCentralParkMonument, Refresh, Reorganise},
        ),
        (
            without_cells(PLAN),
            {PlaceMonument, PlaceCentralParkMonument, TakePieces, ReturnPieces, Recycle},
        ),
        (replace(PLAN, stations=()), {type(act) for act in ACTS}),
    ],
    ids=["full", "starter", "no cells", "nothing"],
)
def test_a_plan_hides_what_it_has_no_sensor_for(plan, hidden):
    blind = Blind(plan)
    assert {type(act) for act in ACTS if hides(blind, START, act)} == hidden
    assert not blind.due(mid_game=is_mid_game(after(MID_GAME)))


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
    assert not any(hides(lost, START, act) for act in acts)
    assert lost.due(mid_game=is_mid_game(after(MID_GAME)))
    assert {spots.city(getattr(act, "at", None) or act.park) for act in acts if hides(lost, START, act)} == gone
    assert sum(hides(lost, START, act) for act in acts) == 3 * len(gone)
    assert not hides(lost, START, EndTurn(player=1))
