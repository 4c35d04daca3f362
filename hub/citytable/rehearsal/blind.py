"""What a table does not sense: spots without a reader or a scale, and a station that goes in mid-game for good.

What happens there, people say.
"""

import random

from citytable.games.megacity.actions import (
    Action,
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
from citytable.games.megacity.position import Position
from citytable.table import spot as spots
from citytable.table.hexes import CENTRE
from citytable.table.plan import Plan, StationPlan
from citytable.table.spot import Spot

MID_GAME = 3
"""So many buildings stand: then a sector of the city is worth something."""


class Blind:
    """A table of this plan, of which the stations `lost` are switched off in mid-game."""

    def __init__(self, plan: Plan, lost: tuple[StationPlan, ...] = ()) -> None:
        self.lost = tuple(one.station for one in lost)
        self._gone = frozenset(there.spot for one in lost for there in one.spots)
        self._readers = plan.readers()
        self._scales = plan.scales() & plan.readers()  # without a reader nobody knows what is weighed
        self._off = False

    def due(self, position: Position) -> bool:
        """Whether somebody pulls the plugs now; true once."""
        if self._off or not self.lost or len(position.buildings) < MID_GAME:
            return False
        self._off = True
        self._readers -= self._gone
        self._scales -= self._gone
        return True

    def is_off(self, station: str) -> bool:
        """Whether this station's plug is out for good."""
        return self._off and station in self.lost

    def hides(self, position: Position, action: Action) -> bool:
        """Whether the table cannot see all of this action where it leaves its trace."""
        return not (self._read(position, action) <= self._readers and self._weighed(action) <= self._scales)

    def asks_where(self, action: Action) -> bool:
        """Whether the table asks where this was done: all else of it shows."""
        if not isinstance(action, Deliver) or not action.stood or spots.city(action.at) in self._readers:
            return False
        pads = {spots.pad(action.player, k) for k in range(spots.PADS_PER_SEAT)}
        return pads | {spots.card(action.player, k) for k in range(spots.CARD_SLOTS_PER_SEAT)} <= self._readers

    def _read(self, position: Position, action: Action) -> set[Spot]:
        """Where tags come, leave or change. Of a platform that is taken the seat's tell; what comes up is asked."""
        match action:
            case Deliver(at=at) | PlacePark(at=at):
                return {spots.city(at)}
            case TakePlatform(player=seat) | Rezone(player=seat):
                return {spots.pad(seat, k) for k in range(spots.PADS_PER_SEAT)}
            case TakeContract(player=seat):
                return {spots.card(seat, k) for k in range(spots.CARD_SLOTS_PER_SEAT)}
            case Refresh():
                return {spots.supply_platform(k) for k in range(spots.SUPPLY_PLATFORM_SLOTS)}
            case Reorganise(column=column):
                return {spots.column(column)}
            case EndTurn():
                return {spots.bag(seat) for seat in range(1, len(position.players) + 1)}
            case _:
                return set()

    def _weighed(self, action: Action) -> set[Spot]:
        """Which scales show it."""
        match action:
            case PlaceMonument(park=at):
                return {spots.city(at)}
            case PlaceCentralParkMonument():
                return {spots.city(CENTRE)}
            case TakePieces(player=seat) | ReturnPieces(player=seat) | Recycle(player=seat):
                return {spots.bag(seat)}
            case _:
                return set()


def lost_sector(plan: Plan, rng: random.Random) -> Blind:
    """A sector, drawn by `rng`, that goes in mid-game."""
    return Blind(plan, (rng.choice([station for station in plan.stations if station.kind == "sector"]),))
