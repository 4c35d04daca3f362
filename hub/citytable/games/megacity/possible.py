"""What can have happened with the things on the table, whatever the rules say.

Every refusal here is physical: a thing is not where it was taken from, a place is full, nobody has such pieces. How
many contracts are dealt, how many pieces are drawn, whose turn it is: those are rules, and what breaks them can happen.
Cards that were not dealt lie in the box, and can be taken from there.
"""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from citytable.games.megacity import accidents, counting, turning_up
from citytable.games.megacity.actions import (
    Action,
    BuildingFell,
    CountPieces,
    Deliver,
    EndTurn,
    MonumentFell,
    PiecesLost,
    PlaceCentralParkMonument,
    PlaceMonument,
    PlacePark,
    Recycle,
    Refresh,
    Reorganise,
    ReturnPieces,
    Rezone,
    SetUp,
    TakeContract,
    TakePieces,
    TakePlatform,
    TurnUp,
)
from citytable.games.megacity.city import BIT, occupied, park_at
from citytable.games.megacity.delivery import own_face, resolved
from citytable.games.megacity.hands import can_give
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.placing import check_piece
from citytable.games.megacity.position import TYPES, Face, Position
from citytable.games.megacity.refusals import check_counted, refuse
from citytable.games.megacity.standard import supply_face
from citytable.table.hexes import Hex


def check_possible(position: Position, action: Action, deck: Deck) -> None:
    """Raise `IllegalAction` if this cannot have happened in a game that runs. Open fields are fine."""
    _CHECKS[type(action)](position, action, deck)


def _set_up(position: Position, action: SetUp, deck: Deck) -> None:
    seats = len(position.players)
    if action.columns is not None:
        if len(action.columns) != len(TYPES):
            refuse("deal_columns", action, seen=len(action.columns), count=len(TYPES))
        dealt = list(chain.from_iterable(action.columns))
        for name in dealt:
            if name not in deck.contracts:
                refuse("no_contract", action, contract=name)
            if dealt.count(name) > 1:
                refuse("deal_twice", action, contract=name)
    if action.start is not None and not 1 <= action.start <= seats:
        refuse("deal_start", action, players=seats)
    if action.drawn is not None and len(action.drawn) != seats:
        refuse("deal_players", action, seen=len(action.drawn), count=seats)
    _check_faces(action, action.supply or (), deck)


def _check_faces(action: Action, faces: Sequence[Face | None], deck: Deck) -> None:
    """Check that there are such sides of platforms, and no platform twice."""
    seen = set()
    for face in faces:
        if face is None:
            continue
        if not deck.may_show(face.platform, face.up):
            refuse("revealed_no_tile", action, platform=face.platform, type=face.up)
        if face.platform in seen:
            refuse("revealed_twice", action, platform=face.platform)
        seen.add(face.platform)


def _take_contract(position: Position, action: TakeContract, deck: Deck) -> None:
    if action.contract not in deck.contracts:
        refuse("no_contract", action, contract=action.contract)
    for seat, player in enumerate(position.players, start=1):
        if action.contract in (*player.contracts, *player.completed):
            refuse("contract_held", action, contract=action.contract, seat=seat)


def _take_platform(position: Position, action: TakePlatform, deck: Deck) -> None:
    if supply_face(position, action.platform) is None:
        refuse("platform_not_in_supply", action, platform=action.platform)
    lying = [face.platform for face in position.supply if face is not None]
    _check_revealed(position, action, lying, len(position.stack), deck)


def _refresh(position: Position, action: Refresh, deck: Deck) -> None:
    _check_revealed(position, action, [], len(position.supply) + len(position.stack), deck)


def _check_revealed(
    position: Position, action: TakePlatform | Refresh, lying: list[int], stack: int, deck: Deck
) -> None:
    """Check that these tiles can come off the stack: they lie neither in front of a player nor in the city."""
    faces = action.revealed or ()
    if len(faces) > stack:
        refuse("stack_short", action, count=stack)
    _check_faces(action, faces, deck)
    lying = [*lying, *(face.platform for player in position.players for face in player.platforms)]
    lying += [building.face.platform for building in position.buildings]
    for face in faces:
        if face is not None and face.platform in lying:
            refuse("revealed_elsewhere", action, platform=face.platform)


def _take_pieces(position: Position, action: TakePieces, _deck: Deck) -> None:
    if action.drawn is not None and action.drawn.total > position.bag_most:
        refuse("bag_short", action, count=position.bag_most)


def _rezone(position: Position, action: Rezone, _deck: Deck) -> None:
    if all(face.platform != action.platform for face in position.players[action.player - 1].platforms):
        refuse("platform_not_yours", action, platform=action.platform)


def _reorganise(position: Position, action: Reorganise, _deck: Deck) -> None:
    if not position.columns[TYPES.index(action.column)]:
        refuse("column_empty", action, type=action.column)


def _return_pieces(position: Position, action: ReturnPieces, _deck: Deck) -> None:
    if action.returned is not None and not can_give(position.players[action.player - 1].pieces, action.returned):
        refuse("return_missing", action)


def _building_fell(position: Position, action: BuildingFell, deck: Deck) -> None:
    accidents.check_fallen_pieces(position, action, deck)


def _pieces_lost(position: Position, action: PiecesLost, _deck: Deck) -> None:
    accidents.check_loss(position, action)


def _monument_fell(position: Position, action: MonumentFell, deck: Deck) -> None:
    accidents.check_monument_fell(position, action, deck)


def _deliver(position: Position, action: Deliver, deck: Deck) -> None:
    me = position.players[action.player - 1]
    if action.contract not in me.contracts:
        refuse("contract_not_open", action, contract=action.contract)
    if own_face(position, action) is None:
        refuse("deliver_platform", action, platform=action.platform)
    for accident in action.knocked:
        _CHECKS[type(accident)](position, accident, deck)
        position = resolved(position, accident, deck)
    if action.stood is False:
        return
    _check_free(position, action, action.at)
    if action.height_mm is not None and action.height_mm < 0:
        refuse("height_missing", action)
    if action.pieces is not None:
        check_counted(action.pieces, action)
        if not can_give(me.pieces, action.pieces):
            refuse("pieces_missing", action)


def _check_free(position: Position, action: Deliver | PlacePark, at: Hex) -> None:
    if at not in BIT:
        refuse("no_hex", action, at=at)
    if occupied(position) & BIT[at]:
        refuse("hex_taken", action, at=at)


def _place_park(position: Position, action: PlacePark, _deck: Deck) -> None:
    if not position.players[action.player - 1].park:
        refuse("park_used", action)
    _check_free(position, action, action.at)


def _place_monument(position: Position, action: PlaceMonument, deck: Deck) -> None:
    if park_at(position, action.park) is None:
        refuse("monument_no_park", action, at=action.park)
    _check_piece(position, action, deck)


def _check_piece(position: Position, action: PlaceMonument | PlaceCentralParkMonument, _deck: Deck) -> None:
    check_piece(position, action)


def _end_turn(position: Position, action: EndTurn, _deck: Deck) -> None:
    if action.player != position.player:
        refuse("bag_elsewhere", action, seat=position.player)


def _recycle(_position: Position, _action: Recycle, _deck: Deck) -> None:
    """Pieces can go back to the bag at any time, and with no pieces there is nothing to be in the way."""


_CHECKS: dict[type, Callable[[Position, Any, Deck], None]] = {
    SetUp: _set_up,
    TakeContract: _take_contract,
    TakePlatform: _take_platform,
    TakePieces: _take_pieces,
    Rezone: _rezone,
    Refresh: _refresh,
    Reorganise: _reorganise,
    ReturnPieces: _return_pieces,
    BuildingFell: _building_fell,
    PiecesLost: _pieces_lost,
    MonumentFell: _monument_fell,
    CountPieces: counting.check_count,
    TurnUp: turning_up.check_tile,
    Deliver: _deliver,
    PlacePark: _place_park,
    PlaceMonument: _place_monument,
    PlaceCentralParkMonument: _check_piece,
    EndTurn: _end_turn,
    Recycle: _recycle,
}
