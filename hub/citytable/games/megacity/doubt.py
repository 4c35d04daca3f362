"""Doubt: the players whose pieces must be counted before a rule can decide, because a range crosses a limit."""

from collections.abc import Iterator

from msgspec.structs import replace

from citytable.games.megacity.actions import (
    Action,
    Deliver,
    EndTurn,
    PlaceCentralParkMonument,
    PlaceMonument,
    Recycle,
    ReturnPieces,
    TakePieces,
)
from citytable.games.megacity.effects import check, effect
from citytable.games.megacity.game import still_open
from citytable.games.megacity.hands import NOTHING, between
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Position
from citytable.games.megacity.possible import check_possible
from citytable.games.megacity.ranges import with_pieces
from citytable.games.megacity.turn import seats_after
from citytable.rules.errors import IllegalAction


def count_needed(position: Position, action: Action, deck: Deck) -> int | None:
    """Return the seat whose pieces the rules need to know before an action; None if they are certain.

    They are certain of an action that is legal, and has the same consequences, for every number of pieces with which it
    can have come out so; or that is legal for none. One count may not be enough: ask again after it.
    """
    if getattr(action, "player", 0) != position.player or not any(one.pieces.maybe for one in position.players):
        return None  # nobody acts outside their turn, whatever they hold
    match action:
        case TakePieces():
            numbers, asked = _by_bag(position), _in_doubt(position, action.player)
        case Deliver() | EndTurn() | PlaceCentralParkMonument() | PlaceMonument() | Recycle() | ReturnPieces():
            numbers, asked = _by_hand(position, action.player), action.player
        case _:
            return None
    verdicts = {_verdict(one, action, deck) for one in numbers if _can_be(one, action, deck)}
    return asked if len(verdicts) > 1 else None


def _in_doubt(position: Position, player: int) -> int:
    """Return the first seat, beginning with this one, of which it is not known how many pieces it holds."""
    *others, own = seats_after(player, len(position.players))
    return next(seat for seat in (own, *others) if position.players[seat - 1].pieces.maybe)


def _by_hand(position: Position, seat: int) -> Iterator[Position]:
    """Yield the position for every number of pieces that a player may hold."""
    pieces = position.players[seat - 1].pieces
    for count in range(pieces.total, pieces.most + 1):
        yield with_pieces(position, seat, between(pieces, count, count))


def _by_bag(position: Position) -> Iterator[Position]:
    """Yield the position for every number of pieces that may be in the bag, whoever holds the others."""
    for bag in range(position.bag_least, position.bag_most + 1):
        exact, missing = position, bag - position.bag
        for seat, player in enumerate(position.players, start=1):
            fewer = min(missing, player.pieces.maybe)
            count = player.pieces.most - fewer
            exact = with_pieces(exact, seat, between(player.pieces, count, count))
            missing -= fewer
        yield exact


def _can_be(position: Position, action: Action, deck: Deck) -> bool:
    """Return whether the action can have come out so; open fields are no obstacle."""
    if still_open(action):
        return True
    if isinstance(action, TakePieces) and action.drawn == NOTHING:
        return position.bag == 0  # the player looked
    try:
        check_possible(position, action, deck)
    except IllegalAction:
        return False
    return True


def _verdict(position: Position, action: Action, deck: Deck) -> Position | None:
    """Return the changes of a legal action except numbers of pieces; None if it is illegal."""
    try:
        check(position, action, deck)
    except IllegalAction:
        return None
    after = position if still_open(action) else effect(position, action, deck)
    return replace(after, players=tuple(replace(player, pieces=NOTHING) for player in after.players), bag=0)
