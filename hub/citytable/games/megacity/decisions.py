"""The legal decisions of the player to act, outcomes open: what `legal_actions` yields.

Each is built without asking the checks again; the tests hold both against an independent brute force.
"""

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
    SetUp,
    TakeContract,
    TakePieces,
    TakePlatform,
)
from citytable.games.megacity.city import building_at, delivery_hexes, monument_parks, park_hexes
from citytable.games.megacity.delivery import cubes_left, usable_pieces
from citytable.games.megacity.hands import PIECES_MAX
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.placing import may_found
from citytable.games.megacity.position import TYPES, Player, Position
from citytable.games.megacity.standard import taking_open
from citytable.games.megacity.turn import allowance


def decisions(position: Position, deck: Deck) -> list[Action]:
    """Return every decision that is legal for some number of pieces that the players may hold, each once."""
    phase = position.phase
    if phase == "setup":
        return [SetUp()]
    if phase == "end":
        return []
    seat = position.player
    me = position.players[seat - 1]
    found: list[Action] = []
    if phase == "main":
        if position.deciding:
            found.append(Recycle(player=seat))
        else:
            _standard(position, seat, me, found)
        if not position.actions_used:
            _deliveries(position, seat, me, deck, found)
        if position.deciding:
            return found
    elif phase == "option":
        _options(position, seat, me, found)
    if me.pieces.total <= PIECES_MAX:
        found.append(EndTurn(player=seat))
    if me.pieces.most > PIECES_MAX:
        found.append(ReturnPieces(player=seat))
    return found


def _standard(position: Position, seat: int, me: Player, found: list[Action]) -> None:
    limit = allowance(position.options)
    if len(me.contracts) < limit:
        found += [TakeContract(player=seat, contract=column[0]) for column in position.columns if column]
        if position.landmarks and not me.contracts:
            found += [TakeContract(player=seat, contract=contract) for contract in position.landmarks]
    if len(me.platforms) < limit:
        found += [TakePlatform(player=seat, platform=face.platform) for face in position.supply if face is not None]
    if taking_open(position):
        found += (
            TakePieces(player=seat),
            TakePieces(player=seat, announced="steel"),
            TakePieces(player=seat, announced="concrete"),
            TakePieces(player=seat, announced="glass"),
        )
    found += [Rezone(player=seat, platform=face.platform) for face in me.platforms]
    if position.supply or position.stack:
        found.append(Refresh(player=seat))
    enough = 1 if position.options.rulings.single_card_may_be_reorganised else 2
    found += [
        Reorganise(player=seat, column=kind)
        for kind, column in zip(TYPES, position.columns, strict=True)
        if len(column) >= enough
    ]


def _deliveries(position: Position, seat: int, me: Player, deck: Deck, found: list[Action]) -> None:
    if position.options.rulings.at_most_eight_buildings and not cubes_left(position, seat):
        return
    hexes = None
    for name in me.contracts:
        contract = deck.contracts[name]
        if usable_pieces(me.pieces, contract) < contract.pieces or (position.deciding and not contract.landmark):
            continue
        for face in me.platforms:
            if face.up == contract.type:
                hexes = hexes or delivery_hexes(position)
                number = face.platform
                found += [Deliver(player=seat, contract=name, platform=number, at=cell) for cell in hexes]


def _options(position: Position, seat: int, me: Player, found: list[Action]) -> None:
    if me.park:
        found += [PlacePark(player=seat, at=cell) for cell in park_hexes(position)]
    if position.options.simplified or not me.pieces.most:
        return
    found += [PlaceMonument(player=seat, park=cell) for cell in monument_parks(position)]
    delivered = building_at(position, position.delivered_at)
    if delivered is not None and delivered.face.up == "public" and may_found(position):
        found.append(PlaceCentralParkMonument(player=seat))
