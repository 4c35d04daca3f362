"""DELIVER (R16-R31, R43): what may be presented, what a building must be, what a delivery changes.

Rules of this file:
1. What the delivery knocked over is resolved first, then its own building and bonuses (A25).
2. A fall only ends the turn (R26): pieces, cube and platform never left the play area.
3. A building that the players do not confirm was only presented: that is no action (A14).
"""

from typing import Any

from msgspec.structs import replace

from citytable.games.megacity import accidents
from citytable.games.megacity.actions import Accident, BuildingFell, Deliver, MonumentFell, PiecesLost
from citytable.games.megacity.city import BIT, building_at, delivery_mask, occupied
from citytable.games.megacity.ending import all_standard_completed, last_contract_completed, simplified_end
from citytable.games.megacity.hands import can_give, single_material, too_many, without
from citytable.games.megacity.pieces import Contract, Deck
from citytable.games.megacity.position import Building, Face, Pieces, Position
from citytable.games.megacity.refusals import check_counted, refuse
from citytable.games.megacity.turn import check_not_over, check_turn, with_player
from citytable.table.hexes import Hex

CUBES = 8  # R6


def usable_pieces(hand: Pieces, contract: Contract) -> int:
    """Return how many pieces a contract may use at most: all except those of a forbidden material (R23)."""
    usable = hand.most
    for material in contract.forbidden:
        usable -= getattr(hand, material)
    return usable


def cubes_left(position: Position, seat: int) -> int:
    """Return how many cubes a player has left (A43); a fallen building gave its cube back (A27)."""
    return CUBES - sum(building.owner == seat and building.standing for building in position.buildings)


def check_deliver(position: Position, action: Deliver, deck: Deck) -> None:
    """Raise `IllegalAction` if a rule forbids the decision to deliver (R7, R16, R17, R23-R25, R43)."""
    _check_moment(position, action)
    me = position.players[action.player - 1]
    if not me.contracts:
        refuse("nothing_to_deliver", action)
    if action.contract not in me.contracts:
        refuse("contract_not_open", action, contract=action.contract)
    contract = deck.contracts[action.contract]
    if position.deciding and not contract.landmark:
        refuse("deliver_landmark", action)
    if not me.platforms:
        refuse("nothing_to_build_on", action)
    face = own_face(position, action)
    if face is None:
        refuse("deliver_platform", action, platform=action.platform)
    if face.up != contract.type:
        refuse("wrong_type", action, platform=action.platform, seen=face.up, contract=contract.id, type=contract.type)
    usable = usable_pieces(me.pieces, contract)
    if usable < contract.pieces:
        refuse("too_few_pieces", action, contract=contract.id, count=contract.pieces, seen=usable)
    if position.options.rulings.at_most_eight_buildings and not cubes_left(position, action.player):
        refuse("cubes_used", action)
    _check_hex(position, action, action.at)


def _check_moment(position: Position, action: Deliver) -> None:
    check_turn(position, action)
    check_not_over(position, action)
    if position.phase == "option":
        refuse("option_only", action)
    if position.actions_used:
        refuse("deliver_instead", action)


def own_face(position: Position, action: Deliver) -> Face | None:
    """Return the platform to be delivered, with the side that shows."""
    for face in position.players[action.player - 1].platforms:
        if face.platform == action.platform:
            return face
    return None


def _check_hex(position: Position, action: Deliver, at: Hex) -> None:
    bit = BIT.get(at)
    if bit is None:
        refuse("hex_outside", action, at=at)
    there = occupied(position)
    if there & bit:
        refuse("hex_taken", action, at=at)
    if delivery_mask(position) & bit:
        return
    rulings = position.options.rulings
    plain = replace(position.options, rulings=replace(rulings, distance_along_tiles=False, must_slide_in=False))
    if not delivery_mask(replace(position, options=plain)) & bit:
        refuse("hex_not_touching", action, at=at)
    by_path = replace(position.options, rulings=replace(rulings, must_slide_in=False))
    refuse("hex_slide" if delivery_mask(replace(position, options=by_path)) & bit else "hex_path", action, at=at)


def check_building(position: Position, action: Deliver, deck: Deck) -> None:
    """Raise `IllegalAction` if what is known of the building breaks R17, R18, R23, A14 or A25.

    What was measured before a fall does not matter."""
    knocked_over(position, action, deck)
    if action.stood is False:
        return
    contract = deck.contracts[action.contract]
    if action.judged is False:
        refuse("not_judged", action)
    if action.height_mm is not None and action.height_mm < contract.height_mm:
        refuse("too_low", action, contract=contract.id, count=contract.height_mm, seen=action.height_mm)
    if action.pieces is not None:
        _check_pieces(position, action, action.pieces, contract, deck)


def _check_pieces(position: Position, action: Deliver, pieces: Pieces, contract: Contract, deck: Deck) -> None:
    check_counted(pieces, action)
    count = pieces.total
    if count < contract.pieces or (count > contract.pieces and not contract.plus):
        key = "piece_count_plus" if contract.plus else "piece_count"
        refuse(key, action, contract=contract.id, count=contract.pieces, seen=count)
    for material in contract.forbidden:
        if getattr(pieces, material):
            refuse("forbidden_material", action, contract=contract.id, material=material)
    me = position.players[action.player - 1]
    if not can_give(me.pieces, pieces):
        refuse("pieces_missing", action)
    reveals = me.pieces.unknown or me.pieces.maybe
    if reveals and (material := _too_many_with(position, action, pieces, deck)) is not None:
        refuse("more_than_exist", action, material=material, count=deck.pieces[material])


def _too_many_with(position: Position, action: Deliver, pieces: Pieces, deck: Deck) -> Any:
    """Return a material of which there would be more than the deck has; the building may reveal unknown pieces."""
    me = position.players[action.player - 1]
    built = Building(
        at=action.at, face=Face(action.platform, "public"), owner=0, contract="", pieces=pieces, height_mm=0
    )
    after = replace(
        position,
        players=with_player(position, replace(me, pieces=without(me.pieces, pieces))),
        buildings=(*position.buildings, built),
    )
    return too_many(after, deck)


_CHECKS: dict[type, tuple[Any, Any]] = {
    BuildingFell: (accidents.check_building_fell, accidents.check_fallen_pieces),
    PiecesLost: (accidents.check_pieces_lost, accidents.check_lost_pieces),
    MonumentFell: (accidents.check_monument_fell, None),
}
_EFFECTS: dict[type, Any] = {
    BuildingFell: accidents.building_fell,
    PiecesLost: accidents.pieces_lost,
    MonumentFell: accidents.monument_fell,
}


def knocked_over(position: Position, action: Deliver, deck: Deck) -> Position:
    """Return the position after everything the delivery knocked over (A25), each checked in its turn."""
    for accident in action.knocked:
        decision, outcome = _CHECKS[type(accident)]
        decision(position, accident, deck)
        if outcome is not None:
            outcome(position, accident, deck)
        position = resolved(position, accident, deck)
    return position


def resolved(position: Position, accident: Accident, deck: Deck) -> Position:
    """Return the position after one thing that a delivery knocked over."""
    after: Position = _EFFECTS[type(accident)](position, accident, deck)
    return after


def bonuses(position: Position, action: Deliver) -> tuple[str, ...]:
    """Return the bonus tokens of a delivery that stood (R28, R29), in a position where the falls are resolved."""
    won: list[str] = []
    if is_new_tallest(position, action.height_mm or 0):
        won.append("token_tallest")
    if action.pieces is not None and single_material(action.pieces) is not None:
        won.append("token_material")
    return tuple(won)


def is_new_tallest(position: Position, height_mm: int) -> bool:
    """Return whether a building is the new tallest (R28, A20, A23): the first one is, later ones must be higher."""
    holder = building_at(position, position.tallest)
    if holder is None:
        return True
    if position.options.rulings.equal_height_is_new_tallest:
        return height_mm >= holder.height_mm
    return height_mm > holder.height_mm


def tokens_awarded(position: Position) -> bool:
    """Return whether a delivery now earns tokens and an option (R51, A37)."""
    if position.options.simplified:
        return False
    return not position.deciding or position.options.rulings.final_delivery_has_bonuses


def deliver(position: Position, action: Deliver, deck: Deck) -> Position:
    """Return the position after a delivery: the building came back (R26), or is part of the city (R27-R31)."""
    for accident in action.knocked:
        position = resolved(position, accident, deck)
    if not action.stood:
        return replace(position, phase="over")
    return _ended(_delivered(position, action), deck)


def _delivered(position: Position, action: Deliver) -> Position:
    me = position.players[action.player - 1]
    face = own_face(position, action)
    pieces, height_mm = action.pieces, action.height_mm
    if face is None or pieces is None or height_mm is None:
        raise ValueError(f"{action}: its outcome is open or its platform is not there")
    scoring = tokens_awarded(position)
    built = Building(
        at=action.at, face=face, owner=action.player, contract=action.contract, pieces=pieces, height_mm=height_mm
    )
    me = replace(
        me,
        pieces=without(me.pieces, pieces),
        contracts=tuple(contract for contract in me.contracts if contract != action.contract),
        platforms=tuple(own for own in me.platforms if own.platform != action.platform),
        completed=(*me.completed, action.contract),
        tokens=me.tokens + (len(bonuses(position, action)) if scoring else 0),
    )
    has_option = scoring or position.options.simplified
    return replace(
        position,
        players=with_player(position, me),
        buildings=(*position.buildings, built),
        tallest=action.at if is_new_tallest(position, height_mm) else position.tallest,
        phase="option" if has_option else "over",
        delivered_at=action.at if has_option else None,
    )


def _ended(position: Position, deck: Deck) -> Position:
    if not all_standard_completed(position, deck):
        return position
    return simplified_end(position, "completed") if position.options.simplified else last_contract_completed(position)
