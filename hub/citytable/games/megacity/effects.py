"""The rules by kind of action: their checks and effects."""

from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec.structs import replace

from citytable.games.megacity import accidents, counting, deal, delivery, ending, placing, standard, turning_up
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
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Position
from citytable.games.megacity.ranges import settled

_Check = Callable[[Position, Any, Deck], None]


class Rule(NamedTuple):
    """The checks of one kind of action (of its decision, and of its outcome as far as it is known) and its effect."""

    decision: _Check
    outcome: _Check | None
    effect: Callable[[Position, Any, Deck], Position]


RULES: dict[type, Rule] = {
    SetUp: Rule(deal.check_set_up, deal.check_deal, deal.set_up),
    TakeContract: Rule(standard.check_take_contract, None, standard.take_contract),
    TakePlatform: Rule(standard.check_take_platform, standard.check_refill, standard.take_platform),
    TakePieces: Rule(standard.check_take_pieces, standard.check_draw, standard.take_pieces),
    Rezone: Rule(standard.check_rezone, None, standard.rezone),
    Refresh: Rule(standard.check_refresh, standard.check_new_supply, standard.refresh),
    Reorganise: Rule(standard.check_reorganise, None, standard.reorganise),
    ReturnPieces: Rule(ending.check_return_pieces, ending.check_returned, ending.return_pieces),
    BuildingFell: Rule(accidents.check_building_fell, accidents.check_fallen_pieces, accidents.building_fell),
    PiecesLost: Rule(accidents.check_pieces_lost, accidents.check_lost_pieces, accidents.pieces_lost),
    MonumentFell: Rule(accidents.check_monument_fell, None, accidents.monument_fell),
    CountPieces: Rule(counting.check_count_pieces, counting.check_count, counting.count_pieces),
    TurnUp: Rule(turning_up.check_turn_up, turning_up.check_tile, turning_up.turn_up),
    Deliver: Rule(delivery.check_deliver, delivery.check_building, delivery.deliver),
    PlacePark: Rule(placing.check_place_park, None, placing.place_park),
    PlaceMonument: Rule(placing.check_place_monument, placing.check_monument_piece, placing.place_monument),
    PlaceCentralParkMonument: Rule(
        placing.check_place_central_park_monument, placing.check_monument_piece, placing.place_central_park_monument
    ),
    EndTurn: Rule(ending.check_end_turn, None, ending.end_turn),
    Recycle: Rule(ending.check_recycle, None, ending.recycle),
}


def effect(position: Position, action: Action, deck: Deck) -> Position:
    """Return the position after a legal action with a known outcome."""
    after = RULES[type(action)].effect(position, action, deck)
    return after if after.bag > 0 else _with_no_fewer_in_the_bag(position, after)


def _with_no_fewer_in_the_bag(before: Position, after: Position) -> Position:
    """Return the position after an action, narrowed; one that shows that the bag is empty may end the game (R51)."""
    after = settled(after)
    emptied_now = before.bag_most > 0 and after.bag_most == 0
    if emptied_now and after.options.simplified and after.phase not in {"setup", "end"}:
        return ending.simplified_end(after, "bag_out")
    return after


def happened(position: Position, action: Action, deck: Deck) -> Position:
    """Return the position after an action that happened, legal or not.

    What players do outside their turn takes nothing from the player whose turn it is.
    """
    seat = getattr(action, "player", position.player)
    after = effect(replace(position, player=seat), action, deck)
    if seat == position.player:
        return after
    after = replace(after, player=position.player, actions_used=position.actions_used)
    if after.phase == "end":
        return after
    return replace(after, phase=position.phase, delivered_at=position.delivered_at)


def check(position: Position, action: Action, deck: Deck) -> None:
    """Raise `IllegalAction` if the rules refuse the decision or what is known of its outcome. Open fields are fine."""
    rule = RULES[type(action)]
    rule.decision(position, action, deck)
    if rule.outcome is not None:
        rule.outcome(position, action, deck)
