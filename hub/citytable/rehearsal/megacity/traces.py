"""Where MegaCity's actions leave their traces, and which of them a table does not sense there."""

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
from citytable.games.megacity.spots import SUPPLY_PLATFORM_SLOTS, contract_column, supply_platform
from citytable.rehearsal.blind import Blind
from citytable.table import spot as spots
from citytable.table.hexes import CENTRE
from citytable.table.spot import Spot

MID_GAME = 3
"""So many buildings stand: then a sector of the city is worth something."""


def is_mid_game(position: Position) -> bool:
    """Return whether enough stands in the city to miss a sector of it."""
    return len(position.buildings) >= MID_GAME


def hides(blind: Blind, position: Position, action: Action) -> bool:
    """Return whether the table cannot see all of this action where it leaves its trace."""
    return not (blind.reads(_read(position, action)) and blind.weighs(_weighed(action)))


def asks_where(blind: Blind, action: Action) -> bool:
    """Return whether the table asks where this was done, because all else of it shows."""
    if not isinstance(action, Deliver) or not action.stood or blind.reads({spots.city(action.at)}):
        return False
    pads = {spots.pad(action.player, k) for k in range(spots.PADS_PER_SEAT)}
    return blind.reads(pads | {spots.card(action.player, k) for k in range(spots.CARD_SLOTS_PER_SEAT)})


def _read(position: Position, action: Action) -> set[Spot]:
    """Return where tags come, leave or change: of a platform that is taken the seat's, for what comes up is asked."""
    match action:
        case Deliver(at=at) | PlacePark(at=at):
            return {spots.city(at)}
        case TakePlatform(player=seat) | Rezone(player=seat):
            return {spots.pad(seat, k) for k in range(spots.PADS_PER_SEAT)}
        case TakeContract(player=seat):
            return {spots.card(seat, k) for k in range(spots.CARD_SLOTS_PER_SEAT)}
        case Refresh():
            return {supply_platform(k) for k in range(SUPPLY_PLATFORM_SLOTS)}
        case Reorganise(column=column):
            return {contract_column(column)}
        case EndTurn():
            return {spots.bag(seat) for seat in range(1, len(position.players) + 1)}
        case _:
            return set()


def _weighed(action: Action) -> set[Spot]:
    """Return the scales that show it."""
    match action:
        case PlaceMonument(park=at):
            return {spots.city(at)}
        case PlaceCentralParkMonument():
            return {spots.city(CENTRE)}
        case TakePieces(player=seat) | ReturnPieces(player=seat) | Recycle(player=seat):
            return {spots.bag(seat)}
        case _:
            return set()
