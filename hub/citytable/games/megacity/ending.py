"""Passing the bag and the ends of the game: R11, R40-R44, R51, A32-A36, A46.

Rules of this file:
1. `final` names the trigger that governs; the first one does, a second changes nothing (A34).
2. After a trigger every seat gets one turn clockwise from the next one, the one that set it off last (`final_turns`);
   then every seat decides in the same order (`decisions`), then the game is over.
"""

from typing import Literal

from msgspec.structs import replace

from citytable.games.megacity.actions import EndTurn, Recycle, ReturnPieces
from citytable.games.megacity.hands import NOTHING, PIECES_MAX, between, can_give, without
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Position
from citytable.games.megacity.ranges import with_pieces
from citytable.games.megacity.refusals import refuse
from citytable.games.megacity.turn import check_not_over, check_turn, next_seat, seats_after, with_player


def bag_out(position: Position) -> Position:
    """Return the position in which the final turns begin, as the player to act found the bag empty (R44, A33)."""
    keeps = position.options.rulings.bag_out_keeps_remaining_action
    return replace(
        position,
        final="bag_out",
        final_turns=seats_after(position.player, position.options.players),
        phase=position.phase if keeps else "over",
    )


def all_standard_completed(position: Position, deck: Deck) -> bool:
    """Return whether no standard contract is left, neither in the columns nor open (R40)."""
    if any(position.columns):
        return False
    return all(deck.contracts[contract].landmark for player in position.players for contract in player.contracts)


def last_contract_completed(position: Position) -> Position:
    """Return the position in which the final turns begin (R40), unless they have begun (A34)."""
    if position.final:
        return position
    return replace(position, final="completed", final_turns=seats_after(position.player, position.options.players))


def simplified_end(position: Position, trigger: Literal["completed", "bag_out", "round_limit"]) -> Position:
    """Return the position in which the simplified game has ended at once (R51)."""
    return replace(position, phase="end", final=trigger, delivered_at=None)


def excess(position: Position) -> int:
    """Return how many pieces the player to act has to return at least (R11)."""
    return max(0, position.players[position.player - 1].pieces.total - PIECES_MAX)


def most_excess(position: Position) -> int:
    """Return how many pieces the player to act has to return at most (R11)."""
    return max(0, position.players[position.player - 1].pieces.most - PIECES_MAX)


def check_return_pieces(position: Position, action: ReturnPieces, _deck: Deck) -> None:
    """Raise `IllegalAction` unless the player may have too many pieces (R11, A6)."""
    check_turn(position, action)
    if not most_excess(position):
        refuse("no_excess", action, limit=PIECES_MAX)


def check_returned(position: Position, action: ReturnPieces, _deck: Deck) -> None:
    """Raise `IllegalAction` unless the excess is returned, out of the play area (R11)."""
    if action.returned is None:
        return
    least, most = max(1, excess(position)), most_excess(position)
    if action.returned.most < least or action.returned.total > most:
        refuse("return_count", action, count=min(least, most), seen=action.returned.total)
    if not can_give(position.players[action.player - 1].pieces, action.returned):
        refuse("return_missing", action)


def return_pieces(position: Position, action: ReturnPieces, _deck: Deck) -> Position:
    """Return the position after pieces went back to the bag: the turn is over.

    Of a range the player keeps as many as may be kept, where that is possible (R11).
    """
    me = position.players[action.player - 1]
    kept = without(me.pieces, action.returned or NOTHING)
    if kept.total <= PIECES_MAX <= kept.most:
        kept = between(kept, PIECES_MAX, PIECES_MAX)
    return replace(with_pieces(position, action.player, kept), phase="over")


def check_end_turn(position: Position, action: EndTurn, _deck: Deck) -> None:
    """Raise `IllegalAction` if the player surely has too many pieces or must decide first (R7, R11, R41, A3)."""
    check_turn(position, action)
    if position.deciding and position.phase == "main":
        refuse("decide_first", action)
    if too_much := excess(position):
        refuse("excess_first", action, limit=PIECES_MAX, count=too_much)


def end_turn(position: Position, _action: EndTurn, _deck: Deck) -> Position:
    """Return the position after the bag was passed: the next turn, final turn or decision, or the end.

    Of a range the player holds no more than may be kept, where that is possible (R11).
    """
    me = position.players[position.player - 1]
    if me.pieces.total <= PIECES_MAX < me.pieces.most:
        position = with_pieces(position, position.player, between(me.pieces, me.pieces.total, PIECES_MAX))
    if position.deciding:
        return _next_decision(position)
    if position.final:
        if not position.final_turns:
            return _first_decision(position)
        return _begun(position, position.final_turns[0], position.final_turns[1:])
    limit = position.options.rulings.round_limit
    if limit and position.turn >= limit * position.options.players:
        if position.options.simplified:
            return simplified_end(position, "round_limit")
        return _first_decision(replace(position, final="round_limit"))
    return _begun(position, next_seat(position.player, position.options.players), ())


def _begun(position: Position, player: int, final_turns: tuple[int, ...]) -> Position:
    return replace(
        position,
        phase="main",
        turn=position.turn + 1,
        player=player,
        actions_used=0,
        delivered_at=None,
        final_turns=final_turns,
    )


def _first_decision(position: Position) -> Position:
    seats = seats_after(position.player, position.options.players)
    return _next_decision(replace(position, deciding=True, decisions=seats, actions_used=0))


def _next_decision(position: Position) -> Position:
    if not position.decisions:
        return replace(position, phase="end", delivered_at=None)
    return replace(
        position,
        phase="main",
        player=position.decisions[0],
        decisions=position.decisions[1:],
        delivered_at=None,
    )


def check_recycle(position: Position, action: Recycle, _deck: Deck) -> None:
    """Raise `IllegalAction` unless the player makes the final decision now (R41, R42)."""
    check_turn(position, action)
    if not position.deciding:
        refuse("recycle_later", action)
    check_not_over(position, action)
    if position.phase == "option":
        refuse("option_only", action)


def recycle(position: Position, action: Recycle, _deck: Deck) -> Position:
    """Return the position after recycling: all pieces into the bag, 1 token (R42, A38)."""
    me = position.players[action.player - 1]
    scores = me.pieces.guess > 0 or position.options.rulings.recycle_with_nothing_scores
    bag = position.bag + me.pieces.most
    me = replace(me, pieces=NOTHING, tokens=me.tokens + scores)
    return replace(position, players=with_player(position, me), bag=bag, phase="over")
