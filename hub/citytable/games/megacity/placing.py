"""The options after a delivery (R31-R34, A13, A17-A19): a park, a monument, or a monument in Central Park."""

from msgspec.structs import replace

from citytable.games.megacity.actions import PlaceCentralParkMonument, PlaceMonument, PlacePark
from citytable.games.megacity.city import BIT, NEAR, building_at, occupied, park_at, park_mask
from citytable.games.megacity.hands import NOTHING, can_give, single_material, too_many, without
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Park, Pieces, Player, Position
from citytable.games.megacity.refusals import check_counted, refuse
from citytable.games.megacity.turn import check_option, with_player
from citytable.table.hexes import CENTRE, Hex


def check_place_park(position: Position, action: PlacePark, _deck: Deck) -> None:
    """Raise `IllegalAction` unless the park may be placed there (R32, A13)."""
    check_option(position, action)
    if not position.players[action.player - 1].park:
        refuse("park_used", action)
    bit = BIT.get(action.at)
    if bit is None:
        refuse("park_outside", action, at=action.at)
    if occupied(position) & bit:
        refuse("park_taken", action, at=action.at)
    if position.delivered_at is None or not NEAR[position.delivered_at] & bit:
        refuse("park_not_adjacent", action, at=action.at)
    if not park_mask(position) & bit:
        refuse("park_beside_park", action, at=action.at)


def place_park(position: Position, action: PlacePark, _deck: Deck) -> Position:
    """Return the position with the park in the city; the turn is over (R31)."""
    me = replace(position.players[action.player - 1], park=False)
    return _placed(position, me, (*position.parks, Park(at=action.at, owner=action.player)))


def _placed(position: Position, me: Player, parks: tuple[Park, ...], bag: int = 0) -> Position:
    return replace(
        position,
        players=with_player(position, me),
        parks=parks,
        bag=position.bag + bag,
        phase="over",
        delivered_at=None,
    )


def check_place_monument(position: Position, action: PlaceMonument, _deck: Deck) -> None:
    """Raise `IllegalAction` unless the monument may be placed there (R33)."""
    check_option(position, action)
    if position.options.simplified:
        refuse("no_monuments", action)
    park = park_at(position, action.park)
    if park is None:
        refuse("monument_no_park", action, at=action.park)
    if park.owner is None:
        refuse("monument_central", action)
    if park.monument is not None:
        refuse("monument_taken", action, at=action.park)
    if position.delivered_at is None or not NEAR[position.delivered_at] & BIT[action.park]:
        refuse("monument_not_adjacent", action, at=action.park)
    if not position.players[action.player - 1].pieces.most:
        refuse("no_spare", action)


def check_monument_piece(position: Position, action: PlaceMonument | PlaceCentralParkMonument, deck: Deck) -> None:
    """Raise `IllegalAction` unless the monument is one piece that its player can have (R33, R34)."""
    if action.piece is None:
        return
    check_piece(position, action)
    at = action.park if isinstance(action, PlaceMonument) else CENTRE
    after = _with_monument(position, at, action.piece, action.player, tokens=0)
    if (material := too_many(after, deck)) is not None:
        refuse("more_than_exist", action, material=material, count=deck.pieces[material])


def check_piece(position: Position, action: PlaceMonument | PlaceCentralParkMonument) -> None:
    """Raise `IllegalAction` unless the monument is one piece and its player has it."""
    me = position.players[action.player - 1]
    if not me.pieces.most:
        refuse("no_spare", action)
    if action.piece is None:
        return
    check_counted(action.piece, action)
    if action.piece.total != 1:
        refuse("one_piece", action, seen=action.piece.total)
    if not can_give(me.pieces, action.piece):
        refuse("monument_missing", action, material=single_material(action.piece))


def _with_monument(position: Position, at: Hex, piece: Pieces, seat: int, tokens: int) -> Position:
    me = position.players[seat - 1]
    me = replace(me, pieces=without(me.pieces, piece), tokens=me.tokens + tokens)
    old = park_at(position, at)
    parks = tuple(replace(park, monument=piece) if park.at == at else park for park in position.parks)
    return _placed(position, me, parks, bag=0 if old is None or old.monument is None else 1)


def place_monument(position: Position, action: PlaceMonument, _deck: Deck) -> Position:
    """Return the position with the monument; it earns no token now (R33)."""
    return _with_monument(position, action.park, action.piece or NOTHING, action.player, tokens=0)


def check_place_central_park_monument(position: Position, action: PlaceCentralParkMonument, _deck: Deck) -> None:
    """Raise `IllegalAction` unless the monument may be placed in Central Park (R34, A19)."""
    check_option(position, action)
    if position.options.simplified:
        refuse("no_monuments", action)
    delivered = building_at(position, position.delivered_at)
    if delivered is None or delivered.face.up != "public":
        refuse("not_public", action)
    if not position.players[action.player - 1].pieces.most:
        refuse("no_spare", action)
    if not may_found(position):
        refuse("founder_only", action)


def may_found(position: Position) -> bool:
    """Return whether a monument may be placed in Central Park (A19); one may always be replaced."""
    if position.options.rulings.later_public_may_found or position.parks[0].monument is not None:
        return True
    return sum(building.face.up == "public" for building in position.buildings) == 1


def place_central_park_monument(position: Position, action: PlaceCentralParkMonument, _deck: Deck) -> Position:
    """Return the position with the monument and its token; an older monument goes to the bag (R34)."""
    return _with_monument(position, CENTRE, action.piece or NOTHING, action.player, tokens=1)
