"""Stations that are not there, or go in mid-game for good: people say what the table does not show."""

import random

from citytable.games.megacity.actions import (
    Action,
    Deliver,
    PlaceCentralParkMonument,
    PlaceMonument,
    PlacePark,
    Refresh,
    Reorganise,
    TakePlatform,
)
from citytable.games.megacity.position import Position
from citytable.table import spot as spots
from citytable.table.hexes import CENTRE
from citytable.table.plan import Plan, StationPlan

MID_GAME = 3
"""So many buildings stand: then a sector of the city is worth something."""


class Blind:
    """These stations are switched off as soon as so many `buildings` stand, once it is `due`."""

    def __init__(self, stations: tuple[StationPlan, ...], buildings: int) -> None:
        self.stations = tuple(one.station for one in stations)
        self._spots = {plan.spot for one in stations for plan in one.spots}
        self._buildings = buildings
        self._off = False

    def due(self, position: Position) -> bool:
        """Whether somebody pulls the plugs now; true once."""
        if self._off or len(position.buildings) < self._buildings:
            return False
        self._off = True
        return True

    def hides(self, action: Action) -> bool:
        """Whether the table can see nothing of where this happened, or not all of how it came out."""
        match action:
            case Deliver(at=at) | PlacePark(at=at) | PlaceMonument(park=at):
                spot = spots.city(at)
            case PlaceCentralParkMonument():
                spot = spots.city(CENTRE)
            case TakePlatform() | Refresh():
                spot = spots.supply_platform(0)
            case Reorganise(column=column):
                spot = spots.column(column)
            case _:
                return False
        return self._off and spot in self._spots


def lost_sector(plan: Plan, rng: random.Random) -> Blind:
    """A sector, drawn by `rng`, that goes in mid-game."""
    return Blind((rng.choice([station for station in plan.stations if station.kind == "sector"]),), MID_GAME)


def starter(plan: Plan) -> Blind:
    """Nothing but the seats is there from the beginning; the rest is told at a phone."""
    return Blind(tuple(station for station in plan.stations if station.kind != "seat"), 0)
