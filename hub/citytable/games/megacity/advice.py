"""Ratings of decisions, for bots that do not look ahead. Only the order of the ratings matters.

The plan behind it: have open contracts, a matching platform for each, enough usable pieces for the dearest one, then
deliver; after a delivery take the token, else the park, else a monument that pays.
"""

from msgspec.structs import replace

from citytable.games.megacity.actions import (
    Action,
    Deliver,
    EndTurn,
    PlaceCentralParkMonument,
    PlaceMonument,
    PlacePark,
    Recycle,
    Refresh,
    ReturnPieces,
    Rezone,
    TakeContract,
    TakePieces,
    TakePlatform,
)
from citytable.games.megacity.city import BIT, NEAR
from citytable.games.megacity.delivery import usable_pieces
from citytable.games.megacity.hands import PIECES_MAX
from citytable.games.megacity.pieces import Contract, Deck
from citytable.games.megacity.position import BuildingType, Face, Player, Position
from citytable.games.megacity.standard import RANDOM_DRAW, supply_face
from citytable.games.megacity.turn import allowance
from citytable.table.hexes import Hex

WAIT = 15.0  # passing the bag: better than anything useless, worse than anything useful


def rating(position: Position, action: Action, deck: Deck) -> float:
    """Rate a legal action for the player to act; higher is better."""
    me = position.players[position.player - 1] if position.player else Player()
    match action:
        case Deliver():
            return 100 + deck.contracts[action.contract].prestige + _beside_parks(position, action.at)
        case PlaceCentralParkMonument():
            return 90
        case Recycle():
            return 50
        case PlacePark():
            return 40 + _own_around(position, action.player, action.at)
        case PlaceMonument():
            return WAIT + 2 * _own_around(position, action.player, action.park) - _all_around(position, action.park)
        case ReturnPieces():
            return 20 if position.phase == "over" or _has_enough(me, deck) else 5
        case EndTurn():
            return WAIT
    return _standard(position, action, me, deck)


def _standard(position: Position, action: Action, me: Player, deck: Deck) -> float:
    match action:
        case TakeContract():
            return _contract(position, deck.contracts[action.contract], me)
        case TakePlatform():
            return _platform(position, supply_face(position, action.platform), me, deck)
        case Rezone():
            return _rezone(action.platform, me, deck)
        case TakePieces():
            return _pieces(position, action, me, deck)
        case Refresh():
            return _refresh(position, me, deck)
    return 0  # reorganising costs an action and wins nothing that can be seen


def _beside_parks(position: Position, at: Hex) -> float:
    """Rate a hex by the parks beside it, which give points for it (R45), and by its distance from Central Park."""
    around = NEAR[at]
    return sum(0.3 + (park.monument is not None) for park in position.parks if around & BIT[park.at])


def _own_around(position: Position, seat: int, at: Hex) -> int:
    return sum(b.owner == seat and b.standing for b in position.buildings if NEAR[at] & BIT[b.at])


def _all_around(position: Position, at: Hex) -> int:
    return sum(b.standing for b in position.buildings if NEAR[at] & BIT[b.at])


def _without_platform(me: Player, deck: Deck) -> list[BuildingType]:
    """Return the types of open contracts without a platform that shows them; a platform serves one contract."""
    wanted = [deck.contracts[name].type for name in me.contracts]
    for face in me.platforms:
        if face.up in wanted:
            wanted.remove(face.up)
    return wanted


def _idle_platforms(me: Player, deck: Deck) -> list[Face]:
    """Return the platforms that no open contract can use as they lie."""
    wanted = [deck.contracts[name].type for name in me.contracts]
    idle = []
    for face in me.platforms:
        if face.up in wanted:
            wanted.remove(face.up)
        else:
            idle.append(face)
    return idle


def _missing_pieces(me: Player, deck: Deck) -> int:
    """Return how many more usable pieces the nearest open contract needs; 0 when one can be built or none is open."""
    return min((_lacking(me, deck.contracts[name]) for name in me.contracts), default=0)


def _lacking(me: Player, contract: Contract) -> int:
    return max(0, contract.pieces - usable_pieces(me.pieces, contract))


def _waits_for_pieces(me: Player, deck: Deck) -> bool:
    """Return whether none of the contracts that have a platform has its pieces."""
    there = {face.up for face in me.platforms}
    placed = [contract for name in me.contracts if (contract := deck.contracts[name]).type in there]
    return bool(placed) and all(_lacking(me, contract) for contract in placed)


def _has_enough(me: Player, deck: Deck) -> bool:
    return bool(me.contracts) and not _missing_pieces(me, deck)


def _contract(position: Position, contract: Contract, me: Player) -> float:
    types = {face.up for face in me.platforms}
    near = {face.up for face in position.supply if face is not None}
    fits = 3 if contract.type in types else 1 if contract.type in near else 0
    if position.final and _lacking(me, contract) > RANDOM_DRAW:
        return 1  # too late to build it
    return (60 if not me.contracts else 35) + contract.prestige - 0.5 * contract.pieces + fits


def _platform(position: Position, face: Face | None, me: Player, deck: Deck) -> float:
    if face is None:
        return 0
    wanted = _without_platform(me, deck)
    spare = allowance(position.options) - len(me.platforms)
    reserved = [idle for idle in _idle_platforms(me, deck) if deck.other_side(idle.platform, idle.up) in wanted]
    if len(reserved) >= len(wanted) or spare <= 0:
        return 0
    if face.up in wanted:
        return 55
    return 32 if deck.other_side(face.platform, face.up) in wanted else 0


def _rezone(platform: int, me: Player, deck: Deck) -> float:
    wanted = _without_platform(me, deck)
    idle = [face for face in _idle_platforms(me, deck) if face.platform == platform]
    if idle and deck.other_side(platform, idle[0].up) in wanted:
        return 50
    flipped = _flipped(me, platform, deck)
    if len(_without_platform(flipped, deck)) < len(wanted):
        return 49
    then = [_flipped(flipped, face.platform, deck) for face in me.platforms if face.platform != platform]
    return 48 if any(len(_without_platform(one, deck)) < len(wanted) for one in then) else 0


def _flipped(me: Player, platform: int, deck: Deck) -> Player:
    """Return the player with that platform turned over."""
    faces = (
        replace(face, up=deck.other_side(platform, face.up)) if face.platform == platform else face
        for face in me.platforms
    )
    return replace(me, platforms=tuple(faces))


def _pieces(position: Position, action: TakePieces, me: Player, deck: Deck) -> float:
    lacking = _missing_pieces(me, deck)
    ahead = 0 if position.final else 2  # some pieces for the next contract shorten the wait
    wanted = lacking or (ahead if me.pieces.total < PIECES_MAX - RANDOM_DRAW and any(position.columns) else 0)
    if not wanted or not me.contracts:
        return WAIT + 1 if _waits_for_pieces(me, deck) or _waits_in_vain(position, me, deck) else 1
    if position.bag == 0:
        return WAIT + 1 if lacking else 1  # nobody can go on: call the end
    if action.announced is None:
        return 45 if lacking > 1 or not lacking else 41
    forbidden = {material for name in me.contracts for material in deck.contracts[name].forbidden}
    return 43 if lacking and lacking <= 1 and action.announced not in forbidden else 10


def _refresh(position: Position, me: Player, deck: Deck) -> float:
    wanted = _without_platform(me, deck)
    if not wanted or len(me.platforms) >= allowance(position.options):
        return 0
    return 30 if not _lies_there(position, wanted, deck) and _may_come(position, wanted, deck) else 0


def _lies_there(position: Position, wanted: list[BuildingType], deck: Deck) -> bool:
    """Return whether the supply has a platform with a wanted side."""
    there = [face for face in position.supply if face is not None]
    return any(kind in wanted for face in there for kind in deck.platforms[face.platform])


def _may_come(position: Position, wanted: list[BuildingType], deck: Deck) -> bool:
    """Return whether the stack may hold such a platform."""
    out = [*position.supply, *(face for player in position.players for face in player.platforms)]
    gone = {face.platform for face in (*out, *(building.face for building in position.buildings)) if face is not None}
    return any(kind in wanted for name, sides in deck.platforms.items() if name not in gone for kind in sides)


def _waits_in_vain(position: Position, me: Player, deck: Deck) -> bool:
    """Return whether no contract has a platform and none will come: then only an empty bag ends the game."""
    wanted = _without_platform(me, deck)
    if not wanted or len(wanted) < len(me.contracts):
        return False
    return not _lies_there(position, wanted, deck) and not _may_come(position, wanted, deck)
