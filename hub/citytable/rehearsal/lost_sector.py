"""A sector whose station goes in mid-game and does not come back: people say what it no longer shows."""

import random

from citytable.games.megacity.actions import Action, Deliver, PlaceMonument, PlacePark
from citytable.games.megacity.position import Position
from citytable.table import spot as spots
from citytable.table.plan import Plan

MID_GAME = 3
"""It goes at the beginning of a turn, once so many buildings stand: then the city is worth something."""


class LostSector:
    """One sector of the plan, drawn by `rng`; it is lost once it was `due`."""

    def __init__(self, plan: Plan, rng: random.Random) -> None:
        sector = rng.choice([station for station in plan.stations if station.kind == "sector"])
        self.station = sector.station
        self._spots = {one.spot for one in sector.spots}
        self._lost = False

    def due(self, position: Position) -> bool:
        """Whether somebody stumbles over its cable now; true once."""
        if self._lost or len(position.buildings) < MID_GAME:
            return False
        self._lost = True
        return True

    def hides(self, action: Action) -> bool:
        """Whether the table can see nothing of where this happened."""
        match action:
            case Deliver(at=at) | PlacePark(at=at) | PlaceMonument(park=at):
                return self._lost and spots.city(at) in self._spots
            case _:
                return False
